"""The Responses API beside chat completions: the same pieces, thoughts kept from call to call, one switch at most."""

import json
from dataclasses import replace

import pytest

from agents.events import CallStarted, Event, ReasoningWritten, TextWritten, Usage
from agents.models.dialect import first_dialect
from agents.models.language_model import ModelError, ModelReply
from agents.models.profiles import PLAIN_SERVER
from agents.models.server_client import OPENAI_URL
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from sandbox.sandbox import ExecutionResult
from tests import chat_server
from tests.chat_server import Body, ChatServer, Reply, event, refuses, streams
from tests.fake_sandbox import FakeSandbox
from tests.openai_fixtures import TOOLS, model_at, request
from tests.responses_replies import calls, ends, says, whole
from tools.python_exec_tool import PythonExecTool

CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"


def pieces_of(*replies: Reply, model: str = "o3-mini") -> tuple[list[object], ChatServer]:
    with ChatServer(*replies) as server:
        return list(model_at(server, api="responses").stream(request(model), StopSignal())), server


def test_text_and_summary_come_as_they_are_written_and_usage_is_read() -> None:
    pieces, server = pieces_of(says("The sum ", "is 7.", thoughts="I add them."))
    assert pieces[:3] == [ReasoningWritten("I add them."), TextWritten("The sum "), TextWritten("is 7.")]
    reply = pieces[-1]
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.calls) == ("The sum is 7.", ())
    assert reply.usage == Usage(prompt_tokens=20, cached_tokens=8, completion_tokens=9, reasoning_tokens=4)
    assert server.paths == [RESPONSES]


def test_a_reasoning_model_is_asked_for_effort_summary_and_sealed_thoughts_and_nothing_is_stored() -> None:
    _, server = pieces_of(says("Hi"))
    function = TOOLS[0]["function"]
    assert server.requests == [
        {
            "model": "o3-mini",
            "input": [{"role": "user", "content": "Hello"}],
            "stream": True,
            "store": False,
            "instructions": "Be brief.",
            "tools": [{"type": "function", **function, "strict": False}],
            "reasoning": {"effort": "medium", "summary": "auto"},
            "include": ["reasoning.encrypted_content"],
        }
    ]
    _, server = pieces_of(says("Hi"), model="gpt-4o")
    assert {"reasoning", "include"} & set(server.requests[0]) == set()


def agent_at(server: ChatServer, sandbox: FakeSandbox, model: str = "o3-mini") -> PythonExecAgent:
    return PythonExecAgent(model_at(server, api="responses"), [PythonExecTool(sandbox)], model=model)


def test_thoughts_go_back_with_the_result_of_the_call_they_led_to() -> None:
    replies = (calls("print(1)", "print(2)", thoughts="First one.", sealed="S1"), says("Done.", sealed="S2"))
    with ChatServer(*replies, says("More.")) as server:
        agent = agent_at(server, FakeSandbox(ExecutionResult(stdout="1\n"), ExecutionResult(stdout="2\n")))
        events: list[Event] = list(agent.stream("Count"))
        assert agent.task("Go on") == "More."
    assert [event.code for event in events if isinstance(event, CallStarted)] == ["print(1)", "print(2)"]
    assert [item.get("type", item.get("role")) for item in server.requests[1]["input"]] == [
        "user",
        "reasoning",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
    ]
    summary = [{"type": "summary_text", "text": "First one."}]
    assert server.requests[1]["input"][1] == {"type": "reasoning", "summary": summary, "encrypted_content": "S1"}
    assert server.requests[2]["input"][: len(server.requests[1]["input"])] == server.requests[1]["input"]
    assert server.requests[2]["input"][6]["encrypted_content"] == "S2"


