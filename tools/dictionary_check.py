"""Compares tables with what the person says of their columns: values outside of the documented range."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from sandbox.sandbox import ColumnProfile, TableProfile
from wording import Sentence

_NUMBER = r"[-−+]?\d+(?:[.,]\d+)?"
_ASIDE = r"(?:\s*[(（][^()（）]{0,80}[)）])?"
_RANGE = re.compile(
    rf"(?<![\w.,:/-])(?P<low>{_NUMBER}){_ASIDE}\s*(?:to|through|until|up to|[-–—~～]|至|到|/)\s*"
    rf"(?P<high>{_NUMBER})(?!\s*[-/:.]?\d|\w)"
)
_ABOVE = "{column} is documented as {low} to {high}, but {share} of its values are above {high}."
_BELOW = "{column} is documented as {low} to {high}, but {share} of its values are below {low}."


def contradictions(dictionary: str, tables: Iterable[TableProfile]) -> Iterator[Sentence]:
    """One sentence for each end of a documented range that values go beyond."""
    lines = dictionary.splitlines()
    for table in tables:
        for column in table.columns:
            if column.type in ("integer", "number") and (limits := _documented(column.name, lines)):
                yield from _beyond(column, *limits)


def _documented(name: str, lines: Iterable[str]) -> tuple[float, float] | None:
    """The range in the line that explains the column."""
    explains = re.compile(rf"^\W*{re.escape(name)}\W*\s*[:：=—–|,\t-]\s*(?P<words>.+)", re.IGNORECASE)
    for line in lines:
        found = explains.match(line)
        ranges = _RANGE.search(found["words"]) if found else None
        if ranges:
            low, high = (float(ranges[end].replace("−", "-").replace(",", ".")) for end in ("low", "high"))
            return (low, high) if low < high else None
    return None


def _beyond(column: ColumnProfile, low: float, high: float) -> Iterator[Sentence]:
    told = {"column": column.name, "low": f"{low:g}", "high": f"{high:g}"}
    if isinstance(column.maximum, int | float) and column.maximum > high:
        yield Sentence(_ABOVE, {**told, "share": _share(_share_above(column, high))})
    if isinstance(column.minimum, int | float) and column.minimum < low:
        yield Sentence(_BELOW, {**told, "share": _share(_share_below(column, low))})


def _share_above(column: ColumnProfile, limit: float) -> float:
    if _is_complete(column):
        return sum(count for value, count in column.top if _as_number(value) > limit) / _known(column)
    return 1 - bisect_right(column.quantiles, limit) / max(len(column.quantiles), 1)


def _share_below(column: ColumnProfile, limit: float) -> float:
    if _is_complete(column):
        return sum(count for value, count in column.top if _as_number(value) < limit) / _known(column)
    return bisect_left(column.quantiles, limit) / max(len(column.quantiles), 1)


def _is_complete(column: ColumnProfile) -> bool:
    return bool(column.top) and len(column.top) == column.distinct


def _known(column: ColumnProfile) -> int:
    return sum(count for _, count in column.top)


def _as_number(value: object) -> float:
    return float(value) if isinstance(value, int | float | str) else 0.0


def _share(share: float) -> str:
    return f"{share:.1%}" if 0.001 <= share < 1 else "< 0.5%" if share < 0.001 else "100%"
