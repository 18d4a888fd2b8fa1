"""Whatever goes wrong at the model's server is a sentence with its remedy, without any key in it."""

import socket
from typing import Any

import pytest

from agents.events import Failed, TextWritten, Waiting
from agents.models.language_model import ModelError
from agents.models.openai_model import OpenAILanguageModel
from agents.models.server_client import Patience
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from tests.chat_server import ChatServer, Reply, answers, chunk, ending, event, fails, refuses, says, streams
from tests.openai_fixtures import PATIENCE, model_at, request
from tests.test_openai_replies import STREAMS

KEY = "sk-test-1234567890"


def error_of(*replies: Reply, model: str = "o3-mini") -> str:
    with ChatServer(*replies) as server, pytest.raises(ModelError) as caught:
        list(model_at(server, KEY).stream(request(model), StopSignal()))
    told = str(caught.value)
    assert KEY not in told
    return told.replace(server.url, "URL")


BUSY = "The model's server has too many requests, or the limit of the key is reached. Wait a minute, then ask again."
NO_CREDIT = (
    "The account behind the key has no credit left. Add credit or raise its limit at the provider, then ask again."
)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            refuses(f"Incorrect API key provided: {KEY}.", status=401, code="invalid_api_key"),
            "The key was refused by URL. Check the key; copy it again if in doubt.",
        ),
        (fails(403, {"error": "no"}), "The key may not use o3-mini at URL. Choose another model or another key."),
        (
            refuses("The model `o3-mini` does not exist or you do not have access", status=404, code="model_not_found"),
            "URL does not know the model o3-mini. Choose one that it offers, such as: gpt-4o.",
        ),
        (
            fails(404, {"error": "model 'o3-mini' not found, try pulling it first"}),
            "URL does not know the model o3-mini. Choose one that it offers, such as: gpt-4o.",
        ),
        (
            fails(404, b"404 page not found"),
            "Nothing answers chat requests at URL. Check the base URL; most end with /v1.",
        ),
        (
            refuses("You exceeded your current quota.", status=429, code="insufficient_quota"),
            NO_CREDIT,
        ),
        (fails(402, {"error": {"message": "Insufficient Balance"}}), NO_CREDIT),
        (
            refuses("This model's maximum context length is 128000 tokens.", code="context_length_exceeded"),
            "The conversation is too long for o3-mini. Begin a new one, or choose a model that reads more.",
        ),
        (
            fails(400, {"message": "prompt is too long: 212164 tokens > 200000 maximum"}),
            "The conversation is too long for o3-mini. Begin a new one, or choose a model that reads more.",
        ),
        (
            refuses("The response was filtered", code="content_filter"),
            "The model's server refused the question for its content. Put it differently.",
        ),
        (
            refuses("Unsupported parameter: 'stream' is not supported here.", code="unsupported_parameter"),
            "o3-mini refused a parameter of the request: Unsupported parameter: 'stream' is not supported here. "
            "Choose another effort or another model.",
        ),
        (
            fails(400, {"error": "bad luck"}),
            "The model's server refused the request: bad luck. Choose another model, or begin a new conversation.",
        ),
        (
            fails(418, b"<html><body>teapot</body></html>"),
            "The model's server refused the request (status 418). Choose another model, or begin a new conversation.",
        ),
        (
            streams(b"data: {not json}\n\n"),
            "URL sent something that is not a chat completion. Check the base URL; most end with /v1.",
        ),
        (
            streams(b"data: \xff\xfe\n\n"),
            "URL sent something that is not a chat completion. Check the base URL; most end with /v1.",
        ),
        (
            fails(200, b"<!doctype html><html><body>Welcome</body></html>"),
            "URL sent something that is not a chat completion. Check the base URL; most end with /v1.",
        ),
        (streams(b"Welcome"), "The model gave an empty answer. Ask again, or choose another model."),
        (
            answers({"role": "assistant", "content": ""}, finish="length"),
            "The model used up its output while thinking and gave no answer. "
            "Choose a lower effort, or ask a smaller question.",
        ),
        (
            answers({"role": "assistant", "content": None, "tool_calls": None, "reasoning_content": "The sum is 7."}),
            "The model thought but gave no answer. Ask again, or choose another model.",
        ),
        (
            answers({"role": "assistant", "content": None, "refusal": "I can't help with that."}),
            "The model declined to answer: I can't help with that. Put the question differently.",
        ),
        (
            answers({"role": "assistant", "content": None}, finish="content_filter"),
            "The model's server refused the question for its content. Put it differently.",
        ),
    ],
)
def test_a_failure_that_will_not_pass_is_told_at_once(reply: Reply, told: str) -> None:
    assert error_of(reply) == told


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (fails(429), BUSY),
        (
            fails(429, {"status": 429, "error": "INSUFFICIENT QUOTA", "message": "limit of concurrent requests."}),
            BUSY,
        ),
        (
            fails(502, b"<html>Bad gateway</html>"),
            "The model's server failed (status 502). Ask again in a minute, or choose another model.",
        ),
        (
            streams((STREAMS / "error_with_empty_choices.sse").read_bytes()),
            "The model's server reported: Worker limit reached. Ask again, or choose another model.",
        ),
        (streams(b"", broken=True), "The connection to URL broke off. Ask again."),
    ],
)
def test_a_failure_that_may_pass_is_tried_three_times(reply: Reply, told: str) -> None:
    assert error_of(reply, reply, reply) == told