def test_thoughts_of_one_model_are_not_sent_to_another() -> None:
    with ChatServer(says("One.", sealed="S1"), says("Two.")) as server:
        agent = agent_at(server, FakeSandbox())
        agent.task("Go")
        agent.model = "gpt-5"
        agent.task("Again")
    assert [item.get("type", item.get("role")) for item in server.requests[1]["input"]] == ["user", "assistant", "user"]


def test_a_response_that_does_not_stream_is_understood() -> None:
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Let me see."}]}
    call = {"type": "function_call", "call_id": "c", "name": "execute_python_code", "arguments": '{"python_code": "1"}'}
    reply = pieces_of(whole(message, call))[0][-1]
    assert isinstance(reply, ModelReply)
    assert (reply.text, [(each.id, json.loads(each.arguments)) for each in reply.calls]) == (
        "Let me see.",
        [("c", {"python_code": "1"})],
    )


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            ends("failed", error={"code": "server_is_odd", "message": "The server had an error"}),
            "The model's server reported: The server had an error. Ask again, or choose another model.",
        ),
        (
            streams(event({"type": "error", "code": "odd", "message": "queue full"})),
            "The model's server reported: queue full. Ask again, or choose another model.",
        ),
        (
            ends("incomplete", incomplete_details={"reason": "max_output_tokens"}),
            "The model used up its output while thinking and gave no answer. "
            "Choose a lower effort, or ask a smaller question.",
        ),
        (
            ends("incomplete", incomplete_details={"reason": "content_filter"}),
            "The model's server refused the question for its content. Put it differently.",
        ),
        (
            whole({"type": "message", "content": [{"type": "refusal", "refusal": "I cannot."}]}),
            "The model declined to answer: I cannot. Put the question differently.",
        ),
        (ends("completed"), "The model gave an empty answer. Ask again, or choose another model."),
    ],
)
def test_a_failed_response_is_told_in_words(reply: Reply, told: str) -> None:
    with pytest.raises(ModelError) as caught:
        pieces_of(reply)
    assert str(caught.value) == told


def test_a_parameter_of_thinking_that_is_refused_is_left_out_once_and_for_all() -> None:
    words = "Your organization must be verified to generate reasoning summaries."

    def rule(body: Body) -> Reply | None:
        if "summary" in body["reasoning"]:
            return refuses(words, code="unsupported_value", param="reasoning.summary")
        if "include" in body:
            return refuses("Encrypted content is not supported with this model.")
        return None

    with ChatServer(says("One"), says("Two"), rule=rule) as server:
        model = model_at(server, api="responses")
        for _ in range(2):
            list(model.stream(request(), StopSignal()))
    assert [(body["reasoning"].get("summary"), "include" in body) for body in server.requests] == [
        ("auto", True),
        (None, True),
        (None, False),
        (None, False),
    ]


ONLY_RESPONSES = "This model is only supported in v1/responses and not in v1/chat/completions."


@pytest.mark.parametrize(
    ("refusal", "takes"),
    [
        (refuses(ONLY_RESPONSES, status=404), (CHAT, RESPONSES)),
        (refuses("Not a chat model", status=404), (CHAT, RESPONSES)),
    ],
)
def test_a_model_that_exists_only_on_the_other_api_is_found_there_and_remembered(
    refusal: Reply, takes: tuple[str, ...]
) -> None:
    with ChatServer(refusal, says("One"), says("Two"), takes=takes) as server:
        model = model_at(server)
        assert TextWritten("One") in list(model.stream(request("o9-pro"), StopSignal()))
        list(model.stream(request("o9-pro"), StopSignal()))
    assert server.paths == [CHAT, RESPONSES, RESPONSES]


def test_a_server_without_the_responses_api_is_asked_on_the_other() -> None:
    with ChatServer(chat_server.says("One"), takes=[CHAT]) as server:
        dialect = replace(first_dialect("o3-mini", OPENAI_URL), server=PLAIN_SERVER)
        model = model_at(server)
        model._dialects["o3-mini"] = dialect
        assert TextWritten("One") in list(model.stream(request(), StopSignal()))
    assert server.paths == [CHAT]


