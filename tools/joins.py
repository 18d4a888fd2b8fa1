"""Guesses by which columns the tables of a session belong together; looks at names and counts, never at values."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from sandbox.sandbox import ColumnProfile, TableProfile


@dataclass(frozen=True, slots=True)
class Join:
    """``one`` has each value of ``column`` once; ``many`` may have it often, in a column named ``other``."""

    one: str
    column: str
    many: str
    other: str


def likely_joins(tables: Iterable[TableProfile]) -> Iterator[Join]:
    """Pairs of columns with the same name and kind, of which one can name a row."""
    for first, second in combinations(tables, 2):
        keys = {_plain(column.name): column for column in second.columns}
        for column in first.columns:
            other = keys.get(_plain(column.name))
            if other is None or other.type != column.type:
                continue
            if _names_rows(first, column):
                yield Join(first.variable, column.name, second.variable, other.name)
            elif _names_rows(second, other):
                yield Join(second.variable, other.name, first.variable, column.name)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _names_rows(table: TableProfile, column: ColumnProfile) -> bool:
    return column.name in table.keys
