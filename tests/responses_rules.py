"""What a strict vendor refuses in a request of the Responses API, told as the sentence it would send."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.chat_rules import has_bad_character

_KNOWN_KEYS = {"model", "input", "instructions", "tools", "stream", "store", "reasoning", "include"}
_REASONING_MODEL = re.compile(r"^(o[1-9]|gpt-[5-9])")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def problem_of(body: Any) -> str | None:
    """The first thing wrong with a request, or None."""
    if not isinstance(body, dict):
        return "The request is not a JSON object."
    unknown = sorted(set(body) - _KNOWN_KEYS)
    if unknown:
        return f"Unknown parameter: '{unknown[0]}'."
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "Missing required parameter: 'model'."
    if body.get("store") is not False:
        return "Nothing may be stored here."
    if ("reasoning" in body or "include" in body) and not _REASONING_MODEL.match(body["model"]):
        return "Unsupported parameter: 'reasoning.effort' is not supported with this model."
    if not isinstance(body.get("input"), list) or not body["input"]:
        return "'input' must be a non-empty array."
    if has_bad_character(body):
        return "The text holds NUL or half a character."
    return _problem_of_tools(body.get("tools", ())) or _problem_of_input(body["input"])


def _problem_of_tools(tools: Sequence[Mapping[str, Any]]) -> str | None:
    for tool in tools:
        if tool.get("type") != "function" or not _NAME.fullmatch(tool.get("name", "")):
            return "Missing required parameter: 'tools[0].name'."
        if tool.get("parameters", {}).get("type") != "object" or not tool.get("description"):
            return f"Invalid schema for function '{tool['name']}'."
    return None


def _problem_of_input(items: Sequence[Mapping[str, Any]]) -> str | None:
    open_calls: list[str] = []
    for position, item in enumerate(items):
        kind = item.get("type", "message")
        if kind == "function_call_output":
            if item.get("call_id") not in open_calls or not _is_output(item.get("output")):
                return f"No tool call found for function call output with call_id {item.get('call_id')}."
            open_calls.remove(item["call_id"])
        elif kind == "function_call":
            problem = _problem_of_call(item)
            if problem:
                return f"input[{position}]: {problem}"
            open_calls.append(item["call_id"])
        elif open_calls:
            return f"No tool output found for function call {open_calls[0]}."
        else:
            problem = _problem_of_other(kind, item, items[position + 1 :])
            if problem:
                return f"input[{position}]: {problem}"
    return f"No tool output found for function call {open_calls[0]}." if open_calls else None


def _is_output(output: Any) -> bool:
    if not isinstance(output, list):
        return isinstance(output, str)
    texts = [part["text"] for part in output if part.get("type") == "input_text"]
    pictures = [part["image_url"] for part in output if part.get("type") == "input_image"]
    are_pictures = all(url.startswith("data:image/png;base64,iVBOR") for url in pictures)
    return bool(texts) and are_pictures and len(texts) + len(pictures) == len(output)


def _problem_of_call(item: Mapping[str, Any]) -> str | None:
    if not 0 < len(item.get("call_id", "")) <= 64 or not _NAME.fullmatch(item.get("name", "")):
        return "call_id or name is not valid."
    try:
        return None if isinstance(json.loads(item["arguments"]), dict) else "arguments is no object."
    except ValueError:
        return "arguments is not valid JSON."


def _problem_of_other(kind: str, item: Mapping[str, Any], after: Sequence[Mapping[str, Any]]) -> str | None:
    if kind == "reasoning":
        if "id" in item or not isinstance(item.get("summary"), list) or not item.get("encrypted_content"):
            return "Items are not persisted when `store` is set to false."
        follows = after[0] if after else {}
        is_of_model = follows.get("type") in ("reasoning", "function_call") or follows.get("role") == "assistant"
        return None if is_of_model else "a 'reasoning' item was provided without its required following item."
    if kind != "message" or item.get("role") not in ("user", "assistant"):
        return "an item of no known kind."
    content = item.get("content")
    return None if isinstance(content, str) and content.strip() else "content is not text."
