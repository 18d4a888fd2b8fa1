"""Settles which columns a text table has, where rows and column names do not match, and how pandas is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sandbox.inside.reading.cell_kinds import is_typed
from sandbox.inside.reading.notes import Note, listed, note, quoted
from sandbox.inside.reading.recipe import Recipe
from sandbox.inside.reading.remarks import LOOKED_AT, below_the_data
from sandbox.inside.reading.table_header import Header
from sandbox.inside.reading.totals import adds_up, label_of_total
from sandbox.inside.reading.whole_text import WholeText

_FEWEST_IN_GROUPS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedColumns:
    """The columns to keep: their names, and where their cells are in the text."""

    names: tuple[str, ...]
    positions: tuple[int, ...]
    notes: list[Note]


def place_columns(recipe: Recipe, header: Header, text: WholeText) -> PlacedColumns:
    """Pads ``text`` where a named column has no cells at all, and tells the recipe where the columns are."""
    names = list(header.names)
    if more := max(len(names) - len(text.columns), 0):
        text.columns += [pa.array([""] * text.rows, type=pa.string())] * more
    below_notes = _leave_out_below(text) + _leave_out_total(text) + _leave_out_below(text)
    notes = _row_notes(text) + below_notes
    columns = text.columns
    further = [place for place in range(len(names), len(columns)) if not _is_blank(columns[place])]
    if further == [len(names)] and header.row is not None and _in_every_row(columns[-1]):
        names = ["row", *names]
        notes.append(note("The first column has no name and is called {column}.", column="row"))
    elif further:
        added = [f"extra_{number + 1}" for number in range(further[-1] + 1 - len(names))]
        names += added
        notes.append(
            note(
                "Line {line} has more cells than there are column names; such cells are in {columns} (rows: {rows}).",
                line=text.first_long_line,
                columns=listed(added),
                rows=text.long_rows,
            )
        )
    kept = [place for place, name in enumerate(names) if not (_is_nameless(name) and _is_blank(columns[place]))]
    _tell(recipe, header, names, kept, len(columns))
    if len(kept) < len(columns):
        notes.append(note("Columns without name and values are left out: {count}.", count=len(columns) - len(kept)))
    if text.footer or text.left_out or not text.whole:
        recipe.arguments["nrows"] = text.rows
    return PlacedColumns(names=tuple(names[place] for place in kept), positions=tuple(kept), notes=notes)


def _tell(recipe: Recipe, header: Header, names: list[str], kept: list[int], columns: int) -> None:
    if len(names) > len(header.names) or not header.plain:
        name_columns(recipe, header, [names[place] for place in kept])
    elif header.units:
        recipe.arguments["skiprows"] = [row for row in range(header.data) if row != header.row]
    elif header.row:
        recipe.arguments["skiprows"] = header.row
    if len(kept) < columns:
        recipe.arguments["usecols"] = kept if kept != list(range(len(kept))) else range(len(kept))


def name_columns(recipe: Recipe, header: Header, names: Sequence[str]) -> None:
    """Gives the names in the call, in place of the header of the file."""
    recipe.arguments |= {"header": None, "names": list(names)}
    if header.data:
        recipe.arguments["skiprows"] = header.data


def _is_blank(cells: Any) -> bool:
    return not pc.any(pc.not_equal(cells, "")).as_py()


def _in_every_row(cells: Any) -> bool:
    return bool(pc.all(pc.not_equal(cells, "")).as_py()) and len(cells) > 1


def _is_nameless(name: str) -> bool:
    return name.startswith("Unnamed: ")


def _leave_out_total(text: WholeText) -> list[Note]:
    """A last row that is called a total and is one would count everything twice."""
    label = label_of_total([column[-1].as_py() for column in text.columns]) if text.rows > 2 else ""
    if not label:
        return []
    if not adds_up([column.to_pylist() for column in text.columns]):
        return [note("The last row, {label}, looks like a total; leave it out of sums.", label=quoted(label))]
    _cut(text, 1)
    return [note("Left out: the last row, {label}, which adds up the rows above it.", label=quoted(label))]


def _leave_out_below(text: WholeText) -> list[Note]:
    """Remarks and blank rows at the end, which spreadsheets fill up with blank cells."""
    if not text.whole or len(text.columns) < 2 or not text.rows:
        return []
    first = max(text.rows - LOOKED_AT, 0)
    rows = list(zip(*(column[first:].to_pylist() for column in text.columns), strict=True))
    below = below_the_data(rows, frozenset(row - first for row in text.gaps))
    if not below.rows or below.rows == text.rows:
        return []
    _cut(text, below.rows)
    text.short_rows = max(text.short_rows - len(below.remarks), 0)
    text.footer = [*below.remarks, *text.footer]
    return [note("Blank rows below the table are left out.")] if not below.remarks else []


def _cut(text: WholeText, rows: int) -> None:
    text.rows -= rows
    text.left_out += rows
    text.columns = [column.slice(0, text.rows) for column in text.columns]


def _row_notes(text: WholeText) -> list[Note]:
    notes = []
    if not text.rows:
        notes.append(note("The table has column names but no rows."))
    if text.short_rows:
        notes.append(
            note(
                "Line {line} has fewer cells than there are column names; the missing ones are blank (rows: {rows}).",
                line=text.first_short_line,
                rows=text.short_rows,
            )
        )
    if text.footer:
        notes.append(note("Left out below the table: {rows}.", rows=listed(text.footer)))
    if text.blank_lines and len(text.columns) == 1:
        notes.append(note("Blank lines are left out: {count}.", count=text.blank_lines))
    if not text.whole:
        notes.append(
            note(
                "The file is too long to be looked at as a whole; only its first {rows} rows are read. "
                "For all of them use polars or duckdb on the file itself.",
                rows=text.rows,
            )
        )
    return notes


def group_notes(names: Sequence[str], columns: Sequence[Any]) -> list[Note]:
    """Says that a first column names each group of rows only once, where it looks so."""
    if len(names) < 2 or len(columns) < 2 or len(columns[0]) < _FEWEST_IN_GROUPS:
        return []
    labels = pc.filter(columns[0], pc.not_equal(columns[0], ""))
    once = 1 < len(labels) <= len(columns[0]) * 0.6 and len(labels) == len(pc.unique(labels))
    if not once or not columns[0][0].as_py() or not _in_every_row(columns[1]) or is_typed(labels[0].as_py()):
        return []
    return [
        note(
            "Column {column} seems to name each group in its first row only; fill it down before grouping by it.",
            column=quoted(names[0]),
        )
    ]


def header_notes(header: Header) -> list[Note]:
    """What stands around the column names and is left out."""
    notes = []
    if header.titles:
        notes.append(note("Left out above the column names: {rows}.", rows=listed(list(header.titles))))
    if header.units:
        notes.append(note("Left out below the column names: {rows}.", rows=listed(list(header.units))))
    if header.row is None:
        notes.append(note("The first row holds data, so the columns are numbered."))
    return notes


def name_notes(names: tuple[str, ...]) -> list[Note]:
    """What a person writing code has to know of the column names."""
    notes = []
    odd = [name for name in names if name != name.strip() or not name.isprintable()]
    if odd:
        notes.append(note("Column names with blanks or signs that do not show: {columns}.", columns=listed(odd, 10)))
    nameless = [name for name in names if name.startswith("Unnamed: ")]
    if nameless:
        notes.append(note("Columns without a name are called {columns}.", columns=listed(nameless, 10)))
    taken = set(names)
    repeated = [name for name in names if name.rpartition(".")[2].isdecimal() and name.rpartition(".")[0] in taken]
    if repeated:
        notes.append(note("Repeated column names got a number: {columns}.", columns=listed(repeated, 10)))
    return notes
