"""Conditions that a question puts on the rows: certain years, or one named value; anything else is told as not done."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.models.offline.columns import Mention
from agents.models.offline.figures import quoted
from agents.models.offline.known_table import Column, KnownTable, Role

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?!\d|[.,]\d)")
_SPAN = re.compile(
    r"\b(?:since|after|before|until|from|through|between)\s+(?:19|20)\d\d"
    r"|(?:19|20)\d\d\s*年?\s*(?:[-–至到后前起]|to\b|until\b|through\b|以来|以后|之后|以前|之前)",
    re.IGNORECASE,
)
"""A stretch of years, which is not the same as the years that it names."""
_ONLY = re.compile(
    r"(?:\b(?:only|just)\b(?:\s+(?:in|for|the|at|of|with))*\s*|只看|仅看|只|仅|只统计|只分析)[`\"'“「]?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Rows of one column to keep: those of ``years``, or those with one of ``values``."""

    column: Column
    years: tuple[int, ...] = ()
    values: tuple[str, ...] = ()

    def code(self) -> str:
        """Python that keeps only these rows of ``df``."""
        name = repr(self.column.name)
        if self.years:
            return f"df = df[dates(df[{name}]).dt.year.isin({list(self.years)})]"
        if self.column.role is Role.FLAG:
            return f"df = df[numbers(df[{name}]).isin({[int(value) for value in self.values]})]"
        wanted = [value.strip().casefold() for value in self.values]
        return f"df = df[df[{name}].astype(str).str.strip().str.casefold().isin({wanted!r})]"

    def told(self) -> str:
        wanted = map(str, self.years) if self.years else map(quoted, self.values)
        return f"{quoted(self.column.name)} = {', '.join(wanted)}"


def find_narrowings(text: str, table: KnownTable, mentions: Sequence[Mention]) -> tuple[Narrowing, ...]:
    """The conditions of a question that can be kept."""
    found = [
        Narrowing(mention.column, values=mention.values)
        for mention in mentions
        if mention.values and _ONLY.search(text[: mention.start]) and _can_be_kept(mention)
    ]
    years = () if _SPAN.search(text) else tuple(dict.fromkeys(int(year) for year in _YEAR.findall(text)))
    times = [mention.column for mention in mentions if mention.column.role in {Role.DATE, Role.YEAR}]
    time = next(iter(times or table.of(Role.DATE, Role.YEAR)), None)
    return (*found, Narrowing(time, years=years)) if years and time else tuple(found)


def _can_be_kept(mention: Mention) -> bool:
    return mention.column.role is not Role.FLAG or all(value.isdigit() for value in mention.values)
