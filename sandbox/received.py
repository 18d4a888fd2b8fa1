"""Checks what the sandbox hands back and makes values of it; whatever is not as it should be is left out."""

import json
import math
import os
from collections.abc import Mapping
from typing import Any

from sandbox.file_names import safe_name
from sandbox.inside.png import is_png
from sandbox.inside.profile_limits import MOST_MARKS
from sandbox.limits import Limits
from sandbox.sandbox import (
    Cell,
    ColumnProfile,
    FileProfile,
    OutputFigure,
    OutputFile,
    OutputTable,
    TableProfile,
)
from wording import Sentence

MAX_COLUMNS = 1100
MAX_PROFILE_COLUMNS = 20_000
MAX_TABLES_OF_A_FILE = 1000
MAX_QUANTILES = 1000
MAX_TOP = 100
NAME_CHARS = 10_001
MAX_COUNT = 10**15
_CORES = os.cpu_count() or 1
SECONDS_OF_GRACE = 1
"""The clocks of the sandbox and of the host do not start and stop together."""
_LARGEST_EXACT = 2**53


class Malformed(ValueError):
    """Something from the sandbox is not what it claims to be."""


def read_json(content: bytes) -> Any:
    """JSON without the numbers that JSON does not have. Raises ``Malformed``."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Malformed("no JSON") from error


def _no_constant(name: str) -> None:
    raise Malformed(name)


def text_of(value: object, most: int) -> str:
    """A text that every encoder takes, without NUL. Raises ``Malformed`` when it is none or is too long."""
    if not isinstance(value, str) or len(value) > most:
        raise Malformed("no text, or too much of it")
    if value.isascii() and "\0" not in value:
        return value
    return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def count_of(value: object, most: int = MAX_COUNT) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise Malformed("no count")
    return value


def list_of(value: object, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise Malformed("no list, or too long a one")
    return value


def dict_of(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed("no object")
    return value


def cell_of(value: object) -> Cell:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text_of(value, NAME_CHARS)
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST_EXACT else str(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise Malformed("no cell")


def sentence_of(value: object) -> Sentence:
    """A template and its values; what it says is the sandbox's own claim."""
    sentence = dict_of(value)
    values = dict_of(sentence.get("values", {}))
    if len(values) > 20:
        raise Malformed("too many values")
    return Sentence(
        text_of(sentence.get("template"), 1000),
        {text_of(name, 50): each if isinstance(each, int) else text_of(each, 2000) for name, each in values.items()},
    )


def table_of(content: bytes, limits: Limits) -> OutputTable:
    """A table that code showed; its columns get different names, so that every reader can tell them apart."""
    table = dict_of(read_json(content))
    columns = [text_of(name, NAME_CHARS) for name in list_of(table.get("columns"), MAX_COLUMNS)]
    rows = tuple(_row(row, len(columns)) for row in list_of(table.get("rows"), limits.table_rows))
    return OutputTable(
        columns=distinct(columns),
        rows=rows,
        row_count=max(len(rows), count_of(table.get("row_count"))),
        index_columns=count_of(table.get("index_columns"), len(columns)),
    )


def _row(row: object, width: int) -> tuple[Cell, ...]:
    cells = tuple(map(cell_of, list_of(row, width)))
    if len(cells) != width:
        raise Malformed("a row of another width")
    return cells


def distinct(names: list[str]) -> tuple[str, ...]:
    """The names with a number behind every repeated one: a, a (2)."""
    taken: set[str] = set()
    result = []
    for name in names:
        number, candidate = 1, name
        while candidate in taken:
            number += 1
            candidate = f"{name} ({number})"
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)


def figure_of(content: bytes, name: object, limits: Limits) -> OutputFigure:
    """A plotly figure; only its outer form is checked, as it is drawn in the browser and nowhere else."""
    if len(content) > limits.chart_bytes:
        raise Malformed("a figure that is too large")
    figure = dict_of(read_json(content))
    list_of(figure.get("data"), 100_000)
    dict_of(figure.get("layout", {}))
    return OutputFigure(name=safe_name(text_of(name, 200)), json=json.dumps(figure))


