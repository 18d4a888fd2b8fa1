"""Plans how a text too large for memory is read: duckdb goes through the whole file whenever it is asked.

What the columns are is judged by pieces from all over the file, and then counted in every row of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from sandbox.inside.reading.column_profile import describe
from sandbox.inside.reading.dialect import Dialect
from sandbox.inside.reading.notes import Note, note
from sandbox.inside.reading.plain_cells import plain_cell
from sandbox.inside.reading.recipe import Described, ReadingPlan, literal
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.sql_columns import (
    Count,
    SqlColumn,
    count_all,
    sql_column,
    sql_name,
    sql_text,
    stranger_notes,
    zone_notes,
)
from sandbox.inside.reading.type_arguments import Decided

MOST_COLUMNS = 500
_PIECES = 24
_PIECE_BYTES = 1_000_000
_HEAD_ROWS = 20
_FEW = 1000
"""If the sample has no more different values, the file hardly has more."""
_MEMORY = "700MB"
_NO_BAR = 'duckdb.sql("SET enable_progress_bar = false")'
_KINDS = {"BIGINT": "integer", "DOUBLE": "number", "TIMESTAMP": "date", "BOOLEAN": "boolean", "VARCHAR": "text"}


def sample_of(source: Source, *, spread: bool) -> bytes:
    """Whole lines of the file: its beginning, or pieces from all over it."""
    if not spread:
        content = source.head(_PIECES * _PIECE_BYTES)
        end = content.rfind(b"\n") + 1
        # A line break between quotation marks ends no row.
        while end and content.count(b'"', 0, end) % 2:
            end = content.rfind(b"\n", 0, end - 1) + 1
        return content[:end]
    found = []
    with source.open() as file:
        size = file.seek(0, 2)
        for piece in range(_PIECES):
            file.seek((size - _PIECE_BYTES) // (_PIECES - 1) * piece)
            content = file.read(_PIECE_BYTES)
            begin = content.find(b"\n") + 1 if piece else 0
            found.append(content[begin : content.rfind(b"\n") + 1])
    return b"".join(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeText:
    """A file, its sample, and what the sample shows of both."""

    source: Source
    sample: str
    """The path of the sample, which begins as the file does."""
    is_spread: bool
    """Whether the sample is from all over the file, not its beginning."""
    dialect: Dialect
    skipped_lines: int
    names: tuple[str, ...]
    """Of all columns in the file."""
    columns: list[Decided]
    """Those that are wanted."""
    notes: list[Note]

    def plan(self, variable: str) -> ReadingPlan | None:
        """None when duckdb does not read the file to its end."""
        columns = [sql_column(column) for column in self.columns]
        try:
            with duckdb.connect(config={"memory_limit": _MEMORY}) as database:
                rows, counts = count_all(database, self._reader(self.source.path, {}), columns)
                kept = [column.checked(count) for column, count in zip(columns, counts, strict=True)]
                query = self._query(self.source.path, kept)
                sample = database.sql(self._query(self.sample, kept)).df()
        except duckdb.Error:
            return None
        notes = [
            note(
                "The table is too large for memory. {variable} is a duckdb relation that goes through the file each "
                'time: ask it with duckdb.sql("SELECT … FROM {variable} …").df(), and never load all of it.',
                variable=variable,
            ),
            *self.notes,
            *zone_notes(self.columns),
            *stranger_notes(columns, counts),
            self._counted_note(len(sample)),
        ]
        return ReadingPlan(
            variable=variable,
            recipe=f"import duckdb\n{_NO_BAR}\n{variable} = duckdb.sql({_python_text(query)})",
            notes=notes,
            rows=rows,
            described=_described(sample, rows, list(zip(kept, counts, strict=True))),
        )

    def _counted_note(self, rows: int) -> Note:
        if self.is_spread:
            return note(
                "Rows, missing values and ranges are counted in the whole file; all other figures are those of {rows} "
                "rows from all over it.",
                rows=rows,
            )
        return note(
            "Rows, missing values and ranges are counted in the whole file; all other figures are those of its first "
            "{rows} rows.",
            rows=rows,
        )

    def _query(self, path: str, columns: list[SqlColumn]) -> str:
        rewritten = [f"{column.read} AS {sql_name(column.name)}" for column in columns if column.is_rewritten]
        wanted = "*"
        if len(columns) < len(self.names):
            wanted = ", ".join(f"{column.read} AS {sql_name(column.name)}" for column in columns)
        elif rewritten:
            wanted = f"* REPLACE ({', '.join(rewritten)})"
        types = {column.name: column.type for column in columns if not column.is_rewritten}
        return f"SELECT {wanted}\nFROM {self._reader(path, types)}"

    def _reader(self, path: str, types: Mapping[str, str]) -> str:
        dialect = self.dialect
        quote, escape = ('"', dialect.escape or '"') if dialect.quotes else ("", "")
        columns = ", ".join(f"{sql_text(name)}: '{types.get(name, 'VARCHAR')}'" for name in self.names)
        packed = ", compression = 'gzip'" if self.source.gzipped and path == self.source.path else ""
        return (
            f"read_csv({sql_text(path)}, delim = {sql_text(dialect.delimiter)}, quote = {sql_text(quote)}, "
            f"escape = {sql_text(escape)},\n"
            f"    header = false, skip = {self.skipped_lines}, auto_detect = false{packed},\n"
            f"    columns = {{{columns}}})"
        )


def _python_text(query: str) -> str:
    """SQL as Python, in lines where nothing in it speaks against that."""
    if not query.replace("\n", "").isprintable() or '"""' in query:
        return literal(query)
    raw = "r" if "\\" in query else ""
    return f'{raw}"""\n{query}\n"""'


def _described(sample: Any, rows: int, columns: list[tuple[SqlColumn, Count]]) -> Described:
    descriptions, head = describe(sample, _HEAD_ROWS)
    for description, (column, count) in zip(descriptions, columns, strict=True):
        days = len(str(description["minimum"])) == len("2024-01-31")
        description["missing"] = rows - count.known
        description["type"] = _KINDS[column.type] if count.known else "empty"
        if column.type not in ("VARCHAR", "BOOLEAN"):
            limits = [plain_cell(limit) for limit in (count.least, count.most)]
            if column.type == "TIMESTAMP" and days:
                limits = [limit and str(limit)[:10] for limit in limits]
            description["minimum"], description["maximum"] = limits
        if not isinstance(description["distinct"], int) or description["distinct"] > _FEW:
            description |= {"distinct": None, "top": []}
    return Described(descriptions, head)
