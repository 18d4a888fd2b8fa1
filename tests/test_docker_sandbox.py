"""A sandbox on a real engine: state, files, limits and walls, and every way in which its container can go."""

import fcntl
import hashlib
import os
import signal
import subprocess
import sys
import termios
import threading
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox import open_sandboxes
from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.instance import INSTANCE_LABEL
from sandbox.limits import Limits
from sandbox.sandbox import ExecutionResult, ReadingChoices, SandboxError, SandboxState, StateLoss
from tests.docker_fixtures import container_of, engine, new, ours, printed, run, sandbox_image, wait_until

__all__ = ["engine", "new", "sandbox_image"]
pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("sandbox_image")]

REPLACED = "The sandbox was replaced by a new one: variables of earlier cells are gone, the files in /data are there."


@pytest.fixture(scope="module")
def shared(sandbox_image: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerSandbox]:
    """One sandbox for all tests that leave it as it was."""
    source = tmp_path_factory.mktemp("data") / "given.csv"
    source.write_text("a,b\n1,2\n")
    with closing(DockerSandbox()) as sandbox:
        sandbox.put_file("given.csv", source)
        yield sandbox


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "source.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    return path


# State and results


def test_a_cell_is_charged_with_every_process_that_it_started(shared: DockerSandbox) -> None:
    spin = "import time\nwhile time.process_time() < 0.4: pass\nopen('/outputs/spun', 'w').close()"
    code = f"""
import os, subprocess, sys, time
subprocess.Popen([sys.executable, '-c', {spin!r}], start_new_session=True)
while not os.path.exists('/outputs/spun'): time.sleep(0.01)
os.remove('/outputs/spun')
len(bytearray(200 << 20))
"""
    usage = run(shared, code).usage
    assert usage.cpu_s is not None
    assert usage.peak_bytes is not None
    assert usage.cpu_s >= 0.4
    assert 200 << 20 < usage.peak_bytes < 500 << 20


def test_the_engine_says_how_the_sandbox_is_isolated(shared: DockerSandbox) -> None:
    run(shared, "1")
    assert shared.status.isolation.startswith("Docker ")
    assert "runc" in shared.status.isolation
    assert ("pandas", "3.1.1") in shared.status.packages


# Files


def test_a_large_file_arrives_as_it_was(new: Callable[..., DockerSandbox], tmp_path: Path) -> None:
    content = os.urandom(1 << 20) * 20 + b"end"
    (tmp_path / "large.bin").write_bytes(content)
    sandbox = new()
    sandbox.start()
    sandbox.put_file("large.bin", tmp_path / "large.bin")
    code = "import hashlib; print(hashlib.sha256(open('/data/large.bin', 'rb').read()).hexdigest())"
    assert printed(sandbox, code) == hashlib.sha256(content).hexdigest()


def test_profiled_tables_are_variables_also_after_a_restart(
    new: Callable[..., DockerSandbox], csv: Path, tmp_path: Path
) -> None:
    sandbox = new()
    profile = sandbox.profile(sandbox.put_file("my sales.csv", csv))
    assert profile.tables[0].variable == "my_sales"
    assert printed(sandbox, "print(my_sales.a.sum(), df is my_sales)") == "4 True"
    other = sandbox.profile(sandbox.put_file("my_sales.csv", csv), choices=ReadingChoices(header_row=0))
    assert other.tables[0].variable == "my_sales_2"
    assert printed(sandbox, "print(len(my_sales_2), 'df' in globals())") == "3 False"
    sandbox.restart()
    assert printed(sandbox, "print(len(my_sales_2), len(my_sales))") == "3 2"
    assert run(sandbox, "import os; os._exit(3)").state_lost is StateLoss.EXIT
    assert printed(sandbox, "print(len(my_sales))") == "2"
    sandbox.remove_file("my_sales.csv")
    assert printed(sandbox, "print('my_sales_2' in globals(), df is my_sales)") == "False True"


def test_a_table_that_cannot_be_loaded_stops_no_cell(new: Callable[..., DockerSandbox], csv: Path) -> None:
    sandbox = new()
    sandbox.profile(sandbox.put_file("sales.csv", csv))
    sandbox._files["sales.csv"].write_text("")
    sandbox.restart()
    result = run(sandbox, "print('sales' in globals())")
    assert (result.error, result.stdout) == (None, "False\n")
    assert [str(notice) for notice in result.notices] == [
        "sales could not be loaded beforehand (pandas.errors.EmptyDataError). Load it with the code given for its file."
    ]


# Walls


def test_the_engine_reports_every_wall_also_of_a_container_that_replaces_another(
    new: Callable[..., DockerSandbox], engine: DockerEngine
) -> None:
    sandbox = new()
    sandbox.start()
    first = container_of(sandbox)
    assert_every_wall(engine.inspect(first) or {})
    box = sandbox._box
    engine.remove(first)
    wait_until(lambda: bool(box and box.has_ended))
    sandbox.start()
    assert container_of(sandbox) != first
    assert_every_wall(engine.inspect(container_of(sandbox)) or {})


