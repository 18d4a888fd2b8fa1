"""A request in the words of the chat-completions protocol."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from agents.chat_messages import ChatMessage
from agents.models.dialect import Dialect, takes_effort
from agents.models.language_model import ModelRequest
from agents.models.profiles import ServerProfile


def request_body(request: ModelRequest, dialect: Dialect) -> dict[str, Any]:
    """The JSON of a request; no parameter that only some models take is in it unless this model takes it."""
    body: dict[str, Any] = {"model": request.model, "messages": _messages(request, dialect), "stream": True}
    if request.tools:
        body["tools"] = list(request.tools)
    if "stream_options" not in dialect.without:
        body["stream_options"] = {"include_usage": True}
    effort = takes_effort(request, dialect)
    if effort and "reasoning_effort" not in dialect.without:
        body["reasoning_effort"] = effort
    return body


def _messages(request: ModelRequest, dialect: Dialect) -> list[dict[str, Any]]:
    said = _in_order(request.messages) if dialect.server.needs_reply_after_tools else request.messages
    messages = list(_with_charts(said, dialect.server))
    if not request.prompt:
        return messages
    if dialect.role == "user" and messages and messages[0]["role"] == "user":
        messages[0]["content"] = f"{request.prompt}\n\n{messages[0]['content']}"
        return messages
    return [{"role": dialect.role, "content": request.prompt}, *messages]


def _with_charts(messages: Iterable[ChatMessage], server: ServerProfile) -> Iterator[dict[str, Any]]:
    """Only a person's message may hold pictures, and only after all tool messages of a reply."""
    charts: tuple[bytes, ...] = ()
    for message in messages:
        written = _message(message, server)
        if charts and message.role != "tool":
            shown = _charts(charts)
            if message.role == "user":
                written["content"] = [*shown, {"type": "text", "text": message.text}]
            else:
                yield {"role": "user", "content": shown}
            charts = ()
        yield written
        charts += message.charts if not server.needs_reply_after_tools else ()
    if charts:
        yield {"role": "user", "content": _charts(charts)}


def _charts(charts: Sequence[bytes]) -> list[dict[str, Any]]:
    pictures = [{"type": "image_url", "image_url": {"url": picture_url(chart)}} for chart in charts]
    return [{"type": "text", "text": "What the code drew:"}, *pictures]


def picture_url(chart: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(chart).decode("ascii")


def _in_order(messages: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
    last = ""
    for message in messages:
        if last == "tool" and message.role == "user":
            yield ChatMessage(role="assistant", text="(I was interrupted here.)")
        yield message
        last = message.role


def _message(message: ChatMessage, server: ServerProfile) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": _call_id(message.answers or "", server), "content": message.text}
    written: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        written["content"] = message.text if message.text.strip() else None
        written["tool_calls"] = [
            {
                "id": _call_id(call.id, server),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.calls
        ]
    thoughts = message.reasoning.text if message.reasoning else ""
    if server.thoughts_field and (thoughts or (message.calls and server.thoughts_required)):
        written[server.thoughts_field] = thoughts
    if message.reasoning and server.details_field and message.reasoning.items:
        written[server.details_field] = list(message.reasoning.items)
    return written


def _call_id(given: str, server: ServerProfile) -> str:
    """The id in the form that the server insists on; the same each time."""
    fits = given.isalnum() and given.isascii() and len(given) == server.call_id_chars
    if fits or not server.call_id_chars:
        return given
    return hashlib.sha256(given.encode()).hexdigest()[: server.call_id_chars]


def without_charts(request: ModelRequest) -> ModelRequest:
    """The request in words alone."""
    return replace(request, messages=tuple(replace(message, charts=()) for message in request.messages))


def only_own_reasoning(request: ModelRequest, source: str) -> ModelRequest:
    """The request without what other models thought, which would be refused or not understood."""
    messages = tuple(
        message if message.reasoning is None or message.reasoning.source == source else replace(message, reasoning=None)
        for message in request.messages
    )
    return replace(request, messages=messages)
