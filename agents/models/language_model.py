"""One interface for any language model, and the one error type for whatever can go wrong with it."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.chat_messages import ChatMessage, Reasoning
from agents.events import CodeWritten, ReasoningWritten, TextWritten, Usage, Waiting
from agents.stop_signal import StopSignal
from tools.tool_interface import ToolCall
from wording import ToldError


class ModelError(ToldError):
    """The model's server failed or refused; the sentence says what to do. It never holds a key."""


class ContextTooLong(ModelError):
    """The request holds more than the model reads; a shorter one may be answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """Everything one call needs. ``effort`` is a word that the model knows, or None to leave it to the server."""

    model: str
    effort: str | None
    prompt: str
    """The developer prompt."""
    messages: Sequence[ChatMessage]
    tools: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A whole reply: text, calls or both; never neither."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    is_cut: bool = False
    """It ended at the model's limit for output."""
    reasoning: Reasoning | None = None
    """To be given back to the model with the next request."""


Piece = TextWritten | ReasoningWritten | CodeWritten | Waiting | ModelReply


class LanguageModelInterface(ABC):
    """A model that can be asked."""

    @abstractmethod
    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        """Text, thoughts and code as they come, then, last, the whole reply. Raises ``ModelError``.

        When ``stop`` is set it ends soon, without a reply; closing it ends the call to the server.
        """
