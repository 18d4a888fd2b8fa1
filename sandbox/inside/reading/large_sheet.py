"""Plans how a sheet too large for memory is read: once in pieces, and kept in columns for as long as the sandbox lives.

Excel types its cells, so none is judged here; merged cells, totals and formulas are not looked for.
"""

import datetime as dt
import inspect
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import numpy as np
import pandas as pd

from sandbox.inside.reading import sheet_pieces
from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.formulas import part_of
from sandbox.inside.reading.notes import NO_DATA, Unreadable, note, quoted
from sandbox.inside.reading.recipe import ReadingPlan, literal, run
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.table_header import Header, find_header, unique_names
from sandbox.inside.reading.table_layout import header_notes, name_notes

_LARGE_BYTES = 150_000_000
"""A sheet whose XML has more is read in pieces; its cells would take many times that."""
_PIECE_BYTES = 32_000_000
_MOST_SHARED_BYTES = 300_000_000
_HEADER_ROWS = 300
_EXACT = 2**53
_KEPT = "/tmp"  # noqa: S108 - of the sandbox, which is one person's
_MODULES = """\
import datetime as dt
import io, os, zipfile
from collections.abc import Iterable, Iterator
from typing import Any
from python_calamine import load_workbook"""
_QUOTED = (
    sheet_pieces.workbook_pieces,
    sheet_pieces.sheet_rows,
    sheet_pieces.cell_text,
    sheet_pieces.typed_cells,
    sheet_pieces.read_sheet,
)


def large_part(source: Source, sheet: str) -> str:
    """Where in the workbook the sheet lies, if it is a large one of an xlsx file; empty otherwise."""
    if not zipfile.is_zipfile(source.path):
        return ""
    try:
        with zipfile.ZipFile(source.path) as book:
            part = part_of(book, sheet)
            return part if part and book.getinfo(part).file_size > _LARGE_BYTES else ""
    except KeyError:
        return ""


@dataclass(frozen=True, slots=True)
class LargeSheet:
    """A sheet by its name and by its place in the file."""

    source: Source
    name: str
    part: str

    def plan(self, variable: str, choices: Choices) -> ReadingPlan | None:
        """None when nothing is in it; raises ``Unreadable`` when it cannot be cut into pieces."""
        self._check()
        first = next(self._pieces(), None)
        if first is None:
            return None
        header = self._header(first, choices)
        kinds = self._kinds(header, [first])
        try:
            recipe, table = self._read(variable, header.data, kinds)
        except (ValueError, TypeError):
            # What comes later in the sheet is not what its beginning promised.
            recipe, table = self._read(variable, header.data, self._kinds(header, self._pieces()))
        if whole := {name: "int64" for name in table if _is_whole(table[name])}:
            recipe += f"\n{variable} = {variable}.astype({literal(whole)})"
            table = table.astype(whole)
        return ReadingPlan(
            variable=variable,
            recipe=recipe,
            notes=[
                note("Sheet {sheet} of the workbook.", sheet=quoted(self.name)),
                note(
                    "The sheet is large: it is read in pieces, and its text stays text. Merged cells, totals and "
                    "formulas without results are not looked for."
                ),
                *header_notes(header),
                *name_notes(tuple(map(str, table.columns))),
            ],
            rows=len(table),
            frame=lambda: table,
        )

    def _check(self) -> None:
        with zipfile.ZipFile(self.source.path) as book, book.open(self.part) as sheet:
            shared = sum(item.file_size for item in book.infolist() if item.filename == "xl/sharedStrings.xml")
            if b"<sheetData>" in sheet.read(65_536) and shared <= _MOST_SHARED_BYTES and not self.source.original:
                return
        raise Unreadable(note("The sheet {sheet} is too large to be read. Save it as CSV.", sheet=quoted(self.name)))

    def _pieces(self) -> Iterator[pd.DataFrame]:
        return sheet_pieces.sheet_rows(
            sheet_pieces.workbook_pieces(self.source.path, self.part, _PIECE_BYTES), self.name
        )

    def _header(self, first: pd.DataFrame, choices: Choices) -> Header:
        top = first.iloc[:_HEADER_ROWS]
        top = top.reindex(index=range(int(top.index[-1]) + 1), columns=range(int(top.columns[-1]) + 1))
        text = top.apply(sheet_pieces.typed_cells, kind="str").fillna("")
        header = find_header(text.to_numpy().tolist(), choices.header_row)
        if header.data > first.index[-1]:
            raise Unreadable(NO_DATA)
        return header

    def _kinds(self, header: Header, pieces: Iterable[pd.DataFrame]) -> dict[str, str]:
        """How each column is read, by all cells of the pieces."""
        types: dict[int, set[type]] = {place: set() for place in range(len(header.names))}
        for piece in pieces:
            for place, cells in piece.loc[header.data :].items():
                types.setdefault(int(str(place)), set()).update(map(type, cells.dropna()))
        width = max(types) + 1
        names = unique_names([*header.names, *(f"extra_{place + 1}" for place in range(width - len(header.names)))])
        return {name: _kind(types.get(place, set())) for place, name in enumerate(names)}

    def _read(self, variable: str, first_row: int, kinds: dict[str, str]) -> tuple[str, pd.DataFrame]:
        """The recipe and what it reads; without a copy in columns where there is no room for it."""
        with zipfile.ZipFile(self.source.path) as book:
            content = book.getinfo(self.part).CRC
        kept = Path(_KEPT, f"{variable}_{content:08x}_{_digest(first_row, kinds)}.parquet")
        # Whoever ran code here could have written it.
        kept.unlink(missing_ok=True)
        pieces = f"workbook_pieces({literal(self.source.path)}, {literal(self.part)}, {_PIECE_BYTES})"
        call = f"read_sheet(\n    {pieces},\n    {literal(self.name)},\n    {first_row},\n    {literal(kinds)},\n)"
        head = "\n\n".join([_MODULES, *(inspect.getsource(each).rstrip() for each in _QUOTED)])
        keeping = (
            f"{head}\n\n# Kept in columns, because reading the sheet takes long.\n"
            f"{variable}_kept = {literal(str(kept))}\n"
            f"if not os.path.exists({variable}_kept):\n"
            f'{indent(call, "    ")}.to_parquet({variable}_kept + ".part")\n'
            f'    os.replace({variable}_kept + ".part", {variable}_kept)\n'
            f"{variable} = pd.read_parquet({variable}_kept)"
        )
        try:
            return keeping, run(keeping, variable)
        except OSError:
            Path(f"{kept}.part").unlink(missing_ok=True)
        plain = f"{head}\n\n{variable} = {call}"
        return plain, run(plain, variable)


def _digest(first_row: int, kinds: dict[str, str]) -> str:
    return f"{zlib.crc32(repr((first_row, kinds)).encode()):08x}"


def _kind(types: set[type]) -> str:
    if not types:
        return "object"
    if types <= {int, float}:
        return "float64"
    if types <= {dt.date, dt.datetime}:
        return "datetime64[us]"
    return "boolean" if types == {bool} else "str"


def _is_whole(column: "pd.Series[float]") -> bool:
    """Whether all of its numbers are whole, exact and there."""
    if column.dtype != "float64" or not len(column):
        return False
    values = column.to_numpy()
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all() and np.abs(values).max() < _EXACT)
