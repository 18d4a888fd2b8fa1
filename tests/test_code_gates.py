"""Code passes a reviewer and the person before it runs, where that is wanted; neither can hold up a stop."""

import threading
from collections.abc import Callable

import pytest

from agents.base_agent import BaseAgent
from agents.code_review_agent import CodeReviewAgent, CodeReviewGate
from agents.events import (
    ApprovalAsked,
    ApprovalGiven,
    CallFinished,
    CodeReviewed,
    Event,
    Finished,
    ModelCalled,
    OutputWritten,
    Stopped,
    TextWritten,
)
from agents.models.language_model import ModelError
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from analysis.analysis import Analysis, ModelChoice
from analysis.approval import ApprovalDesk, PendingCode
from sandbox.sandbox import ExecutionResult
from settings import Settings
from tests.fake_sandbox import FakeSandbox
from tests.scripted_model import Scripted, ScriptedModel, asks, fails, says
from tools.python_exec_tool import PythonExecTool


def agent_with(sandbox: FakeSandbox, *replies: Scripted) -> tuple[PythonExecAgent, ScriptedModel]:
    model = ScriptedModel(*replies)
    return PythonExecAgent(model, [PythonExecTool(sandbox)]), model


def reviewed_by(*verdicts: Scripted) -> tuple[CodeReviewGate, ScriptedModel]:
    model = ScriptedModel(*verdicts)
    return CodeReviewGate("Sum?", lambda: CodeReviewAgent(model)), model


def kinds(events: list[Event]) -> list[type]:
    return [type(event) for event in events]


def test_code_that_the_reviewer_accepts_runs_and_its_tokens_are_counted() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="7\n"))
    agent, _ = agent_with(sandbox, asks("print(7)"), says("7"))
    gate, reviewer = reviewed_by(says("OK"))
    agent.gates = [gate]

    events = list(agent.stream("Sum?"))
    assert sandbox.codes == ["print(7)"]
    assert [event for event in events if isinstance(event, CodeReviewed)] == [CodeReviewed("call_0", True, "")]
    assert [event.model for event in events if isinstance(event, ModelCalled)] == ["o3-mini", "gpt-6-luna", "o3-mini"]
    assert "".join(event.text for event in events if isinstance(event, TextWritten)) == "7"
    asked = reviewer.requests[0]
    assert (asked.tools, "Sum?" in asked.messages[0].text, "print(7)" in asked.messages[0].text) == ([], True, True)


def test_code_that_the_reviewer_rejects_goes_back_with_the_reason() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="7\n"))
    agent, model = agent_with(sandbox, asks("df = made_up()"), asks("print(7)"), says("7"))
    gate, _ = reviewed_by(says("**REJECT**: It makes up data.\nRead the file."), says("ok."))
    agent.gates = [gate]

    events = list(agent.stream("Sum?"))
    assert sandbox.codes == ["print(7)"]
    assert CodeReviewed("call_0", False, "It makes up data. Read the file.") in events
    assert model.requests[1].messages[-1].text == (
        "The code was not run. A reviewer found: It makes up data. Read the file. Mend this, then send the code again."
    )


def test_a_reviewer_that_rejects_everything_or_fails_holds_nobody_up() -> None:
    sandbox = FakeSandbox()
    agent, _ = agent_with(sandbox, asks("a"), asks("b"), asks("c"), says("Done."))
    gate, _ = reviewed_by(says("REJECT: No."), says("REJECT: No."))
    agent.gates = [gate]
    assert agent.task("Go") == "Done."
    assert sandbox.codes == ["c"]

    agent, _ = agent_with(sandbox, asks("d"), says("Done."))
    agent.gates = [reviewed_by(fails(ModelError("Busy. Ask again.")))[0]]
    assert agent.task("Go") == "Done."
    assert sandbox.codes == ["c", "d"]


@pytest.fixture
def desk() -> ApprovalDesk:
    return ApprovalDesk()


def answering(agent: BaseAgent, decide: Callable[[str], object], stop: StopSignal | None = None) -> list[Event]:
    """The events of a question, with ``decide`` called on a thread of its own once code waits."""
    events: list[Event] = []
    for event in agent.stream("Go", stop or StopSignal()):
        events.append(event)
        if isinstance(event, ApprovalAsked):
            threading.Thread(target=decide, args=(event.call_id,)).start()
    return events


