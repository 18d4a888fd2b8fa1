"""The code in a call's arguments, readable while the model still writes them; for showing alone, never for running."""

import re

from tools.plain_text import whole

_OPENING = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"')
_LONGEST_OPENING = 200
_PIECE = re.compile(r'[^"\\]+|\\u[0-9a-fA-F]{4}|\\[^u]', re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class CodeInArguments:
    """Fed with the text of the arguments; gives the first value of the object, a string, in whole lines.

    Arguments that are no JSON at all are code themselves; of any other form nothing is shown.
    """

    def __init__(self) -> None:
        self._unread = ""
        self._line = ""
        self._is_json: bool | None = None
        self._is_over = False

    def feed(self, written: str) -> str:
        """The lines that are whole by now, each with its end."""
        self._unread += written
        if self._is_json is None:
            self._begin()
        if self._is_json is None or self._is_over:
            return ""
        lines, line_end, rest = self._read().rpartition("\n")
        shown = self._line + lines + line_end if line_end else ""
        self._line = rest if line_end else self._line + rest
        return whole(shown)

    def finish(self) -> str:
        """The last line, which has no end."""
        last, self._line = self._line, ""
        return whole(last)

    def _begin(self) -> None:
        start = self._unread.lstrip()
        opening = _OPENING.match(self._unread)
        if opening:
            self._is_json = True
            self._unread = self._unread[opening.end() :]
        elif start and start[0] not in '{["':
            self._is_json = False
        elif len(start) > _LONGEST_OPENING:
            self._is_json, self._is_over = True, True

    def _read(self) -> str:
        if not self._is_json:
            text, self._unread = self._unread, ""
            return text
        pieces, position = [], 0
        while piece := _PIECE.match(self._unread, position):
            pieces.append(_decoded(piece[0]))
            position = piece.end()
        self._is_over = self._unread.startswith('"', position)
        self._unread = self._unread[position:]
        return "".join(pieces)


def _decoded(piece: str) -> str:
    if piece[0] != "\\":
        return piece
    return chr(int(piece[2:], 16)) if piece[1] == "u" else _ESCAPES.get(piece[1], piece[1])
