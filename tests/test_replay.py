"""Lost variables come back when the person asks: what ran well runs again, in order, and the model is told."""

import threading
from pathlib import Path

import pytest

from agents.events import ApprovalGiven, CallFinished, CallStarted, ChartMade, CodeReviewed, Failed
from analysis.analysis import Analysis, ModelChoice
from analysis.record import CellReplayed, Entry, PythonRestarted, ReplayBegun, ReplayEnded
from analysis.replay import LostCell, cells_to_replay, outcome
from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.sandbox import ExecutionResult, SandboxError, StateLoss
from settings import Settings
from tests.docker_fixtures import sandbox_image, wait_until
from tests.fake_sandbox import FakeSandbox, chart
from tests.page_fixtures import Box
from tests.scripted_model import Scripted, ScriptedModel, asks, says
from tools.python_exec_tool import PythonExecTool
from wording import ToldError

__all__ = ["sandbox_image"]

LONG = 60
GOOD = ExecutionResult()
KILLED = ExecutionResult(error="Killed", timed_out=True, state_lost=StateLoss.TIMEOUT)
WRONG = ExecutionResult(error="Traceback\nNameError: name 'b' is not defined")


class Work:
    """An analysis on a fake sandbox; each question runs one piece of code and ends with an answer."""

    def __init__(self, sandbox: FakeSandbox, *codes: str) -> None:
        replies: list[Scripted] = [reply for code in codes for reply in (asks(code), says("Done."))]
        self.model = ScriptedModel(*replies, says("Yes."), says("Yes."))
        self.sandbox = sandbox
        self.analysis = Analysis(
            sandbox=sandbox, choice=ModelChoice(model="o3-mini"), settings=Settings(), language_model=self.model
        )
        for number, _ in enumerate(codes):
            self.ask(f"Question {number}")

    def ask(self, question: str) -> None:
        assert self.analysis.ask(question).wait(LONG)

    def replay(self) -> list[Entry]:
        return list(self.analysis.replay().events())

    def told(self) -> str:
        """What the model reads of the next question, after all that it has read so far."""
        before = self.model.requests[-1].messages
        self.ask("And now?")
        after = self.model.requests[-1].messages
        assert after[: len(before)] == before
        return after[-1].text.removesuffix("\n\nAnd now?")


@pytest.fixture(autouse=True)
def own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def call(code: str, call_id: str = "c", **end: object) -> tuple[CallStarted, CallFinished]:
    finished = CallFinished(call_id=call_id, **({"ok": True} | end))  # type: ignore[arg-type]
    return CallStarted(call_id, PythonExecTool.name, code), finished


A, B, C = call("a"), call("b"), call("c")
KILLS = call("loop", ok=False, state_lost=StateLoss.TIMEOUT)


@pytest.mark.parametrize(
    ("entries", "lost_variables", "cells"),
    [
        ([*A, *B], False, ""),
        ([*A, *B], True, "a b"),
        ([*A, *KILLS], False, "a"),
        ([*KILLS], False, ""),
        ([*A, *KILLS, *B], False, "a b"),
        ([*A, *call("x", ok=False), *KILLS], False, "a"),
        ([*A, *call("b", lost_before=True), *C], False, "a b c"),
        ([*A, *call("x", ok=False, lost_before=True)], False, "a"),
        ([*A, *call("x", ok=False), *call("y", ok=False), *B, *C], True, "a xyb c"),
        ([*A, *call("x", ok=False, timed_out=True), *call("y", ok=False, interrupted=True), *B], True, "a b"),
        ([*A, *call("x", ok=False), *KILLS, *B], False, "a b"),
        ([*A, *call("x", ok=False), *call("b", lost_before=True)], False, "a b"),
        ([*call("x", ok=False, lost_before=True), *A], True, "xa"),
        ([*A, PythonRestarted(by_person=False)], False, "a"),
        ([*A, PythonRestarted(by_person=True)], False, ""),
        ([*A, *KILLS, PythonRestarted(by_person=True), *B], True, "b"),
        ([*A, *B, *KILLS, ReplayBegun(2), CellReplayed(1, 2), CellReplayed(2, 2), *C], False, ""),
        ([*A, *B, *KILLS, ReplayBegun(2), CellReplayed(1, 2)], False, "a b"),
        ([*A, *KILLS, *B, ReplayBegun(2), CellReplayed(1, 2), CellReplayed(2, 2), *KILLS], False, "a b"),
        (
            [*A, *B, *KILLS, ReplayBegun(2), CellReplayed(1, 2), ReplayEnded(count=2, done=1, failed=KILLED)],
            False,
            "a b",
        ),
        ([A[0], ApprovalGiven("c", is_approved=True, code="z"), A[1], *KILLS], False, "z"),
        ([A[0], ApprovalGiven("c", is_approved=False, code="a"), call("a", ok=False)[1], *B], True, "b"),
        ([A[0], CodeReviewed("c", is_good=False, reason="No."), call("a", ok=False)[1], *B], True, "b"),
        ([CallStarted("c", "find_columns", "{}"), A[1]], True, ""),
    ],
)
def test_what_ran_well_since_the_last_restart_is_to_run_again_once_something_of_it_is_lost(
    entries: list[Entry], lost_variables: bool, cells: str
) -> None:
    found = cells_to_replay(entries, lost_variables=lost_variables)
    assert " ".join("".join([*cell.failed_before, cell.code]) for cell in found) == cells


