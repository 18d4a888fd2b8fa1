"""Printed text that comes in pieces, folded for a terminal: so many lines, each cut; knows no view."""

from wording import Sentence

MOST_LINES, LONGEST_LINE = 20, 200


class FoldedOutput:
    """The text of one cell after the other."""

    def __init__(self) -> None:
        self._lines = self._column = 0

    def feed(self, text: str) -> str:
        """What is to be shown of the next piece."""
        return "".join(map(self._shown, text.splitlines(keepends=True)))

    def end(self) -> Sentence | None:
        """How much is not shown, if anything; then the next cell begins."""
        more = self._lines + bool(self._column) - MOST_LINES
        self._lines = self._column = 0
        return Sentence("… {lines} more lines; --json gives all", {"lines": f"{more:,}"}) if more > 0 else None

    def _shown(self, line: str) -> str:
        body = line.rstrip("\n")
        begun, self._column = self._column, self._column + len(body)
        shown = body[: max(LONGEST_LINE - begun, 0)] + ("…" if begun <= LONGEST_LINE < self._column else "")
        shown = shown + line[len(body) :] if self._lines < MOST_LINES else ""
        if line.endswith(("\n", "\r")):
            self._column = 0
        self._lines += line.endswith("\n")
        return shown
