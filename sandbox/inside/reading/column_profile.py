"""Describes the columns of a table that was read: types in plain words, missing cells, distinct values, ranges."""

from typing import Any

import numpy as np
import pandas as pd

from sandbox.inside.reading.column_details import details_of
from sandbox.inside.reading.notes import Note, note, quoted
from sandbox.inside.reading.plain_cells import Cell, plain_cell

MOST_DETAILED = 200
"""Columns of a table that is described in detail."""
_MOST_COMPARED = 20_000_000
_STAND_INS = frozenset(sign * int("9" * digits) for digits in range(2, 8) for sign in (1, -1)) - {99}
_OBJECT_KINDS = {
    "integer": "integer",
    "boolean": "boolean",
    "date": "date",
    "datetime": "date",
    "floating": "number",
    "decimal": "number",
    "mixed-integer-float": "number",
}


def describe(table: pd.DataFrame, rows: int) -> tuple[list[dict[str, Any]], list[list[Cell]]]:
    """One plain dict a column, and the first rows, each cell fit for JSON and for a page."""
    columns, heads = [], []
    for name, column in table.items():
        description, head = _describe(str(name), column, rows)
        description |= {"quantiles": [], "top": [], "examples": [], "marks": []}
        if len(table.columns) <= MOST_DETAILED:
            description |= details_of(column, str(description["type"]), description["distinct"])
        columns.append(description)
        heads.append(head)
    return columns, [list(row) for row in zip(*heads, strict=True)]


def count_duplicates(table: pd.DataFrame) -> int | None:
    """Rows that repeat an earlier one; None when that would take too long or the cells cannot be compared."""
    if table.size > _MOST_COMPARED:
        return None
    try:
        return int(table.duplicated().sum())
    except TypeError:
        return None


def stand_in_notes(table: pd.DataFrame, columns: list[dict[str, Any]]) -> list[Note]:
    """Says that a number far from all others, such as -999, may stand for a missing one."""
    notes = []
    for place, column in enumerate(columns):
        for value in {column["minimum"], column["maximum"]} & _STAND_INS:
            numbers = table.iloc[:, place].dropna()
            others = numbers[~numbers.isin(_STAND_INS)]
            if len(others) and max(abs(others.min()), abs(others.max())) < abs(value) / 4:
                notes.append(
                    note(
                        "In column {column}, {value} is far from all other values; it may stand for missing "
                        "(cells: {cells}).",
                        column=quoted(column["name"]),
                        value=str(int(value)),
                        cells=int((numbers == value).sum()),
                    )
                )
    return notes


def _describe(name: str, column: "pd.Series[Any]", rows: int) -> tuple[dict[str, Any], list[Cell]]:
    """What a column holds, and its first cells."""
    clean = name.encode("utf-8", "replace").decode("utf-8")
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return _describe_numbers(clean, column.to_numpy(), rows)
    known = column.dropna()
    kind = _kind(column) if len(known) else "empty"
    least, most = _range(known) if kind in ("integer", "number", "date") else (None, None)
    head = [plain_cell(value) for value in column.iloc[:rows]]
    if pd.api.types.is_datetime64_dtype(column.dtype) and (known == known.dt.normalize()).all():
        least, most, *head = (cell and str(cell)[:10] for cell in (least, most, *head))
    return _description(clean, kind, len(column) - len(known), _distinct(known), (least, most)), head


def _describe_numbers(name: str, values: "np.ndarray[Any, Any]", rows: int) -> tuple[dict[str, Any], list[Cell]]:
    """Whole numbers with gaps are decimals for NumPy, but whole numbers for a person."""
    known = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    missing = len(values) - len(known)
    if not len(known):
        return _description(name, "empty", missing, 0), [None] * min(rows, len(values))
    with_gaps = missing and np.isfinite(known).all() and (known == np.floor(known)).all()
    kind = "integer" if with_gaps or values.dtype.kind != "f" else "number"
    convert = int if kind == "integer" else float
    head = [None if np.isnan(value) else plain_cell(convert(value)) for value in values[:rows]]
    limits = plain_cell(convert(known.min())), plain_cell(convert(known.max()))
    return _description(name, kind, missing, _different(known), limits), head


def _description(
    name: str, kind: str, missing: int, distinct: int, limits: tuple[Cell, Cell] = (None, None)
) -> dict[str, Any]:
    return {
        "name": name,
        "type": kind,
        "missing": missing,
        "distinct": distinct,
        "minimum": limits[0],
        "maximum": limits[1],
    }


def _kind(column: "pd.Series[Any]") -> str:
    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return "boolean"
    if pd.api.types.is_integer_dtype(dtype):
        return "integer"
    if pd.api.types.is_float_dtype(dtype):
        return "number"
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return "date"
    if pd.api.types.is_object_dtype(dtype):
        return _OBJECT_KINDS.get(pd.api.types.infer_dtype(column, skipna=True), "text")
    return "text"


def _range(known: "pd.Series[Any]") -> tuple[Cell, Cell]:
    try:
        return plain_cell(known.min()), plain_cell(known.max())
    except TypeError:
        return None, None


def _different(numbers: "np.ndarray[Any, Any]") -> int:
    """How many there are, of at least one; a sort takes a fraction of the time of a hash table."""
    ordered = np.sort(numbers)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def _distinct(known: "pd.Series[Any]") -> int:
    if len(known) and pd.api.types.is_datetime64_dtype(known.dtype):
        return _different(known.to_numpy().view("int64"))
    try:
        return int(known.nunique())
    except TypeError:
        return int(known.astype("str").nunique())
