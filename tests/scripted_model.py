"""A language model whose replies are written beforehand; a request that none is left for fails the test."""

import json
import threading
from collections.abc import Generator, Mapping

from agents.events import CodeWritten, TextWritten, Usage, Waiting
from agents.models.language_model import LanguageModelInterface, ModelError, ModelReply, ModelRequest, Piece
from agents.stop_signal import StopSignal
from tools.tool_interface import ToolCall

Scripted = list[TextWritten | CodeWritten | Waiting | ModelReply | ModelError | threading.Event]
_USAGE = Usage(prompt_tokens=10, completion_tokens=5)


class ScriptedModel(LanguageModelInterface):
    """Gives one scripted reply a request and keeps the requests; ``left`` counts the replies nobody asked for."""

    def __init__(self, *replies: Scripted) -> None:
        self._replies = list(replies)
        self.requests: list[ModelRequest] = []
        self.closed = 0
        """How many replies were left before their end."""

    @property
    def left(self) -> int:
        return len(self._replies)

    def models(self) -> tuple[str, ...]:
        """None, as a server that does not tell."""
        return ()

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        self.requests.append(request)
        assert self._replies, f"no reply is written for request {len(self.requests)}: {request.messages[-1].text[:200]}"
        try:
            for piece in self._replies.pop(0):
                if isinstance(piece, threading.Event):
                    with stop.calling(piece.set):
                        piece.wait()
                elif isinstance(piece, ModelError):
                    raise piece
                elif not stop.is_set:
                    yield piece
        except GeneratorExit:
            self.closed += 1
            raise


def says(*pieces: str | threading.Event) -> Scripted:
    """Text in these pieces; at an event among them the model waits until it is set or the question stopped."""
    parts: Scripted = [piece if isinstance(piece, threading.Event) else TextWritten(piece) for piece in pieces]
    whole = "".join(piece for piece in pieces if isinstance(piece, str))
    return [*parts, ModelReply(text=whole, usage=_USAGE)]


def asks(*wanted: str | tuple[str, Mapping[str, object] | str], text: str = "") -> Scripted:
    """Tool calls; a bare string is Python for the code tool."""
    calls = []
    for index, one in enumerate(wanted):
        name, arguments = ("execute_python_code", {"python_code": one}) if isinstance(one, str) else one
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        calls.append(ToolCall(id=f"call_{index}", name=name, arguments=written))
    parts: Scripted = [TextWritten(text)] if text else []
    return [*parts, ModelReply(text=text, calls=tuple(calls), usage=_USAGE)]


def fails(error: ModelError, *pieces: str) -> Scripted:
    """An error, perhaps after some text."""
    return [*(TextWritten(piece) for piece in pieces), error]
