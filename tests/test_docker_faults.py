"""An engine that hangs, ends, breaks off, fills up or loses its image, and programs that are killed: nothing is lost
unsaid, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.events import OutputWritten
from analysis.analysis import Analysis
from analysis.model_choice import ModelChoice
from sandbox import connection, docker_container, docker_engine, docker_errors
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.instance import remains
from sandbox.sandbox import ExecutionResult, SandboxError, StateLoss
from settings import Settings
from tests.docker_fixtures import engine, new, printed, run, sandbox_image, wait_until
from tests.engine_proxy import EngineProxy, engine_proxy
from tests.inside_fixtures import ROOT
from tests.killed_program import FIVE_CELLS, five_computing_sessions
from tests.scripted_model import ScriptedModel, asks

__all__ = ["engine", "engine_proxy", "new", "sandbox_image"]
pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("sandbox_image")]
New = Callable[..., DockerSandbox]

ENDED = "The sandbox ended while the code ran."


@pytest.fixture
def short_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long enough for a busy engine to answer, short enough to wait for one that does not."""
    for name in ("CALL_SECONDS", "TRANSFER_SECONDS"):
        monkeypatch.setattr(docker_engine, name, 4)


# The person's stop


@pytest.mark.parametrize(
    ("code", "loss"),
    [
        ("while True: pass", None),
        ("import subprocess; subprocess.run(['sleep', '100'])", None),
        ("sum(range(10**12))", StateLoss.INTERRUPT),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", StateLoss.INTERRUPT),
    ],
)
def test_a_stop_takes_the_variables_only_where_it_must(new: New, code: str, loss: StateLoss | None) -> None:
    sandbox = new()
    run(sandbox, "kept = 1")
    # However slow the machine, the stop does not come before the code has begun in earnest.
    first = "import time\ntry:\n    print('on', flush=True); time.sleep(100)\nexcept KeyboardInterrupt: pass\n"
    events = sandbox.execute((first if loss else "print('on', flush=True)\n") + code)
    next(events)
    sandbox.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.interrupted, result.state_lost) == (True, loss)
    assert printed(sandbox, "print('kept' in globals())") == str(loss is None)


def test_the_stop_of_page_and_console_reaches_the_code_and_a_second_one_kills_it(new: New) -> None:
    stubborn = "while True:\n    try: print('on', flush=True); time.sleep(100)\n    except KeyboardInterrupt: pass"
    model = ScriptedModel(asks("import time\nkept = 1\nprint('on', flush=True)\nwhile True: pass"), asks(stubborn))
    sandbox = new()
    choice = ModelChoice(model="o3-mini")
    analysis = Analysis(sandbox=sandbox, choice=choice, settings=Settings(), language_model=model)
    for stops, kept in ((1, "True"), (2, "False")):
        run_of_question = analysis.ask("Go on for ever")
        for entry in run_of_question.events():
            if isinstance(entry, OutputWritten):
                for _ in range(stops):
                    run_of_question.stop()
                break
        assert run_of_question.wait(60)
        assert printed(sandbox, "print('kept' in globals())") == kept


# The engine ends, breaks off, hangs


def test_an_engine_that_ends_in_mid_run_is_told_and_the_next_question_after_its_return_works(
    engine_proxy: EngineProxy, new: New, tmp_path: Path
) -> None:
    (tmp_path / "kept.csv").write_text("a\n1\n")
    sandbox = new()
    sandbox.put_file("kept.csv", tmp_path / "kept.csv")
    events = sandbox.execute("x = 1\nprint('begun', flush=True)\nwhile True: pass")
    next(events)
    engine_proxy.refuse()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.state_lost, result.stdout) == (StateLoss.CONTAINER_GONE, "begun\n")
    assert str(result.notices[0]).startswith(ENDED)
    for _ in range(2):
        with pytest.raises(SandboxError) as told:
            run(sandbox, "1")
        assert str(told.value) == docker_errors.NOT_RUNNING
    engine_proxy.come_back()
    after = run(sandbox, "import os; print(os.listdir('/data'), 'x' in globals())")
    assert after.stdout == "['kept.csv'] False\n"
    assert "variables of earlier cells are gone" in str(after.notices[0])
    assert printed(sandbox, "print('on')") == "on"


def test_a_connection_that_breaks_between_two_cells_costs_the_variables_and_says_so(
    engine_proxy: EngineProxy, new: New
) -> None:
    sandbox = new()
    run(sandbox, "x = 1")
    box = sandbox._box
    engine_proxy.cut()
    wait_until(lambda: bool(box and box.has_ended))
    result = run(sandbox, "'x' in globals()")
    assert result.value == "False"
    assert "variables of earlier cells are gone" in str(result.notices[0])


def test_code_under_an_engine_that_hangs_can_be_stopped(
    engine_proxy: EngineProxy, new: New, short_calls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "STOP_MARGIN_SECONDS", 1)
    sandbox = new()
    events = sandbox.execute("print('begun', flush=True)\nwhile True: pass")
    next(events)
    engine_proxy.hang()
    sandbox.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert str(result.notices[0]).startswith(ENDED)
    with pytest.raises(SandboxError) as told:
        run(sandbox, "1")
    assert str(told.value) == docker_errors.SILENT
    engine_proxy.go_on()
    assert printed(sandbox, "print('on')") == "on"


