"""Any server that speaks OpenAI's chat completions or its Responses API, with streaming."""

import math
import random
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from agents.events import TextWritten, Waiting
from agents.models.catalogue import unknown_model
from agents.models.chat_reply import ChatReply
from agents.models.chat_stream import ChatStream
from agents.models.dialect import Dialect, adapted, first_dialect
from agents.models.failures import Failure, told
from agents.models.language_model import LanguageModelInterface, ModelError, ModelReply, ModelRequest, Piece
from agents.models.profiles import ApiChoice
from agents.models.reply_builder import ReplyBuilder, Shown
from agents.models.request_body import only_own_reasoning, request_body, without_charts
from agents.models.responses_body import responses_body
from agents.models.responses_reply import ResponsesReply
from agents.models.server_client import Patience, ServerClient
from agents.models.text_tools import code_parameter, without_tools
from agents.stop_signal import StopSignal

_MOST_CHANGES = 8
_PATHS = {"chat": "/chat/completions", "responses": "/responses"}


def pause_unless_stopped(seconds: float, stop: StopSignal) -> None:
    """Wait, but not beyond a stop."""
    stopped = threading.Event()
    with stop.calling(stopped.set):
        stopped.wait(seconds)


class OpenAILanguageModel(LanguageModelInterface):
    """Keeps what it learned about how a server wants to be asked; several threads may ask it at once."""

    def __init__(
        self,
        api_key: str,
        base_url: str = "",
        *,
        api: ApiChoice = "auto",
        patience: Patience | None = None,
        pause: Callable[[float, StopSignal], None] = pause_unless_stopped,
    ) -> None:
        self._patience = patience or Patience()
        self._client = ServerClient(api_key, base_url, self._patience)
        self._api: ApiChoice = api
        self._pause = pause
        self._dialects: dict[str, Dialect] = {}

    @property
    def server(self) -> str:
        """The server's address for a person, without name, password and query."""
        return self._client.server

    def models(self) -> tuple[str, ...]:
        """Names of the models that the server offers; none when it does not tell soon."""
        return self._client.models()

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        self._client.check()
        dialect = self._dialects.get(request.model) or first_dialect(request.model, self._client.url, self._api)
        tries, changes = 1, 0
        while not stop.is_set:
            attempt = _Attempt(request, dialect, self._client)
            outcome = yield from attempt.pieces(stop)
            if outcome is None:
                return
            if isinstance(outcome, ModelReply):
                self._dialects[request.model] = dialect
                yield outcome
                return
            changed = adapted(dialect, outcome, attempt.body) if changes < _MOST_CHANGES else None
            if changed is None:
                if tries >= self._patience.tries or not outcome.may_pass:
                    raise self._error(outcome, request.model)
                yield from self._wait(outcome, tries, stop)
                tries += 1
            else:
                dialect, changes = changed, changes + 1

    def _error(self, failure: Failure, model: str) -> ModelError:
        if failure.status in (400, 404, 422) and failure.is_unknown_model:
            return unknown_model(model, self._client.url, self.server, self._client.models())
        return told(failure, model, self.server)

    def _wait(self, failure: Failure, tries: int, stop: StopSignal) -> Iterator[Waiting]:
        wanted = max(failure.retry_after or 0, self._patience.first_pause * 2 ** (tries - 1))
        spread = 1 + self._patience.jitter * random.random()  # noqa: S311 - nothing secret
        seconds = min(math.ceil(wanted * spread * 10) / 10, self._patience.longest_pause)
        yield Waiting(failure.waiting_reason, seconds)
        self._pause(seconds, stop)


class _Attempt:
    """One request in one dialect."""

    def __init__(self, request: ModelRequest, dialect: Dialect, client: ServerClient) -> None:
        self._dialect = dialect
        self._client = client
        self._source = f"{dialect.api} {client.server} {request.model}"
        has_no_tools = "tools" in dialect.without
        self._tools = {
            tool["function"]["name"]: code_parameter(tool) if has_no_tools else None for tool in request.tools
        }
        asked = only_own_reasoning(without_tools(request) if has_no_tools else request, self._source)
        asked = without_charts(asked) if "charts" in dialect.without else asked
        self.body = responses_body(asked, dialect) if dialect.api == "responses" else request_body(asked, dialect)

    def pieces(self, stop: StopSignal) -> Generator[Shown, None, ModelReply | Failure | None]:
        """What is written, and in the end the reply, why there is none, or None when it was stopped."""
        builder = self._builder()
        stream = ChatStream(lambda: self._client.stream(_PATHS[self._dialect.api], self.body))
        has_text = False
        with stop.calling(stream.cancel):
            try:
                for item in stream.items():
                    if isinstance(item, Failure):
                        return None if stop.is_set else replace(item, after_text=has_text)
                    for piece in builder.feed(item):
                        has_text = has_text or isinstance(piece, TextWritten)
                        yield piece
            finally:
                stream.cancel()
        if stop.is_set:
            return None
        if builder.failure:
            return replace(builder.failure, after_text=has_text)
        yield from builder.finish()
        return builder.reply()

    def _builder(self) -> ReplyBuilder:
        if self._dialect.api == "responses":
            return ResponsesReply(self._tools, self._source, self._client.key)
        return ChatReply(self._tools, self._source)
