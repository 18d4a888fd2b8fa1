"""A request in the words of the chat-completions protocol, and the dialect of it that a server turned out to speak."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.chat_messages import ChatMessage
from agents.models.failures import Failure
from agents.models.language_model import ModelRequest

PromptRole = Literal["developer", "system", "user"]
_REASONS = re.compile(r"^(?:o[1-9]|gpt-[5-9]|gpt-oss)")
_REASONS_WITHOUT_EFFORT = re.compile(r"^o1-(?:mini|preview)|-chat\b")
_DROPPABLE = {
    "reasoning_effort": re.compile(r"reasoning[._ ]?effort", re.I),
    "stream_options": re.compile(r"stream_options|include_usage", re.I),
}
_SOME_EXTRA = re.compile(r"extra inputs|unrecognized|unknown parameter|unexpected keyword|additional propert", re.I)
_ABOUT_ROLES = re.compile(r"role|not one of|unsupported|not support|invalid|unexpected", re.I)
_NEXT_ROLE: dict[tuple[PromptRole, PromptRole], PromptRole] = {
    ("developer", "developer"): "system",
    ("developer", "system"): "user",
    ("system", "system"): "developer",
    ("system", "developer"): "user",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a server wants to be asked; ``first_role`` is where the search for the prompt's role began."""

    role: PromptRole
    first_role: PromptRole
    without: frozenset[str] = frozenset()


def first_dialect(model: str, at_openai: bool) -> Dialect:
    """What to try first: only OpenAI's own reasoning models are known to want the developer role."""
    role: PromptRole = "developer" if at_openai and _REASONS.match(_base_name(model)) else "system"
    return Dialect(role=role, first_role=role)


def adapted(dialect: Dialect, failure: Failure, body: Mapping[str, Any]) -> Dialect | None:
    """The dialect without what the server has just refused; None when the refusal is about something else."""
    if failure.after_text or failure.status not in (400, 422):
        return None
    said = f"{failure.param} {failure.message}"
    present = [name for name in _DROPPABLE if name in body]
    refused = [name for name in present if _DROPPABLE[name].search(said)]
    if not refused and _SOME_EXTRA.search(said):
        refused = present
    if refused:
        return replace(dialect, without=dialect.without | set(refused))
    about_role = re.search(rf"\b{dialect.role}\b", said, re.I) or failure.param.endswith("role")
    next_role = _NEXT_ROLE.get((dialect.first_role, dialect.role))
    return replace(dialect, role=next_role) if next_role and about_role and _ABOUT_ROLES.search(said) else None


def request_body(request: ModelRequest, dialect: Dialect) -> dict[str, Any]:
    """The JSON of a request; no parameter that only some models take is in it unless this model takes it."""
    body: dict[str, Any] = {"model": request.model, "messages": _messages(request, dialect.role), "stream": True}
    if request.tools:
        body["tools"] = list(request.tools)
    if "stream_options" not in dialect.without:
        body["stream_options"] = {"include_usage": True}
    if request.effort and _takes_effort(request.model) and "reasoning_effort" not in dialect.without:
        body["reasoning_effort"] = request.effort
    return body


def _base_name(model: str) -> str:
    return model.lower().removeprefix("ft:").rsplit("/", 1)[-1]


def _takes_effort(model: str) -> bool:
    name = _base_name(model)
    return bool(_REASONS.match(name)) and not _REASONS_WITHOUT_EFFORT.search(name)


def _messages(request: ModelRequest, role: PromptRole) -> list[dict[str, Any]]:
    messages = [_message(message) for message in request.messages]
    if not request.prompt:
        return messages
    if role == "user" and messages and messages[0]["role"] == "user":
        messages[0]["content"] = f"{request.prompt}\n\n{messages[0]['content']}"
        return messages
    return [{"role": role, "content": request.prompt}, *messages]


def _message(message: ChatMessage) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.answers, "content": message.text}
    written: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        written["content"] = message.text if message.text.strip() else None
        written["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return written
