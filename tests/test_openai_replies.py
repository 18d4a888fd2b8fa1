"""However loosely a server keeps to the protocol, its replies are put together as they were meant."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.events import Finished, TextWritten, Usage
from agents.models.language_model import ModelReply
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from sandbox.sandbox import ExecutionResult
from tests.chat_server import ChatServer, Reply, answers, calls, chunk, ending, says, streams
from tests.fake_sandbox import FakeSandbox
from tests.openai_fixtures import model_at, request
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolCall

STREAMS = Path(__file__).parent / "streams"


def reply_to(*replies: Reply) -> ModelReply:
    with ChatServer(*replies) as server:
        last = list(model_at(server).stream(request(), StopSignal()))[-1]
    assert isinstance(last, ModelReply)
    return last


def whole(*deltas: dict[str, Any] | None, finish: str = "stop") -> Reply:
    return streams(b"".join([*(chunk(delta) for delta in deltas), *ending(finish, (1, 1))]))


def codes(reply: ModelReply) -> list[tuple[str, str]]:
    return [(call.name, json.loads(call.arguments)["python_code"]) for call in reply.calls]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("no_index.sse", [("call_a", "print(1)"), ("call_b", "print(2)")]),
        ("no_id.sse", [("", "print(3)")]),
        ("empty_id.sse", [("", "print(3)")]),
        ("repeat_id_name.sse", [("call_r", "print(5)")]),
        ("stop_with_tools.sse", [("call_s", "print(6)")]),
    ],
)
def test_calls_are_put_together_however_a_server_numbers_them(file: str, expected: list[tuple[str, str]]) -> None:
    reply = reply_to(streams((STREAMS / file).read_bytes()))
    assert [call.id for call in reply.calls] == [call_id for call_id, _ in expected]
    assert codes(reply) == [("execute_python_code", code) for _, code in expected]


def test_chunks_without_choices_or_delta_do_no_harm() -> None:
    reply = reply_to(streams((STREAMS / "empty_choices.sse").read_bytes()))
    assert reply == ModelReply(text="Hello", usage=Usage(prompt_tokens=5, completion_tokens=2))


def tool(code: str, **more: Any) -> dict[str, Any]:
    return {"function": {"name": "execute_python_code", "arguments": json.dumps({"python_code": code})}, **more}


@pytest.mark.parametrize(
    "deltas",
    [
        [{"tool_calls": [tool("a", index=0, id="x"), tool("b", index=1, id="y")]}],
        [{"tool_calls": [tool("a", index=0, id="x")]}, {"tool_calls": [tool("b", index=0, id="y")]}],
        [{"tool_calls": [tool("a", index=0, id="x")]}, {"tool_calls": [tool("b", index=1, id="x")]}],
        [{"tool_calls": [tool("a")]}, {"tool_calls": [tool("b")]}],
        [{"tool_calls": [tool("a", index=0)]}, {"tool_calls": [tool("b", index=0)]}],
        [{"tool_calls": [tool("a", index=None, id="x")]}, {"tool_calls": [tool("b", index=0, id="y")]}],
        [
            {
                "tool_calls": [
                    {"index": 0, "function": {"name": "execute_python_code", "arguments": {"python_code": "a"}}},
                    None,
                    {"index": 1, "function": {"name": "execute_python_code", "arguments": {"python_code": "b"}}},
                ]
            }
        ],
    ],
)
def test_two_whole_calls_stay_two(deltas: list[dict[str, Any]]) -> None:
    assert codes(reply_to(whole(*deltas, finish="tool_calls"))) == [
        ("execute_python_code", "a"),
        ("execute_python_code", "b"),
    ]


@pytest.mark.parametrize("finish", ["stop", "other", "length"])
def test_calls_count_whatever_the_reason_for_the_end(finish: str) -> None:
    assert codes(reply_to(whole({"tool_calls": [tool("a", index=0, id="x")]}, finish=finish))) == [
        ("execute_python_code", "a")
    ]


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"role": "assistant", "content": "Let me see.", "tool_calls": [tool("a", id="x")]}
    reply = reply_to(answers(message))
    assert (reply.text, codes(reply)) == ("Let me see.", [("execute_python_code", "a")])


def test_text_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]
    assert reply_to(whole({"content": parts})).text == "Hello"


CALL = '{"name": "execute_python_code", "arguments": {"python_code": "print(8)"}}'


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (f"<tool_call>\n{CALL}\n</tool_call>", ""),
        (f"I count.\n<tools>{CALL}</tools>", "I count.\n"),
        (f"<function_call>{CALL}", ""),
        (CALL, ""),
        (CALL.replace("arguments", "parameters"), ""),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_a_call_that_is_written_as_text_is_a_call(content: str, text: str, size: int) -> None:
    pieces = [{"content": content[start : start + size]} for start in range(0, len(content), size)]
    reply = reply_to(whole(*pieces))
    assert (reply.text.strip(), codes(reply)) == (text.strip(), [("execute_python_code", "print(8)")])


@pytest.mark.parametrize(
    "content",
    [
        f"A call looks so:\n```\n<tool_call>{CALL}</tool_call>\n```\n",
        '<tool_call>{"name": "os.system", "arguments": {"cmd": "id"}}</tool_call>',
        '{"total": 5}',
        '{"name": "Tom"}',
        f"Not alone: {CALL}",
        "a < b and <tools> of the trade",
        "1 <",
    ],
)
@pytest.mark.parametrize("size", [1, 1_000])
def test_text_that_only_looks_like_a_call_stays_text(content: str, size: int) -> None:
    pieces = [{"content": content[start : start + size]} for start in range(0, len(content), size)]
    reply = reply_to(whole(*pieces))
    assert (reply.text, reply.calls) == (content, ())


def test_a_written_call_that_broke_off_is_hidden_and_sent_back_as_a_mistake() -> None:
    broken = 'I will run this. <tool_call>{"name": "execute_python_code", "arguments": {"python_code": "print('
    with ChatServer(whole({"content": broken}), calls("print(1)"), says("1")) as server:
        sandbox = FakeSandbox(ExecutionResult(stdout="1\n"))
        agent = PythonExecAgent(model_at(server), [PythonExecTool(sandbox)])
        written = [event.text for event in agent.stream("Go") if isinstance(event, TextWritten)]
    assert written == ["I will run this. ", "1"]
    assert sandbox.codes == ["print(1)"]
    assert "not complete JSON" in server.requests[1]["messages"][-1]["content"]


def test_a_whole_conversation_is_one_that_a_strict_vendor_accepts() -> None:
    raw = streams(b"".join([chunk({"tool_calls": [tool("x", index=0, id="same")]}), *ending("tool_calls", (1, 1))]))
    bad = calls(("python", "print('\ud83d')"), ("os.system", '{"cmd": "id"}'), ("execute_python_code", '{"python'))
    with ChatServer(raw, bad, raw, says("Done.")) as server:
        sandbox = FakeSandbox(ExecutionResult(stdout="\ud83d\0\n"))
        agent = PythonExecAgent(model_at(server), [PythonExecTool(sandbox)], model="gpt-4o")
        agent.add_context("half \ud83d and \0")
        assert agent.task("Go") == "Done."
    roles = [message["role"] for message in server.requests[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool", "tool", "tool", "assistant", "tool"]


def test_the_tool_call_of_a_reply_is_kept_as_it_was_written() -> None:
    assert reply_to(calls(("count", '{"up_to": 3}'))).calls == (
        ToolCall(id="call_0", name="count", arguments='{"up_to": 3}'),
    )


def test_an_emoji_cut_in_two_is_joined_and_half_of_one_replaced() -> None:
    reply = reply_to(whole({"content": "a\ud83c"}, {"content": "\udf78 b\0"}, {"content": "c\ud83c"}))
    assert reply.text == "a🍸 b\ufffdc\ufffd"


def test_an_answer_that_ends_at_the_models_limit_is_told_to_be_cut() -> None:
    with ChatServer(whole({"content": "First of all"}, finish="length")) as server:
        last = list(PythonExecAgent(model_at(server)).stream("Go"))[-1]
    assert isinstance(last, Finished)
    assert (last.text, str(last.notice)) == (
        "First of all",
        "The answer was cut off at the model's limit. Ask to go on.",
    )
