"""Conditions that a question puts on the rows: certain years, or one named value; anything else is told as not done."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.models.offline.columns import Mention
from agents.models.offline.figures import quoted
from agents.models.offline.known_table import Column, KnownTable, Role

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")
_ONLY = re.compile(
    r"(?:\b(?:only|just)\b(?:\s+(?:in|for|the|at|of|with))*\s*|只看|仅看|只|仅|只统计|只分析)[`\"'“「]?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Rows of one column to keep: those of ``years``, or those with ``value``."""

    column: Column
    years: tuple[int, ...] = ()
    value: str = ""

    def code(self) -> str:
        """Python that keeps only these rows of ``df``."""
        name = repr(self.column.name)
        if self.years:
            return f"df = df[dates(df[{name}]).dt.year.isin({list(self.years)})]"
        if self.column.role is Role.FLAG:
            return f"df = df[numbers(df[{name}]) == {float(self.value):g}]"
        return f"df = df[df[{name}].astype(str).str.strip().str.casefold() == {self.value.strip().casefold()!r}]"

    def told(self) -> str:
        return f"{quoted(self.column.name)} = {', '.join(map(str, self.years)) or quoted(self.value)}"


def find_narrowings(text: str, table: KnownTable, mentions: Sequence[Mention]) -> tuple[Narrowing, ...]:
    """The conditions of a question that can be kept."""
    found = [
        Narrowing(mention.column, value=mention.value)
        for mention in mentions
        if mention.value is not None
        and _ONLY.search(text[: mention.start])
        and _is_plain(mention.column, mention.value)
    ]
    years = tuple(dict.fromkeys(int(year) for year in _YEAR.findall(text)))
    times = [mention.column for mention in mentions if mention.column.role in {Role.DATE, Role.YEAR}]
    time = next(iter(times or table.of(Role.DATE, Role.YEAR)), None)
    return (*found, Narrowing(time, years=years)) if years and time else tuple(found)


def _is_plain(column: Column, value: str) -> bool:
    return column.role is not Role.FLAG or value.isdigit()
