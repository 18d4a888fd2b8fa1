"""Each kind of server: its replies as it shapes them, and what it insists on in a request."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agents.chat_messages import ChatMessages, Reasoning
from agents.events import Event, Failed, ReasoningWritten, TextWritten, Usage
from agents.models.dialect import first_dialect
from agents.models.language_model import ModelReply, ModelRequest, Piece
from agents.models.profiles import SERVERS, server_profile
from agents.models.request_body import request_body
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from sandbox.sandbox import ExecutionResult
from tests.chat_server import Body, ChatServer, Reply, refuses, says, streams
from tests.fake_sandbox import FakeSandbox
from tests.openai_fixtures import TOOLS, model_at, request
from tests.test_openai_replies import STREAMS, whole
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolCall

COUNTED = Usage(prompt_tokens=40, completion_tokens=12)
THOUGHT = Usage(prompt_tokens=40, completion_tokens=12, reasoning_tokens=4)


def pieces_of(file: str) -> list[Piece]:
    with ChatServer(streams((STREAMS / file).read_bytes())) as server:
        return list(model_at(server).stream(request(), StopSignal()))


def reply_of(pieces: list[Piece]) -> ModelReply:
    assert isinstance(pieces[-1], ModelReply)
    return pieces[-1]


@pytest.mark.parametrize(
    ("file", "call_id", "usage"),
    [
        ("server_ollama.sse", "call_x7", COUNTED),
        ("server_vllm.sse", "chatcmpl-tool-5f0c1d2e3a4b", COUNTED),
        ("server_llama_cpp.sse", "8GkQ0xQwRkP0hYyZ", COUNTED),
        ("server_lm_studio.sse", "365174485", Usage()),
        (
            "server_openrouter.sse",
            "toolu_01",
            Usage(prompt_tokens=40, cached_tokens=8, completion_tokens=12, reasoning_tokens=4),
        ),
        (
            "server_deepseek.sse",
            "call_00_a1b2",
            Usage(prompt_tokens=40, cached_tokens=32, completion_tokens=12, reasoning_tokens=4),
        ),
        ("server_qwen.sse", "call_f1", THOUGHT),
        ("server_mistral.sse", "D681PevKs", COUNTED),
    ],
)
def test_a_call_after_thoughts_is_read_as_each_server_sends_it(file: str, call_id: str, usage: Usage) -> None:
    pieces = pieces_of(file)
    reply = reply_of(pieces)
    assert "".join(piece.text for piece in pieces if isinstance(piece, ReasoningWritten)) == "I count."
    assert [(call.id, call.name, json.loads(call.arguments)) for call in reply.calls] == [
        (call_id, "execute_python_code", {"python_code": "print(1)"})
    ]
    assert reply.text == ("Let me see." if "mistral" in file else "")
    assert (reply.usage, reply.is_cut) == (usage, False)


@pytest.mark.parametrize(
    ("file", "thoughts", "text", "is_cut"),
    [
        ("server_azure.sse", "", "The sum is 7.", False),
        ("server_vllm_newer.sse", "I count.", "It is 1.", False),
        ("server_mistral_cut.sse", "", "The sum is", True),
    ],
)
def test_text_is_read_as_each_server_sends_it(file: str, thoughts: str, text: str, is_cut: bool) -> None:
    pieces = pieces_of(file)
    assert "".join(piece.text for piece in pieces if isinstance(piece, ReasoningWritten)) == thoughts
    assert (reply_of(pieces).text, reply_of(pieces).is_cut) == (text, is_cut)


def test_an_error_in_a_stream_that_has_begun_keeps_the_text_and_is_told() -> None:
    with ChatServer(streams((STREAMS / "server_openrouter_error.sse").read_bytes())) as server:
        events: list[Event] = list(PythonExecAgent(model_at(server)).stream("Sum?"))
    assert events[0] == TextWritten("The sum ")
    assert isinstance(events[-1], Failed)
    assert "Provider disconnected unexpectedly" in str(events[-1].reason)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1", "OpenAI"),
        ("https://mine.openai.azure.com/openai/v1", "Azure OpenAI"),
        ("https://openrouter.ai/api/v1", "OpenRouter"),
        ("https://api.deepseek.com", "DeepSeek"),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "Qwen"),
        ("https://api.mistral.ai/v1", "Mistral"),
        ("http://localhost:11434/v1", "Ollama"),
        ("http://127.0.0.1:1234/v1", "LM Studio"),
        ("http://gpu-box:8000/v1", "vLLM"),
        ("http://[::1]:8080/v1", "llama.cpp"),
        ("https://openai.com.example.org/v1", "OpenAI-compatible server"),
        ("https://evil-deepseek.com/v1", "OpenAI-compatible server"),
    ],
)
def test_a_server_is_known_by_its_address(url: str, name: str) -> None:
    assert server_profile(url).name == name
    assert len({each.name for each in SERVERS}) == len(SERVERS)


THOUGHTS = Reasoning(source="any", text="Hm.", items=({"type": "reasoning.text", "signature": "s"},))


def body_at(url: str) -> Body:
    messages = ChatMessages()
    messages.add_question("Count")
    (call,) = messages.add_reply("", (ToolCall(id="call_0", name="f", arguments="{}"),), THOUGHTS)
    messages.add_result(call.id, "stopped")
    messages.add_question("Go on")
    asked = ModelRequest(model="m", effort=None, prompt="P", messages=messages.snapshot(), tools=TOOLS)
    return request_body(asked, first_dialect("m", url))


def test_mistral_gets_short_ids_and_a_reply_between_a_tool_and_a_person() -> None:
    body = body_at("https://api.mistral.ai/v1")
    assert [message["role"] for message in body["messages"]] == [
        "system", "user", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    call_id = body["messages"][2]["tool_calls"][0]["id"]
    assert (len(call_id), call_id.isalnum(), body["messages"][3]["tool_call_id"]) == (9, True, call_id)
    assert "stream_options" not in body


@pytest.mark.parametrize(
    ("url", "field", "value"),
    [
        ("https://api.deepseek.com", "reasoning_content", "Hm."),
        ("http://127.0.0.1:11434/v1", "reasoning", "Hm."),
        ("https://openrouter.ai/api/v1", "reasoning_details", [{"type": "reasoning.text", "signature": "s"}]),
    ],
)
def test_thoughts_go_back_in_the_field_that_the_server_reads(url: str, field: str, value: object) -> None:
    message = body_at(url)["messages"][2]
    assert message[field] == value
    assert {"reasoning_content", "reasoning", "reasoning_details"} & set(message) == {field}


@pytest.mark.parametrize(
    ("words", "is_taught"),
    [
        (
            "The `reasoning_content` in the thinking mode must be passed back to the API.",
            lambda messages: messages[2]["reasoning_content"] == "",
        ),
        (
            "Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9.",
            lambda messages: len(messages[2]["tool_calls"][0]["id"]) == 9,
        ),
        (
            "Unexpected role 'user' after role 'tool'",
            lambda messages: messages[4]["role"] == "assistant",
        ),
    ],
)
def test_behind_a_gateway_the_refusal_tells_what_a_vendor_insists_on(
    words: str, is_taught: Callable[[list[dict[str, Any]]], bool]
) -> None:
    messages = ChatMessages()
    messages.add_question("Count")
    messages.add_reply("", (ToolCall(id="call_0", name="f", arguments="{}"),))
    messages.add_question("Go on")
    asked = ModelRequest(model="m", effort=None, prompt="P", messages=messages.snapshot(), tools=TOOLS)

    def rule(body: Body) -> Reply | None:
        return refuses(words) if len(server.requests) == 1 else None

    with ChatServer(says("One"), rule=rule) as server:
        list(model_at(server).stream(asked, StopSignal()))
    assert is_taught(server.requests[1]["messages"])


def test_other_servers_get_no_thoughts() -> None:
    assert set(body_at("http://127.0.0.1:9/v1")["messages"][2]) == {"role", "content", "tool_calls"}


def test_a_model_that_cannot_be_told_how_long_to_think_is_not_told_again() -> None:
    def rule(body: Body) -> Reply | None:
        words = 'think value "medium" is not supported for this model'
        return refuses(words) if "reasoning_effort" in body else None

    with ChatServer(says("One"), says("Two"), rule=rule) as server:
        model = model_at(server)
        for _ in range(2):
            list(model.stream(request(), StopSignal()))
    assert ["reasoning_effort" in body for body in server.requests] == [True, False, False]


@pytest.mark.parametrize("size", [1, 5, 1_000])
@pytest.mark.parametrize(
    ("content", "thoughts", "text"),
    [
        ("<think>\nI count.\n</think>\n\nIt is 1.", "I count.", "It is 1."),
        ("\n<thinking>a < b</thinking>Yes.", "a < b", "Yes."),
        ("A <think> in the text stays.", "", "A <think> in the text stays."),
        ("<table> is no thought.", "", "<table> is no thought."),
        ("<think></think>\n\nIt is 1.", "", "It is 1."),
    ],
)
def test_thoughts_between_tags_are_no_part_of_the_answer(size: int, content: str, thoughts: str, text: str) -> None:
    deltas = [{"content": content[start : start + size]} for start in range(0, len(content), size)]
    with ChatServer(whole(*deltas)) as server:
        pieces = list(model_at(server).stream(request(), StopSignal()))
    assert "".join(piece.text for piece in pieces if isinstance(piece, ReasoningWritten)).strip() == thoughts
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextWritten)) == text
    assert reply_of(pieces).text == text


def test_thoughts_whose_opening_tag_stood_in_the_prompt_are_no_part_of_the_answer_either() -> None:
    with ChatServer(whole({"content": "I count.</think>\n\nIt is 1."})) as server:
        assert PythonExecAgent(model_at(server)).task("Sum?") == "It is 1."


NO_TOOLS = [
    "registry.ollama.ai/library/gemma does not support tools",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "tools param requires --jinja flag",
    "No endpoints found that support tool use.",
]


@pytest.mark.parametrize("words", NO_TOOLS)
@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_model_that_cannot_call_tools_writes_its_code_as_a_block(words: str, status: int) -> None:
    def rule(body: Body) -> Reply | None:
        return refuses(words, status=status) if "tools" in body else None

    block = "I count.\n```python\nprint(1)\n```\nThat is all."
    with ChatServer(says(*block), says("It is 1."), rule=rule) as server:
        sandbox = FakeSandbox(ExecutionResult(stdout="1\n"))
        agent = PythonExecAgent(model_at(server), [PythonExecTool(sandbox)], model="gemma3")
        events = list(agent.stream("Count"))
    assert sandbox.codes == ["print(1)\n"]
    assert "".join(event.text for event in events if isinstance(event, TextWritten)) == (
        "I count.\nThat is all.It is 1."
    )
    assert ["tools" in body for body in server.requests] == [True, False, False]
    prompt, question, reply, result = server.requests[2]["messages"]
    assert "```python" in prompt["content"]
    assert "60 seconds a call" in prompt["content"]
    assert (question["content"], result["content"]) == ("Count", "Result:\n1")
    assert "```python\nprint(1)\n\n```" in reply["content"]


def test_a_block_that_broke_off_never_runs() -> None:
    def rule(body: Body) -> Reply | None:
        return refuses(NO_TOOLS[0]) if "tools" in body else None

    with ChatServer(says("```python\nimport os\nos.rem"), says("Sorry."), rule=rule) as server:
        sandbox = FakeSandbox()
        agent = PythonExecAgent(model_at(server), [PythonExecTool(sandbox)], model="gemma3")
        assert agent.task("Count") == "Sorry."
    assert sandbox.codes == []
    assert "not complete" in server.requests[2]["messages"][-1]["content"]


def test_a_block_of_python_is_only_text_where_tools_can_be_called() -> None:
    text = "Use this:\n```python\nprint(1)\n```\n"
    with ChatServer(says(*text)) as server:
        assert PythonExecAgent(model_at(server), [PythonExecTool(FakeSandbox())]).task("How?") == text


def test_other_tools_are_called_between_tags_where_tools_cannot_be_called() -> None:
    def rule(body: Body) -> Reply | None:
        return refuses(NO_TOOLS[0]) if "tools" in body else None

    tool = {"name": "open_data_file", "description": "Opens.", "parameters": {"type": "object", "properties": {}}}
    written = '<tool_call>{"name": "open_data_file", "arguments": {}}</tool_call>'
    with ChatServer(says(*written), rule=rule) as server:
        wanted = request(tools=({"type": "function", "function": tool},))
        pieces = list(model_at(server).stream(wanted, StopSignal()))
    assert [call.name for call in reply_of(pieces).calls] == ["open_data_file"]
    assert '"open_data_file"' in server.requests[1]["messages"][0]["content"]
