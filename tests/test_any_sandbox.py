"""What holds for the sandbox of a session whatever keeps its code in, on a real engine and on the real bubblewrap."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.bubblewrap_sandbox import BubblewrapSandbox
from sandbox.docker_sandbox import DockerSandbox
from sandbox.sandbox import ExecutionResult, OutputText, Sandbox, SandboxError, SandboxState, StateLoss
from tests.bubblewrap_fixtures import bubblewrap
from tests.docker_fixtures import sandbox_image

__all__ = ["bubblewrap", "sandbox_image"]
NEEDS = {DockerSandbox: "sandbox_image", BubblewrapSandbox: "bubblewrap"}


@pytest.fixture(
    scope="module",
    params=[pytest.param(DockerSandbox, marks=pytest.mark.docker), BubblewrapSandbox],
    ids=["docker", "bubblewrap"],
)
def kind(request: pytest.FixtureRequest) -> type[Sandbox]:
    request.getfixturevalue(NEEDS[request.param])
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def shared(kind: type[Sandbox], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One sandbox for all tests that leave it as it was."""
    source = tmp_path_factory.mktemp("data") / "given.csv"
    source.write_text("a,b\n1,2\n")
    with closing(kind()) as sandbox:
        sandbox.put_file("given.csv", source)
        yield sandbox


def run(sandbox: Sandbox, code: str, timeout: float | None = None) -> ExecutionResult:
    *_, result = sandbox.execute(code, timeout)
    assert isinstance(result, ExecutionResult)
    return result


def printed(sandbox: Sandbox, code: str) -> str:
    result = run(sandbox, code)
    assert (result.error, result.stderr) == (None, "")
    return result.stdout.strip()


def test_variables_live_from_cell_to_cell(shared: Sandbox) -> None:
    assert run(shared, "total = 5\ndef double(x): return 2 * x").ok
    assert run(shared, "double(total)").value == "10"


def test_text_comes_as_it_is_printed_and_the_result_last(shared: Sandbox) -> None:
    events = list(shared.execute("import sys\nprint('out')\nprint('err', file=sys.stderr)"))
    texts = [each for each in events if isinstance(each, OutputText)]
    assert "".join(each.text for each in texts if each.stream == "stdout") == "out\n"
    assert isinstance(events[-1], ExecutionResult)
    assert (events[-1].stdout, events[-1].stderr) == ("out\n", "err\n")


def test_a_chart_and_a_file_come_out_without_a_warning(shared: Sandbox) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nopen('/outputs/all.bin', 'wb').write(bytes(range(256)))"
    result = run(shared, code + "\nNone")
    assert [chart.content[:8] for chart in result.charts] == [b"\x89PNG\r\n\x1a\n"]
    assert [(file.name, file.content) for file in result.files] == [("all.bin", bytes(range(256)))]
    assert result.stderr == ""


def test_the_usual_places_of_other_products_lead_to_the_outputs(shared: Sandbox) -> None:
    result = run(shared, "open('/mnt/data/report.txt', 'w').write('x')\nNone")
    assert [file.name for file in result.files] == ["report.txt"]


def test_every_library_of_the_image_can_be_used(shared: Sandbox) -> None:
    code = """
import duckdb, joblib, plotly.express, polars, pyarrow, scipy.stats, seaborn, sklearn.linear_model, statsmodels.api
print(duckdb.sql('select 6 * 7').fetchall()[0][0], polars.DataFrame({'a': [1, 2]})['a'].sum())
print(joblib.Parallel(2)(joblib.delayed(abs)(-n) for n in range(3)))
"""
    assert printed(shared, code) == "42 3\n[0, 1, 2]"
    assert ("pandas", "3.1.1") in shared.status.packages


def test_code_that_runs_too_long_is_stopped_and_its_variables_stay(shared: Sandbox) -> None:
    result = run(shared, "kept = 1\nwhile True: pass", timeout=0.5)
    assert (result.timed_out, result.state_lost) == (True, None)
    assert printed(shared, "print(kept)") == "1"


def test_code_that_cannot_be_stopped_is_killed_and_the_next_cell_works(shared: Sandbox) -> None:
    result = run(shared, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", timeout=0.3)
    assert (result.timed_out, result.state_lost) == (True, StateLoss.TIMEOUT)
    assert printed(shared, "print('next')") == "next"


def test_leaving_early_stops_the_code(shared: Sandbox) -> None:
    events = shared.execute("print('begun', flush=True)\nwhile True: pass")
    assert next(iter(events)) == OutputText("stdout", "begun\n")
    events.close()  # type: ignore[attr-defined]
    assert printed(shared, "print('next')") == "next"


def test_stop_ends_the_code_and_keeps_the_variables(shared: Sandbox) -> None:
    events = shared.execute("stopped_at = 3\nprint('begun', flush=True)\nwhile True: pass")
    next(iter(events))
    shared.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.interrupted, result.state_lost) == (True, None)
    assert printed(shared, "print(stopped_at)") == "3"


