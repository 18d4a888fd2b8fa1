"""A table from outside as a data frame that Streamlit can always draw; what is mixed or odd becomes text."""

from collections.abc import Sequence

import pandas as pd

from sandbox.sandbox import Cell
from ui.printable import printable

_CELL_CHARACTERS = 2_000
_COLUMNS = 500


def table_frame(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> pd.DataFrame:
    """One column a name, each of one type; rows that are too short are filled up, what is too long is cut."""
    names = _unique_names(columns[:_COLUMNS])
    cells = ([row[number] if number < len(row) else None for row in rows] for number in range(len(names)))
    return pd.DataFrame({name: _column(column) for name, column in zip(names, cells, strict=True)})


def _unique_names(columns: Sequence[str]) -> list[str]:
    taken: set[str] = set()
    names = []
    for column in columns:
        plain = name = printable(column)[:_CELL_CHARACTERS]
        number = 1
        while name in taken:
            number += 1
            name = f"{plain} ({number})"
        taken.add(name)
        names.append(name)
    return names


def _column(cells: Sequence[Cell]) -> "pd.Series[bool] | pd.Series[int] | pd.Series[float] | pd.Series[str]":
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {bool}:
        return pd.Series(list(cells), dtype="boolean")
    if kinds == {int} and all(cell is None or -(2**63) <= cell < 2**63 for cell in cells):  # type: ignore[operator]
        return pd.Series(list(cells), dtype="Int64")
    if kinds in ({float}, {int, float}):
        return pd.Series([None if cell is None else float(cell) for cell in cells], dtype="float64")
    return pd.Series([None if cell is None else _text(cell) for cell in cells], dtype="object")


def _text(cell: Cell) -> str:
    text = printable(str(cell))
    return text if len(text) <= _CELL_CHARACTERS else text[:_CELL_CHARACTERS] + "…"
