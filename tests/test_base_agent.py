"""The loop from a question to its answer: every call answered, every end a stated one."""

import logging
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from agents.base_agent import BaseAgent
from agents.events import (
    CallFinished,
    CallStarted,
    ChartMade,
    Event,
    Failed,
    FigureMade,
    Finished,
    ModelCalled,
    OutputWritten,
    Stopped,
    TextWritten,
    Usage,
    Waiting,
)
from agents.file_access_agent import FileAccessAgent
from agents.models.language_model import ModelError
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from sandbox.sandbox import ExecutionResult, OutputFigure, OutputText, SandboxError, StateLoss
from tests.fake_sandbox import FakeSandbox, chart
from tests.scripted_model import Scripted, ScriptedModel, asks, fails, says
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolInterface, ToolResult
from wording import Sentence

CALLED = ModelCalled("o3-mini", Usage(prompt_tokens=10, completion_tokens=5))


def agent_with(sandbox: FakeSandbox, *replies: Scripted, max_rounds: int = 12) -> tuple[PythonExecAgent, ScriptedModel]:
    model = ScriptedModel(*replies)
    return PythonExecAgent(model, [PythonExecTool(sandbox)], max_rounds=max_rounds), model


def roles(agent: BaseAgent) -> list[str]:
    return [message.role for message in agent.messages.snapshot()]


def test_text_comes_in_pieces_and_the_answer_whole() -> None:
    agent, _ = agent_with(FakeSandbox(), says("The sum ", "is 7."))
    assert list(agent.stream("Sum?")) == [
        TextWritten("The sum "),
        TextWritten("is 7."),
        CALLED,
        Finished("The sum is 7.", Usage(prompt_tokens=10, completion_tokens=5)),
    ]
    assert roles(agent) == ["user", "assistant"]


def test_code_runs_and_its_result_goes_back_until_the_model_is_done() -> None:
    done = ExecutionResult(stdout="7\n", charts=(chart(),), duration_s=0.2)
    sandbox = FakeSandbox(done)
    agent, model = agent_with(sandbox, asks("print(7)", text="Let me see."), says("It is 7."))

    assert list(agent.stream("Sum?")) == [
        TextWritten("Let me see."),
        CALLED,
        CallStarted("call_0", "execute_python_code", "print(7)"),
        OutputWritten("call_0", OutputText("stdout", "7\n")),
        ChartMade("call_0", chart()),
        CallFinished(call_id="call_0", ok=True, duration_s=0.2),
        TextWritten("It is 7."),
        CALLED,
        Finished("It is 7.", Usage(prompt_tokens=20, completion_tokens=10)),
    ]
    assert sandbox.codes == ["print(7)"]
    assert [message.role for message in model.requests[1].messages] == ["user", "assistant", "tool"]
    assert model.requests[1].messages[2].text == "7\nCharts that the person sees now: 'chart_1.png'."


def test_several_calls_in_one_reply_are_all_answered_in_order() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="1\n"), ExecutionResult(stdout="2\n"))
    agent, model = agent_with(sandbox, asks("print(1)", "print(2)", ("eval", {"cmd": "id"})), says("Done."))

    assert agent.task("Go") == "Done."
    answers = [(message.answers, message.text) for message in model.requests[1].messages[2:]]
    assert answers == [
        ("call_0", "1"),
        ("call_1", "2"),
        ("call_2", "eval: There is no such tool. Available: execute_python_code."),
    ]


def test_failed_code_goes_back_with_its_error_and_is_repaired() -> None:
    sandbox = FakeSandbox(ExecutionResult(error="NameError: x"), ExecutionResult(stdout="1\n"))
    agent, model = agent_with(sandbox, asks("print(x)"), asks("x = 1; print(x)"), says("1"))

    events = list(agent.stream("Go"))
    assert [(event.ok, event.error) for event in events if isinstance(event, CallFinished)] == [
        (False, "NameError: x"),
        (True, None),
    ]
    assert "NameError: x" in model.requests[1].messages[-1].text


def test_lost_variables_are_told_to_the_person_and_to_the_model() -> None:
    killed = ExecutionResult(timed_out=True, state_lost=StateLoss.TIMEOUT, duration_s=62.0)
    agent, model = agent_with(FakeSandbox(killed), asks("loop()"), says("Too slow."))

    finished = [event for event in agent.stream("Go") if isinstance(event, CallFinished)]
    assert [(event.timed_out, event.state_lost) for event in finished] == [(True, StateLoss.TIMEOUT)]
    assert "All variables and imports are gone" in model.requests[1].messages[-1].text


