"""The numbers that code printed and returned, kept so that one of a hundred thousand is found at once."""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable
from decimal import Decimal

from analysis.figures import IDENTIFIER, read_numbers
from sandbox.sandbox import Cell

_SIMPLE = re.compile(r"(?:(?<![\w)\]])-)?(?<![A-Za-z_.0-9])[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?(?![A-Za-z_0-9])")
_NEEDS_READING = re.compile(
    r"[０-９％−‰×百千万亿成]|分之|百分点"
    r"|[0-9](?:%|[,\u00a0\u2009\u202f][0-9]{3}(?![0-9])|[a-df-z]|e(?![+-]?[0-9])|\s(?:hundred|thousand|[mbt]r?illion|bn\b|per\s?cent|pct|pp\b))",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?<![\w.])((?:1[6-9]|2[01])[0-9]{2})([-/])[0-9]{1,2}\2[0-9]{1,2}"
    r"(?:[ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)?"
)
_NOISE = 1e-12
"""Relative: what binary fractions may add to a value."""


class Results:
    """Collects numbers, then answers whether one of them lies between two bounds."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._values: set[float] = set()
        self._identifiers: set[str] = set()
        self._sorted: list[float] = []
        self._years: set[int] = set()

    def add_text(self, text: str) -> None:
        """All numbers of a printed text; 12.3% counts as 12.3 and as 0.123, a date only as its year."""
        self._texts.append(text.lower())
        self._years.update(int(date[0]) for date in _DATE.findall(text))
        for line in _DATE.sub(" ", text).splitlines():
            if _NEEDS_READING.search(line):
                self._read(line)
            else:
                for token in _SIMPLE.findall(line):
                    self._add(token)

    def add_cells(self, cells: Iterable[Cell]) -> None:
        """Values as they are; the numbers within text count too."""
        for cell in {cell for cell in cells if cell is not None and not isinstance(cell, bool)}:
            if isinstance(cell, str):
                self.add_text(cell)
            elif isinstance(cell, int) and abs(cell) >= IDENTIFIER:
                self._identifiers.add(str(cell))
            elif math.isfinite(cell):
                self._values.add(float(cell))

    def between(self, low: Decimal, high: Decimal) -> bool:
        """Whether a number from ``low`` to ``high``, both included, was added; identifiers must be equal."""
        if low == high and low >= IDENTIFIER:
            return f"{low:f}" in self._identifiers
        if len(self._sorted) != len(self._values):
            self._sorted = sorted(self._values)
        lowest, highest = float(low) - abs(float(low)) * _NOISE, float(high) + abs(float(high)) * _NOISE
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            return False
        at = bisect_left(self._sorted, lowest)
        return at < len(self._sorted) and self._sorted[at] <= highest

    def knows_year(self, year: int) -> bool:
        return year in self._years or self.between(Decimal(year), Decimal(year))

    def says(self, spellings: Iterable[str]) -> bool:
        """Whether one of these, given in small letters, stands in the texts and is not part of a longer number."""
        return any(_whole(spelling).search(text) for spelling in spellings for text in self._texts if spelling in text)

    def _add(self, number: str) -> None:
        value = float(number)
        if math.isfinite(value):
            self._values.add(value)
        if value >= IDENTIFIER and number.isdecimal():
            self._identifiers.add(number.lstrip("0"))

    def _read(self, line: str) -> None:
        for number in read_numbers(line):
            for reading in number.readings:
                self._add(str(reading.value))
                if reading.percent:
                    self._add(str(reading.value / 100))
            # A line of values set off by commas looks like one long number.
            if "," in number.text and "," in (line[number.start - 1 : number.start], line[number.end : number.end + 1]):
                for part in number.text.split(","):
                    self._add(part)


def _whole(spelling: str) -> re.Pattern[str]:
    return re.compile(("(?<!\\d)" if spelling[0].isdigit() else "") + re.escape(spelling) + r"(?!\d)")