def file_of(content: bytes, header: Mapping[str, Any], limits: Limits, taken: set[str]) -> OutputFile:
    """A file; it is a chart only when it is a picture that is safe to show."""
    if len(content) > limits.file_bytes:
        raise Malformed("a file that is too large")
    name = safe_name(text_of(header.get("name"), 5000), taken)
    is_chart = (
        header.get("kind") == "chart"
        and len(content) <= limits.chart_bytes
        and is_png(content[:64], limits.chart_pixels)
    )
    return OutputFile(name=name, kind="chart" if is_chart else "file", content=content)


def usage_of(header: Mapping[str, Any], limits: Limits, seconds: float) -> tuple[float | None, int | None]:
    """Processor seconds and peak bytes of a cell of so many seconds; a figure that cannot be is left out."""
    cpu, peak = header.get("cpu_s"), header.get("peak_bytes")
    most_cpu = (seconds + SECONDS_OF_GRACE) * max(limits.cpus, _CORES)
    # Pages of libraries are shared with other sandboxes, so a little above the limit is possible.
    most_peak = limits.memory_mb << 21
    return (
        cpu if type(cpu) is float and 0 <= cpu <= most_cpu else None,
        peak if type(peak) is int and 0 < peak <= most_peak else None,
    )


def profile_of(content: bytes, name: str) -> FileProfile:
    """What an uploaded file holds. Raises ``Malformed``."""
    profile = dict_of(read_json(content))
    problem = profile.get("problem")
    return FileProfile(
        name=name,
        size=count_of(profile.get("size")),
        tables=tuple(_table_profile(dict_of(each)) for each in list_of(profile.get("tables"), MAX_TABLES_OF_A_FILE)),
        problem=None if problem is None else sentence_of(problem),
    )


def _table_profile(table: dict[str, Any]) -> TableProfile:
    columns = tuple(_column_profile(dict_of(each)) for each in list_of(table.get("columns"), MAX_PROFILE_COLUMNS))
    return TableProfile(
        variable=text_of(table.get("variable"), 200),
        rows=count_of(table.get("rows")),
        columns=columns,
        recipe=text_of(table.get("recipe"), 1_000_000),
        notes=tuple(sentence_of(note) for note in list_of(table.get("notes", []), 1000)),
        sample=tuple(_row(row, len(columns)) for row in list_of(table.get("sample", []), 1000)),
        duplicates=None if table.get("duplicates") is None else count_of(table.get("duplicates")),
        is_in_memory=_flag_of(table.get("is_in_memory")),
        names_cells=_flag_of(table.get("names_cells")),
    )


def _flag_of(value: object) -> bool:
    if not isinstance(value, bool):
        raise Malformed("neither yes nor no")
    return value


def _number_of(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Malformed("no number")
    return float(value)


def _counted(pair: object) -> tuple[Cell, int]:
    value, count = _row(pair, 2)
    return value, count_of(count)


def _column_profile(column: dict[str, Any]) -> ColumnProfile:
    distinct_values = column.get("distinct")
    return ColumnProfile(
        name=text_of(column.get("name"), NAME_CHARS),
        type=text_of(column.get("type"), 50),
        missing=count_of(column.get("missing")),
        distinct=None if distinct_values is None else count_of(distinct_values),
        minimum=cell_of(column.get("minimum")),
        maximum=cell_of(column.get("maximum")),
        quantiles=tuple(map(_number_of, list_of(column.get("quantiles", []), MAX_QUANTILES))),
        top=tuple(map(_counted, list_of(column.get("top", []), MAX_TOP))),
        examples=tuple(map(cell_of, list_of(column.get("examples", []), MAX_TOP))),
        marks=tuple(map(count_of, list_of(column.get("marks", []), MOST_MARKS))),
    )