def test_the_cap_on_rounds_is_told_and_the_model_sums_up_without_tools() -> None:
    agent, model = agent_with(FakeSandbox(), asks("a = 1"), asks("b = 2"), says("So far: a."), max_rounds=2)

    last = list(agent.stream("Go"))[-1]
    assert isinstance(last, Finished)
    assert last.text == "So far: a."
    assert last.usage == Usage(prompt_tokens=30, completion_tokens=15)
    assert str(last.notice).startswith("The limit of 2 rounds for one question was reached")
    assert len(model.requests[1].tools) == 1
    assert model.requests[2].tools == ()
    assert "limit of 2 rounds" in model.requests[2].messages[-1].text
    assert roles(agent) == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_no_answer_at_the_cap_ends_with_a_sentence() -> None:
    agent, _ = agent_with(FakeSandbox(), asks("a = 1"), asks("b = 2"), max_rounds=1)
    last = list(agent.stream("Go"))[-1]
    assert isinstance(last, Failed)
    assert str(last.reason) == (
        "The limit of 1 rounds for one question was reached without an answer. Ask a smaller question."
    )
    agent.messages.add_question("Next")
    assert roles(agent)[-2:] == ["tool", "user"]


def test_the_same_failing_code_three_times_ends_the_question() -> None:
    fault = ExecutionResult(error="ZeroDivisionError")
    sandbox = FakeSandbox(*[fault] * 9)
    agent, model = agent_with(sandbox, *[asks("1/0")] * 9)

    last = list(agent.stream("Go"))[-1]
    assert isinstance(last, Failed)
    assert "same failing code 3 times" in str(last.reason)
    assert (len(sandbox.codes), model.left) == (3, 6)


def test_the_same_code_may_run_again_when_it_works() -> None:
    agent, _ = agent_with(FakeSandbox(), *[asks("x = 1")] * 4, says("Done."))
    assert agent.task("Go") == "Done."


def test_a_picture_is_shown_once_though_its_code_runs_again() -> None:
    drawn = ExecutionResult(charts=(chart(),), figures=(OutputFigure(name="figure_1", json="{}"),))
    replies = [asks("plot()"), asks("plot()"), says("A line."), asks("plot()"), says("The same.")]
    agent, _ = agent_with(FakeSandbox(*[drawn] * 3), *replies)
    for question in ("Draw", "Again"):
        made = [type(event) for event in agent.stream(question) if isinstance(event, ChartMade | FigureMade)]
        assert made == [ChartMade, FigureMade]


def test_a_model_error_keeps_the_text_so_far_and_the_next_question_works() -> None:
    agent, model = agent_with(FakeSandbox(), fails(ModelError("Out of credit. Add some."), "The total "), says("7"))

    assert list(agent.stream("Sum?")) == [
        TextWritten("The total "),
        Failed(Sentence("Out of credit. Add some.")),
    ]
    assert agent.task("Again") == "7"
    assert [(message.role, message.text) for message in model.requests[1].messages] == [
        ("user", "Sum?"),
        ("assistant", "The total "),
        ("user", "Again"),
    ]


def test_an_error_before_any_text_leaves_no_empty_message() -> None:
    agent, _ = agent_with(FakeSandbox(), fails(ModelError("No network.")), says("7"))
    assert [type(event) for event in agent.stream("Sum?")] == [Failed]
    agent.task("Again")
    assert [message.text for message in agent.messages.snapshot()] == ["Sum?\n\nAgain", "7"]


def test_a_failing_sandbox_ends_the_question_and_answers_every_call() -> None:
    sandbox = FakeSandbox(SandboxError("Docker does not answer. Start it."))
    agent, model = agent_with(sandbox, asks("a", "b"), says("Fine now."))

    assert list(agent.stream("Go")) == [
        CALLED,
        CallStarted("call_0", "execute_python_code", "a"),
        CallFinished(call_id="call_0", ok=False, error="Docker does not answer. Start it."),
        Failed(Sentence("Docker does not answer. Start it.")),
    ]
    agent.task("Again")
    assert [message.role for message in model.requests[1].messages] == ["user", "assistant", "tool", "tool", "user"]


@pytest.mark.parametrize("error", [ModelError("No network."), SandboxError("Docker is off.")])
def test_task_raises_what_stream_tells(error: ModelError | SandboxError) -> None:
    reply = fails(error) if isinstance(error, ModelError) else asks("a")
    agent, _ = agent_with(FakeSandbox(*[error] if isinstance(error, SandboxError) else []), reply)
    with pytest.raises(type(error), match=str(error)):
        agent.task("Go")


def test_a_bug_of_ours_is_not_hidden_and_leaves_the_conversation_valid() -> None:
    class Broken(ToolInterface):
        name = "broken"
        description = "Breaks."
        parameters: Mapping[str, Any] = {"type": "object", "properties": {}}

        def run(self, arguments: Mapping[str, Any]) -> ToolResult:
            raise RuntimeError("a bug")

    agent = BaseAgent(ScriptedModel(asks(("broken", {}))), [Broken()])
    with pytest.raises(RuntimeError, match="a bug"):
        list(agent.stream("Go"))
    assert roles(agent) == ["user", "assistant", "tool"]


