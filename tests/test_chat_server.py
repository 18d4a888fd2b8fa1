"""The server of the tests refuses what a vendor would, so that a test cannot pass on a request that would not."""

from pathlib import Path
from typing import Any

import openai
import pytest

from tests.chat_rules import problem_of
from tests.chat_server import ChatServer, calls, read_script, says

USER = {"role": "user", "content": "Hi"}
CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWER = {"role": "tool", "tool_call_id": "a", "content": "1"}


def body(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "gpt-4o", "messages": list(messages), **more}


def test_a_good_conversation_has_no_problem() -> None:
    developer = {"role": "developer", "content": "Be brief."}
    assert problem_of(body(developer, USER, ASKS, ANSWER, USER, stream=True)) is None


@pytest.mark.parametrize(
    ("request_body", "told"),
    [
        ([], "not a JSON object"),
        (body(USER, temperature=0), "temperature"),
        (body(USER, reasoning_effort="low"), "reasoning_effort"),
        ({"model": "", "messages": [USER]}, "model"),
        (body(), "non-empty"),
        (body({"role": "user", "content": "\0"}), "NUL"),
        (body({"role": "robot", "content": "x"}), "robot"),
        (body(USER, {"role": "system", "content": "x"}), "must come first"),
        (body(USER, ASKS, USER), "no tool message: a"),
        (body(USER, ASKS), "no tool message: a"),
        (body(USER, ANSWER), "must answer a call"),
        (body(USER, ASKS, ANSWER, ANSWER), "must answer a call"),
        (body(USER, {"role": "assistant", "content": " "}), "needs content"),
        (body(USER, {"role": "user", "content": None}), "not text"),
        (body(USER, {**ASKS, "tool_calls": [CALL, CALL]}), "id of its own"),
        (body(USER, {**ASKS, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "{"}}]}), "valid JSON"),
        (body(USER, {**ASKS, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "[]"}}]}), "object"),
        (body(USER, {**ASKS, "tool_calls": [{**CALL, "function": {"name": "os.f", "arguments": "{}"}}]}), "name"),
        (body(USER, tools=[]), "too short"),
        (body(USER, tools=[{"type": "function", "function": {"name": "a b"}}]), "name"),
    ],
)
def test_a_bad_request_is_refused(request_body: Any, told: str) -> None:
    assert told in (problem_of(request_body) or "")


def ask(server: ChatServer) -> openai.OpenAI:
    return openai.OpenAI(api_key="k", base_url=server.url, max_retries=0)


def test_a_request_without_a_reply_fails_the_test() -> None:
    server = ChatServer().start()
    with pytest.raises(openai.InternalServerError):
        ask(server).chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
    with pytest.raises(AssertionError, match="no reply was written"):
        server.__exit__(None, None, None)


def test_a_reply_that_nobody_asked_for_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="1 replies were not asked for"), ChatServer(says("Hi")):
        pass


def test_a_script_becomes_replies(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(
        '[{"text": "I count.", "calls": ["print(1)", {"name": "f", "arguments": {"a": 1}}]}, {"text": "One and all."}]'
    )
    assert read_script(script) == [
        calls("print(1)", ("f", {"a": 1}), text="I count."),
        says("One and all."),
    ]


def test_the_models_are_listed() -> None:
    with ChatServer() as server:
        assert [model.id for model in ask(server).models.list()] == ["o3-mini", "gpt-4o"]
