"""One server of models over HTTP, with streaming; the vendor's library is imported here alone."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import openai

from agents.models.chat_stream import current_stream
from agents.models.failures import Failure, refused, reported, unreached, without_secrets
from agents.models.language_model import ModelError

OPENAI_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # servers of one's own need no key, but the library insists on one
_SECONDS_FOR_MODELS = 5.0
_MOST_MODELS, _LONGEST_NAME = 1_000, 200
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


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
    jitter: float = 0.25
    """The largest share by which a pause is longer, so that many clients do not come back at once."""


class ServerClient:
    """Several threads may use it at once."""

    def __init__(self, api_key: str, base_url: str, patience: Patience) -> None:
        self.key = api_key.strip().strip("\"'")
        given = base_url.strip().rstrip("/")
        self.url = given.removesuffix("/chat/completions").removesuffix("/responses") or OPENAI_URL
        self._patience = patience
        self._lock = threading.Lock()
        self._made: openai.OpenAI | None = None

    @property
    def server(self) -> str:
        """The server's address for a person, without name, password and query."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    def check(self) -> None:
        """Raises ``ModelError`` when key or address cannot be right."""
        if not self.key and self.url == OPENAI_URL:
            raise ModelError(
                "No key for the language model is set. Enter one, or put OPENAI_API_KEY into the environment or .env."
            )
        if not self.key.isascii() or len(self.key.split()) > 1 or not self.key.isprintable():
            raise ModelError("The key holds characters that no key has. Copy it again.")
        if not _is_web_address(self.url):
            raise ModelError(
                "The base URL {url} is not a web address. It should look like https://example.com/v1.",
                url=without_secrets(self.url, self.key)[:200],
            )

    def stream(self, path: str, body: dict[str, Any]) -> Iterator[Any]:
        """The reply's chunks as plain JSON (the library's own types drop what a loose server sends), or a failure."""
        try:
            stream = self._client().post(path, cast_to=object, body=body, stream=True, stream_cls=openai.Stream[object])
            with stream:
                if "html" in stream.response.headers.get("content-type", ""):
                    yield Failure(kind="garbled")
                elif _is_json(stream.response):
                    whole = stream.response.json()
                    error = whole.get("error") if isinstance(whole, dict) else None
                    yield reported(error, self.key) if error else whole
                else:
                    yield from stream
        except (openai.OpenAIError, ValueError) as error:
            yield self._failure_of(error)

    def models(self) -> tuple[str, ...]:
        """Names of the models that the server offers; none when it does not tell soon."""
        try:
            self.check()
            client = self._client().with_options(timeout=_SECONDS_FOR_MODELS)
            body = client.get("/models", cast_to=object)
        except (openai.OpenAIError, ModelError, ValueError):
            return ()
        listed = body.get("data") if isinstance(body, dict) else None
        entries = listed if isinstance(listed, list) else []
        names = [str(entry["id"]) for entry in entries if isinstance(entry, dict) and entry.get("id")]
        return tuple(name for name in names[:_MOST_MODELS] if len(name) <= _LONGEST_NAME)

    def _client(self) -> openai.OpenAI:
        with self._lock:
            if self._made is None:
                self._made = openai.OpenAI(
                    api_key=self.key or _NO_KEY,
                    base_url=self.url,
                    max_retries=0,
                    timeout=openai.Timeout(self._patience.silence, connect=self._patience.connect),
                    # One connection a request: a stop can then shut it down without harm to another request.
                    default_headers={"Connection": "close"},
                    http_client=openai.DefaultHttpxClient(
                        event_hooks={"request": [_watch_connection], "response": [_read_if_no_stream]},
                        # No proxy of the environment leads to this machine itself.
                        trust_env=urlsplit(self.url).hostname not in _THIS_MACHINE,
                    ),
                )
            return self._made

    def _failure_of(self, error: openai.OpenAIError | ValueError) -> Failure:
        if isinstance(error, openai.APITimeoutError):
            return Failure(kind="timeout")
        if isinstance(error, openai.APIConnectionError):
            stream = current_stream()
            return unreached(str(error.__cause__), bool(stream and stream.has_connected))
        if isinstance(error, openai.APIStatusError):
            return refused(error.status_code, error.response.text, error.response.headers.get("retry-after"), self.key)
        if isinstance(error, openai.APIError):
            return reported(error.body, self.key)
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