def test_approved_code_runs_and_the_answer_goes_on(desk: ApprovalDesk) -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="7\n"))
    agent, _ = agent_with(sandbox, asks("print(7)"), says("7"))
    agent.gates = [desk]
    events = answering(agent, lambda call_id: desk.approve(call_id, "print(7)"))
    assert sandbox.codes == ["print(7)"]
    assert events[1:5] == [
        events[1],
        ApprovalAsked("call_0", "print(7)"),
        ApprovalGiven("call_0", True, "print(7)"),
        OutputWritten("call_0", events[4].output),  # type: ignore[union-attr]
    ]
    assert desk.pending is None


def test_code_that_the_person_changed_runs_as_changed_and_the_model_is_told(desk: ApprovalDesk) -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="8\n"))
    agent, model = agent_with(sandbox, asks("print(7)"), says("8"))
    agent.gates = [desk]
    answering(agent, lambda call_id: desk.approve(call_id, "print(8)"))
    assert sandbox.codes == ["print(8)"]
    assert model.requests[1].messages[-1].text == (
        "The person changed the code before it ran. What ran is:\nprint(8)\n--- end of it ---\n8"
    )


def test_refused_code_never_runs_and_the_model_reads_why(desk: ApprovalDesk) -> None:
    sandbox = FakeSandbox()
    agent, model = agent_with(sandbox, asks("rm()"), says("Then not."))
    agent.gates = [desk]
    events = answering(agent, lambda call_id: desk.refuse(call_id, "Too slow."))
    assert sandbox.codes == []
    assert ApprovalGiven("call_0", False, "rm()") in events
    assert isinstance(events[-1], Finished)
    assert model.requests[1].messages[-1].text == "The person did not let this code run: Too slow."


def test_a_stop_ends_the_wait_for_the_person(desk: ApprovalDesk) -> None:
    sandbox = FakeSandbox()
    agent, _ = agent_with(sandbox, asks("loop()"))
    agent.gates = [desk]
    stop = StopSignal()
    events = answering(agent, lambda call_id: stop.set(), stop)
    assert isinstance(events[-1], Stopped)
    assert sandbox.codes == []


def test_a_decision_about_another_call_changes_nothing(desk: ApprovalDesk) -> None:
    assert not desk.approve("a", "x")
    asking = desk.check("a", "x", StopSignal())
    assert next(asking) == ApprovalAsked("a", "x")
    assert desk.pending == PendingCode("a", "x")
    assert not desk.refuse("b")
    assert desk.approve("a", "y")
    assert not desk.refuse("a")
    assert next(asking) == ApprovalGiven("a", True, "y")
    assert desk.pending is None
    assert not desk.approve("a", "z")


def test_code_that_nobody_asks_about_any_more_does_not_wait(desk: ApprovalDesk) -> None:
    asking = desk.check("a", "x", StopSignal())
    next(asking)
    asking.close()
    assert desk.pending is None
    assert not desk.approve("a", "x")


def test_calls_that_run_no_code_pass_by_the_gates(desk: ApprovalDesk) -> None:
    agent, _ = agent_with(FakeSandbox(), asks(("unknown", {}), ("execute_python_code", '{"python')), says("Sorry."))
    agent.gates = [desk]
    events = list(agent.stream("Go"))
    assert [event.ok for event in events if isinstance(event, CallFinished)] == [False, False]
    assert ApprovalAsked not in kinds(events)


def test_an_analysis_asks_the_person_and_the_reviewer_as_it_is_set() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="7\n"))
    model = ScriptedModel(asks("print(7)"), says("OK"), says("7"))
    settings = Settings(review_code=True, review_model="small")
    choice = ModelChoice(model="o3-mini")
    analysis = Analysis(sandbox=sandbox, choice=choice, settings=settings, language_model=model)
    analysis.asks_before_code = True
    run = analysis.ask("Sum?")
    for event in run.events():
        if isinstance(event, ApprovalAsked):
            assert analysis.approval.approve(event.call_id, event.code)
    recorded = analysis.record.since()
    assert [type(entry).__name__ for entry in recorded[2:7]] == [
        "CallStarted", "ModelCalled", "CodeReviewed", "ApprovalAsked", "ApprovalGiven",
    ]  # fmt: skip
    assert [request.model for request in model.requests] == ["o3-mini", "small", "o3-mini"]
    assert sandbox.codes == ["print(7)"]
    analysis.close()