def test_a_stop_while_code_runs_interrupts_it_and_answers_the_calls_that_were_left() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="0\n"), held=threading.Event())
    agent, model = agent_with(sandbox, asks("loop()", "never()"), says("Resumed."))
    stop = StopSignal()
    events: list[Event] = []

    for event in agent.stream("Go", stop):
        events.append(event)
        if isinstance(event, OutputWritten):
            stop.set()

    assert [type(event) for event in events] == [ModelCalled, CallStarted, OutputWritten, CallFinished, Stopped]
    assert sandbox.interrupts == 1
    assert sandbox.codes == ["loop()"]
    agent.task("Go on")
    tools = [message.text for message in model.requests[1].messages if message.role == "tool"]
    assert tools == ["0\nThe person stopped the code.", "The person stopped this before it finished."]


def test_a_stop_before_code_begins_never_runs_it() -> None:
    sandbox = FakeSandbox()
    agent, _ = agent_with(sandbox, asks("loop()"))
    stop = StopSignal()
    events: list[Event] = []

    for event in agent.stream("Go", stop):
        events.append(event)
        if isinstance(event, CallStarted):
            stop.set()

    assert [type(event) for event in events] == [ModelCalled, CallStarted, CallFinished, Stopped]
    assert sandbox.codes == []


def test_a_stop_while_the_model_writes_keeps_the_text_so_far() -> None:
    agent, _ = agent_with(FakeSandbox(), says("First. ", threading.Event(), "Second."))
    stop = StopSignal()
    events: list[Event] = []
    for event in agent.stream("Go", stop):
        events.append(event)
        stop.set()
    assert events == [TextWritten("First. "), Stopped()]
    assert [message.text for message in agent.messages.snapshot()] == ["Go", "First. "]


def test_closing_the_stream_ends_the_running_code_and_heals_the_conversation() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="1\n"))
    agent, _ = agent_with(sandbox, asks("print(1)"), says("Here again."))
    stream = agent.stream("Go")
    assert [type(next(stream)) for _ in range(3)] == [ModelCalled, CallStarted, OutputWritten]
    stream.close()

    assert sandbox.closed_early == 1
    assert agent.task("Again") == "Here again."
    assert roles(agent) == ["user", "assistant", "tool", "user", "assistant"]


def test_closing_the_stream_ends_the_model_call() -> None:
    agent, model = agent_with(FakeSandbox(), says("One ", "two"))
    stream = agent.stream("Go")
    next(stream)
    stream.close()
    assert model.closed == 1
    assert [message.text for message in agent.messages.snapshot()] == ["Go", "One "]


def test_waiting_is_passed_on() -> None:
    waiting = Waiting(Sentence("Busy."), 2.0)
    agent, _ = agent_with(FakeSandbox(), [waiting, *says("Done.")])
    assert next(agent.stream("Go")) == waiting


def test_context_reaches_the_model_as_a_user_message_never_in_the_prompt() -> None:
    agent, model = agent_with(FakeSandbox(), says("Seen."))
    agent.add_context("columns: a, b")
    agent.task("What is there?")
    request = model.requests[0]
    assert "columns: a, b" not in request.prompt
    assert [(message.role, message.text) for message in request.messages] == [
        ("user", "columns: a, b\n\nWhat is there?")
    ]


def test_the_defaults_are_those_of_the_agent_and_each_can_be_overridden(caplog: pytest.LogCaptureFixture) -> None:
    agent, _ = agent_with(FakeSandbox())
    signature = agent.signature()
    assert (signature["model"], signature["effort"]) == ("o3-mini", "medium")
    assert [tool["function"]["name"] for tool in signature["tools"]] == ["execute_python_code"]
    assert (FileAccessAgent(ScriptedModel()).model, FileAccessAgent(ScriptedModel()).effort) == ("gpt-4o", None)

    logger = logging.getLogger("mine")
    model = ScriptedModel(fails(ModelError("No network.")))
    mine = PythonExecAgent(model, prompt="Be brief.", model="m", effort="", logger=logger)
    assert mine.signature() == {"prompt": "Be brief.", "model": "m", "effort": None, "tools": []}
    with caplog.at_level(logging.INFO, "mine"):
        list(mine.stream("Go"))
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("mine", "The question failed: No network.")
    ]
    assert (model.requests[0].model, model.requests[0].effort, model.requests[0].prompt) == ("m", None, "Be brief.")


def test_a_model_that_calls_the_code_tool_by_another_name_with_bare_code_is_understood() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="7\n"))
    agent, model = agent_with(sandbox, asks(("python", "import pandas as pd\nprint(7)")), says("7"))
    assert agent.task("Go") == "7"
    assert sandbox.codes == ["import pandas as pd\nprint(7)"]
    assert model.requests[1].messages[1].calls[0].name == "execute_python_code"
