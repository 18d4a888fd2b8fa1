"""Conditions that a question puts on the rows: years, a named value, a limit; anything else is told as not done."""

import calendar
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.models.offline.columns import Mention
from agents.models.offline.figures import quoted
from agents.models.offline.known_table import Column, KnownTable, Role

_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?!\d|[.,]\d)")
_MONTHS = tuple(calendar.month_name[1:])
_MONTH = re.compile(
    rf"\b(?:in|of|for|during|and|to)\s+({'|'.join(_MONTHS)})\b"
    r"|(?<!\d)(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!度)",
    re.IGNORECASE,
)
_HAN_MONTHS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_SPAN = re.compile(
    r"\b(?:since|after|before|until|from|through|between)\s+(?:19|20)\d\d"
    r"|(?:19|20)\d\d\s*年?\s*(?:[-–至到后前起]|to\b|until\b|through\b|以来|以后|之后|以前|之前)",
    re.IGNORECASE,
)
"""A stretch of years, which is not the same as the years that it names."""
_ONLY = re.compile(
    r"(?:\b(?:only|just)\b(?:\s+(?:in|for|the|at|of|with))*\s*|只看|仅看|只|仅|只统计|只分析)[`\"'“「]?$", re.IGNORECASE
)


_UNITS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8}
_HAN = "一二三四五六七八九十"
_NUMBER = rf"(?P<number>\d[\d,]*(?:\.\d+)?|[{_HAN}](?=[百千万亿]))\s?(?P<unit>k|thousand|m|million|[百千万亿]+)?"
_NOT_WHOLE = rf"(?![.,]?[A-Za-z0-9_%{_HAN}百千万亿])"
_LIMITS = tuple(
    (sign, re.compile(rf"(?:{said})\s*[$€£¥]?{_NUMBER}{_NOT_WHOLE}", re.IGNORECASE))
    for sign, said in (
        (">=", r"\bat least|不低于|不少于|至少"),
        ("<=", r"\bat most|\bno more than|不超过|不高于|至多|最多"),
        (
            ">",
            r"\b(?:above|over|more than|greater than|higher than|exceed(?:s|ed|ing)?)|(?<!不)(?:超过|高于|大于|多于)",
        ),
        ("<", r"\b(?:below|under|less than|fewer than|lower than)|(?<!不)(?:低于|小于|少于)|不足|不到"),
    )
)
_COMPARES = re.compile(
    r"\b(?:compar\w*|differ\w*|than|versus|vs|more|less)\b|比较|对比|相比|差|区别|更|占比|比例", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Rows of one column to keep: those of ``years``, those with one of ``values``, or those within a ``limit``."""

    column: Column
    years: tuple[int, ...] = ()
    values: tuple[str, ...] = ()
    months: tuple[int, ...] = ()
    limit: tuple[str, float] | None = None
    """A sign of comparison and a number."""

    def code(self) -> str:
        """Python that keeps only these rows of ``df``."""
        name = repr(self.column.name)
        if self.limit:
            return f"df = df[numbers(df[{name}]) {self.limit[0]} {self.limit[1]:.15g}]"
        if self.years or self.months:
            parts = (("year", self.years), ("month", self.months))
            kept = [f"dates(df[{name}]).dt.{part}.isin({list(wanted)})" for part, wanted in parts if wanted]
            return f"df = df[{' & '.join(kept)}]"
        if self.column.role is Role.FLAG:
            return f"df = df[numbers(df[{name}]).isin({[int(value) for value in self.values]})]"
        wanted = [value.strip().casefold() for value in self.values]
        return f"df = df[df[{name}].astype(str).str.strip().str.casefold().isin({wanted!r})]"

    def told(self) -> str:
        if self.limit:
            return f"{quoted(self.column.name)} {self.limit[0]} {self.limit[1]:,.15g}"
        if self.months:
            wanted: Iterable[str] = [f"{year}-{month:02}" for year in self.years or ("*",) for month in self.months]
        else:
            wanted = map(str, self.years) if self.years else map(quoted, self.values)
        return f"{quoted(self.column.name)} = {', '.join(wanted)}"


def find_narrowings(text: str, table: KnownTable, mentions: Sequence[Mention]) -> tuple[Narrowing, ...]:
    """The conditions of a question that can be kept."""
    found = [
        Narrowing(mention.column, values=mention.values)
        for mention in mentions
        if mention.values
        and _can_be_kept(mention)
        and (_ONLY.search(text[: mention.start]) or _is_one_of_many(text, mention, mentions))
    ]
    found += _limits(text, table, mentions)
    years = () if _SPAN.search(text) else tuple(dict.fromkeys(int(year) for year in _YEAR.findall(text)))
    times = [mention.column for mention in mentions if mention.column.role in {Role.DATE, Role.YEAR}]
    time = next(iter(times or table.of(Role.DATE, Role.YEAR)), None)
    months = () if _SPAN.search(text) else tuple(dict.fromkeys(_month(*match) for match in _MONTH.findall(text)))
    if time is None or not (years or (months and time.role is Role.DATE)):
        return tuple(found)
    return (*found, Narrowing(time, years=years, months=months if time.role is Role.DATE else ()))


def _month(english: str, han: str) -> int:
    if english:
        return _MONTHS.index(english.title()) + 1
    return int(han) if han.isdigit() else _HAN_MONTHS.index(han) + 1


def _is_one_of_many(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a single value stands there by itself, beside a number that is asked of its rows alone."""
    is_measured = any(other.column.is_number and other.column.role is not Role.FLAG for other in mentions)
    is_value = len(mention.values) == 1 and mention.values[0].casefold() in text[mention.start : mention.end].casefold()
    is_named = mention.column.name.casefold() in text.casefold()
    return is_value and is_measured and not is_named and not _COMPARES.search(text)


def _limits(text: str, table: KnownTable, mentions: Sequence[Mention]) -> list[Narrowing]:
    """Of the number that is named before the limit, or else at all."""
    measures = [mention for mention in mentions if mention.column.role is Role.MEASURE]
    found = []
    for sign, pattern in _LIMITS:
        for match in pattern.finditer(text):
            before = [mention for mention in measures if mention.start < match.start()]
            mention = next(iter(before[::-1] or measures), None)
            if mention and not _YEAR.fullmatch(match["number"]):
                found.append(Narrowing(mention.column, limit=(sign, _number(match["number"], match["unit"] or ""))))
    return found


def _number(written: str, unit: str) -> float:
    plain = _HAN.find(written) + 1 or float(written.replace(",", ""))
    units = [unit.lower()] if unit.isascii() else unit
    return plain * math.prod(_UNITS[each] for each in units if each)


def _can_be_kept(mention: Mention) -> bool:
    return mention.column.role is not Role.FLAG or all(value.isdigit() for value in mention.values)