def test_lost_variables_come_back_in_a_new_python_and_nothing_is_shown_twice() -> None:
    drawn = ExecutionResult(charts=(chart(),), stdout="2 rows\n")
    work = Work(FakeSandbox(GOOD, KILLED, drawn, GOOD, drawn), "x = 1", "loop()", "plot(x)")
    assert work.analysis.lost_cells == (LostCell("x = 1"), LostCell("plot(x)"))
    assert work.replay() == [ReplayBegun(2), CellReplayed(1, 2), CellReplayed(2, 2), ReplayEnded(count=2, done=2)]
    assert work.sandbox.restarts == 1
    assert work.sandbox.codes == ["x = 1", "loop()", "plot(x)", "x = 1", "plot(x)"]
    assert sum(isinstance(entry, ChartMade) for entry in work.analysis.record.since()) == 1
    assert not work.analysis.lost_cells
    told = work.told()
    assert told.startswith("(Variables had been lost. At the person's wish the calls that had succeeded since Python")
    assert told.endswith("All 2 succeeded: their variables, imports and files are back.)")


def test_a_replay_ends_at_the_first_failure_and_the_model_hears_which() -> None:
    work = Work(FakeSandbox(GOOD, GOOD, GOOD, KILLED, GOOD, WRONG), "a = 1", "b = a\nprint(b)", "c = b", "loop()")
    entries = work.replay()
    assert entries[:2] == [ReplayBegun(3), CellReplayed(1, 3)]
    assert entries[2:] == [ReplayEnded(count=3, done=1, code="b = a\nprint(b)", failed=WRONG)]
    assert work.sandbox.codes[4:] == ["a = 1", "b = a\nprint(b)"]
    assert [cell.code for cell in work.analysis.lost_cells] == ["a = 1", "b = a\nprint(b)", "c = b"]
    assert work.told().endswith(
        "Of 3 the first 1 succeeded: what they set is back, and what later ones set is missing. The next one was "
        "'b = a\\nprint(b)': it failed with \"NameError: name 'b' is not defined\".)"
    )


def test_code_that_failed_runs_again_too_where_later_code_may_build_on_what_it_had_set() -> None:
    work = Work(FakeSandbox(WRONG, GOOD, WRONG, KILLED, WRONG), "a = 1; b", "b = a", "c", "loop()")
    assert work.replay() == [ReplayBegun(1), CellReplayed(1, 1), ReplayEnded(count=1, done=1)]
    assert work.sandbox.codes[4:] == ["a = 1; b", "b = a"]


def test_code_that_failed_and_now_ends_python_ends_the_replay() -> None:
    work = Work(FakeSandbox(WRONG, GOOD, KILLED, KILLED), "a = 1; b", "b = a", "loop()")
    assert work.replay()[1:] == [ReplayEnded(count=1, done=0, code="a = 1; b", failed=KILLED)]


