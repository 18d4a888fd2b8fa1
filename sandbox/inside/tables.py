"""Makes a table that was shown into rows of plain JSON values, within limits; imports no library that code has not."""

import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

Cell = str | int | float | bool | None

MAX_COLUMNS = 1000
CELL_CHARS = 10_000
EXACT_INTEGER = 2**53
"""Larger whole numbers would lose digits on their way through JSON and a browser; they go as text."""
_FLOATS = (float, np.floating)
_BOOLEANS = (bool, np.bool_)
_INTEGERS = (int, np.integer)
_to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be read: ``columns_of(n)`` gives the cells of its first ``n`` rows, column by column."""

    columns: list[str]
    row_count: int
    columns_of: Callable[[int], list[list[Cell]]]
    index_columns: int = 0
    left_out: int = 0
    """Columns beyond what is shown."""


def table_of(shown: object) -> Table | None:
    """The table that an object is, None when it is none."""
    if isinstance(shown, pd.DataFrame | pd.Series):
        return _pandas_table(shown)
    if isinstance(styled := getattr(shown, "data", None), pd.DataFrame) and type(shown).__name__ == "Styler":
        return _pandas_table(styled)
    for name, read in (("polars", _polars_table), ("duckdb", _duckdb_table)):
        if name in sys.modules and type(shown).__module__.partition(".")[0].lstrip("_") == name:
            return read(sys.modules[name], shown)
    return None


def encode_table(table: Table, max_rows: int, max_bytes: int) -> tuple[bytes, int]:
    """The table as JSON and how many rows of it there are; as many as fit, none if not even one does."""
    columns = table.columns_of(max(1, min(max_rows, table.row_count, max_bytes // (2 * max(1, len(table.columns))))))
    rows: list[Any] = list(zip(*columns, strict=True))
    rest = {"columns": table.columns, "row_count": table.row_count, "index_columns": table.index_columns}
    while True:
        payload = _to_json({**rest, "rows": rows}).encode(errors="replace")
        if len(payload) <= max_bytes or not rows:
            return payload, len(rows)
        rows = rows[: int(len(rows) * 0.9 * max_bytes / len(payload))]


def _pandas_table(shown: "pd.DataFrame | pd.Series[Any]") -> Table:
    frame = shown.to_frame() if isinstance(shown, pd.Series) else shown
    if isinstance(shown, pd.Series) and shown.name is None:
        frame.columns = pd.Index(["value"])
    index = frame.index
    is_plain = isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1 and index.name is None
    labels = [] if is_plain else [_text(name) if name is not None else "" for name in index.names]
    shown_columns = frame.iloc[:, :MAX_COLUMNS]

    def columns_of(count: int) -> list[list[Cell]]:
        head = shown_columns.iloc[:count]
        levels = [head.index.get_level_values(level).to_series() for level in range(len(labels))]
        return [_pandas_cells(each) for each in (*levels, *(head.iloc[:, at] for at in range(head.shape[1])))]

    names = [_heading(name) for name in shown_columns.columns]
    return Table(labels + names, len(frame), columns_of, len(labels), frame.shape[1] - len(names))


def _heading(name: object) -> str:
    if isinstance(name, tuple):
        return " / ".join(part for part in map(_text, name) if part)
    return _text(name)


def _pandas_cells(column: "pd.Series[Any]") -> list[Cell]:
    kind, width = (column.dtype.kind, column.dtype.itemsize) if isinstance(column.dtype, np.dtype) else ("", 0)
    if kind == "M":
        # Whole columns, because only they show whether the time of day matters.
        return [text if isinstance(text, str) and text != "NaT" else None for text in column.astype(str)]
    if kind == "f" and width < 8:
        return [cell_of(float(str(value))) for value in column.to_numpy()]
    return [cell_of(value) for value in column.tolist()]


def _polars_table(polars: Any, shown: Any) -> Table | None:
    if isinstance(shown, polars.Series):
        shown = shown.to_frame()
    if not isinstance(shown, polars.DataFrame):
        return None
    part = shown.select(shown.columns[:MAX_COLUMNS])

    def columns_of(count: int) -> list[list[Cell]]:
        return [[cell_of(value) for value in column.to_list()] for column in part.head(count).get_columns()]

    return Table([_text(name) for name in part.columns], shown.height, columns_of, 0, shown.width - part.width)


def _duckdb_table(duckdb: Any, shown: Any) -> Table | None:
    if not isinstance(shown, duckdb.DuckDBPyRelation):
        return None
    names: Sequence[str] = shown.columns

    def columns_of(count: int) -> list[list[Cell]]:
        rows: Iterable[Sequence[object]] = shown.limit(count).fetchall()
        cells = [[cell_of(value) for value in row[:MAX_COLUMNS]] for row in rows]
        return [list(column) for column in zip(*cells, strict=True)] or [[] for _ in names[:MAX_COLUMNS]]

    shown_names = [_text(name) for name in names[:MAX_COLUMNS]]
    return Table(shown_names, int(shown.shape[0]), columns_of, 0, len(names) - len(shown_names))


def cell_of(value: object) -> Cell:
    """One value as JSON can carry it without loss: what is missing as null, what has no JSON form as text."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, _FLOATS):
        number = float(value)
        return number if math.isfinite(number) else None if math.isnan(number) else str(number)
    if isinstance(value, _BOOLEANS):
        return bool(value)
    if isinstance(value, _INTEGERS):
        return int(value) if abs(int(value)) <= EXACT_INTEGER else str(value)
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    return _text(value)


def _text(value: object) -> str:
    text = str(value).replace("\0", "")
    return text if len(text) <= CELL_CHARS else text[:CELL_CHARS] + "…"