CALLS = {
    "the first": ("GET", "/version"),
    "tidying up": ("GET", "/containers/json"),
    "making": ("POST", "/containers/create"),
    "attaching": ("POST", "/containers/.*/attach"),
}


@pytest.mark.parametrize(("method", "path"), CALLS.values(), ids=CALLS)
def test_each_call_that_hangs_ends_in_a_sentence_and_nothing_is_left(
    engine_proxy: EngineProxy,
    new: New,
    short_calls: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    method: str,
    path: str,
) -> None:
    monkeypatch.setattr(docker_container, "_swept", threading.Event())
    (tmp_path / "a.csv").write_text("a\n1\n")
    sandbox = new()
    sandbox.put_file("a.csv", tmp_path / "a.csv")
    engine_proxy.hang_at(method, path)
    try:
        result = run(sandbox, "1")
    except SandboxError as told:
        assert str(told) == docker_errors.SILENT
    else:
        assert (path, result.value) == ("/containers/json", "1"), "only tidying up may fail unnoticed"
    engine_proxy.go_on()
    assert printed(sandbox, "print(open('/data/a.csv').read().split())") == "['a', '1']"


def test_a_removal_that_hangs_is_made_up_for_by_the_next_start(
    engine: DockerEngine, engine_proxy: EngineProxy, new: New, short_calls: None
) -> None:
    sandbox = new()
    for method, path in (("POST", "/containers/.*/start"), ("DELETE", "/containers/")):
        engine_proxy.hang_at(method, path)
    with pytest.raises(SandboxError, match="does not answer"):
        run(sandbox, "1")
    (name,) = docker_container._left_behind
    assert engine.inspect(name)
    engine_proxy.go_on()
    assert printed(sandbox, "print('on')") == "on"
    assert engine.inspect(name) is None


# The engine's disk and image


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/containers/create"), ("PUT", "/containers/.*/archive"), ("POST", ".*/start")]
)
def test_a_full_disk_is_told_and_the_next_question_works(
    engine_proxy: EngineProxy, new: New, tmp_path: Path, method: str, path: str
) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    sandbox = new()
    sandbox.put_file("a.csv", tmp_path / "a.csv")
    engine_proxy.answer(method, path, 500, {"message": "mkdir /var/lib/docker/x: no space left on device"})
    with pytest.raises(SandboxError) as told:
        run(sandbox, "1")
    assert str(told.value) == docker_errors.DISK_FULL
    engine_proxy.go_on()
    assert printed(sandbox, "print('on')") == "on"


def test_a_file_that_finds_no_room_leaves_the_variables(engine_proxy: EngineProxy, new: New, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    sandbox = new()
    run(sandbox, "x = 1")
    engine_proxy.answer("PUT", "/containers/.*/archive", 500, {"message": "write /volume: no space left on device"})
    with pytest.raises(SandboxError, match="disk is full"):
        sandbox.put_file("a.csv", tmp_path / "a.csv")
    engine_proxy.go_on()
    assert printed(sandbox, "import os; print(os.listdir('/data'))") == "[]"
    assert sandbox.put_file("a.csv", tmp_path / "a.csv") == "a.csv"
    assert printed(sandbox, "print(x, open('/data/a.csv').read().split())") == "1 ['a', '1']"


def test_an_image_removed_in_between_leaves_running_sessions_and_tells_new_ones(
    engine_proxy: EngineProxy, new: New
) -> None:
    old, fresh = new(), new()
    run(old, "x = 1")
    engine_proxy.answer("GET", "/images/json", 200, [])
    engine_proxy.answer("GET", "/images/.*/json", 404, {"message": "No such image: data-interpreter-sandbox"})
    with pytest.raises(SandboxError) as told:
        run(fresh, "1")
    assert str(told.value) == docker_errors.IMAGE_MISSING
    assert printed(old, "print(x)") == "1"
    engine_proxy.go_on()
    assert printed(fresh, "print('on')") == "on"


# Killed programs


def test_a_killed_program_leaves_no_container_and_no_volume_whatever_its_five_sessions_do(engine: DockerEngine) -> None:
    with five_computing_sessions("docker") as (pid, instance):
        assert len(remains(engine, instance)) == 2 * len(FIVE_CELLS)
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not remains(engine, instance), seconds=10)


NEVER_STARTED = """
import signal
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.instance import INSTANCE_LABEL, instance_labels
def start(engine, name):
    print(instance_labels()[INSTANCE_LABEL], flush=True)
    signal.pause()
DockerEngine.start = start
DockerSandbox().start()
"""


def test_what_a_killed_program_had_made_and_not_started_goes_too(engine: DockerEngine) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", NEVER_STARTED], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout
        instance = process.stdout.readline().strip()
        assert len(remains(engine, instance)) == 2
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: not remains(engine, instance), seconds=10)
