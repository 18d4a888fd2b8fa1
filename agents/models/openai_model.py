"""Any server that speaks OpenAI's chat completions, with streaming; the vendor's library is imported here alone."""

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import openai

from agents.events import TextWritten, Waiting
from agents.models.chat_stream import ChatStream, current_stream
from agents.models.failures import Failure, refused, reported, told, unreached, without_secrets
from agents.models.language_model import LanguageModelInterface, ModelError, ModelReply, ModelRequest
from agents.models.reply_builder import ReplyBuilder
from agents.models.request_body import Dialect, adapted, first_dialect, request_body
from agents.stop_signal import StopSignal

OPENAI_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # servers of one's own need no key, but the library insists on one
_Pieces = Generator[TextWritten | Waiting | ModelReply, None, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for a server, in seconds; reasoning models are silent for minutes."""

    connect: float = 10
    silence: float = 600
    """Between two pieces of a reply."""
    tries: int = 3
    first_pause: float = 0.5
    """Before the second try; it doubles each time, and the server may ask for more."""
    longest_pause: float = 30


def pause_unless_stopped(seconds: float, stop: StopSignal) -> None:
    """Wait, but not beyond a stop."""
    stopped = threading.Event()
    with stop.calling(stopped.set):
        stopped.wait(seconds)


class OpenAILanguageModel(LanguageModelInterface):
    """Keeps what it learned about a server's dialect; several threads may ask it at once."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "",
        *,
        patience: Patience | None = None,
        pause: Callable[[float, StopSignal], None] = pause_unless_stopped,
    ) -> None:
        self._key = api_key.strip().strip("\"'")
        self._url = base_url.strip().rstrip("/").removesuffix("/chat/completions") or OPENAI_URL
        self._patience = patience or Patience()
        self._pause = pause
        self._dialects: dict[str, Dialect] = {}
        self._lock = threading.Lock()
        self._made: openai.OpenAI | None = None

    def stream(self, request: ModelRequest, stop: StopSignal) -> _Pieces:
        self._check()
        dialect = self._dialects.get(request.model) or first_dialect(request.model, self._url == OPENAI_URL)
        tries = 1
        while not stop.is_set:
            body = request_body(request, dialect)
            outcome = yield from self._attempt(body, request, stop)
            if outcome is None:
                return
            if isinstance(outcome, ModelReply):
                self._dialects[request.model] = dialect
                yield outcome
                return
            changed = adapted(dialect, outcome, body)
            if changed is None:
                if tries >= self._patience.tries or not outcome.may_pass:
                    raise told(outcome, request.model, self.server)
                yield from self._wait(outcome, tries, stop)
                tries += 1
            dialect = changed or dialect

    def _attempt(
        self, body: dict[str, Any], request: ModelRequest, stop: StopSignal
    ) -> Generator[TextWritten, None, ModelReply | Failure | None]:
        """One request: its text, and in the end the reply, why there is none, or None when it was stopped."""
        builder = ReplyBuilder([tool["function"]["name"] for tool in request.tools])
        stream = ChatStream(lambda: self._chunks(body))
        has_text = False
        with stop.calling(stream.cancel):
            try:
                for item in stream.items():
                    if isinstance(item, Failure):
                        return None if stop.is_set else replace(item, after_text=has_text)
                    for text in builder.feed(item):
                        has_text = True
                        yield TextWritten(text)
            finally:
                stream.cancel()
        if stop.is_set:
            return None
        for text in builder.finish():
            yield TextWritten(text)
        return builder.reply()

    def _wait(self, failure: Failure, tries: int, stop: StopSignal) -> Iterator[Waiting]:
        wanted = max(failure.retry_after or 0, self._patience.first_pause * 2 ** (tries - 1))
        seconds = min(wanted, self._patience.longest_pause)
        yield Waiting(failure.waiting_reason, seconds)
        self._pause(seconds, stop)

    def _chunks(self, body: dict[str, Any]) -> Iterator[Any]:
        """The reply's chunks as plain JSON (the library's own types drop what a loose server sends), or a failure."""
        try:
            stream = self._client().post(
                "/chat/completions", cast_to=object, body=body, stream=True, stream_cls=openai.Stream[object]
            )
            with stream:
                if "html" in stream.response.headers.get("content-type", ""):
                    yield Failure(kind="garbled")
                elif _is_json(stream.response):
                    whole = stream.response.json()
                    error = whole.get("error") if isinstance(whole, dict) else None
                    yield reported(error, self._key) if error else whole
                else:
                    yield from stream
        except (openai.OpenAIError, ValueError) as error:
            yield self._failure_of(error)

    def _client(self) -> openai.OpenAI:
        with self._lock:
            if self._made is None:
                self._made = openai.OpenAI(
                    api_key=self._key or _NO_KEY,
                    base_url=self._url,
                    max_retries=0,
                    timeout=openai.Timeout(self._patience.silence, connect=self._patience.connect),
                    # One connection a request: a stop can then shut it down without harm to another request.
                    default_headers={"Connection": "close"},
                    http_client=openai.DefaultHttpxClient(
                        event_hooks={"request": [_watch_connection], "response": [_read_if_no_stream]}
                    ),
                )
            return self._made

    def _check(self) -> None:
        if not self._key and self._url == OPENAI_URL:
            raise ModelError(
                "No key for the language model is set. Enter one, or put OPENAI_API_KEY into the environment or .env."
            )
        if not self._key.isascii() or len(self._key.split()) > 1 or not self._key.isprintable():
            raise ModelError("The key holds characters that no key has. Copy it again.")
        if not _is_web_address(self._url):
            raise ModelError(
                "The base URL {url} is not a web address. It should look like https://example.com/v1.",
                url=without_secrets(self._url, self._key)[:200],
            )

    @property
    def server(self) -> str:
        """The server's address for a person, without name, password and query."""
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    def _failure_of(self, error: openai.OpenAIError | ValueError) -> Failure:
        if isinstance(error, openai.APITimeoutError):
            return Failure(kind="timeout")
        if isinstance(error, openai.APIConnectionError):
            stream = current_stream()
            return unreached(str(error.__cause__), bool(stream and stream.has_connected))
        if isinstance(error, openai.APIStatusError):
            return refused(error.status_code, error.response.text, error.response.headers.get("retry-after"), self._key)
        if isinstance(error, openai.APIError):
            return reported(error.body, self._key)
        return Failure(kind="garbled")


def _watch_connection(request: Any) -> None:
    """Tell the stream of this thread its socket, as soon as it is connected."""
    stream = current_stream()

    def trace(event: str, info: dict[str, Any]) -> None:
        if stream and event.endswith((".connect_tcp.complete", ".start_tls.complete", ".connect_unix_socket.complete")):
            stream.connected(info["return_value"].get_extra_info("socket"))

    request.extensions["trace"] = trace


def _read_if_no_stream(response: Any) -> None:
    """Read an error or a reply that is not streamed here, where a broken connection is still told as one."""
    if response.is_error or _is_json(response):
        response.read()


def _is_json(response: Any) -> bool:
    return "json" in response.headers.get("content-type", "")


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and " " not in url
    except ValueError:
        return False
