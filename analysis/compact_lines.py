"""Makes the lines of a kept chat few: texts whole in place of their pieces, and nothing that a later line made void."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.events import CodeWritten, ReasoningWritten, TextWritten, Waiting
from analysis.chat_lines import Line, MessagesChanged

_SENTENCE_ENDS = frozenset(".!?。！？\n")


class TextJoiner:
    """Joins the pieces of each text and leaves out what is only for the moment: drafts of code, and waiting."""

    def __init__(self) -> None:
        self._pieces: list[TextWritten | ReasoningWritten] = []

    def add(self, line: Line) -> list[Line]:
        """What is whole by now, in order."""
        if isinstance(line, CodeWritten | Waiting):
            return []
        if not isinstance(line, TextWritten | ReasoningWritten):
            return [*self.rest(), line]
        goes_on = self._pieces and type(self._pieces[0]) is type(line)
        earlier = [] if goes_on else self.rest()
        self._pieces.append(line)
        return earlier

    def rest(self) -> list[Line]:
        """The text that has no end yet, if there is one."""
        pieces, self._pieces = self._pieces, []
        return [replace(pieces[0], text="".join(piece.text for piece in pieces))] if pieces else []


def ends_sentence(line: Line) -> bool:
    """A sentence ends within this piece of a text."""
    return isinstance(line, TextWritten | ReasoningWritten) and not _SENTENCE_ENDS.isdisjoint(line.text)


def compacted(lines: Iterable[Line]) -> list[Line]:
    """Fewer lines with which a chat stands as with these."""
    joiner = TextJoiner()
    joined = [whole for line in lines for whole in joiner.add(line)]
    return _without_void_messages([*joined, *joiner.rest()])


def _without_void_messages(lines: Sequence[Line]) -> list[Line]:
    kept: list[Line] = []
    replaced_from = sys.maxsize
    for line in reversed(lines):
        if isinstance(line, MessagesChanged):
            still = line.messages[: max(0, replaced_from - line.start)]
            is_void = replaced_from <= line.start
            replaced_from = min(replaced_from, line.start)
            if is_void:
                continue
            if len(still) < len(line.messages):
                line = replace(line, messages=still)
        kept.append(line)
    return kept[::-1]
