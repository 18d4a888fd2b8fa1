"""The printed text of one stream as the host keeps it: bounded, decoded and cleaned; knows no frames."""

import codecs
import re

from sandbox.inside.output_text import PrintedBytes, last_states

_UTF8_BYTES = 4
_LEFT_OUT = "\n[… about {count} characters left out …]\n"
_TOLD_LEFT_OUT = re.compile(re.escape(_LEFT_OUT).replace(re.escape("{count}"), r"([\d,]+)"))
_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours and cursor movements
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links and other strings
    r"|\x1b[ -/]*[0-~]?"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class PrintedText:
    """Takes bytes as they come, gives text to be shown at once, and in the end the whole."""

    def __init__(self, limit: int) -> None:
        """``limit`` is in characters; of a longer text head and tail are kept."""
        self._limit = limit
        self._live_room = limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._bytes = PrintedBytes(limit * _UTF8_BYTES)
        self._head = bytearray()

    def add(self, data: bytes, lost_before: int = 0) -> str:
        """Take what was printed, after ``lost_before`` bytes that were not kept; gives what to show at once."""
        mark = ""
        if lost_before > 0:
            self._bytes.skip(lost_before)
            self._decoder.reset()
            mark = _left_out(lost_before)
        self._head += self._bytes.add(data)
        text = self._decoder.decode(data)[: self._live_room]
        self._live_room -= len(text)
        return mark + text if text else ""

    def whole(self) -> tuple[str, bool]:
        """The text, cleaned of what steers a terminal, and whether something of it was left out."""
        tail = self._bytes.tail()
        if not self._bytes.cut:
            text = clean_text(self._head + tail)
            if len(text) <= self._limit:
                return text, False
            head_text = tail_text = text
            left_out = len(text) - self._limit
        else:
            head_text, tail_text = clean_text(self._head, is_whole=False), clean_text(tail)
            left_out = self._bytes.cut + max(0, len(head_text) + len(tail_text) - self._limit)
        half = self._limit // 2
        return f"{head_text[:half]}{_left_out(left_out)}{tail_text[-half:]}", True


def without_told_cut(text: str) -> tuple[str, int]:
    """A whole text of ``PrintedText`` without the line that tells of what was left out, and how much that was."""
    told = _TOLD_LEFT_OUT.search(text)
    if told is None:
        return text, 0
    return f"{text[: told.start()]}\n{text[told.end() :]}", int(told[1].replace(",", ""))


def _left_out(count: int) -> str:
    return _LEFT_OUT.format(count=f"{count:,}")


def clean_text(data: bytes | bytearray, *, is_whole: bool = True) -> str:
    """Text without escape sequences and control characters; of a line that was drawn over, its last state.

    When it is not whole, a character that is cut at the end is left out.
    """
    if not data:
        return ""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(bytes(last_states(bytearray(data))), final=is_whole)
    return _CONTROL.sub("", _ESCAPE.sub("", text))
