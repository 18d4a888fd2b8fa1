"""A sandbox on a real engine: state, files, limits and walls, and every way in which its container can go."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox import open_sandboxes
from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.limits import Limits
from sandbox.sandbox import ExecutionResult, OutputText, ReadingChoices, SandboxError, SandboxState, StateLoss
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


def test_variables_live_from_cell_to_cell(shared: DockerSandbox) -> None:
    assert run(shared, "total = 5\ndef double(x): return 2 * x").ok
    assert run(shared, "double(total)").value == "10"


def test_text_comes_as_it_is_printed_and_the_result_last(shared: DockerSandbox) -> None:
    events = list(shared.execute("import sys\nprint('out')\nprint('err', file=sys.stderr)"))
    texts = [each for each in events if isinstance(each, OutputText)]
    assert "".join(each.text for each in texts if each.stream == "stdout") == "out\n"
    assert isinstance(events[-1], ExecutionResult)
    assert (events[-1].stdout, events[-1].stderr) == ("out\n", "err\n")


def test_a_chart_and_a_file_come_out(shared: DockerSandbox) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nopen('/outputs/all.bin', 'wb').write(bytes(range(256)))"
    result = run(shared, code + "\nNone")
    assert [chart.content[:8] for chart in result.charts] == [b"\x89PNG\r\n\x1a\n"]
    assert [(file.name, file.content) for file in result.files] == [("all.bin", bytes(range(256)))]


def test_the_usual_places_of_other_products_lead_to_the_outputs(shared: DockerSandbox) -> None:
    result = run(shared, "open('/mnt/data/report.txt', 'w').write('x')\nNone")
    assert [file.name for file in result.files] == ["report.txt"]


def test_code_that_runs_too_long_is_stopped_and_its_variables_stay(shared: DockerSandbox) -> None:
    result = run(shared, "kept = 1\nwhile True: pass", timeout=0.5)
    assert (result.timed_out, result.state_lost) == (True, None)
    assert printed(shared, "print(kept)") == "1"


def test_leaving_early_stops_the_code(shared: DockerSandbox) -> None:
    events = shared.execute("print('begun', flush=True)\nwhile True: pass")
    assert next(events) == OutputText("stdout", "begun\n")
    events.close()  # type: ignore[attr-defined]
    assert printed(shared, "print('next')") == "next"


def test_stop_ends_the_code_and_keeps_the_variables(shared: DockerSandbox) -> None:
    events = shared.execute("stopped_at = 3\nprint('begun', flush=True)\nwhile True: pass")
    next(events)
    shared.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.interrupted, result.state_lost) == (True, None)
    assert printed(shared, "print(stopped_at)") == "3"


def test_a_second_cell_at_the_same_time_is_refused_in_words(shared: DockerSandbox) -> None:
    events = shared.execute("print('begun', flush=True)\nwhile True: pass")
    next(events)
    assert shared.status.state is SandboxState.BUSY
    with pytest.raises(SandboxError, match="busy with another cell"):
        run(shared, "1")
    shared.interrupt()
    list(events)
    assert printed(shared, "print('free again')") == "free again"


def test_the_engine_says_how_the_sandbox_is_isolated(shared: DockerSandbox) -> None:
    run(shared, "1")
    assert shared.status.isolation.startswith("Docker ")
    assert "runc" in shared.status.isolation
    assert ("pandas", "3.1.1") in shared.status.packages


# Files


def test_an_upload_is_there_whole_and_cannot_be_changed(shared: DockerSandbox) -> None:
    code = """
import os
print(open('/data/given.csv').read(), end='')
for attempt in (
    lambda: open('/data/given.csv', 'a'), lambda: open('/data/new', 'w'), lambda: os.remove('/data/given.csv'),
    lambda: os.chmod('/data/given.csv', 0o777), lambda: os.rename('/data/given.csv', '/data/b.csv'),
    lambda: os.rename('/volume/files', '/volume/b'), lambda: open('/volume/x', 'w'),
):
    try: print('changed', attempt())
    except OSError as error: print(type(error).__name__, end=' ')
