"""Puts a streamed reply together: what every protocol has in common once its pieces are read."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from agents.chat_messages import Reasoning
from agents.events import CodeWritten, ReasoningWritten, TextWritten, Usage
from agents.models.code_in_arguments import CodeInArguments
from agents.models.failures import Failure, short_message
from agents.models.language_model import ModelError, ModelReply
from agents.models.think_tags import ThinkTags, answer_of
from agents.models.written_calls import WrittenCalls
from tools.plain_text import whole
from tools.tool_interface import ToolCall

_MOST_CHARS = 1_000_000
Shown = TextWritten | ReasoningWritten | CodeWritten


class ReplyBuilder(ABC):
    """Fed with what the server sends for one reply.

    ``tools`` may be called in the text itself, by name; their values are the parameter that a block of Python is, if
    such a block is a call. ``source`` names the model for the thoughts that go back to it.
    """

    def __init__(self, tools: Mapping[str, str | None], source: str = "") -> None:
        self._source = source
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._items: list[dict[str, Any]] = []
        self._half = ""
        self._tags = ThinkTags()
        self._written = WrittenCalls(tools)
        self._codes: dict[int, tuple[str, CodeInArguments]] = {}
        self._usage = Usage()
        self._is_cut = False
        self._is_filtered = False
        self._has_thought = False
        self._refusal = ""
        self._size = 0
        self.failure: Failure | None = None
        """Set when the server reported an error in the midst of the reply."""

    @abstractmethod
    def feed(self, chunk: Any) -> Iterator[Shown]:
        """What of a chunk can be shown; raises ``ModelError`` when the reply has no end."""

    @abstractmethod
    def calls(self) -> Iterator[ToolCall]:
        """The calls that the protocol itself carried."""

    def finish(self) -> Iterator[Shown]:
        """What was kept back in case it would become a call or a thought."""
        yield from self._apart(self._tags.feed(whole(self._half)))
        yield from self._apart(self._tags.finish())
        yield from self._show(self._written.finish())
        for number, (tool, code) in self._codes.items():
            yield from _code_shown(number, tool, code.finish())

    def reply(self) -> ModelReply:
        """The whole reply, after ``finish``; raises ``ModelError`` when there is nothing in it."""
        text = answer_of("".join(self._text))
        calls = (*self.calls(), *self._written.calls)
        if text.strip() or calls:
            return ModelReply(
                text=text, calls=calls, usage=self._usage, is_cut=self._is_cut, reasoning=self._reasoning()
            )
        if self._refusal.strip():
            raise ModelError(
                "The model declined to answer: {reason}. Put the question differently.",
                reason=short_message(self._refusal, ""),
            )
        if self._is_filtered:
            raise ModelError("The model's server refused the question for its content. Put it differently.")
        if self._is_cut:
            raise ModelError(
                "The model used up its output while thinking and gave no answer. Choose a lower effort, or ask a "
                "smaller question."
            )
        if self._has_thought:
            raise ModelError("The model thought but gave no answer. Ask again, or choose another model.")
        raise ModelError("The model gave an empty answer. Ask again, or choose another model.")

    def _reasoning(self) -> Reasoning | None:
        text = "".join(self._thoughts)
        return Reasoning(source=self._source, text=text, items=tuple(self._items)) if text or self._items else None

    def _write(self, text: str) -> Iterator[Shown]:
        self._count(text)
        if text:
            yield from self._apart(self._tags.feed(self._whole(text)))

    def _think(self, text: str) -> Iterator[Shown]:
        self._count(text)
        if text:
            self._has_thought = True
            self._thoughts.append(text)
            yield ReasoningWritten(whole(text))

    def _write_arguments(self, number: int, tool: str, text: str) -> Iterator[Shown]:
        """A piece of the arguments of the reply's ``number``-th call."""
        self._count(text)
        tool, code = self._codes.setdefault(number, (tool, CodeInArguments()))
        yield from _code_shown(number, tool, code.feed(text))

    def _apart(self, pieces: Iterator[Shown]) -> Iterator[Shown]:
        for piece in pieces:
            if isinstance(piece, TextWritten):
                yield from self._show(self._written.feed(piece.text))
            else:
                self._has_thought = True
                yield piece

    def _show(self, text: str) -> Iterator[TextWritten]:
        if text:
            self._text.append(text)
            yield TextWritten(text)

    def _whole(self, text: str) -> str:
        """The text in whole characters; half an emoji at its end waits for the other half."""
        text = self._half + text
        ends_in_half = "\ud800" <= text[-1] <= "\udbff"
        self._half = text[-1] if ends_in_half else ""
        return whole(text[:-1] if ends_in_half else text)

    def _count(self, text: str) -> None:
        self._size += len(text)
        if self._size > _MOST_CHARS:
            raise ModelError("The model's reply did not come to an end. Ask again, or choose another model.")


def _code_shown(number: int, tool: str, text: str) -> Iterator[CodeWritten]:
    if text:
        yield CodeWritten(number, tool, text)


def dicts(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, without whatever else is in it."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Text that is given as such or as a list of parts."""
    if isinstance(value, str):
        return value
    return "".join(text_of(part.get("text")) for part in dicts(value))


def count_of(usage: Any, name: str) -> int:
    """A number of tokens; zero for whatever is none."""
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and value > 0 else 0