def test_a_second_cell_at_the_same_time_is_refused_in_words(shared: Sandbox) -> None:
    events = shared.execute("print('begun', flush=True)\nwhile True: pass")
    next(iter(events))
    assert shared.status.state is SandboxState.BUSY
    with pytest.raises(SandboxError, match="busy with another cell"):
        run(shared, "1")
    shared.interrupt()
    list(events)
    assert printed(shared, "print('free again')") == "free again"


def test_a_fork_bomb_stays_inside_and_the_next_cell_works(shared: Sandbox) -> None:
    code = """
import os, time
try:
    for _ in range(500):
        if os.fork() == 0: time.sleep(60); os._exit(0)
except OSError as error: print(type(error).__name__)
"""
    assert run(shared, code, timeout=20).stdout == "BlockingIOError\n"
    assert printed(shared, "print('next')") == "next"


def test_an_upload_is_there_whole_and_cannot_be_changed(shared: Sandbox) -> None:
    code = """
import errno, os
print(open('/data/given.csv').read(), end='')
for attempt in (
    lambda: open('/data/given.csv', 'a'), lambda: open('/data/new', 'w'), lambda: os.remove('/data/given.csv'),
    lambda: os.chmod('/data/given.csv', 0o777), lambda: os.rename('/data/given.csv', '/data/b.csv'),
):
    try: print('changed', attempt())
    except OSError as error: print(error.errno in (errno.EROFS, errno.EACCES, errno.EPERM))
"""
    assert printed(shared, code) == "a,b\n1,2\n" + "\n".join(["True"] * 5)


def test_files_come_and_go_while_variables_stay(shared: Sandbox, tmp_path: Path) -> None:
    listed = "import os; print(sorted(os.listdir('/data')))"
    source, empty = tmp_path / "source.csv", tmp_path / "empty"
    source.write_text("a\n1\n")
    empty.touch()
    assert shared.put_file("first.csv", source) == "first.csv"
    assert printed(shared, "x = 7\n" + listed) == "['first.csv', 'given.csv']"
    assert shared.put_file("../销售 data.csv", source) == "销售 data.csv"
    assert shared.put_file("first.csv", source) == "first (2).csv"
    assert printed(shared, listed) == "['first (2).csv', 'first.csv', 'given.csv', '销售 data.csv']"
    shared.remove_file("first.csv")
    shared.remove_file("never there.csv")
    assert printed(shared, listed) == "['first (2).csv', 'given.csv', '销售 data.csv']"
    assert printed(shared, "print(open('/data/销售 data.csv').read() == 'a\\n1\\n', x)") == "True 7"
    assert [table.rows for table in shared.profile("销售 data.csv").tables] == [1]
    assert shared.put_file("first.csv", empty) == "first.csv"
    assert printed(shared, "print(os.path.getsize('/data/first.csv'), oct(os.stat('/data').st_mode))") == "0 0o40755"
    for name in ("first.csv", "first (2).csv", "销售 data.csv"):
        shared.remove_file(name)
    assert printed(shared, listed) == "['given.csv']"


def test_a_file_that_is_not_there_is_told(shared: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="The file gone"):
        shared.put_file("gone.csv", tmp_path / "gone.csv")


def test_a_file_that_goes_before_the_start_is_told_and_nothing_is_begun(kind: type[Sandbox], tmp_path: Path) -> None:
    source = tmp_path / "source.csv"
    source.write_text("a\n1\n")
    with closing(kind()) as sandbox:
        sandbox.put_file("gone.csv", source)
        source.unlink()
        with pytest.raises(SandboxError, match="cannot be read any more"):
            run(sandbox, "1")


def test_a_file_is_looked_into_apart_from_the_variables(shared: Sandbox) -> None:
    run(shared, "df = 1")
    profile = shared.profile("given.csv")
    assert [(table.rows, [each.name for each in table.columns]) for table in profile.tables] == [(1, ["a", "b"])]
    assert run(shared, "df").value == "1"


def test_a_sandbox_outlives_the_thread_that_started_it(kind: type[Sandbox]) -> None:
    with closing(kind()) as sandbox:
        starter = threading.Thread(target=lambda: run(sandbox, "1"))
        starter.start()
        starter.join()
        assert printed(sandbox, "print('alive')") == "alive"