"""
    assert printed(shared, code) == "a,b\n1,2\n" + " ".join(["PermissionError"] * 7)


def test_files_come_and_go_while_variables_stay(new: Callable[..., DockerSandbox], csv: Path, tmp_path: Path) -> None:
    listed = "import os; print(sorted(os.listdir('/data')), len(os.listdir('/volume')))"
    sandbox = new()
    assert sandbox.put_file("first.csv", csv) == "first.csv"
    assert printed(sandbox, "x = 7\n" + listed).startswith("['first.csv']")
    assert sandbox.put_file("../销售 data.csv", csv) == "销售 data.csv"
    assert sandbox.put_file("first.csv", csv) == "first (2).csv"
    assert printed(sandbox, listed).startswith("['first (2).csv', 'first.csv', '销售 data.csv']")
    sandbox.remove_file("first.csv")
    sandbox.remove_file("never there.csv")
    assert printed(sandbox, listed).startswith("['first (2).csv', '销售 data.csv']")
    assert printed(sandbox, "print(open('/data/销售 data.csv').read() == 'a,b\\n1,2\\n3,4\\n', x)") == "True 7"
    sandbox.remove_file("first (2).csv")
    sandbox.remove_file("销售 data.csv")
    assert printed(sandbox, listed).startswith("[]")
    (tmp_path / "empty").touch()
    assert sandbox.put_file("first.csv", tmp_path / "empty") == "first.csv"
    assert printed(sandbox, "import os; print(os.path.getsize('/data/first.csv'), oct(os.stat('/data').st_mode))") == (
        "0 0o40755"
    )


def test_a_large_file_arrives_as_it_was(new: Callable[..., DockerSandbox], tmp_path: Path) -> None:
    content = os.urandom(1 << 20) * 20 + b"end"
    (tmp_path / "large.bin").write_bytes(content)
    sandbox = new()
    sandbox.start()
    sandbox.put_file("large.bin", tmp_path / "large.bin")
    code = "import hashlib; print(hashlib.sha256(open('/data/large.bin', 'rb').read()).hexdigest())"
    assert printed(sandbox, code) == hashlib.sha256(content).hexdigest()


def test_a_file_that_is_not_there_is_told(shared: DockerSandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="The file gone"):
        shared.put_file("gone.csv", tmp_path / "gone.csv")


def test_a_file_is_looked_into_apart_from_the_variables(shared: DockerSandbox) -> None:
    run(shared, "df = 1")
    profile = shared.profile("given.csv")
    assert [(table.rows, [each.name for each in table.columns]) for table in profile.tables] == [(1, ["a", "b"])]
    assert run(shared, "df").value == "1"


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


def test_the_engine_reports_every_wall(shared: DockerSandbox, engine: DockerEngine) -> None:
    shared.start()
    found = engine.inspect(container_of(shared)) or {}
    host = found["HostConfig"]
    assert host["Privileged"] is False
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["ReadonlyRootfs"] is True
    assert (host["NetworkMode"], host["IpcMode"], host["CgroupnsMode"]) == ("none", "private", "private")
    assert (host["PidMode"], host["UTSMode"], host["UsernsMode"]) == ("", "", "")
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert (host["Memory"], host["MemorySwap"], host["PidsLimit"]) == (2048 << 20, 2048 << 20, 128)
    assert host["LogConfig"]["Type"] == "none"
    assert host["AutoRemove"] is True
    assert host["RestartPolicy"]["Name"] in ("", "no")
    assert not (host["Binds"] or host["Devices"] or host["DeviceRequests"] or host["PortBindings"])
    assert [(each["Type"], each["Destination"]) for each in found["Mounts"]] == [("volume", "/volume")]
    assert int(found["Config"]["User"].partition(":")[0]) >= 10_000


def test_code_has_no_rights(shared: DockerSandbox) -> None:
    code = """
import os
lines = {name: value.strip() for name, value in (line.split(':', 1) for line in open('/proc/self/status'))}
print({lines[name] for name in lines if name.startswith('Cap')}, lines['NoNewPrivs'], lines['Seccomp'])
print(os.getuid() >= 10_000, os.getgid() >= 10_000, 0 in os.getgroups())
"""
    assert printed(shared, code) == "{'0000000000000000'} 1 2\nTrue True False"


def test_code_reaches_no_network(shared: DockerSandbox) -> None:
    code = """
import os, socket
print(os.listdir('/sys/class/net'))
for address in ('1.1.1.1', 53), ('172.17.0.1', 2375), ('169.254.169.254', 80):
    try: socket.create_connection(address, 3)
    except OSError as error: print(error.errno)
for kind in ((2, 3, 1), (17, 3)):
    try: socket.socket(*kind)
    except PermissionError: print('denied')
try: socket.getaddrinfo('example.com', 80)
except OSError as error: print(type(error).__name__)
"""
    assert printed(shared, code).splitlines() == ["['lo']", "101", "101", "101", "denied", "denied", "gaierror"]


def test_code_writes_only_where_it_may(shared: DockerSandbox) -> None:
    code = """
