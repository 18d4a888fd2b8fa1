"""Reads a sheet too large for memory piece by piece; recipes quote this text, so it uses nothing else of ours."""

import datetime as dt
import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
from python_calamine import load_workbook


def workbook_pieces(path: str, part: str, size: int) -> Iterator[io.BytesIO]:
    """Workbooks with some of the sheet's rows each, ``size`` bytes of them; all at once are too much for memory."""
    with zipfile.ZipFile(path) as book, book.open(part) as sheet:
        others = [name for name in book.namelist() if not name.startswith(("xl/worksheets/", "xl/media/", "xl/pivot"))]
        head, begin, rest = sheet.read(65_536).partition(b"<sheetData>")
        while more := sheet.read(size):
            rows, end, rest = (rest + more).rpartition(b"</row>")
            piece = io.BytesIO()
            with zipfile.ZipFile(piece, "w") as small:
                for name in others:
                    small.writestr(name, book.read(name))
                small.writestr(part, head + begin + rows + end + b"</sheetData></worksheet>")
            piece.seek(0)
            yield piece


def sheet_rows(pieces: Iterable[io.BytesIO], sheet: str) -> Iterator[Any]:
    """The cells of each piece, labelled by row and column from 0; blank cells are None."""
    for piece in pieces:
        found = load_workbook(piece).get_sheet_by_name(sheet)
        if found.start is not None:
            rows: Any = pd.DataFrame(found.to_python(), dtype="object").replace("", None)
            rows.index += found.start[0]
            rows.columns += found.start[1]
            yield rows.dropna(how="all")


def cell_text(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def typed_cells(cells: Any, kind: str) -> Any:
    """The cells as ``kind``; raises ``ValueError`` if one is of another."""
    types: dict[str, set[type]] = {"float64": {int, float}, "datetime64[us]": {dt.date, dt.datetime}, "boolean": {bool}}
    if kind == "str":
        return cells.map(cell_text, na_action="ignore").astype("str")
    if not set(map(type, cells.dropna())) <= types.get(kind, set()):
        raise ValueError(f"not all cells are {kind}")
    return cells.astype(kind)


def read_sheet(pieces: Iterable[io.BytesIO], sheet: str, first_row: int, kinds: dict[str, str]) -> pd.DataFrame:
    """Its rows from ``first_row`` on, with each column as ``kinds`` says; raises ``ValueError`` for any other cell."""
    tables = []
    for rows in sheet_rows(pieces, sheet):
        cells = rows.loc[first_row:].reindex(columns=rows.columns.union(range(len(kinds))))
        columns = zip(kinds.items(), cells.items(), strict=True)
        tables.append(pd.DataFrame({name: typed_cells(column, kind) for (name, kind), (_, column) in columns}))
    return pd.concat(tables, ignore_index=True)