def test_what_is_lost_again_in_a_replay_can_be_replayed_again() -> None:
    work = Work(FakeSandbox(GOOD, GOOD, KILLED, GOOD, KILLED), "a = 1", "b = 2", "loop()")
    ended = work.replay()[-1]
    assert isinstance(ended, ReplayEnded)
    assert str(outcome(ended)).startswith("The earlier code ran again up to 2 of 2, which ended Python: variables are")
    assert "but then Python ended, and all variables and imports are gone again" in work.told()
    work.replay()
    assert work.analysis.lost_cells == ()


def test_a_replay_can_be_stopped() -> None:
    go_on = threading.Event()
    go_on.set()
    sandbox = Box(GOOD, GOOD, KILLED, held=go_on)
    work = Work(sandbox, "a = 1", "b = 2", "loop()")
    sandbox.began.clear()
    go_on.clear()
    run = work.analysis.replay()
    assert sandbox.began.wait(LONG)
    with pytest.raises(ToldError, match="still being answered"):
        work.analysis.ask("Rows?")
    run.stop()
    *_, ended = run.events()
    assert isinstance(ended, ReplayEnded) and ended.failed
    assert (ended.done, ended.failed.interrupted, sandbox.interrupts) == (0, True, 1)
    assert str(outcome(ended)).startswith("Stopped at 1 of 2.")
    assert work.told().endswith("The next one was 'a = 1': the person stopped it.)")


def test_a_sandbox_that_fails_ends_the_replay_in_words_and_the_model_counts_on_nothing() -> None:
    off = SandboxError("Docker does not answer. Start it, then ask again.")
    work = Work(FakeSandbox(GOOD, KILLED, off), "a = 1", "loop()")
    assert work.replay() == [ReplayBegun(1), Failed(off.sentence)]
    assert work.analysis.lost_cells == (LostCell("a = 1"),)
    assert work.told().startswith("(Python was restarted: variables and imports are gone")


def test_without_a_loss_there_is_nothing_to_run_again() -> None:
    work = Work(FakeSandbox(), "a = 1")
    with pytest.raises(ToldError, match="No variables are lost"):
        work.analysis.replay()
    work.analysis.restart_python()
    assert work.analysis.lost_cells == ()


def test_a_sandbox_that_ended_between_two_questions_is_told_to_the_model_once() -> None:
    sandbox = FakeSandbox()
    work = Work(sandbox, "a = 1")
    sandbox.lost_variables = True
    assert work.analysis.lost_cells == (LostCell("a = 1"),)
    assert work.told().startswith("(Python was restarted: variables and imports are gone")
    assert work.told() == "And now?"


def test_an_idle_end_can_be_replayed() -> None:
    work = Work(FakeSandbox(), "a = 1")
    work.analysis.rest()
    assert work.replay()[-1] == ReplayEnded(count=1, done=1)
    gone, back = work.told().split("\n\n")
    assert gone.startswith("(Python was restarted") and back.startswith("(Variables had been lost.")


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_after_its_container_was_killed_a_chat_goes_on_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("amount\n20\n22\n")
    model = ScriptedModel(
        asks("import math\ntotal = int(sales.amount.sum())"),
        says("Summed."),
        asks("root = math.isqrt(total)\nsales.amount.plot()"),
        says("Drawn."),
        asks("print(total, root)"),
        says("42 and 6."),
    )
    engine, sandbox = DockerEngine(), DockerSandbox()
    analysis = Analysis(sandbox=sandbox, choice=ModelChoice(model="o3-mini"), settings=Settings(), language_model=model)
    try:
        analysis.add_file("sales.csv", tmp_path / "sales.csv")
        for question in ("Sum?", "Root?"):
            assert analysis.ask(question).wait(LONG)
        box = sandbox._box
        assert isinstance(box, DockerContainer)
        engine.remove(box._name)
        wait_until(lambda: bool(analysis.lost_cells))
        assert list(analysis.replay().events())[-1] == ReplayEnded(count=2, done=2)
        assert analysis.ask("Which?").wait(LONG)
    finally:
        analysis.close()
        engine.close()
    assert "42 6" in model.requests[5].messages[-1].text
    assert sum(isinstance(entry, ChartMade) for entry in analysis.record.since()) == 1
