"""A table as the analyst knows it: its columns, the part that each can play, and what its dictionary says of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Part = Literal["", "year", "weekday", "weekend", "hour"]
"""Of a date: what its rows are grouped by."""


class Role(StrEnum):
    """The part that a column can play."""

    MEASURE = "measure"
    FLAG = "flag"
    CATEGORY = "category"
    DATE = "date"
    YEAR = "year"
    CYCLE = "cycle"
    """A number that comes round again: hour of the day, month 1 to 12."""
    ID = "id"
    TEXT = "text"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column; ``labels`` names its values, keyed by the value as text."""

    name: str
    role: Role
    distinct: int | None = None
    has_few: bool = False
    """Whether its values are few, and each of them common enough to make a group."""
    minimum: float | None = None
    maximum: float | None = None
    meaning: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    values: tuple[str, ...] = ()
    """Some short texts that occur in it."""
    keys: frozenset[str] = frozenset()
    """The concepts in its name."""
    part: Part = ""

    @property
    def is_number(self) -> bool:
        return self.role in {Role.MEASURE, Role.FLAG, Role.CYCLE, Role.YEAR}

    @property
    def is_group(self) -> bool:
        """Whether its values part the rows into groups as they are."""
        return self.role in {Role.CATEGORY, Role.FLAG} or (self.is_number and self.has_few)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownTable:
    """A table that can be asked about; ``recipe`` is the Python that assigns it to ``variable``."""

    file: str
    size: int
    """Of the file, in bytes: with its name it tells whether the variable holds what the file does now."""
    variable: str
    recipe: str
    rows: int
    columns: tuple[Column, ...]

    def of(self, *roles: Role) -> tuple[Column, ...]:
        """The columns of these roles, in the order of the roles."""
        return tuple(column for role in roles for column in self.columns if column.role is role)

    @property
    def numbers(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.is_number)

    @property
    def groups(self) -> tuple[Column, ...]:
        """Columns to group by, texts first."""
        named = self.of(Role.CATEGORY, Role.FLAG)
        return named + tuple(column for column in self.columns if column.is_group and column not in named)
