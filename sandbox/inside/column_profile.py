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
_OBJECT_KINDS = {
    "integer": "integer",
    "boolean": "boolean",
    "date": "date",
    "datetime": "date",
    "floating": "number",
    "decimal": "number",
    "mixed-integer-float": "number",
}


def describe(table: pd.DataFrame, rows: int) -> tuple[list[dict[str, Cell]], list[list[Cell]]]:
    """One plain dict a column, and the first rows, each cell fit for JSON and for a page."""
    columns = [_describe(str(name), column, rows) for name, column in table.items()]
    heads = [head for _, head in columns]
    return [description for description, _ in columns], [list(row) for row in zip(*heads, strict=True)]


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


def _describe(name: str, column: "pd.Series[Any]", rows: int) -> tuple[dict[str, Cell], list[Cell]]:
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


def _describe_numbers(name: str, values: "np.ndarray[Any, Any]", rows: int) -> tuple[dict[str, Cell], list[Cell]]:
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
    return _description(name, kind, missing, len(pd.unique(known)), limits), head


def _description(
    name: str, kind: str, missing: int, distinct: int, limits: tuple[Cell, Cell] = (None, None)
) -> dict[str, Cell]:
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


def _distinct(known: "pd.Series[Any]") -> int:
    try:
        return int(known.nunique())
    except TypeError:
        return int(known.astype("str").nunique())
