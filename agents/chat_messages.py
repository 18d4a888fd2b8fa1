"""What was said, always valid for the next request: every call has its answer, in order."""

from dataclasses import dataclass
from typing import Literal

from tools.tool_interface import ToolCall

Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message as a plain value. The developer prompt is not a message: it belongs to the agent."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    answers: str | None = None
    """For a tool message: the id of the call that it answers."""
