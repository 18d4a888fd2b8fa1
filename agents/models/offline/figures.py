"""Reads back the figures that a script printed, one ``name: JSON`` a line, and words numbers; any text is safe."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Self

LONGEST_LINE = 20_000
LONGEST_NAME = 80
_LINE = re.compile(r"^(\w+): (\S.*)$", re.MULTILINE)


class Unprinted(Exception):
    """A figure that the answer needs is not in the output: the script failed or was changed."""


class Figures:
    """Printed figures by their names."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    @classmethod
    def printed(cls, output: str) -> Self:
        """The figures of one output; of a name printed twice the last counts."""
        values = {}
        for name, value in _LINE.findall(output):
            if len(value) <= LONGEST_LINE:
                try:
                    values[name] = json.loads(value)
                except (ValueError, RecursionError):
                    continue
        return cls(values)

    def number(self, name: str) -> float:
        """A number to compare with; a missing one is NaN."""
        value = self._value(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan

    def is_set(self, name: str) -> bool:
        """Whether a figure is a number other than 0, as yes and no are printed."""
        number = self.number(name)
        return not math.isnan(number) and number != 0

    def has(self, name: str) -> bool:
        """Whether it was printed and is a number."""
        return name in self._values and not math.isnan(self.number(name))

    def text(self, name: str) -> str:
        """The figure as people read it."""
        return worded(self._value(name))

    def rows(self, name: str) -> list["Figures"]:
        """A table printed as a list of objects."""
        value = self._value(name)
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            raise Unprinted(name)
        return [Figures(row) for row in value]

    def texts(self, name: str) -> list[str]:
        value = self._value(name)
        if not isinstance(value, list):
            raise Unprinted(name)
        return [worded(item) for item in value]

    def _value(self, name: str) -> Any:
        if name not in self._values:
            raise Unprinted(name)
        return self._values[name]


def worded(value: Any) -> str:
    """A number with its thousands parted and no digit more or less than was printed; anything else as text."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= 1e-4 or value == 0 else f"{value:g}"
    return str(value)


def quoted(value: object) -> str:
    """A name or cell of the table as Markdown code: nothing in it can become a link, an image or a formula."""
    plain = " ".join(str(value).replace("`", "'").split())
    return f"`{plain[:LONGEST_NAME] or ' '}`"