def assert_every_wall(found: dict[str, Any]) -> None:
    host = found["HostConfig"]
    assert host["Privileged"] is False
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["ReadonlyRootfs"] is True
    assert (host["NetworkMode"], host["IpcMode"], host["CgroupnsMode"]) == ("none", "private", "private")
    assert (host["PidMode"], host["UTSMode"], host["UsernsMode"]) == ("", "", "")
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert (host["Memory"], host["MemorySwap"], host["PidsLimit"]) == (2048 << 20, 2048 << 20, 128)
    assert {each["Name"]: each["Hard"] for each in host["Ulimits"]} == {
        "nofile": 1024,
        "fsize": 256 << 20,
        "core": 0,
        "memlock": 0,
        "msgqueue": 0,
    }
    assert host["LogConfig"]["Type"] == "none"
    assert host["AutoRemove"] is True
    assert host["RestartPolicy"]["Name"] in ("", "no")
    assert not (host["Binds"] or host["Devices"] or host["DeviceRequests"] or host["PortBindings"])
    assert [(each["Type"], each["Destination"]) for each in found["Mounts"]] == [("volume", "/volume")]
    assert int(found["Config"]["User"].partition(":")[0]) >= 10_000


def test_nothing_of_the_host_is_in_the_environment(
    new: Callable[..., DockerSandbox], monkeypatch: pytest.MonkeyPatch, engine: DockerEngine
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "CANARY-1")
    monkeypatch.setenv("HTTPS_PROXY", "http://CANARY-2")
    sandbox = new()
    code = """
import glob, os
texts = [repr(dict(os.environ))]
for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):
    try: texts.append(open(path).read())
    except OSError: pass
secret = ('KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PROXY', 'DOCKER')
print('CANARY-' in ''.join(texts), [name for name in os.environ if any(word in name for word in secret)])
"""
    assert printed(sandbox, code.replace("'CANARY-'", "'CANA' + 'RY-'")) == "False []"
    assert "CANARY" not in repr(engine.inspect(container_of(sandbox)))


def test_a_runtime_that_the_engine_does_not_know_is_told(new: Callable[..., DockerSandbox]) -> None:
    with pytest.raises(SandboxError, match="does not know the container runtime in SANDBOX_RUNTIME"):
        run(new(runtime="nosuchruntime"), "1")


def test_a_host_that_takes_nothing_can_still_stop_and_remove_and_holds_up_no_other(
    new: Callable[..., DockerSandbox], engine: DockerEngine
) -> None:
    """The engine waits for whoever reads from a container, and can neither kill it nor list any other meanwhile."""
    sandbox = new(Limits(output_chars=10_000_000))
    sandbox.start()
    name, box = container_of(sandbox), sandbox._box
    assert isinstance(box, DockerContainer)
    assert box._stream
    socket, read, flows = box._stream._socket, box.connection._read, threading.Event()
    box.connection._read = lambda: read() if flows.wait() else b""  # type: ignore[method-assign]
    cell = threading.Thread(target=lambda: list(sandbox.execute("while True: print('A' * 1000)")))
    cell.start()
    wait_until(lambda: waiting_bytes(socket) > 100_000)
    sandbox.interrupt()
    assert name in {each["Names"][0].strip("/") for each in engine.containers(INSTANCE_LABEL)}
    sandbox.close()
    wait_until(lambda: engine.inspect(name) is None, seconds=5)
    flows.set()
    cell.join()


def waiting_bytes(socket: Any) -> int:
    """How much has come and was not read."""
    size = array("i", [0])
    fcntl.ioctl(socket, termios.FIONREAD, size)
    return size[0]


# Ends and replacements


def test_a_container_killed_in_mid_run_is_told_and_replaced(
    new: Callable[..., DockerSandbox], csv: Path, engine: DockerEngine
) -> None:
    sandbox = new()
    sandbox.put_file("kept.csv", csv)
    events = sandbox.execute("x = 1\nprint('begun', flush=True)\nwhile True: pass")
    next(events)
    engine.remove(container_of(sandbox))
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert result.error == str(result.notices[0])
    assert result.error.startswith("The sandbox ended while the code ran. The next code runs")
    assert (result.state_lost, result.stdout) == (StateLoss.CONTAINER_GONE, "begun\n")
    assert sandbox.status.lost_variables
    after = run(sandbox, "import os; print(os.listdir('/data'), 'x' in globals())")
    assert after.stdout == "['kept.csv'] False\n"
    assert ([str(notice) for notice in after.notices], after.lost_before) == ([REPLACED], True)
    assert not sandbox.status.lost_variables
    again = run(sandbox, "1")
    assert (again.notices, again.lost_before) == ((), False)


