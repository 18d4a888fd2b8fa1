"""A sandbox without an engine: state, files, limits and walls, and that nothing stays behind, with the real bwrap."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox import bubblewrap as bubblewrap_of_this_machine
from sandbox import bubblewrap_box
from sandbox.box_folder import BoxFolder
from sandbox.bubblewrap_box import BubblewrapBox
from sandbox.bubblewrap_sandbox import BubblewrapSandbox
from sandbox.control_group import ROOT as CONTROL_GROUPS
from sandbox.docker_gaps import NO_GROUP
from sandbox.instance import INSTANCE_LABEL, instance_labels
from sandbox.limits import Limits
from sandbox.locks import state_folder
from sandbox.sandbox import ExecutionResult, SandboxError, SandboxState, StateLoss
from tests.bubblewrap_fixtures import bubblewrap, own_processes
from tests.docker_fixtures import wait_until
from tests.killed_program import FIVE_CELLS, five_computing_sessions

__all__ = ["bubblewrap"]
pytestmark = pytest.mark.usefixtures("bubblewrap")
ROOT = Path(__file__).resolve().parent.parent


def run(sandbox: BubblewrapSandbox, code: str, timeout: float | None = None) -> ExecutionResult:
    *_, result = sandbox.execute(code, timeout)
    assert isinstance(result, ExecutionResult)
    return result


def printed(sandbox: BubblewrapSandbox, code: str) -> str:
    result = run(sandbox, code)
    assert (result.error, result.stderr) == (None, "")
    return result.stdout.strip()


def left_behind(instance: str) -> list[str]:
    """Folders and control groups of the process of that name."""
    folders = [*state_folder().glob(f"box-{instance}-*"), *CONTROL_GROUPS.glob(f"**/data-interpreter-{instance}-*")]
    return [str(folder) for folder in folders]


@pytest.fixture(scope="module")
def shared(bubblewrap: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BubblewrapSandbox]:
    """One sandbox for all tests that leave it as it was."""
    source = tmp_path_factory.mktemp("data") / "given.csv"
    source.write_text("a,b\n1,2\n")
    with closing(BubblewrapSandbox()) as sandbox:
        sandbox.put_file("given.csv", source)
        yield sandbox


@pytest.mark.skipif(not list(Path("/usr/share/fonts").rglob("wqy-microhei.ttc")), reason="no Chinese font is installed")
def test_charts_draw_chinese_with_a_font_of_this_machine(shared: BubblewrapSandbox) -> None:
    code = "import matplotlib.pyplot as plt\nplt.title('\u57ce\u5e02\u4e0e\u519c\u6751')\nplt.plot([1, 2])"
    result = run(shared, code)
    assert ([chart.kind for chart in result.charts], result.stderr) == (["chart"], "")


@pytest.fixture
def new(bubblewrap: None) -> Iterator[Callable[..., BubblewrapSandbox]]:
    """Makes sandboxes; the test that leaves a folder or a control group behind fails."""
    instance = instance_labels()[INSTANCE_LABEL]
    before = left_behind(instance)
    made: list[BubblewrapSandbox] = []

    def make(limits: Limits | None = None, **options: float) -> BubblewrapSandbox:
        made.append(BubblewrapSandbox(limits, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for sandbox in made:
        sandbox.close()
    assert left_behind(instance) == before


def box_of(sandbox: BubblewrapSandbox) -> BubblewrapBox:
    assert isinstance(sandbox._box, BubblewrapBox)
    return sandbox._box


def process_of(sandbox: BubblewrapSandbox) -> int:
    process = box_of(sandbox)._process
    assert process
    return process.pid


# State and results


def test_the_status_names_the_isolation_and_what_it_does_not_cover(shared: BubblewrapSandbox) -> None:
    run(shared, "1")
    assert shared.status.isolation.startswith("bubblewrap 0.")
    assert shared.status.isolation.endswith(", user namespaces")
    assert "hole in the Linux kernel" in str(shared.status.gaps[0])


# Files


# Limits


def test_too_much_memory_is_told_and_the_next_cell_works(new: Callable[..., BubblewrapSandbox]) -> None:
    sandbox = new(Limits(memory_mb=640, tmp_mb=64, outputs_mb=64, shm_mb=64))
    result = run(sandbox, "blocks = []\nwhile True: blocks.append(bytearray(50_000_000))")
    assert result.error is not None
    assert "memory" in (result.error + " ".join(map(str, result.notices))).lower()
    assert printed(sandbox, "print('next')") == "next"


def test_each_folder_has_its_size(new: Callable[..., BubblewrapSandbox]) -> None:
    sandbox = new(Limits(tmp_mb=16, outputs_mb=16, shm_mb=16, file_size_mb=32))
    code = """