import os
folders = {line.split()[4] for line in open('/proc/self/mountinfo')}
folders |= {'/', '/etc', '/usr', '/opt/venv', '/opt/sandbox', '/data'}
def can_write(folder):
    try: open(os.path.join(folder, 'probe'), 'w').close()
    except OSError: return False
    os.remove(os.path.join(folder, 'probe'))
    return True
print(sorted(folder for folder in folders if os.path.isdir(folder) and can_write(folder)))
"""
    allowed = "['/dev/mqueue', '/dev/shm', '/outputs', '/tmp']"
    assert printed(shared, code) in (allowed, allowed.replace("'/dev/mqueue', ", ""))


def test_code_sees_no_devices_and_no_other_processes(shared: DockerSandbox) -> None:
    code = """
import os
known = 'core fd full mqueue null ptmx pts random shm stdin stdout stderr tty urandom zero'.split()
print(set(os.listdir('/dev')) - set(known))
print({open(f'/proc/{pid}/cmdline').read().split(chr(0))[0] for pid in os.listdir('/proc') if pid.isdigit()} - {''})
print('docker' in open('/proc/self/cgroup').read())
"""
    assert printed(shared, code) == "set()\n{'/opt/venv/bin/python'}\nFalse"


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


def test_each_sandbox_has_a_user_and_a_memory_of_its_own(new: Callable[..., DockerSandbox]) -> None:
    first, second = new(), new()
    assert printed(
        first,
        "open('/dev/shm/secret', 'w').write('x'); open('/tmp/secret', 'w').write('x')\nimport os; print(os.getuid())",
    ) != (printed(second, "import os; print(os.getuid())"))
    assert printed(second, "print(os.listdir('/dev/shm'), 'secret' in os.listdir('/tmp'))") == "[] False"


def test_a_runtime_that_the_engine_does_not_know_is_told(new: Callable[..., DockerSandbox]) -> None:
    with pytest.raises(SandboxError, match="does not know the container runtime in SANDBOX_RUNTIME"):
        run(new(runtime="nosuchruntime"), "1")


# Limits


def test_too_much_memory_ends_the_cell_in_words_and_the_next_one_works(new: Callable[..., DockerSandbox]) -> None:
    sandbox = new(Limits(memory_mb=640, tmp_mb=64, outputs_mb=64, shm_mb=64))
    result = run(sandbox, "kept = 1\nblocks = []\nwhile True: blocks.append(bytearray(50_000_000))")
    assert result.error is not None
    assert result.state_lost in (None, StateLoss.MEMORY)
    assert "memory" in (result.error + " ".join(map(str, result.notices))).lower()
    assert printed(sandbox, "print('next')") == "next"


def test_full_folders_do_not_keep_the_next_cell_from_working(new: Callable[..., DockerSandbox]) -> None:
    sandbox = new(Limits(tmp_mb=16, outputs_mb=16, shm_mb=16, file_size_mb=16))
    code = """
import os
for folder in '/tmp', '/outputs', '/dev/shm':
    try: open(f'{folder}/big', 'wb').write(bytes(17_000_000))
    except OSError as error: print(folder, error.strerror)
"""
    result = run(sandbox, code)
    assert result.stdout.count("/") >= 3
    assert printed(sandbox, "print(1)\nfor f in '/tmp', '/outputs', '/dev/shm': os.remove(f + '/big')") == "1"


def test_files_are_counted_where_they_are_small(shared: DockerSandbox) -> None:
    code = """
import os, shutil
os.mkdir('/tmp/many')
made = 0
try:
    for made in range(300_000): os.close(os.open(f'/tmp/many/{made}', os.O_CREAT))
except OSError as error: print(error.errno, made < 20_000)
shutil.rmtree('/tmp/many')
"""
    assert printed(shared, code) == "28 True"


def test_a_fork_bomb_stays_inside(new: Callable[..., DockerSandbox], shared: DockerSandbox) -> None:
    sandbox = new()
    code = """
import os, time
try:
    for _ in range(500):
        if os.fork() == 0: time.sleep(60); os._exit(0)
except OSError as error: print(type(error).__name__)
"""
    assert run(sandbox, code, timeout=10).stdout == "BlockingIOError\n"
    assert printed(shared, "print('neighbour')") == "neighbour"
    assert printed(sandbox, "print('next')") == "next"


def test_a_flood_of_output_is_cut_and_the_sandbox_can_be_closed(new: Callable[..., DockerSandbox]) -> None:
    sandbox = new(Limits(output_chars=10_000))
    result = run(sandbox, "while True: print('A' * 1000)", timeout=1)
    assert result.timed_out
    assert len(result.stdout) < 12_000
    began = time.monotonic()
    sandbox.close()
    assert time.monotonic() - began < 10


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
