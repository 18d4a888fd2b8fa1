"""A streamed reply of the chat-completions protocol, however loosely a server keeps to it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.events import Usage
from agents.models.reply_builder import ReplyBuilder, Shown, count_of, dicts, text_of
from tools.tool_interface import ToolCall


@dataclass(slots=True)
class _Call:
    number: int
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


class ChatReply(ReplyBuilder):
    """Fed with the chunks of a stream, or with one whole completion."""

    def __init__(self, tools: Mapping[str, str | None], source: str = "") -> None:
        super().__init__(tools, source)
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def feed(self, chunk: Any) -> Iterator[Shown]:
        if not isinstance(chunk, dict):
            return
        self._read_usage(chunk.get("usage"))
        for choice in dicts(chunk.get("choices")):
            if choice.get("index") in (0, None):
                self._read_end(choice.get("finish_reason"))
                yield from self._read_delta(choice.get("delta") or choice.get("message"))

    def calls(self) -> Iterator[ToolCall]:
        for call in self._calls:
            if call.name or call.arguments:
                yield ToolCall(id=call.id, name=call.name, arguments=call.arguments)

    def _read_end(self, reason: Any) -> None:
        if reason:
            self._is_cut = reason in ("length", "model_length")
            self._is_filtered = reason == "content_filter"

    def _read_delta(self, delta: Any) -> Iterator[Shown]:
        if not isinstance(delta, dict):
            return
        self._items += dicts(delta.get("reasoning_details"))
        self._refusal += text_of(delta.get("refusal"))
        content = delta.get("content")
        yield from self._think(_first_text(delta, "reasoning_content", "reasoning") or _thoughts_in(content))
        yield from self._write(text_of(content))
        for call in dicts(delta.get("tool_calls")):
            yield from self._read_call(call)

    def _read_call(self, delta: dict[str, Any]) -> Iterator[Shown]:
        function = delta.get("function")
        function = function if isinstance(function, dict) else {}
        arguments = function.get("arguments")
        written = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
        name, call_id = text_of(function.get("name")), str(delta.get("id") or "")
        call = self._call_for(delta.get("index"), call_id, name, bool(written))
        call.id = call.id or call_id
        if name.startswith(call.name):
            call.name = name
        call.arguments = call.arguments + written if isinstance(arguments, str) else written or call.arguments
        yield from self._write_arguments(call.number, call.name, written)

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
            call = _Call(len(self._calls))
            self._calls.append(call)
        if isinstance(index, int):
            self._by_index[index] = call
        return call

    def _read_usage(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        # DeepSeek counts what its cache gave in a field of its own.
        cached = count_of(usage.get("prompt_tokens_details"), "cached_tokens")
        self._usage = Usage(
            prompt_tokens=count_of(usage, "prompt_tokens"),
            cached_tokens=cached or count_of(usage, "prompt_cache_hit_tokens"),
            completion_tokens=count_of(usage, "completion_tokens"),
            reasoning_tokens=count_of(usage.get("completion_tokens_details"), "reasoning_tokens"),
        )


def _begins_anew(latest: _Call, call_id: str, name: str, has_arguments: bool) -> bool:
    """Whether a piece with a name starts another call: its id differs (some servers number every call 0), or, without
    ids, the arguments so far are whole."""
    if call_id and latest.id:
        return bool(name) and call_id != latest.id
    return bool(name) and has_arguments and latest.is_whole


def _first_text(delta: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := delta.get(name), str) and value), "")


def _thoughts_in(content: Any) -> str:
    """Thoughts among the parts of a content that is a list, as Mistral sends them."""
    return "".join(text_of(part.get("thinking")) for part in dicts(content) if part.get("type") == "thinking")
