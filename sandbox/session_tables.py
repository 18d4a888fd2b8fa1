"""Which tables of the files are variables of the session's Python, and the cells that make them so; runs nothing."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sandbox.sandbox import ExecutionResult, FileProfile, TableProfile
from wording import Sentence

ALIAS = "df"
"""What a table is called too, as long as it is the only one."""
_NOT_LOADED = "{variable} could not be loaded beforehand ({reason}). Load it with the code given for its file."
_LOST_BY_LOADING = (
    "Loading {variable} ended Python ({reason}): variables of earlier cells are gone, the files in /data are there. "
    "Load a part of it, for example with duckdb or polars."
)
_SET_ALIAS = f'if "{{variable}}" in globals():\n    globals().setdefault("{ALIAS}", globals()["{{variable}}"])'
# Code of the person's own may have set either of the two anew; then it stays.
_DROP_ALIAS = f'if globals().get("{ALIAS}") is globals().get("{{variable}}"):\n    globals().pop("{ALIAS}", None)'
_RAISED = re.compile(r"[\w.]*(?:Error|Exception)\b")
_WORD = re.compile(r"\w+")
_SEES_ALL = frozenset({"globals", "locals", "vars", "dir", "eval", "exec", "who", "whos"})
"""Words of code that may look for a variable without naming it."""


@dataclass(frozen=True, slots=True)
class Load:
    """A cell to run before the next one; ``variable`` is the table that it loads, empty when it only tidies up."""

    code: str
    variable: str = ""
    size: int = 0
    """How many bytes its file has."""

    def failure(self, result: ExecutionResult) -> Sentence | None:
        """What went wrong when the cell was run; None when it did what it should."""
        if result.ok:
            return None
        reason = (result.error or "").strip().rpartition("\n")[2][:300]
        if raised := _RAISED.match(reason):
            # What follows the name of the exception may quote cells of the file.
            reason = raised[0]
        template = _LOST_BY_LOADING if result.state_lost else _NOT_LOADED
        return Sentence(template, {"variable": self.variable, "reason": reason})


class SessionTables:
    """Loads a table when code first names it, once in each Python process, by exactly its recipe."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[TableProfile, ...]] = {}
        self._sizes: dict[str, int] = {}
        """Of the files, in bytes."""
        self._there: set[str] = set()
        """Variables that were loaded, or failed to, in the Python that runs now."""
        self._too_much: set[str] = set()
        """Variables whose loading ended Python; they are not tried again."""
        self._alias = ""
        """The variable for which ``df`` was set."""
        self._leaving: list[str] = []

    def put(self, profile: FileProfile) -> None:
        """The tables of a file, in place of those that it had."""
        before = {table.variable: table for table in self._files.get(profile.name, ())}
        self._files[profile.name] = profile.tables
        self._sizes[profile.name] = profile.size
        after = {table.variable: table for table in profile.tables}
        self._too_much -= {*before, *after}
        self._leave([name for name in before if name not in after])
        self._there -= {name for name, table in after.items() if name not in before or before[name] != table}

    def remove(self, name: str) -> None:
        """The file is gone, and its variables with the next cell."""
        self._sizes.pop(name, None)
        self._leave([table.variable for table in self._files.pop(name, ())])

    def forget_loaded(self, but: str = "", ended_by: str = "") -> None:
        """Python is a new one and knows no variable ``but`` one; loading ``ended_by`` ended the one before."""
        self._too_much |= {ended_by} - {""}
        self._there &= {but}
        self._leaving.clear()
        self._alias = ""

    def variables_beside(self, name: str) -> list[str]:
        """The variables of all other files, which a table of this one cannot have."""
        return [table.variable for file, tables in self._files.items() if file != name for table in tables]

    def before(self, code: str) -> Iterator[Load]:
        """The cells to run before this code; each counts as run when the next one is asked for."""
        tables = {table.variable: table for file in self._files.values() for table in file}
        only = next(iter(tables)) if len(tables) == 1 else ""
        if self._alias and (self._alias != only or self._alias not in self._there):
            yield Load(_DROP_ALIAS.format(variable=self._alias))
            self._alias = ""
        while self._leaving:
            yield Load(f'globals().pop("{self._leaving[0]}", None)\nNone')
            del self._leaving[:1]
        named = _named_in(code, tables, only)
        while variable := next((name for name in named if name not in self._there | self._too_much), ""):
            self._there.add(variable)
            yield Load(f"import pandas as pd\n{tables[variable].recipe}", variable, self._size_of(variable))
        if only in named and only in self._there and self._alias != only:
            self._alias = only
            yield Load(_SET_ALIAS.format(variable=only))

    def _size_of(self, variable: str) -> int:
        return next(
            self._sizes[name] for name, file in self._files.items() if variable in {each.variable for each in file}
        )

    def _leave(self, variables: list[str]) -> None:
        self._leaving += [variable for variable in variables if variable in self._there]
        self._there -= set(variables)


def _named_in(code: str, variables: Iterable[str], only: str) -> list[str]:
    words = set(_WORD.findall(unicodedata.normalize("NFKC", code)))
    if words & _SEES_ALL:
        return list(variables)
    return [name for name in variables if name in words or (name == only and ALIAS in words)]
