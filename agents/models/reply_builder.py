"""Puts the pieces of a streamed reply together, however loosely a server keeps to the protocol."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from agents.events import Usage
from agents.models.failures import short_message
from agents.models.language_model import ModelError, ModelReply
from agents.models.written_calls import WrittenCalls
from tools.plain_text import whole
from tools.tool_interface import ToolCall

_MOST_CHARS = 1_000_000


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def is_whole(self) -> bool:
        try:
            json.loads(self.arguments, strict=False)
        except (ValueError, RecursionError):
            return False
        return True


class ReplyBuilder:
    """Fed with the chunks of one reply; ``names`` are the tools that may be called in the text itself."""

    def __init__(self, names: Collection[str]) -> None:
        self._text: list[str] = []
        self._half = ""
        self._written = WrittenCalls(names)
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._usage = Usage()
        self._finish = ""
        self._refusal = ""
        self._has_thought = False
        self._size = 0

    def feed(self, chunk: Any) -> Iterator[str]:
        """The text in a chunk that can be shown; raises ``ModelError`` when the reply has no end."""
        if not isinstance(chunk, dict):
            return
        self._read_usage(chunk.get("usage"))
        for choice in _dicts(chunk.get("choices")):
            if choice.get("index") in (0, None):
                self._finish = str(choice.get("finish_reason") or self._finish)
                yield from self._read_delta(choice.get("delta") or choice.get("message"))

    def finish(self) -> Iterator[str]:
        """Text that was kept back in case it would become a call."""
        yield from self._show(self._written.feed(whole(self._half)) + self._written.finish())

    def reply(self) -> ModelReply:
        """The whole reply, after ``finish``; raises ``ModelError`` when there is nothing in it."""
        text = "".join(self._text)
        named = [call for call in self._calls if call.name or call.arguments]
        calls = (
            *(ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in named),
            *self._written.calls,
        )
        if text.strip() or calls:
            return ModelReply(text=text, calls=calls, usage=self._usage, is_cut=self._finish == "length")
        if self._refusal.strip():
            raise ModelError(
                "The model declined to answer: {reason}. Put the question differently.",
                reason=short_message(self._refusal, ""),
            )
        if self._finish == "content_filter":
            raise ModelError("The model's server refused the question for its content. Put it differently.")
        if self._finish == "length":
            raise ModelError(
                "The model used up its output while thinking and gave no answer. Choose a lower effort, or ask a "
                "smaller question."
            )
        if self._has_thought:
            raise ModelError("The model thought but gave no answer. Ask again, or choose another model.")
        raise ModelError("The model gave an empty answer. Ask again, or choose another model.")

    def _read_delta(self, delta: Any) -> Iterator[str]:
        if not isinstance(delta, dict):
            return
        self._has_thought |= bool(delta.get("reasoning_content") or delta.get("reasoning"))
        self._refusal += _text_of(delta.get("refusal"))
        text = _text_of(delta.get("content"))
        self._count(text)
        yield from self._show(self._written.feed(self._whole(text)) if text else "")
        for call in _dicts(delta.get("tool_calls")):
            self._read_call(call)

    def _whole(self, text: str) -> str:
        """The text in whole characters; half an emoji at its end waits for the other half."""
        text = self._half + text
        ends_in_half = "\ud800" <= text[-1] <= "\udbff"
        self._half = text[-1] if ends_in_half else ""
        return whole(text[:-1] if ends_in_half else text)

    def _show(self, text: str) -> Iterator[str]:
        if text:
            self._text.append(text)
            yield text

    def _count(self, text: str) -> None:
        self._size += len(text)
        if self._size > _MOST_CHARS:
            raise ModelError("The model's reply did not come to an end. Ask again, or choose another model.")

    def _read_call(self, delta: dict[str, Any]) -> None:
        function = delta.get("function")
        function = function if isinstance(function, dict) else {}
        arguments = function.get("arguments")
        written = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
        self._count(written)
        name, call_id = _text_of(function.get("name")), str(delta.get("id") or "")
        call = self._call_for(delta.get("index"), call_id, name, bool(written))
        call.id = call.id or call_id
        if name.startswith(call.name):
            call.name = name
        call.arguments = call.arguments + written if isinstance(arguments, str) else written or call.arguments

    def _call_for(self, index: Any, call_id: str, name: str, has_arguments: bool) -> _Call:
        """The call that a piece belongs to: by index where there is one, else by id, else the latest."""
        if isinstance(index, int):
            call = self._by_index.get(index)
        else:
            with_id = [call for call in self._calls if call_id and call.id == call_id]
            call = next(reversed(with_id or self._calls), None)
        if call is None or _begins_anew(
            call, call_id, name if isinstance(index, int) else name or call_id, has_arguments
        ):
            call = _Call()
            self._calls.append(call)
        if isinstance(index, int):
            self._by_index[index] = call
        return call

    def _read_usage(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        self._usage = Usage(
            prompt_tokens=_count_of(usage, "prompt_tokens"),
            cached_tokens=_count_of(usage.get("prompt_tokens_details"), "cached_tokens"),
            completion_tokens=_count_of(usage, "completion_tokens"),
            reasoning_tokens=_count_of(usage.get("completion_tokens_details"), "reasoning_tokens"),
        )


def _begins_anew(latest: _Call, call_id: str, name: str, has_arguments: bool) -> bool:
    """Whether a piece with a name starts another call: its id differs (some servers number every call 0), or, without
    ids, the arguments so far are whole."""
    if call_id and latest.id:
        return bool(name) and call_id != latest.id
    return bool(name) and has_arguments and latest.is_whole


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text_of(value: Any) -> str:
    """Text that is given as such or as a list of parts."""
    if isinstance(value, str):
        return value
    return "".join(_text_of(part.get("text")) for part in _dicts(value))


def _count_of(usage: Any, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and value > 0 else 0