for folder in '/tmp', '/outputs', '/dev/shm':
    try: open(f'{folder}/big', 'wb').write(bytes(17_000_000))
    except OSError as error: print(error.strerror)
"""
    assert run(sandbox, code).stdout == "No space left on device\n" * 3
    assert (
        printed(sandbox, "import os\nfor f in '/tmp', '/outputs', '/dev/shm': os.remove(f + '/big')\nprint(1)") == "1"
    )


def test_without_a_control_group_each_process_is_limited_and_that_is_said(
    new: Callable[..., BubblewrapSandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap_box, "make_control_group", lambda *_: None)
    sandbox = new(Limits(memory_mb=640))
    result = run(sandbox, "blocks = []\nwhile True: blocks.append(bytearray(50_000_000))")
    assert "MemoryError" in (result.error or "")
    assert result.state_lost is None
    code = "import threading, time\nfor _ in range(500): threading.Thread(target=time.sleep, args=(5,)).start()"
    assert "can't start new thread" in (run(sandbox, code, timeout=10).error or "")
    assert NO_GROUP in sandbox.status.gaps
    assert printed(sandbox, "print('next')") == "next"


# Ends and replacements


def test_a_sandbox_killed_in_mid_run_is_told_and_replaced(new: Callable[..., BubblewrapSandbox]) -> None:
    sandbox = new()
    events = sandbox.execute("x = 1\nprint('begun', flush=True)\nwhile True: pass")
    next(events)
    os.kill(process_of(sandbox), signal.SIGKILL)
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.state_lost, result.stdout) == (StateLoss.CONTAINER_GONE, "begun\n")
    after = run(sandbox, "'x' in globals()")
    assert after.value == "False"
    assert str(after.notices[0]).startswith("The sandbox was replaced by a new one")


def test_close_leaves_no_process_folder_or_thread(new: Callable[..., BubblewrapSandbox]) -> None:
    def cycle() -> int:
        sandbox = new()
        run(sandbox, "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)")
        pid = process_of(sandbox)
        sandbox.close()
        sandbox.close()
        assert own_processes(os.getpid()).get(pid) is None
        assert sandbox.status.state is SandboxState.CLOSED
        return len(list(Path("/proc/self/fd").iterdir()))

    cycle()
    threads = threading.active_count()
    assert cycle() == cycle()
    wait_until(lambda: threading.active_count() <= threads)


def test_a_killed_program_leaves_no_process_and_no_folder_whatever_its_five_sessions_do(bubblewrap: None) -> None:
    with five_computing_sessions("bubblewrap") as (pid, instance):
        processes = own_processes(pid)
        assert sum("supervisor.py" in command for command in processes.values()) >= len(FIVE_CELLS)
        assert len(left_behind(instance)) >= len(FIVE_CELLS)
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not left_behind(instance) and not any(map(is_running, processes)), seconds=10)


def test_what_a_killed_program_and_its_watcher_left_goes_with_the_next_start(
    new: Callable[..., BubblewrapSandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = BoxFolder("0" * 32)
    monkeypatch.setattr(bubblewrap_box, "_swept", threading.Event())
    run(new(), "1")
    assert not folder.path.exists()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_bwrap_that_may_not_make_namespaces_is_told_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bwrap").write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit\necho "bwrap: No permissions" >&2; exit 1\n'
    )
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SandboxError, match=r"may not make namespaces here \(No permissions\)"):
        bubblewrap_of_this_machine.bubblewrap_version.__wrapped__()
