"""Describes the columns of a table that was read: types in plain words, missing cells, distinct values, ranges."""

import datetime
import decimal
import json
import math
from typing import Any

import numpy as np
import pandas as pd

Cell = str | int | float | bool | None
_LONGEST = 80
_EXACT = 2**53


def describe_columns(table: pd.DataFrame) -> list[dict[str, Cell]]:
    """One plain dict a column, in order."""
    return [_describe(str(name), column) for name, column in table.items()]


def sample_cells(table: pd.DataFrame, rows: int) -> list[list[Cell]]:
    """The first rows, each cell fit for JSON and for a page."""
    columns = []
    for (_, values), (_, whole) in zip(table.iloc[:rows].items(), table.items(), strict=True):
        cells = [plain_cell(value) for value in values]
        dtype = whole.dtype
        if isinstance(dtype, np.dtype) and dtype.kind == "M" and _are_days(whole):
            cells = [str(cell)[:10] if cell else None for cell in cells]
        elif (
            isinstance(dtype, np.dtype) and dtype.kind == "f" and _kind(whole, len(whole) - whole.count()) == "integer"
        ):
            cells = [int(cell) if isinstance(cell, float) else cell for cell in cells]
        columns.append(cells)
    return [list(row) for row in zip(*columns, strict=True)]


def plain_cell(value: Any) -> Cell:
    """A value as text, number or boolean that JSON and JavaScript keep exactly; None when missing."""
    if isinstance(value, str):
        return _shortened(value)
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, decimal.Decimal):
        value = float(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else str(value)
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | dict | tuple):
        return _shortened(json.dumps(value, ensure_ascii=False, default=str))
    return _shortened(str(value))


def _shortened(text: str) -> str:
    """Long text cut, with its length; nothing that cannot be encoded."""
    clean = text.replace("\0", "")
    if len(clean) > _LONGEST:
        clean = f"{clean[:_LONGEST]}… ({len(clean)} characters)"
    return clean if clean.isascii() else clean.encode("utf-8", "replace").decode("utf-8")


def _describe(name: str, column: "pd.Series[Any]") -> dict[str, Cell]:
    missing = len(column) - int(column.count())
    kind = _kind(column, missing)
    least: Cell = None
    most: Cell = None
    if kind in ("integer", "number", "date"):
        known = column.dropna() if pd.api.types.is_object_dtype(column.dtype) else column
        least, most = _range(known, kind)
    return {
        "name": _clean(name),
        "type": kind,
        "missing": missing,
        "distinct": 0 if kind == "empty" else _distinct(column),
        "minimum": least,
        "maximum": most,
    }


def _clean(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


def _kind(column: "pd.Series[Any]", missing: int) -> str:
    if missing == len(column):
        return "empty"
    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return "boolean"
    if pd.api.types.is_integer_dtype(dtype):
        return "integer"
    if pd.api.types.is_float_dtype(dtype):
        return "integer" if missing and _are_whole(column) else "number"
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return "date"
    if pd.api.types.is_object_dtype(dtype):
        inferred = pd.api.types.infer_dtype(column, skipna=True)
        kinds = {"integer": "integer", "boolean": "boolean", "date": "date", "datetime": "date"}
        return kinds.get(inferred, "number" if inferred in ("floating", "decimal", "mixed-integer-float") else "text")
    return "text"


def _are_whole(column: "pd.Series[Any]") -> bool:
    known = column.dropna().to_numpy(dtype="float64")
    return bool(np.isfinite(known).all() and (known == np.floor(known)).all())


def _are_days(column: "pd.Series[Any]") -> bool:
    known = column.dropna()
    return bool((known == known.dt.normalize()).all())


def _range(column: "pd.Series[Any]", kind: str) -> tuple[Cell, Cell]:
    least, most = column.min(), column.max()
    if kind == "integer" and isinstance(least, float | np.floating):
        least, most = int(least), int(most)
    if kind == "date" and isinstance(least, pd.Timestamp) and _are_days(column):
        return least.date().isoformat(), most.date().isoformat()
    return plain_cell(least), plain_cell(most)


def _distinct(column: "pd.Series[Any]") -> int:
    try:
        return int(column.nunique())
    except TypeError:
        return int(column.astype("str").nunique())
