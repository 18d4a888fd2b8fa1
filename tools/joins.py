"""Guesses by which columns the tables of a session belong together: by names, counts and hashes of their values."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from operator import is_

from sandbox.inside.profile_limits import MOST_MARKS
from sandbox.sandbox import ColumnProfile, TableProfile

_FEWEST_COMPARED = 5
_HARDLY, _NEARLY = 0.1, 0.9
_MOST_COLUMNS = 600
"""Of all tables together; when they have more, only the first so many of each are looked at that it fits."""
_MOST_PAIRS = 10_000
"""So many pairs of columns are compared value by value, those with related names first."""


@dataclass(frozen=True, slots=True)
class Join:
    """``one`` has each value of ``column`` once; ``many`` may have it often, in a column named ``other``."""

    one: str
    column: str
    many: str
    other: str
    share: float | None = None
    """About how many of the different values of ``other`` are in ``column``, from 0 to 1; None if that is not known."""


class LikelyJoins:
    """Remembers what it found last, as long as the tables are the same. Any thread may call it."""

    def __init__(self) -> None:
        self._last: tuple[tuple[TableProfile, ...], tuple[Join, ...]] = ((), ())

    def among(self, tables: Iterable[TableProfile]) -> tuple[Join, ...]:
        wanted, (known, found) = tuple(tables), self._last
        if len(wanted) != len(known) or not all(map(is_, wanted, known)):
            found = tuple(likely_joins(wanted))
            self._last = wanted, found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    place: int
    """Of its table."""
    variable: str
    stem: str
    profile: ColumnProfile
    name: str
    is_key: bool
    values: frozenset[int]

    def may_belong_to(self, key: "_Column") -> bool:
        return self.place != key.place and self.profile.type == key.profile.type


def likely_joins(tables: Iterable[TableProfile]) -> Iterator[Join]:
    """Columns that name rows, and columns of the same kind elsewhere with their name or with their values.

    Of very many columns only some are looked at.
    """
    columns = _columns(tuple(tables))
    keys = [column for column in columns if column.is_key]
    found: set[frozenset[tuple[str, str]]] = set()
    for key, other in islice(chain(_related_by_name(keys, columns), _related_by_values(keys, columns)), _MOST_PAIRS):
        pair = frozenset({(key.variable, key.profile.name), (other.variable, other.profile.name)})
        if pair in found:
            continue
        share = _share_of_values(other, key)
        if _do_belong(key, other, share):
            found.add(pair)
            yield Join(key.variable, key.profile.name, other.variable, other.profile.name, share)


def _columns(tables: tuple[TableProfile, ...]) -> list[_Column]:
    columns = []
    most = max(1, _MOST_COLUMNS // max(1, len(tables)))
    for place, table in enumerate(tables):
        keys, stem = set(table.keys), _plain(table.variable).removesuffix("s")
        columns += [
            _Column(place, table.variable, stem, each, _plain(each.name), each.name in keys, frozenset(each.marks))
            for each in table.columns[:most]
        ]
    return columns


def _related_by_name(keys: list[_Column], columns: list[_Column]) -> Iterator[tuple[_Column, _Column]]:
    """Small whole numbers are in every column that counts its rows, so of numbers the names have to say something."""
    named = defaultdict(list)
    for column in columns:
        named[column.name].append(column)
    for key in keys:
        parts = [part for part in (key.name, key.stem) if len(part) > 2]
        for name, others in named.items():
            if name == key.name or any(map(name.__contains__, parts)):
                yield from ((key, other) for other in others if other.may_belong_to(key))


def _related_by_values(keys: list[_Column], columns: list[_Column]) -> Iterator[tuple[_Column, _Column]]:
    """Text columns so alike that nearly all values of the one can be in the other.

    Of values that nearly all are there, one of the first tenth and one more must be.
    """
    having: dict[int, list[_Column]] = defaultdict(list)
    for column in columns:
        if column.profile.type == "text":
            for mark in column.profile.marks[: len(column.values) // 10 + 1]:
                having[mark].append(column)
    for key in keys:
        alike = dict.fromkeys(chain.from_iterable(having[mark] for mark in key.profile.marks if mark in having))
        yield from ((key, other) for other in alike if other.may_belong_to(key))


def _share_of_values(part: _Column, whole: _Column) -> float | None:
    """About how many of the different values of ``part`` are in ``whole``, from 0 to 1; None if that is not known.

    Of both columns only the smallest hashes are known, so only those count that would be known of the other too.
    """
    marks, others = part.profile.marks, whole.profile.marks
    if not marks or not others:
        return None
    compared = marks[: bisect_right(marks, others[-1]) if len(others) == MOST_MARKS else len(marks)]
    if len(compared) < _FEWEST_COMPARED:
        return None
    return len(whole.values.intersection(compared)) / len(compared)


def _do_belong(key: _Column, other: _Column, share: float | None) -> bool:
    if key.name == other.name:
        return share is None or share >= _HARDLY
    return share is not None and share >= _NEARLY


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