def test_the_api_is_switched_once_at_most() -> None:
    refusals = (refuses(ONLY_RESPONSES), refuses("Use v1/chat/completions."))
    with ChatServer(*refusals) as server, pytest.raises(ModelError, match="refused the request"):
        list(model_at(server).stream(request(), StopSignal()))
    assert server.paths == [CHAT, RESPONSES]


def test_an_api_that_was_chosen_is_never_left() -> None:
    with ChatServer(refuses(ONLY_RESPONSES)) as server, pytest.raises(ModelError):
        list(model_at(server, api="chat").stream(request(), StopSignal()))
    assert server.paths == [CHAT]


TOOLS_WITH_EFFORT = (
    "Function tools with reasoning_effort are not supported for gpt-6-sol in /v1/chat/completions. "
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
)


def test_where_calls_and_effort_exclude_each_other_the_model_calls_without_effort() -> None:
    def rule(body: Body) -> Reply | None:
        wanted = body.get("tools") and body.get("reasoning_effort") != "none"
        return refuses(TOOLS_WITH_EFFORT, param="reasoning_effort") if wanted else None

    with ChatServer(chat_server.says("One"), chat_server.says("Two"), rule=rule) as server:
        model = model_at(server, api="chat")
        for _ in range(2):
            list(model.stream(request("gpt-5.6-terra"), StopSignal()))
    assert [body["reasoning_effort"] for body in server.requests] == ["medium", "none", "none"]


@pytest.mark.parametrize(
    ("model", "url", "choice", "expected"),
    [
        ("o3-mini", OPENAI_URL, "auto", ("responses", None)),
        ("gpt-4o", OPENAI_URL, "auto", ("chat", None)),
        ("gpt-6.2-astra", OPENAI_URL, "auto", ("responses", None)),
        ("gpt-6-sol", OPENAI_URL, "chat", ("chat", "none")),
        ("gpt-5-chat-latest", OPENAI_URL, "auto", ("chat", None)),
        ("o3-mini", "https://mine.openai.azure.com/openai/v1", "auto", ("responses", None)),
        ("openai/gpt-6-sol", "https://openrouter.ai/api/v1", "auto", ("chat", None)),
        ("gpt-oss:20b", "http://127.0.0.1:11434/v1", "auto", ("chat", None)),
        ("gpt-4o", OPENAI_URL, "responses", ("responses", None)),
    ],
)
def test_the_table_says_which_api_comes_first(model: str, url: str, choice: object, expected: object) -> None:
    dialect = first_dialect(model, url, choice)  # type: ignore[arg-type]
    assert (dialect.api, dialect.effort) == expected


def test_a_stop_in_the_midst_of_a_response_keeps_what_was_said_and_the_next_question_works() -> None:
    with ChatServer(calls("print(1)", sealed="S"), says("Two")) as server:
        agent = agent_at(server, FakeSandbox())
        stop = StopSignal()
        for each in agent.stream("Go", stop):
            if isinstance(each, CallStarted):
                stop.set()
        assert agent.task("Again") == "Two"
    assert server.requests[1]["input"][3]["output"] == "The person stopped this before it finished."


def test_sealed_thoughts_that_the_vendor_cannot_read_any_more_are_left_out() -> None:
    def rule(body: Body) -> Reply | None:
        has_thoughts = any(item.get("type") == "reasoning" for item in body["input"])
        return refuses("The encrypted content could not be verified.") if has_thoughts else None

    with ChatServer(calls("print(1)", sealed="S"), says("Done."), rule=rule) as server:
        assert agent_at(server, FakeSandbox(ExecutionResult(stdout="1\n"))).task("Go") == "Done."
    assert [item.get("type", item.get("role")) for item in server.requests[2]["input"]] == [
        "user", "function_call", "function_call_output",
    ]  # fmt: skip
    assert "include" in server.requests[2]
