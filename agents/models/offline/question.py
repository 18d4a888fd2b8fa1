"""What a question says beside its intent: columns, grouping, period, number, how to calculate, direction, language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.models.offline import question_words as words
from agents.models.offline.columns import Mention, find_mentions
from agents.models.offline.known_table import Column, KnownTable
from agents.models.offline.question_words import Aggregate, Period
from agents.models.offline.stems import is_han
from wording import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about one table, taken apart."""

    text: str
    language: Language
    table: KnownTable
    mentions: tuple[Mention, ...] = ()
    by: frozenset[str] = frozenset()
    """Names of mentioned columns that the question groups by."""
    directions: Mapping[str, int] = field(default_factory=dict)
    """Columns of which the question supposes more (1) or less (-1)."""
    period: Period | None = None
    looks_ahead: bool = False
    horizon: int | None = None
    """How many periods ahead, when the question says so."""
    count: int | None = None
    aggregate: Aggregate | None = None
    lowest: bool = False
    with_chart: bool = True
    not_done: tuple[str, ...] = ()
    """Words that narrow the question down in a way that is not understood."""

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(mention.column for mention in self.mentions)

    @property
    def grouped(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.name in self.by)


def read_question(text: str, table: KnownTable) -> Question:
    """Take a question apart, as far as it concerns ``table``."""
    ignored = [match.span() for match in words.TIME_PHRASES.finditer(text)]
    mentions = find_mentions(text, table, ignored)
    period = next((name for name, pattern in words.PERIODS.items() if re.search(pattern, text, re.IGNORECASE)), None)
    horizon = words.HORIZON.search(text)
    rest = "".join(" " if any(m.start <= at < m.end for m in mentions) else char for at, char in enumerate(text))
    return Question(
        text=text,
        language="zh" if is_han(rest) else "en",
        table=table,
        mentions=mentions,
        by=_grouped(text, mentions),
        directions=_directions(text, mentions),
        period=words.PERIOD_NAMES[horizon[2].lower()] if horizon else period,
        looks_ahead=horizon is not None,
        horizon=_number(horizon[1]) if horizon else None,
        count=_count(text),
        aggregate=next((name for name, pattern in words.AGGREGATES if re.search(pattern, text, re.IGNORECASE)), None),
        lowest=bool(words.LOWEST.search(text)),
        with_chart=not words.TABLE_ONLY.search(text),
        not_done=tuple(dict.fromkeys(match[0].strip() for match in words.NOT_DONE.finditer(rest))),
    )


def _grouped(text: str, mentions: tuple[Mention, ...]) -> frozenset[str]:
    """The columns after words such as by, per, 按, and those joined to them by and."""
    found: set[str] = set()
    last: Mention | None = None
    for mention in mentions:
        joined = last and last.column.name in found and words.AND.fullmatch(text[last.end : mention.start])
        before = text[: mention.start]
        if joined or words.BY.search(before) or (mention.column.is_group and words.IN.search(before)):
            found.add(mention.column.name)
        last = mention
    return frozenset(found)


def _directions(text: str, mentions: tuple[Mention, ...]) -> dict[str, int]:
    found = {}
    for mention in mentions:
        match = words.DIRECTION_BEFORE.search(text[: mention.start]) or words.DIRECTION_BEHIND.search(
            text[mention.end :]
        )
        if match:
            found[mention.column.name] = 1 if match[1] else -1
    return found


def _count(text: str) -> int | None:
    match = words.COUNT.search(text)
    return _number(next((group for group in match.groups() if group), None)) if match else None


def _number(text: str | None) -> int | None:
    if not text:
        return None
    return words.NUMBER_WORDS.get(text.lower()) or int(text)
