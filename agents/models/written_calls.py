"""Tool calls that a model wrote into its text, as local servers let through: taken out of the text and made calls."""

import json
import re
from collections.abc import Collection, Iterator

from tools.tool_interface import ToolCall

_OPENING = re.compile(r"<(?P<tag>tool_call|tools|function_call)>")
_LONGEST_TAG = len("<function_call>")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.M)
_BARE_CALL = re.compile(r'\{\s*(?:$|"(?:$|(?:name|arguments|parameters|type|function)\b|\w{0,9}$))')
_NAME = re.compile(r'"name"\s*:\s*"(?P<name>[^"\\]{1,100})"')


class WrittenCalls:
    """Passes text on as it comes, but keeps back whatever may turn out to be a call to one of ``names``.

    Text inside a fenced block is never a call, nor is anything when there are no tools.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._held = ""
        self._before = ""
        self.calls: list[ToolCall] = []

    def feed(self, text: str) -> str:
        """What of the text so far can be shown now."""
        self._held += text
        return self._passed("".join(self._take())) if self._names else self._passed(self._all())

    def finish(self) -> str:
        """What is left to show at the end of the reply."""
        shown = "".join(self._take())
        held = self._all()
        opening = _OPENING.match(held)
        if opening:
            if not self._unfinished(held[opening.end() :]):
                shown += held
        elif self._before.strip() or not self._call_of(held):
            shown += held
        return self._passed(shown)

    def _passed(self, text: str) -> str:
        self._before = (self._before + text)[-100_000:]
        return text

    def _all(self) -> str:
        held, self._held = self._held, ""
        return held

    def _take(self) -> Iterator[str]:
        """Pieces that are certainly text; whole calls on the way are taken out."""
        while self._held:
            if self._may_be_bare_call():
                return
            opening = self._opening()
            if opening is None:
                kept = self._possible_tag()
                yield self._held[: len(self._held) - kept]
                self._held = self._held[len(self._held) - kept :]
                return
            end = self._held.find(f"</{opening['tag']}>", opening.end())
            yield self._held[: opening.start()]
            if end < 0:
                self._held = self._held[opening.start() :]
                return
            whole_end = end + len(opening["tag"]) + 3
            if not self._call_of(self._held[opening.end() : end]):
                yield self._held[opening.start() : whole_end]
            self._held = self._held[whole_end:]

    def _opening(self) -> re.Match[str] | None:
        for opening in _OPENING.finditer(self._held):
            if len(_FENCE.findall(self._before + self._held[: opening.start()])) % 2 == 0:
                return opening
        return None

    def _possible_tag(self) -> int:
        """How many characters at the end may be the beginning of a tag."""
        start = self._held.rfind("<", max(0, len(self._held) - _LONGEST_TAG))
        tail = self._held[start:] if start >= 0 else ""
        tags = ("<tool_call>", "<tools>", "<function_call>")
        return len(tail) if any(tag.startswith(tail) for tag in tags) and tail else 0

    def _may_be_bare_call(self) -> bool:
        return not self._before.strip() and not self.calls and bool(_BARE_CALL.match(self._held.strip()))

    def _call_of(self, written: str) -> bool:
        """Whether the JSON is a whole call to one of our tools, which is then kept."""
        try:
            value = json.loads(written, strict=False)
        except (ValueError, RecursionError):
            return False
        if isinstance(value, dict) and isinstance(value.get("function"), dict):
            value = value["function"]
        if not isinstance(value, dict) or value.get("name") not in self._names:
            return False
        arguments = value.get("arguments", value.get("parameters", {}))
        self._keep(value["name"], arguments if isinstance(arguments, str) else json.dumps(arguments))
        return True

    def _unfinished(self, written: str) -> bool:
        """Whether this is a call that broke off; it is kept as it is, so that the model hears what was wrong."""
        if self._call_of(written):
            return True
        name = _NAME.search(written)
        if written.strip() and not written.lstrip().startswith("{"):
            return False
        self._keep(name["name"] if name else "tool_call", written)
        return True

    def _keep(self, name: str, arguments: str) -> None:
        self.calls.append(ToolCall(id="", name=name, arguments=arguments))
