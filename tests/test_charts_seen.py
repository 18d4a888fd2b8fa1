"""With the setting, a model that sees is shown what its code drew; every other one reads words alone."""

import base64
from typing import Any

import pytest

from agents.charts_seen import MOST_BYTES, charts_seen
from agents.chat_messages import ChatMessage, ChatMessages
from agents.compaction import compacted, tokens_in
from agents.models.profiles import ApiChoice, sees_charts
from agents.python_exec_agent import PythonExecAgent
from analysis.analysis import Analysis, ModelChoice
from sandbox.sandbox import ExecutionResult, OutputFile
from settings import Settings
from tests import responses_replies
from tests.chat_server import Body, ChatServer, Reply, calls, refuses, says
from tests.fake_sandbox import PNG, FakeSandbox, chart
from tests.openai_fixtures import model_at
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolCall, ToolResult
from ui.sent_panel import sent_text

URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
PICTURE = {"type": "image_url", "image_url": {"url": URL}}
SHOWN = [{"type": "text", "text": "What the code drew:"}, PICTURE]


def agent_at(server: ChatServer, model: str, api: ApiChoice = "chat") -> PythonExecAgent:
    sandbox = FakeSandbox(*(ExecutionResult(charts=(chart("chart_1.png"),)) for _ in range(4)))
    agent = PythonExecAgent(model_at(server, api=api), [PythonExecTool(sandbox)], model=model, effort="")
    agent.shows_charts = True
    return agent


def roles(body: Body) -> list[str]:
    return [message["role"] for message in body["messages"]]


def test_on_chat_completions_the_charts_follow_the_results_as_a_persons_message() -> None:
    with ChatServer(calls("a", "b"), says("Two lines."), says("Yes.")) as server:
        agent = agent_at(server, "gpt-4o")
        agent.task("Draw")
        agent.task("Sure?")
    assert roles(server.requests[1]) == ["system", "user", "assistant", "tool", "tool", "user"]
    assert server.requests[1]["messages"][-1]["content"] == [*SHOWN, PICTURE]
    assert server.requests[2]["messages"][:6] == server.requests[1]["messages"]


def test_a_question_that_follows_the_charts_goes_into_the_same_message() -> None:
    messages = ChatMessages()
    messages.add_question("Draw")
    (call,) = messages.add_reply("", (ToolCall(id="a", name="f", arguments="{}"),))
    messages.add_result(call.id, "Drawn.", (PNG,))
    with ChatServer(says("Yes.")) as server:
        agent = agent_at(server, "gpt-4o")
        agent.messages = messages
        agent.task("Sure?")
    assert roles(server.requests[0]) == ["system", "user", "assistant", "tool", "user"]
    assert server.requests[0]["messages"][-1]["content"] == [*SHOWN, {"type": "text", "text": "Sure?"}]


def test_on_the_responses_api_the_charts_stand_in_the_output() -> None:
    with ChatServer(responses_replies.calls("a"), responses_replies.says("A line.")) as server:
        agent_at(server, "gpt-5.4", "responses").task("Draw")
    output = server.requests[1]["input"][-1]["output"]
    assert output[0]["type"] == "input_text"
    assert "chart_1.png" in output[0]["text"]
    assert output[1:] == [{"type": "input_image", "image_url": URL}]


@pytest.mark.parametrize(
    ("api", "replies"),
    [
        ("chat", (calls("a"), says("One."), says("Two."))),
        ("responses", (responses_replies.calls("a"), responses_replies.says("One."), responses_replies.says("Two."))),
    ],
)
def test_a_server_that_refuses_pictures_is_asked_in_words_from_then_on(
    api: ApiChoice, replies: tuple[Reply, ...]
) -> None:
    def refusal(body: Body) -> Reply | None:
        return refuses("image_url is only supported by certain models.") if has_pictures(body) else None

    with ChatServer(*replies, rule=refusal) as server:
        agent = agent_at(server, "gpt-5.4", api)
        agent.task("Draw")
        agent.task("And now?")
    assert [has_pictures(body) for body in server.requests] == [False, True, False, False]


def has_pictures(body: Body) -> bool:
    return "data:image/png" in str(body)


@pytest.mark.parametrize("model", ["o3-mini", "deepseek-flash"])
def test_a_model_that_does_not_see_is_shown_none(model: str) -> None:
    with ChatServer(calls("a"), says("A line.")) as server:
        agent_at(server, model).task("Draw")
    assert not has_pictures(server.requests[1])


@pytest.mark.parametrize(("show", "model"), [(True, "gpt-4o"), (False, "gpt-4o")])
def test_an_analysis_shows_charts_as_it_is_set_and_the_page_says_so(show: bool, model: str) -> None:
    sandbox = FakeSandbox(ExecutionResult(charts=(chart("chart_1.png"),)))
    with ChatServer(calls("a"), says("A line.")) as server:
        choice = ModelChoice(model=model, api_key="sk-test-1234567890", base_url=server.url)
        analysis = Analysis(sandbox=sandbox, choice=choice, settings=Settings(show_charts=show))
        analysis.ask("Draw").wait()
        analysis.close()
    assert has_pictures(server.requests[1]) is show
    assert analysis.sent is not None
    assert ("[chart, if the model sees]" in sent_text(analysis.sent)) is show


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("o3-mini", False), ("o3", True), ("o1-mini", False), ("gpt-4o-mini", True), ("gpt-4o-audio-preview", False),
        ("gpt-6.1-sol", True), ("gpt-oss-20b", False), ("anthropic/claude-opus-5", True), ("qwen2.5-vl:7b", True),
        ("qwen3:8b", False), ("gemma3:4b", True), ("llava:13b", True), ("llama3.2-vision", True), ("offline", False),
        ("gpt-3.5-turbo", False), ("ft:gpt-4o-2024-08-06:me::x", True),
    ],
)  # fmt: skip
def test_which_models_see(model: str, sees: bool) -> None:
    assert sees_charts(model) is sees


def test_only_pngs_of_a_fair_size_are_shown_and_only_the_first_few() -> None:
    def seen(*contents: bytes) -> tuple[bytes, ...]:
        charts = tuple(OutputFile(name="c.png", kind="chart", content=content) for content in contents)
        return charts_seen(ToolResult(text="", execution=ExecutionResult(charts=charts)))

    assert seen(PNG + b"0" * MOST_BYTES, b"GIF89a", PNG) == (PNG,)
    assert seen(*[PNG] * 9) == (PNG,) * 3
    assert charts_seen(ToolResult(text="")) == ()


def test_old_charts_go_when_a_chat_is_shortened() -> None:
    def turn(number: int) -> list[ChatMessage]:
        call = ToolCall(id=f"c{number}", name="f", arguments="{}")
        told: dict[str, Any] = {"role": "tool", "text": "Drawn.", "answers": call.id, "charts": (PNG,)}
        question = ChatMessage(role="user", text="Draw")
        return [question, ChatMessage(role="assistant", calls=(call,)), ChatMessage(**told)]

    messages = [message for number in range(4) for message in turn(number)]
    assert tokens_in(messages) > 4_000
    shorter = compacted(messages, 3_000)
    assert [len(message.charts) for message in shorter if message.role == "tool"] == [0, 0, 1, 1]
