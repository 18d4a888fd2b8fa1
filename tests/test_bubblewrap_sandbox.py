"""A sandbox without an engine: state, files, limits and walls, and that nothing stays behind, with the real bwrap."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox import bubblewrap as bubblewrap_of_this_machine
from sandbox import bubblewrap_box
from sandbox.box_folder import BoxFolder
from sandbox.bubblewrap_box import NO_GROUP, BubblewrapBox
from sandbox.bubblewrap_sandbox import BubblewrapSandbox
from sandbox.control_group import ROOT as CONTROL_GROUPS
from sandbox.instance import INSTANCE_LABEL, instance_labels
from sandbox.limits import Limits
from sandbox.locks import state_folder
from sandbox.sandbox import ExecutionResult, OutputText, SandboxError, SandboxState, StateLoss
from tests.bubblewrap_fixtures import bubblewrap, own_processes
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


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.05)


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


def test_variables_live_from_cell_to_cell_and_text_comes_as_it_is_printed(shared: BubblewrapSandbox) -> None:
    assert run(shared, "total = 5\ndef double(x): return 2 * x").ok
    events = list(shared.execute("print(double(total))"))
    assert events[0] == OutputText("stdout", "10\n")
    assert isinstance(events[-1], ExecutionResult)


def test_a_chart_and_a_file_come_out_without_a_warning(shared: BubblewrapSandbox) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nopen('/mnt/data/all.bin', 'wb').write(bytes(range(256)))"
    result = run(shared, code + "\nNone")
    assert [chart.content[:8] for chart in result.charts] == [b"\x89PNG\r\n\x1a\n"]
    assert [(file.name, file.content) for file in result.files] == [("all.bin", bytes(range(256)))]
    assert result.stderr == ""


def test_every_library_of_the_image_can_be_used(shared: BubblewrapSandbox) -> None:
    code = """
import duckdb, joblib, plotly.express, polars, pyarrow, scipy.stats, seaborn, sklearn.linear_model, statsmodels.api
print(duckdb.sql('select 6 * 7').fetchall()[0][0], polars.DataFrame({'a': [1, 2]})['a'].sum())
print(joblib.Parallel(2)(joblib.delayed(abs)(-n) for n in range(3)))
"""
    assert printed(shared, code) == "42 3\n[0, 1, 2]"


def test_code_that_runs_too_long_is_stopped_and_its_variables_stay(shared: BubblewrapSandbox) -> None:
    result = run(shared, "kept = 1\nwhile True: pass", timeout=0.5)
    assert (result.timed_out, result.state_lost) == (True, None)
    assert printed(shared, "print(kept)") == "1"


def test_code_that_cannot_be_stopped_is_killed_and_the_next_cell_works(new: Callable[..., BubblewrapSandbox]) -> None:
    sandbox = new(Limits(grace_seconds=0.5))
    result = run(sandbox, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", timeout=0.3)
    assert (result.timed_out, result.state_lost) == (True, StateLoss.TIMEOUT)
    assert printed(sandbox, "print('next')") == "next"


def test_stop_ends_the_code(shared: BubblewrapSandbox) -> None:
    events = shared.execute("print('begun', flush=True)\nwhile True: pass")
    next(events)
    assert shared.status.state is SandboxState.BUSY
    shared.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.interrupted, result.state_lost) == (True, None)


def test_the_status_names_the_isolation_and_what_it_does_not_cover(shared: BubblewrapSandbox) -> None:
    run(shared, "1")
    assert shared.status.isolation.startswith("bubblewrap 0.")
    assert shared.status.isolation.endswith(", user namespaces")
    assert "hole in the Linux kernel" in str(shared.status.gaps[0])


# Files


def test_an_upload_is_there_whole_and_cannot_be_changed(shared: BubblewrapSandbox) -> None:
    code = """
import errno, os
print(open('/data/given.csv').read(), end='')
for attempt in (
    lambda: open('/data/given.csv', 'a'), lambda: open('/data/new', 'w'), lambda: os.remove('/data/given.csv'),
    lambda: os.chmod('/data/given.csv', 0o777), lambda: os.rename('/data/given.csv', '/data/b.csv'),
):
    try: print('changed', attempt())
    except OSError as error: print(error.errno in (errno.EROFS, errno.EACCES))
"""
    assert printed(shared, code) == "a,b\n1,2\n" + "\n".join(["True"] * 5)


def test_files_come_and_go_while_variables_stay(new: Callable[..., BubblewrapSandbox], tmp_path: Path) -> None:
    source = tmp_path / "source.csv"
    source.write_text("a\n1\n")
    sandbox = new()
    assert sandbox.put_file("first.csv", source) == "first.csv"
    assert printed(sandbox, "x = 7\nimport os; print(os.listdir('/data'))") == "['first.csv']"
    assert sandbox.put_file("../销售 data.csv", source) == "销售 data.csv"
    sandbox.remove_file("first.csv")
    assert printed(sandbox, "print(os.listdir('/data'), open('/data/销售 data.csv').read() == 'a\\n1\\n', x)") == (
        "['销售 data.csv'] True 7"
    )
    assert [table.rows for table in sandbox.profile("销售 data.csv").tables] == [1]


def test_a_file_that_is_gone_is_told_and_nothing_is_begun(
    new: Callable[..., BubblewrapSandbox], tmp_path: Path
) -> None:
    source = tmp_path / "source.csv"
    source.write_text("a\n1\n")
    sandbox = new()
    sandbox.put_file("gone.csv", source)
    source.unlink()
    with pytest.raises(SandboxError, match="cannot be read any more"):
        run(sandbox, "1")


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


def test_a_fork_bomb_stays_inside(new: Callable[..., BubblewrapSandbox], shared: BubblewrapSandbox) -> None:
    sandbox = new()
    code = """
import os, time
try:
    for _ in range(500):
        if os.fork() == 0: time.sleep(60); os._exit(0)
except OSError as error: print(type(error).__name__)
"""
    assert run(sandbox, code, timeout=20).stdout == "BlockingIOError\n"
    assert printed(shared, "print('neighbour')") == "neighbour"
    assert printed(sandbox, "print('next')") == "next"


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


def test_a_sandbox_outlives_the_thread_that_started_it(new: Callable[..., BubblewrapSandbox]) -> None:
    sandbox = new()
    starter = threading.Thread(target=sandbox.start)
    starter.start()
    starter.join()
    assert printed(sandbox, "print('alive')") == "alive"


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
