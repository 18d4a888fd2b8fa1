"""The real client against a real server on this machine: what it sends, and how it puts loose replies together."""

from collections.abc import Callable

import pytest

from agents.events import TextWritten, Usage
from agents.models.dialect import first_dialect
from agents.models.language_model import ModelReply
from agents.models.openai_model import OpenAILanguageModel
from agents.models.request_body import request_body
from agents.models.server_client import OPENAI_URL
from agents.stop_signal import StopSignal
from tests.chat_server import Body, ChatServer, Reply, refuses, says
from tests.openai_fixtures import TOOLS, model_at, request


def test_text_comes_as_it_is_written_and_usage_is_read() -> None:
    with ChatServer(says("The sum ", "is 7.", usage=(12, 3))) as server:
        pieces = list(model_at(server).stream(request(), StopSignal()))
    assert pieces == [
        TextWritten("The sum "),
        TextWritten("is 7."),
        ModelReply(text="The sum is 7.", usage=Usage(prompt_tokens=12, completion_tokens=3)),
    ]
    assert server.keys == ["sk-test-1234567890"]


def test_a_reasoning_model_gets_its_effort_and_nothing_that_it_refuses() -> None:
    with ChatServer(says("Hi")) as server:
        list(model_at(server).stream(request(), StopSignal()))
    assert server.requests == [
        {
            "model": "o3-mini",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
            "stream": True,
            "tools": list(TOOLS),
            "stream_options": {"include_usage": True},
            "reasoning_effort": "medium",
        }
    ]


@pytest.mark.parametrize(
    ("model", "takes_effort"),
    [
        ("o3-mini", True),
        ("o1", True),
        ("o4-mini-2025-04-16", True),
        ("gpt-5-nano", True),
        ("openai/gpt-oss-120b", True),
        ("ft:o3-mini:me", True),
        ("gpt-4o", False),
        ("gpt-5-chat-latest", False),
        ("o1-mini", False),
        ("llama3.1", False),
        ("olmo-2", False),
    ],
)
def test_effort_goes_only_to_models_that_take_it(model: str, takes_effort: bool) -> None:
    dialect = first_dialect(model, OPENAI_URL, "chat")
    assert ("reasoning_effort" in request_body(request(model), dialect)) == takes_effort
    assert "reasoning_effort" not in request_body(request(model, effort=None), dialect)


@pytest.mark.parametrize(
    ("model", "url", "role"),
    [
        ("o3-mini", OPENAI_URL, "developer"),
        ("gpt-4o", OPENAI_URL, "system"),
        ("o3-mini", "http://127.0.0.1:9/v1", "system"),
    ],
)
def test_the_developer_role_is_for_openais_reasoning_models(model: str, url: str, role: str) -> None:
    assert request_body(request(model), first_dialect(model, url, "chat"))["messages"][0]["role"] == role


def test_without_tools_no_list_of_tools_is_sent() -> None:
    with ChatServer(says("Hi")) as server:
        list(model_at(server).stream(request(tools=()), StopSignal()))
    assert "tools" not in server.requests[0]


def refuses_parameter(name: str, code: str | None = "unsupported_parameter") -> Callable[[Body], Reply | None]:
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return lambda body: refuses(message, code=code, param=name) if name in body else None


def extra_inputs(body: Body) -> Reply | None:
    if "reasoning_effort" not in body and "stream_options" not in body:
        return None
    return refuses("[{'type': 'extra_forbidden', 'msg': 'Extra inputs are not permitted'}]", status=422)


@pytest.mark.parametrize(
    ("rule", "left_out"),
    [
        (refuses_parameter("reasoning_effort"), {"reasoning_effort"}),
        (refuses_parameter("stream_options", None), {"stream_options"}),
        (extra_inputs, {"reasoning_effort", "stream_options"}),
    ],
)
def test_a_refused_parameter_is_left_out_once_and_for_all(
    rule: Callable[[Body], Reply | None], left_out: set[str]
) -> None:
    with ChatServer(says("One"), says("Two"), rule=rule) as server:
        model = model_at(server)
        assert TextWritten("One") in list(model.stream(request(), StopSignal()))
        assert TextWritten("Two") in list(model.stream(request(), StopSignal()))
    assert [len({"reasoning_effort", "stream_options"} - set(body)) for body in server.requests] == [
        0,
        len(left_out),
        len(left_out),
    ]


@pytest.mark.parametrize(
    ("refused", "message", "tried"),
    [
        ({"system"}, "Unsupported value: 'messages[0].role' does not support 'system'", ["system", "developer"]),
        ({"system", "developer"}, "role {role} is not supported", ["system", "developer", "user"]),
    ],
)
def test_a_refused_role_of_the_prompt_is_switched_once_and_for_all(
    refused: set[str], message: str, tried: list[str]
) -> None:
    def rule(body: Body) -> Reply | None:
        role = body["messages"][0]["role"]
        return refuses(message.format(role=role)) if role in refused else None

    with ChatServer(says("One"), says("Two"), rule=rule) as server:
        model = model_at(server)
        list(model.stream(request(), StopSignal()))
        list(model.stream(request(), StopSignal()))
    assert [body["messages"][0]["role"] for body in server.requests] == [*tried, tried[-1]]
    if tried[-1] == "user":
        assert server.requests[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nHello"}]


def test_without_a_base_url_it_is_openai_itself() -> None:
    assert OPENAI_URL == "https://api.openai.com/v1"
    assert OpenAILanguageModel("k", " ").server == OPENAI_URL


def test_a_proxy_of_the_environment_is_not_asked_for_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with ChatServer(says("Hi")) as server:
        assert TextWritten("Hi") in list(model_at(server).stream(request(), StopSignal()))
