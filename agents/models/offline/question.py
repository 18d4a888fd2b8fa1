"""What a question says beside its intent: columns, grouping, period, number, how to calculate, direction, language."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.models.offline import question_words as words
from agents.models.offline.columns import Mention, find_mentions
from agents.models.offline.known_table import Column, KnownTable, Role
from agents.models.offline.narrowing import Narrowing, find_narrowings
from agents.models.offline.question_words import Aggregate, Period
from agents.models.offline.stems import is_han, tokens
from agents.models.offline.vocabulary import ROW_NOUNS, concepts
from wording import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about one table, taken apart."""

    text: str
    rest: str
    """The text with blanks in place of columns and files: the words that tell what is asked."""
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
    narrowings: tuple[Narrowing, ...] = ()
    not_done: tuple[str, ...] = ()
    """Words that narrow the question down in a way that is not understood."""

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(mention.column for mention in self.mentions)

    @property
    def date_part(self) -> Column | None:
        """The table's date, parted into days of the week or weekends, when the question asks for these."""
        part = next((part for part, pattern in words.DATE_PARTS.items() if re.search(pattern, self.rest, re.I)), None)
        date = next(iter(self.table.of(Role.DATE)), None)
        return replace(date, part=part) if part and date else None

    @property
    def grouped(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.name in self.by)


def read_question(text: str, table: KnownTable) -> Question:
    """Take a question apart, as far as it concerns ``table``."""
    patterns = (words.TIME_PHRASES, words.FILES, words.HOURS)
    passed_over = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    mentions = find_mentions(text, table, passed_over)
    hours = _hours(text, table)
    mentions = tuple(sorted((*mentions, *hours), key=lambda mention: mention.start))
    files = [match.span() for match in words.FILES.finditer(text)]
    named = [(m.start, m.end) for m in mentions if not words.SUPERLATIVE.search(text[m.start : m.end])]
    rest = without(text, [*files, *named])
    narrowings = find_narrowings(text, table, mentions)
    kept = [narrowing.column for narrowing in narrowings if narrowing.values]
    limited = [narrowing.column for narrowing in narrowings if narrowing.limit]
    if any(mention.column.role is Role.MEASURE and mention.column not in limited for mention in mentions):
        kept += limited
    mentions = tuple(mention for mention in mentions if mention.column not in kept)
    horizon = words.HORIZON.search(rest)
    counted = _aggregate(rest, mentions)
    mentions = _without_row_names(text, mentions)
    return Question(
        text=text,
        rest=rest,
        language="zh" if is_han(rest) or (is_han(text) and not re.search("[a-zA-Z]{2}", rest)) else "en",
        table=table,
        mentions=mentions,
        by=_grouped(text, mentions) | {mention.column.name for mention in hours},
        directions=_directions(text, mentions),
        period=words.PERIOD_NAMES[horizon[2].lower()] if horizon else _period(rest),
        looks_ahead=horizon is not None,
        horizon=_number(horizon[1]) if horizon else None,
        count=_count(rest),
        aggregate=counted,
        lowest=bool(words.LOWEST.search(rest)),
        with_chart=not words.TABLE_ONLY.search(rest),
        narrowings=narrowings,
        not_done=_not_done(rest, narrowings),
    )


def _hours(text: str, table: KnownTable) -> tuple[Mention, ...]:
    """The hour of the day, where the table has it as a number rather than in its dates."""
    said = words.HOURS.search(text)
    cycles = [column for column in table.of(Role.CYCLE) if column.keys & {"hour", "time"}]
    return (Mention(cycles[0], *said.span()),) if said and cycles and not table.of(Role.DATE) else ()


def without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """The text with blanks in those places."""
    return "".join(" " if any(a <= at < b for a, b in places) else char for at, char in enumerate(text))


def _not_done(rest: str, narrowings: Sequence[Narrowing]) -> tuple[str, ...]:
    """Conditions that are not understood; a year that is kept as a condition is."""
    found = dict.fromkeys(match[0].strip() for match in words.NOT_DONE.finditer(words.TABLE_ONLY.sub(" ", rest)))
    if any(narrowing.values or narrowing.limit for narrowing in narrowings):
        return ()
    has_years = any(narrowing.years for narrowing in narrowings)
    return tuple(word for word in found if not (has_years and word[:2] in {"19", "20"}))


def _period(rest: str) -> Period | None:
    named = next((name for name, pattern in words.PERIODS.items() if re.search(pattern, rest, re.IGNORECASE)), None)
    asked = words.WHICH_PERIOD.search(rest)
    return named or (words.PERIOD_NAMES[(asked[1] or asked[2]).lower()] if asked else None)


def _without_row_names(text: str, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Without identifiers that only say what a row is ("how many orders were returned"), unless they are grouped by."""
    others = [m for m in mentions if m.column.role is not Role.ID or words.BY.search(text[: m.start])]
    return tuple(others) if any(m.column.role is not Role.ID for m in others) else mentions


def _aggregate(rest: str, mentions: Sequence[Mention]) -> Aggregate | None:
    """As the words say; a count when a noun or an identifier stands for the rows and nothing else is measured."""
    said = next((name for name, pattern in words.AGGREGATES if re.search(pattern, rest, re.IGNORECASE)), None)
    if said or any(mention.column.is_number and mention.column.role is not Role.FLAG for mention in mentions):
        return said
    nouns = {key for token in tokens(rest, ROW_NOUNS) for key in (token.text, *concepts(token.text))}
    stands_for_rows = nouns & ROW_NOUNS or any(mention.column.role is Role.ID for mention in mentions)
    return "count" if stands_for_rows else None


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
