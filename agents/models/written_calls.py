"""Tool calls that a model wrote into its text, as local servers let through: taken out of the text and made calls."""

import json
import re
from collections.abc import Iterator, Mapping

from tools.tool_interface import ToolCall

_OPENING = re.compile(r"<(?P<tag>tool_call|tools|function_call)>")
_CODE_OPENING = re.compile(_OPENING.pattern + r"|^[ \t]*(?P<fence>```|~~~)(?:python|py)[ \t]*\n", re.M | re.I)
_CODE_BEGINNING = re.compile(r"[ \t]*(?:`{1,3}|~{1,3}|(?:```|~~~)(?:p(?:y(?:t(?:h(?:on?)?)?)?)?)[ \t]*)", re.I)
_LONGEST_TAG = len("<function_call>")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.M)
_BARE_CALL = re.compile(r'\{\s*(?:$|"(?:$|(?:name|arguments|parameters|type|function)\b|\w{0,9}$))')
_NAME = re.compile(r'"name"\s*:\s*"(?P<name>[^"\\]{1,100})"')


class WrittenCalls:
    """Passes text on as it comes, but keeps back whatever may turn out to be a call to one of ``tools``.

    Text inside a fenced block is never a call, nor is anything when there are no tools; but where a tool's value is
    the name of a parameter, a block of Python is a call of that tool with that argument.
    """

    def __init__(self, tools: Mapping[str, str | None]) -> None:
        self._names = tools
        self._code = next(((name, parameter) for name, parameter in tools.items() if parameter), None)
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
        if self._code and self._pattern.match(self._held):
            self._held += "\n"  # the last line is whole now, so it may be the end of a block
            shown += "".join(self._take())
        held = self._all()
        opening = self._pattern.match(held)
        if opening and self._code and not opening["tag"]:
            self._keep(self._code[0], '{"' + held[opening.end() :])
        elif opening:
            if not self._unfinished(held[opening.end() :]):
                shown += held
        elif self._before.strip() or not self._call_of(held):
            shown += held
        return self._passed(shown)

    @property
    def _pattern(self) -> re.Pattern[str]:
        return _CODE_OPENING if self._code else _OPENING

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
            end = self._end_after(opening)
            yield self._held[: opening.start()]
            if end is None:
                self._held = self._held[opening.start() :]
                return
            written = self._held[opening.end() : end.start()]
            if not (self._code_of(written) if opening["tag"] is None else self._call_of(written)):
                yield self._held[opening.start() : end.end()]
            self._held = self._held[end.end() :]

    def _opening(self) -> re.Match[str] | None:
        for opening in self._pattern.finditer(self._held):
            if len(_FENCE.findall(self._before + self._held[: opening.start()])) % 2 == 0:
                return opening
        return None

    def _end_after(self, opening: re.Match[str]) -> re.Match[str] | None:
        closing = f"</{opening['tag']}>" if opening["tag"] else rf"(?m:^[ \t]*{opening['fence']}[ \t]*\n)"
        return re.compile(closing).search(self._held, opening.end())

    def _code_of(self, written: str) -> bool:
        if self._code:
            self._keep(self._code[0], json.dumps({self._code[1]: written}))
        return True

    def _possible_tag(self) -> int:
        """How many characters at the end may be the beginning of a tag, or of a block of Python."""
        line = self._held.rpartition("\n")[2]
        if self._code and _CODE_BEGINNING.fullmatch(line):
            return len(line)
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