def test_the_answer_comes_when_the_trouble_passes_and_the_pauses_are_shown() -> None:
    pauses: list[float] = []
    with ChatServer(fails(503), fails(429, retry_after="2"), says("Done.")) as server:
        model = OpenAILanguageModel(
            KEY, server.url, patience=PATIENCE, pause=lambda seconds, stop: pauses.append(seconds)
        )
        pieces = list(model.stream(request(), StopSignal()))
    waits = [(str(piece.reason), piece.seconds) for piece in pieces if isinstance(piece, Waiting)]
    assert waits == [
        ("The model's server failed.", 0.5),
        ("The model's server has too many requests.", 2.0),
    ]
    assert pauses == [0.5, 2.0]
    assert pieces[2] == TextWritten("Done.")


def test_pauses_are_spread_a_little_but_never_shorter() -> None:
    pauses: list[float] = []
    with ChatServer(fails(429, retry_after="2"), says("Done.")) as server:
        model = OpenAILanguageModel(KEY, server.url, pause=lambda seconds, stop: pauses.append(seconds))
        list(model.stream(request(), StopSignal()))
    assert 2 <= pauses[0] <= 2.5


def test_no_server_can_ask_for_an_endless_pause() -> None:
    with ChatServer(fails(429, retry_after="86400"), says("Done.")) as server:
        waits = [piece for piece in model_at(server).stream(request(), StopSignal()) if isinstance(piece, Waiting)]
    assert [wait.seconds for wait in waits] == [30]


@pytest.mark.parametrize(
    ("body", "broken", "told"),
    [
        ((STREAMS / "error_in_stream.sse").read_bytes(), False, "The model's server reported: queue full."),
        (chunk({"content": "The total "}), True, "broke off. Ask again."),
        (chunk({"content": "The total "}) + event({"error": "lost"}), False, "The model's server reported: lost."),
    ],
)
def test_after_some_text_nothing_is_tried_again_and_the_text_is_kept(body: bytes, broken: bool, told: str) -> None:
    with ChatServer(streams(body, broken=broken), says("It is 7.")) as server:
        agent = PythonExecAgent(model_at(server))
        events = list(agent.stream("Sum?"))
        assert events[0] == TextWritten("The total ")
        assert isinstance(events[-1], Failed)
        assert told in str(events[-1].reason)
        assert agent.task("Again") == "It is 7."
    assert [message["content"] for message in server.requests[1]["messages"][1:]] == ["Sum?", "The total ", "Again"]


def test_a_reply_without_end_is_given_up() -> None:
    long = chunk({"content": "x" * 600_000})
    assert "did not come to an end" in error_of(streams(long + long + b"".join(ending("stop", (1, 1)))))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def error_at(url: str, key: str = KEY, **patience: Any) -> str:
    model = OpenAILanguageModel(key, url, patience=Patience(**patience), pause=lambda seconds, stop: None)
    with pytest.raises(ModelError) as caught:
        list(model.stream(request(), StopSignal()))
    return str(caught.value)


def test_a_server_that_is_not_there_is_told_without_name_and_password() -> None:
    port = free_port()
    assert error_at(f"http://me:secret@127.0.0.1:{port}/v1") == (
        f"The model's server at http://127.0.0.1:{port}/v1 does not answer. Check the network and the base URL."
    )


def test_a_server_that_says_nothing_is_given_up_after_a_while() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        assert error_at(url, silence=0.05) == (
            f"The model's server at {url} did not answer in time. Ask again, or choose a faster model."
        )


@pytest.mark.parametrize("key", ["", "  \n"])
def test_a_missing_key_is_told_in_words(key: str) -> None:
    assert error_at("", key) == (
        "No key for the language model is set. Enter one, or put OPENAI_API_KEY into the environment or .env."
    )


@pytest.mark.parametrize("key", ["sk-…abc", "sk-abc def", "sk-abc\x00"])
def test_a_key_that_cannot_be_one_is_told_without_showing_it(key: str) -> None:
    told = error_at("http://127.0.0.1:9/v1", key)
    assert told == "The key holds characters that no key has. Copy it again."


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://example.com", "http://?", "http://a b/v1", "http://[::1"])
def test_a_base_url_that_is_none_is_told(url: str) -> None:
    assert f"The base URL {url} is not a web address." in error_at(url)


def test_key_and_base_url_are_trimmed_and_a_server_of_ones_own_needs_no_key() -> None:
    with ChatServer(says("One"), says("Two")) as server:
        list(OpenAILanguageModel(f" {KEY}\n", f"{server.url}/chat/completions/ ").stream(request(), StopSignal()))
        list(OpenAILanguageModel("", f"{server.url}/").stream(request(), StopSignal()))
    assert server.keys == [KEY, "none"]


def test_a_base_url_without_v1_leads_to_the_hint() -> None:
    with ChatServer() as server:
        told = error_at(server.url.removesuffix("/v1") + "/api")
    assert told.endswith("/api. Check the base URL; most end with /v1.")


def test_the_sentence_names_no_secret_that_a_server_sends_back() -> None:
    words = f"Bad {KEY} and sk-proj-abcdefgh and Bearer abcdef at https://me:pw@host/x"
    assert error_of(refuses(words)) == (
        "The model's server refused the request: Bad [hidden] and [hidden] and [hidden] at https://[hidden]host/x. "
        "Choose another model, or begin a new conversation."
    )
