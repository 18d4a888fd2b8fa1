"""A streamed reply of the Responses API."""

from collections.abc import Iterator, Mapping
from typing import Any

from agents.events import Usage
from agents.models.failures import reported
from agents.models.reply_builder import ReplyBuilder, Shown, count_of, dicts, text_of
from tools.tool_interface import ToolCall

_KEPT = ("type", "summary", "content", "encrypted_content")
"""Of an item of reasoning, what goes back: not its id, which names something stored at the vendor, as nothing is."""


class ResponsesReply(ReplyBuilder):
    """Fed with the events of a stream, or with one whole response."""

    def __init__(self, tools: Mapping[str, str | None], source: str = "", key: str = "") -> None:
        super().__init__(tools, source)
        self._key = key
        self._calls: dict[Any, dict[str, Any]] = {}
        self._has_written = False

    def feed(self, chunk: Any) -> Iterator[Shown]:
        if not isinstance(chunk, dict):
            return
        match chunk.get("type"):
            case "response.output_text.delta":
                self._has_written = True
                yield from self._write(text_of(chunk.get("delta")))
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                yield from self._think(text_of(chunk.get("delta")))
            case "response.reasoning_summary_part.added" if self._has_thought:
                yield from self._think("\n\n")
            case "response.refusal.delta":
                self._has_written = True
                self._refusal += text_of(chunk.get("delta"))
            case "response.output_item.added" | "response.output_item.done" as event:
                self._read_item(chunk.get("output_index"), chunk.get("item"), is_done=event.endswith("done"))
            case "response.function_call_arguments.delta":
                yield from self._read_arguments(chunk)
            case kind:
                yield from self._feed_end(kind, chunk)

    def _feed_end(self, kind: Any, chunk: dict[str, Any]) -> Iterator[Shown]:
        if kind == "error":
            self.failure = reported(chunk, self._key)
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            yield from self._read_response(chunk.get("response"))
        elif chunk.get("object") == "response":
            yield from self._read_response(chunk)

    def calls(self) -> Iterator[ToolCall]:
        for _, item in sorted(self._calls.items(), key=lambda pair: str(pair[0]).zfill(9)):
            yield ToolCall(
                id=str(item.get("call_id") or ""),
                name=text_of(item.get("name")),
                arguments=text_of(item.get("arguments")),
            )

    def _read_item(self, index: Any, item: Any, *, is_done: bool) -> None:
        if not isinstance(item, dict):
            return
        if item.get("type") == "function_call":
            self._calls[index] = dict(item)
        elif item.get("type") == "reasoning" and is_done and item.get("encrypted_content"):
            self._items.append({"summary": []} | {name: item[name] for name in _KEPT if item.get(name) is not None})

    def _read_arguments(self, chunk: Mapping[str, Any]) -> Iterator[Shown]:
        written, index = text_of(chunk.get("delta")), chunk.get("output_index")
        call = self._calls.get(index, {})
        call["arguments"] = text_of(call.get("arguments")) + written
        number = list(self._calls).index(index) if index in self._calls else 0
        yield from self._write_arguments(number, text_of(call.get("name")), written)

    def _read_response(self, response: Any) -> Iterator[Shown]:
        """The end of a stream, which repeats everything; what did not come before is read here."""
        if not isinstance(response, dict):
            return
        usage = response.get("usage")
        self._usage = Usage(
            prompt_tokens=count_of(usage, "input_tokens"),
            cached_tokens=count_of((usage or {}).get("input_tokens_details"), "cached_tokens"),
            completion_tokens=count_of(usage, "output_tokens"),
            reasoning_tokens=count_of((usage or {}).get("output_tokens_details"), "reasoning_tokens"),
        )
        reason = (response.get("incomplete_details") or {}).get("reason")
        self._is_cut, self._is_filtered = reason == "max_output_tokens", reason == "content_filter"
        if isinstance(response.get("error"), dict):
            self.failure = reported(response["error"], self._key)
        has_items, has_written = bool(self._items or self._calls), self._has_written
        for index, item in enumerate(dicts(response.get("output"))):
            if not has_items:
                self._read_item(index, item, is_done=True)
            if item.get("type") == "message" and not has_written:
                self._refusal += "".join(text_of(part.get("refusal")) for part in dicts(item.get("content")))
                yield from self._write(text_of(item.get("content")))