def test_a_container_removed_between_two_cells_is_replaced_at_once(
    new: Callable[..., DockerSandbox], csv: Path, engine: DockerEngine
) -> None:
    sandbox = new()
    sandbox.put_file("kept.csv", csv)
    run(sandbox, "x = 1")
    container = sandbox._box
    engine.remove(container_of(sandbox))
    wait_until(lambda: bool(container and container.has_ended))
    assert sandbox.status.lost_variables
    result = run(sandbox, "import os; print(os.listdir('/data'), 'x' in globals())")
    assert (result.stdout, result.error) == ("['kept.csv'] False\n", None)
    assert result.lost_before
    assert [str(notice) for notice in result.notices] == [REPLACED]


def test_restart_forgets_variables_and_outputs_and_keeps_the_files(
    new: Callable[..., DockerSandbox], csv: Path
) -> None:
    sandbox = new()
    sandbox.put_file("kept.csv", csv)
    run(sandbox, "x = 1\nopen('/outputs/old.txt', 'w').write('x')")
    sandbox.restart()
    assert not sandbox.status.lost_variables
    result = run(sandbox, "import os; print(os.listdir('/data'), os.listdir('/outputs'), 'x' in globals())")
    assert (result.stdout, result.notices, result.lost_before) == ("['kept.csv'] [] False\n", (), False)


def test_an_idle_container_is_given_up_and_the_next_cell_says_so(
    new: Callable[..., DockerSandbox], engine: DockerEngine
) -> None:
    sandbox = new(idle_seconds=0.3)
    run(sandbox, "x = 1")
    wait_until(lambda: sandbox.status.state is SandboxState.NOT_STARTED)
    assert sandbox.status.lost_variables
    result = run(sandbox, "'x' in globals()")
    assert result.value == "False"
    assert str(result.notices[0]).startswith("The sandbox was not used for a while")


def test_close_removes_everything_and_can_be_called_twice(
    new: Callable[..., DockerSandbox], engine: DockerEngine
) -> None:
    sandbox = new()
    run(sandbox, "1")
    name = container_of(sandbox)
    sandbox.close()
    sandbox.close()
    wait_until(lambda: engine.inspect(name) is None)
    assert sandbox.status.state is SandboxState.CLOSED
    with pytest.raises(SandboxError, match="This sandbox is closed"):
        run(sandbox, "1")


def test_closing_ends_a_running_cell(new: Callable[..., DockerSandbox]) -> None:
    sandbox = new()
    events = sandbox.execute("print('begun', flush=True)\nwhile True: pass")
    next(events)
    sandbox.close()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert result.error == "The session was closed while the code ran. Begin a new one."


def test_all_sandboxes_close_at_the_end_of_the_process(
    new: Callable[..., DockerSandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    sandboxes = [new(), new()]
    monkeypatch.setattr(open_sandboxes, "open_sandboxes", sandboxes)
    for sandbox in sandboxes:
        sandbox.start()
    open_sandboxes.close_all()
    assert {sandbox.status.state for sandbox in sandboxes} == {SandboxState.CLOSED}


@pytest.mark.parametrize("failure", [SandboxError("full"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["put", "_started", "_told_isolation"])
def test_a_start_that_fails_half_way_leaves_nothing(
    step: str,
    failure: BaseException,
    new: Callable[..., DockerSandbox],
    csv: Path,
    engine: DockerEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise failure

    before = len(ours(engine))
    monkeypatch.setattr(DockerContainer, step, fail)
    sandbox = new()
    sandbox.put_file("a.csv", csv)
    with pytest.raises(type(failure)):
        run(sandbox, "1")
    wait_until(lambda: len(ours(engine)) == before)


def test_sandboxes_start_side_by_side(new: Callable[..., DockerSandbox]) -> None:
    sandboxes = [new() for _ in range(3)]
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda box=box, n=n: results.append(printed(box, f"print({n})")))
        for n, box in enumerate(sandboxes)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["0", "1", "2"]


def test_starting_and_ending_leaves_no_thread_and_no_open_file(new: Callable[..., DockerSandbox]) -> None:
    def cycle() -> int:
        sandbox = new()
        run(sandbox, "1")
        sandbox.close()
        return len(list(Path("/proc/self/fd").iterdir()))

    cycle()
    threads = threading.active_count()
    assert cycle() == cycle()
    wait_until(lambda: threading.active_count() <= threads)


APP = """
import sys
from sandbox.docker_sandbox import DockerSandbox
sandbox = DockerSandbox()
for event in sandbox.execute("print('begun', flush=True)\\nimport time; time.sleep(600)"):
    print(sandbox._box._name, flush=True)
"""


def test_a_killed_app_takes_its_container_with_it(engine: DockerEngine) -> None:
    with subprocess.Popen([sys.executable, "-c", APP], stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout
        name = app.stdout.readline().strip()
        assert engine.inspect(name)
        os.kill(app.pid, signal.SIGKILL)
        wait_until(lambda: engine.inspect(name) is None, seconds=10)
