"""Replies of the Responses API for the server of a test."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.chat_server import CODE_PARAMETER, CODE_TOOL, Reply, event

_USAGE = {
    "input_tokens": 20,
    "input_tokens_details": {"cached_tokens": 8},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 4},
    "total_tokens": 29,
}


def says(*pieces: str, thoughts: str = "", sealed: str = "") -> Reply:
    """Text in these pieces, perhaps after a summary of thoughts and with the thoughts themselves, sealed."""
    return _reply([*_thinking(thoughts, sealed), *_message(pieces)])


def calls(*codes: str, thoughts: str = "", sealed: str = "", text: str = "") -> Reply:
    """Calls of the code tool, their arguments in pieces."""
    items = [*_thinking(thoughts, sealed), *(_message([text]) if text else [])]
    return _reply([*items, *(_call(f"call_{number}", code) for number, code in enumerate(codes))])


def ends(status: str, **more: Any) -> Reply:
    """A response that ends without any item."""
    return Reply(parts=[event({"type": f"response.{status}", "response": {"status": status, **more}})])


def whole(*items: Mapping[str, Any]) -> Reply:
    """A response as one JSON, from a server that does not stream."""
    body = {"id": "r", "object": "response", "status": "completed", "error": None, "output": items, "usage": _USAGE}
    return Reply(parts=[json.dumps(body).encode()], headers={"Content-Type": "application/json"})


def _reply(items: Iterable[tuple[dict[str, Any], list[dict[str, Any]]]]) -> Reply:
    parts = [event({"type": "response.created", "response": {"status": "in_progress", "error": None}})]
    done = []
    for index, (item, deltas) in enumerate(items):
        begun = {**item, "arguments": ""} if item["type"] == "function_call" else {**item, "content": []}
        parts.append(event({"type": "response.output_item.added", "output_index": index, "item": begun}))
        parts += [event({"output_index": index, "item_id": item["id"], **delta}) for delta in deltas]
        parts.append(event({"type": "response.output_item.done", "output_index": index, "item": item}))
        done.append(item)
    end = {"id": "r", "object": "response", "status": "completed", "error": None, "output": done, "usage": _USAGE}
    return Reply(parts=[*parts, event({"type": "response.completed", "response": end})])


def _message(pieces: Iterable[str]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    content = [{"type": "output_text", "text": "".join(pieces), "annotations": []}]
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}
    deltas = [{"type": "response.output_text.delta", "content_index": 0, "delta": piece} for piece in pieces]
    return [(item, deltas)]


def _thinking(thoughts: str, sealed: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    if not thoughts and not sealed:
        return []
    summary = [{"type": "summary_text", "text": thoughts}] if thoughts else []
    item = {"id": "rs_1", "type": "reasoning", "summary": summary, "encrypted_content": sealed or None}
    deltas = [
        {"type": "response.reasoning_summary_part.added", "summary_index": 0},
        {"type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": thoughts},
    ]
    return [(item, deltas if thoughts else [])]


def _call(call_id: str, code: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    arguments = json.dumps({CODE_PARAMETER: code})
    item = {
        "id": f"fc_{call_id}", "type": "function_call", "status": "completed", "call_id": call_id,
        "name": CODE_TOOL, "arguments": arguments,
    }  # fmt: skip
    pieces = [arguments[start : start + 20] for start in range(0, len(arguments), 20)]
    return item, [{"type": "response.function_call_arguments.delta", "delta": piece} for piece in pieces]
