"""Guesses by which columns the tables of a session belong together: by names, counts and hashes of their values."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from sandbox.inside.profile_limits import MOST_MARKS
from sandbox.sandbox import ColumnProfile, TableProfile

_FEWEST_COMPARED = 5
_HARDLY, _NEARLY = 0.1, 0.9


@dataclass(frozen=True, slots=True)
class Join:
    """``one`` has each value of ``column`` once; ``many`` may have it often, in a column named ``other``."""

    one: str
    column: str
    many: str
    other: str
    share: float | None = None
    """About how many of the different values of ``other`` are in ``column``, from 0 to 1; None if that is not known."""


def likely_joins(tables: Iterable[TableProfile]) -> Iterator[Join]:
    """Columns that name rows, and columns of the same kind elsewhere with their name or with their values."""
    found: set[frozenset[tuple[str, str]]] = set()
    for one, many in permutations(tables, 2):
        keys = set(one.keys)
        for column in (each for each in one.columns if each.name in keys):
            for other in (each for each in many.columns if _may_belong(one, column, each)):
                share = share_of_values(other, column)
                pair = frozenset({(one.variable, column.name), (many.variable, other.name)})
                if pair not in found and _do_belong(column, other, share):
                    found.add(pair)
                    yield Join(one.variable, column.name, many.variable, other.name, share)


def share_of_values(part: ColumnProfile, whole: ColumnProfile) -> float | None:
    """About how many of the different values of ``part`` are in ``whole``, from 0 to 1; None if that is not known.

    Of both columns only the smallest hashes are known, so only those count that would be known of the other too.
    """
    if not part.marks or not whole.marks:
        return None
    known = bisect_right(part.marks, whole.marks[-1]) if len(whole.marks) == MOST_MARKS else len(part.marks)
    compared = part.marks[:known]
    if len(compared) < _FEWEST_COMPARED:
        return None
    return len(set(whole.marks).intersection(compared)) / len(compared)


def _may_belong(one: TableProfile, column: ColumnProfile, other: ColumnProfile) -> bool:
    """Small whole numbers are in every column that counts its rows, so of numbers the names have to say something."""
    if column.type != other.type:
        return False
    name, other_name, stem = _plain(column.name), _plain(other.name), _plain(one.variable).removesuffix("s")
    related = (len(name) > 2 and name in other_name) or (len(stem) > 2 and stem in other_name)
    return name == other_name or related or (column.type == "text" and bool(column.marks and other.marks))


def _do_belong(column: ColumnProfile, other: ColumnProfile, share: float | None) -> bool:
    if _plain(column.name) == _plain(other.name):
        return share is None or share >= _HARDLY
    return share is not None and share >= _NEARLY


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
