"""Writes the short Python that reads a table, and runs exactly that text; decides nothing."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from sandbox.inside.reading.notes import Note

_WIDTH = 100


@dataclass(slots=True)
class Recipe:
    """A call of a pandas reader and the lines that follow it."""

    variable: str
    reader: str
    """Such as ``read_csv``."""
    source: str
    """What it reads, as Python."""
    arguments: dict[str, Any] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [self.source, *(f"{name}={literal(value)}" for name, value in self.arguments.items())]
        head = f"{self.variable} = pd.{self.reader}("
        call = f"{head}{', '.join(parts)})"
        if len(call) > _WIDTH:
            one_line = "    " + ", ".join(parts)
            lines = one_line if len(one_line) <= _WIDTH else "\n".join(f"    {part}," for part in parts)
            call = f"{head}\n{lines}\n)"
        return "\n".join([*self.before, call, *self.after])

    def with_text_only(self) -> "Recipe":
        """The same reading of the same rows, with every cell as text."""
        return replace(self, arguments=self.arguments | {"dtype": "str", "keep_default_na": False}, after=[])

    def column(self, name: str) -> str:
        return f"{self.variable}[{literal(name)}]"


@dataclass(frozen=True, slots=True)
class Described:
    """What a table holds, as ``describe`` gives it: a plain dict a column, and the first rows."""

    columns: list[dict[str, Any]]
    head: list[list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPlan:
    """How one table of a file is to be read."""

    variable: str
    recipe: str
    notes: list[Note]
    cautious_recipe: str = ""
    """Reads everything as text; for the case that ``recipe`` fails."""
    rows: int | None = None
    """How many rows the recipe must give, where that is known."""
    converted: tuple[str, ...] = ()
    """Columns that must not be text."""
    frame: Callable[[], pd.DataFrame | None] = lambda: None
    """A faster way to the same table, or None."""
    described: Described | None = None
    """Of a table that is not read as a whole: the variable holds a relation, not the rows."""
    names_cells: bool = False
    """Whether the recipe has cells of the file in it, or parts of them."""


def literal(value: Any) -> str:
    """Python for a plain value; text in double quotes, and without any character that does not show."""
    if isinstance(value, str):
        text = repr(value)
        return text if '"' in text else f'"{text[1:-1]}"'
    if isinstance(value, range):
        return f"range({value.stop})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)


def run(text: str, variable: str) -> pd.DataFrame:
    """The table that the recipe reads; ``pd`` is all that it finds defined."""
    names: dict[str, Any] = {"pd": pd}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "<recipe>", "exec"), names)  # noqa: S102 - made of our own words and of literals
    table = names[variable]
    assert isinstance(table, pd.DataFrame)  # noqa: S101
    return table
