"""What a strict vendor refuses in a chat-completions request, told as the sentence it would send."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_KNOWN_KEYS = {"model", "messages", "tools", "stream", "stream_options", "reasoning_effort"}
_ROLES = {"system", "developer", "user", "assistant", "tool"}
_REASONING_MODEL = re.compile(r"^(o[1-9]|gpt-5)")
_BAD_CHARACTER = re.compile(r"[\x00\ud800-\udfff]")


def problem_of(body: Any) -> str | None:
    """The first thing wrong with a request, or None."""
    if not isinstance(body, dict):
        return "The request is not a JSON object."
    return _problem_of_keys(body) or _problem_of_tools(body.get("tools")) or _problem_of_messages(body["messages"])


def _problem_of_keys(body: Mapping[str, Any]) -> str | None:
    unknown = sorted(set(body) - _KNOWN_KEYS)
    if unknown:
        return f"Unrecognized request argument supplied: {unknown[0]}"
    model = body.get("model")
    if not isinstance(model, str) or not model:
        return "you must provide a model parameter"
    if "reasoning_effort" in body and not _REASONING_MODEL.match(model):
        return "Unrecognized request argument supplied: reasoning_effort"
    if not isinstance(body.get("messages"), list) or not body["messages"]:
        return "'messages' must be a non-empty array."
    return "The text holds NUL or half a character." if has_bad_character(body) else None


def has_bad_character(value: Any) -> bool:
    """Whether any text in a JSON value holds NUL or half a character."""
    if isinstance(value, str):
        return _BAD_CHARACTER.search(value) is not None
    if isinstance(value, dict):
        return any(has_bad_character(key) or has_bad_character(item) for key, item in value.items())
    return isinstance(value, list) and any(has_bad_character(item) for item in value)


def _problem_of_tools(tools: Any) -> str | None:
    if tools is None:
        return None
    if not isinstance(tools, list) or not tools:
        return "[] is too short - 'tools'"
    for tool in tools:
        function = tool.get("function", {})
        if tool.get("type") != "function" or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", function.get("name", "")):
            return "Invalid 'tools[0].function.name'."
        if function.get("parameters", {}).get("type") != "object" or not function.get("description"):
            return f"Invalid schema for function '{function['name']}'."
    return None


def _problem_of_messages(messages: Sequence[Any]) -> str | None:
    open_calls: list[str] = []
    for position, message in enumerate(messages):
        role = message.get("role")
        if role not in _ROLES:
            return f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user' and 'tool'."
        if role in ("system", "developer") and position:
            return f"messages[{position}]: a {role} message must come first."
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                return f"messages[{position}]: a tool message must answer a call of the assistant message before it."
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            return f"messages[{position}]: these calls have no tool message: {', '.join(open_calls)}"
        problem = _problem_of_content(message) or _problem_of_calls(message)
        if problem:
            return f"messages[{position}]: {problem}"
        open_calls.extend(call["id"] for call in message.get("tool_calls", ()))
    return f"These calls have no tool message: {', '.join(open_calls)}" if open_calls else None


def _problem_of_content(message: Mapping[str, Any]) -> str | None:
    content = message.get("content")
    if message["role"] == "assistant":
        if not (isinstance(content, str) and content.strip()) and not message.get("tool_calls"):
            return "an assistant message needs content or tool_calls."
        return None if content is None or isinstance(content, str) else "content is not text."
    if message["role"] == "user" and isinstance(content, list) and content:
        return next((problem for part in content if (problem := _problem_of_part(part))), None)
    return None if isinstance(content, str) else "content is not text."


def _problem_of_part(part: Mapping[str, Any]) -> str | None:
    if part.get("type") == "text":
        return None if part.get("text", "").strip() else "a part without text."
    url = part.get("image_url", {}).get("url", "")
    is_picture = part.get("type") == "image_url" and url.startswith("data:image/png;base64,iVBOR")
    return None if is_picture else "a part of no known type."


def _problem_of_calls(message: Mapping[str, Any]) -> str | None:
    if "tool_calls" not in message:
        return None
    calls = message["tool_calls"]
    if message["role"] != "assistant" or not isinstance(calls, list) or not calls:
        return "tool_calls must be a non-empty array of an assistant message."
    ids = [call.get("id") for call in calls]
    if not all(isinstance(identifier, str) and identifier for identifier in ids) or len(set(ids)) < len(ids):
        return "each call needs an id of its own."
    for call in calls:
        function = call.get("function", {})
        if call.get("type") != "function" or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", function.get("name", "")):
            return "the name of a call is not valid."
        try:
            arguments = json.loads(function.get("arguments"))
        except (TypeError, ValueError):
            return "the arguments of a call are not valid JSON."
        if not isinstance(arguments, dict) or has_bad_character(arguments):
            return "the arguments of a call are not an object of whole characters."
    return None
