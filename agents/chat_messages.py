"""What was said, always valid for the next request: every call has its answer, in order."""

import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tools.plain_text import whole, whole_value
from tools.tool_interface import ToolCall

_ID_CHARS = 40
"""The longest id that every vendor takes back."""
Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoning:
    """What a model thought before a reply, kept for it to go on from; no other model gets it."""

    source: str
    """The API, server and model that it comes from."""
    text: str = ""
    items: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    """Parts that only the vendor can read, as they came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message as a plain value. The developer prompt is not a message: it belongs to the agent."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    answers: str | None = None
    """For a tool message: the id of the call that it answers."""
    reasoning: Reasoning | None = None
    """For an assistant message."""
    charts: tuple[bytes, ...] = field(default=(), repr=False)
    """For a tool message: PNG pictures that a model which sees is shown with it."""
    is_context: bool = False
    """For a user message: nobody asked it; it tells what the data is."""
    asked: str = field(default="", compare=False)
    """For a user message: the person's question alone, also when it was put together with what was told before it."""


class ChatMessages:
    """A conversation that any server accepts, whatever was cut off in the middle.

    One longer than about ``most_tokens`` is to be compacted to half of it before the next request.
    """

    def __init__(
        self,
        most_tokens: int = 100_000,
        messages: Iterable[ChatMessage] = (),
        changed: Callable[[int, tuple[ChatMessage, ...]], None] = lambda start, messages: None,
    ) -> None:
        """It goes on from ``messages``; ``changed`` hears of each change: from ``start`` on they are these now."""
        self.most_tokens = most_tokens
        self._changed = changed
        self._lock = threading.Lock()
        self._messages = list(messages)
        calls = [call.id for message in self._messages for call in message.calls]
        answered = {message.answers for message in self._messages}
        self._open: dict[str, None] = dict.fromkeys(call for call in calls if call not in answered)
        self._ids = set(calls)
        self._context: list[str] = []

    def add_context(self, text: str) -> None:
        """Something to know that nobody asked: it goes before the next question, so it may come at any time."""
        with self._lock:
            self._context.append(whole(text))

    def add_question(self, text: str) -> None:
        """A person's question, and before it the context that was added since the last one."""
        self.close_open_calls("This was cut off before it finished.")
        with self._lock:
            context = [ChatMessage(role="user", text=each, is_context=True) for each in self._context]
            self._context.clear()
            self._add(*context, ChatMessage(role="user", text=whole(text), asked=whole(text)))

    def add_reply(
        self, text: str, calls: tuple[ToolCall, ...] = (), reasoning: Reasoning | None = None
    ) -> tuple[ToolCall, ...]:
        """A model's reply; the calls come back with ids that are new here. An empty reply is not kept."""
        stored = tuple(self._storable(call) for call in calls)
        if stored or text.strip():
            with self._lock:
                self._add(ChatMessage(role="assistant", text=whole(text), calls=stored, reasoning=_whole(reasoning)))
                self._open.update((call.id, None) for call in stored)
        return tuple(replace(call, id=kept.id) for call, kept in zip(calls, stored, strict=True))

    def add_result(self, call_id: str, text: str, charts: tuple[bytes, ...] = ()) -> None:
        """The answer to an open call, perhaps with charts to look at."""
        with self._lock:
            del self._open[call_id]
            self._add(ChatMessage(role="tool", text=whole(text), answers=call_id, charts=charts))

    def close_open_calls(self, reason: str) -> None:
        """Answer every call that has no answer yet."""
        for call_id in tuple(self._open):
            self.add_result(call_id, reason)

    def rewrite(self, shorter: Callable[[Sequence[ChatMessage]], Iterable[ChatMessage]]) -> None:
        """Put a shorter conversation in the place of this one; all calls have to be answered in it."""
        with self._lock:
            self._messages = list(shorter(self._messages))
            self._changed(0, tuple(self._messages))

    def snapshot(self) -> tuple[ChatMessage, ...]:
        """The messages for a request; user messages that follow each other are one, as some servers insist."""
        with self._lock:
            messages = tuple(self._messages)
        merged: list[ChatMessage] = []
        for message in messages:
            if merged and message.role == merged[-1].role == "user":
                merged[-1] = ChatMessage(
                    role="user", text=f"{merged[-1].text}\n\n{message.text}", asked=message.asked or merged[-1].asked
                )
            else:
                merged.append(message)
        return tuple(merged)

    def _add(self, *messages: ChatMessage) -> None:
        self._changed(len(self._messages), messages)
        self._messages.extend(messages)

    def _storable(self, call: ToolCall) -> ToolCall:
        call_id, number = whole(call.id), len(self._ids)
        if len(call_id) > _ID_CHARS:
            call_id = ""
        while not call_id or call_id in self._ids:
            call_id, number = f"call_{number}", number + 1
        self._ids.add(call_id)
        name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unknown"
        return ToolCall(id=call_id, name=name, arguments=_valid_json(call.arguments))


def _whole(reasoning: Reasoning | None) -> Reasoning | None:
    if reasoning is None:
        return None
    items = tuple(whole_value(dict(item)) for item in reasoning.items)
    return replace(reasoning, text=whole(reasoning.text), items=items)


def _valid_json(arguments: str) -> str:
    try:
        parsed = json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        parsed = {"unparsed": arguments}
    return json.dumps(whole_value(parsed), ensure_ascii=False)
