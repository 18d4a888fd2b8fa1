"""Tells a row of totals from a row of data: by its label, and by what it adds up."""

import math
import re
from collections.abc import Sequence
from typing import Any

from sandbox.inside.reading.number_styles import without_signs

_LABEL = re.compile(
    r"(?:grand |sub)?total[se]?:?|sum(?:me)?:?|(?:ins)?gesamt(?:summe)?:?|all|合计|总计|总和|小计|итого:?|всего:?",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\s'’\xa0\u202f]")


def label_of_total(row: Sequence[str]) -> str:
    """The word in the row's first cell with content that calls it a total; empty when there is none."""
    first = next((cell.strip() for cell in row if cell.strip()), "")
    return first if _LABEL.fullmatch(first) else ""


def adds_up(columns: Sequence[Any]) -> bool:
    """Whether the last cell of a column, given as lists of text, is the sum of all cells above it.

    One column that does is enough: others may be averages, or left blank.
    """
    return any(_is_sum(cells) for cells in columns)


def _is_sum(cells: Sequence[str]) -> bool:
    if len(cells) < 3 or not cells[-1].strip():
        return False
    for comma in (False, True):
        numbers = [_number(cell, comma) for cell in cells if cell.strip()]
        known = [number for number in numbers if number is not None]
        if len(known) == len(numbers) > 2 and math.isclose(sum(known[:-1]), known[-1], rel_tol=1e-6, abs_tol=0.006):
            return True
    return False


def _number(cell: str, comma: bool) -> float | None:
    bare = _MARKS.sub("", without_signs(cell))
    bare = bare.replace(".", "").replace(",", ".") if comma else bare.replace(",", "")
    try:
        return float(bare)
    except ValueError:
        return None
