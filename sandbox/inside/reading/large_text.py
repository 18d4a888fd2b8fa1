"""Plans how a text too large for memory is read: duckdb goes through the whole file whenever it is asked.

What the columns are is judged by pieces from all over the file, and then counted in every row of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from sandbox.inside.reading.dialect import Dialect
from sandbox.inside.reading.notes import Note
from sandbox.inside.reading.recipe import ReadingPlan
from sandbox.inside.reading.relation import SPARING, counted_note, describe_large, relation_recipe, too_large_note
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.sql_columns import (
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


def sample_of(source: Source, *, spread: bool) -> bytes:
    """Whole lines of the file: its beginning, or pieces from all over it."""
    if not spread:
        return _whole_rows(source.head(_PIECES * _PIECE_BYTES))
    found = []
    with source.open() as file:
        size = file.seek(0, 2)
        for piece in range(_PIECES):
            file.seek((size - _PIECE_BYTES) // (_PIECES - 1) * piece)
            content = file.read(_PIECE_BYTES)
            begin = content.find(b"\n") + 1 if piece else 0
            found.append(content[begin : content.rfind(b"\n") + 1])
    return b"".join(found)


def _whole_rows(content: bytes) -> bytes:
    """Without the last row, of which there may be more; a line break between quotation marks ends no row."""
    end = place = 0
    while True:
        opens = content.find(b'"', place)
        end = max(end, content.rfind(b"\n", place, opens if opens >= 0 else len(content)) + 1)
        place = content.find(b'"', opens + 1) + 1
        if opens < 0 or not place:
            return content[:end]


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
            with duckdb.connect(config=SPARING) as database:
                rows, counts = count_all(database, self._reader(self.source.path, {}), columns)
                kept = [column.checked(count) for column, count in zip(columns, counts, strict=True)]
                query = self._query(self.source.path, kept)
                sample = database.sql(self._query(self.sample, kept)).df()
        except duckdb.Error:
            return None
        notes = [
            too_large_note(variable),
            *self.notes,
            *zone_notes(self.columns),
            *stranger_notes(columns, counts),
            counted_note(len(sample), is_spread=self.is_spread),
        ]
        return ReadingPlan(
            variable=variable,
            recipe=relation_recipe(variable, query),
            notes=notes,
            rows=rows,
            described=describe_large(sample, sample, rows, list(zip(kept, counts, strict=True))),
            names_cells=any(column.reading.missing or column.reading.respelled for column in self.columns),
        )

    def _query(self, path: str, columns: list[SqlColumn]) -> str:
        rewritten = [f"{column.read} AS {sql_name(column.name)}" for column in columns if not column.by_type]
        wanted = "*"
        if len(columns) < len(self.names):
            wanted = ", ".join(f"{column.read} AS {sql_name(column.name)}" for column in columns)
        elif rewritten:
            wanted = f"* REPLACE ({', '.join(rewritten)})"
        types = {column.name: column.type for column in columns if column.by_type}
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
