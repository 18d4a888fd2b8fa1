"""Reads any table of a file and says what it holds: the Python that reads it, its columns, notes and first rows.

Runs inside the sandbox. What is profiled is what the recipe, run as it stands, gives to anybody else.
"""

import csv
import gzip
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from python_calamine import CalamineError

from sandbox.inside.column_profile import describe
from sandbox.inside.file_kind import Kind, identify
from sandbox.inside.notes import DAMAGED, Note, Unreadable, listed, note, quoted
from sandbox.inside.recipe import ReadingPlan, run
from sandbox.inside.source import Source
from sandbox.inside.variable_names import variable_name

_PLANNERS = {
    "text": "delimited.plan_delimited",
    "json": "json_table.plan_json",
    "workbook": "excel.plan_workbook",
    "parquet": "columnar.plan_parquet",
    "feather": "columnar.plan_feather",
}
"""Imported when needed, because each brings libraries of its own."""
_FAILURES = (
    ValueError,
    OSError,
    KeyError,
    OverflowError,
    RecursionError,
    pa.ArrowException,
    CalamineError,
    csv.Error,
)
"""What pandas and the libraries below it raise for a file that is damaged or not what it seems."""


def profile_file(path: str, sample_rows: int = 5) -> dict[str, Any]:
    """What the file holds, as plain values in the form of ``FileProfile``; ``problem`` when it has no table.

    The path must exist. Never raises for what a file contains.
    """
    file = Path(path)
    tables: list[dict[str, Any]] = []
    problem: Note | None = None
    try:
        source, kind = identify(path)
        stem = Path(file.name.removesuffix(".gz")).stem
        tables = [_profile(plan, sample_rows) for plan in _plans(source, kind, variable_name(stem))]
    except Unreadable as unreadable:
        problem = unreadable.problem
    except MemoryError:
        problem = note("The file is too large for the memory of the sandbox. Upload a part of it.")
    except (EOFError, zlib.error, gzip.BadGzipFile):
        problem = DAMAGED
    except _FAILURES as failure:
        reason = (str(failure).strip() or type(failure).__name__).splitlines()[0]
        problem = note(
            "The file cannot be read ({reason}). Save it anew, for example as CSV, and upload that.",
            reason=quoted(reason, 120),
        )
    return {"name": file.name, "size": file.stat().st_size, "tables": tables, "problem": problem}


def _plans(source: Source, kind: Kind, variable: str) -> list[ReadingPlan]:
    module, _, function = _PLANNERS[kind].partition(".")
    plans: list[ReadingPlan] = getattr(import_module(f"sandbox.inside.{module}"), function)(source, variable)
    return plans


def _profile(plan: ReadingPlan, sample_rows: int) -> dict[str, Any]:
    recipe, notes = plan.recipe, list(plan.notes)
    try:
        table = run(recipe, plan.variable)
    except (ValueError, OverflowError, TypeError):
        if not plan.cautious_recipe:
            raise
        recipe = plan.cautious_recipe
        table = run(recipe, plan.variable)
        notes.append(note("The types of the columns are not clear; all of them are read as text."))
    if plan.rows not in (None, len(table)):
        notes.append(
            note(
                "The table is read with {rows} rows, but a second look counts {other}; check its quotation marks.",
                rows=len(table),
                other=int(plan.rows or 0),
            )
        )
    still_text = [name for name in plan.converted if name in table and pd.api.types.is_string_dtype(table[name].dtype)]
    if still_text and recipe == plan.recipe:
        notes.append(note("Columns that could not be converted stay text: {columns}.", columns=listed(still_text)))
    columns, sample = describe(table, sample_rows)
    return {
        "variable": plan.variable,
        "rows": len(table),
        "columns": columns,
        "recipe": recipe,
        "notes": notes,
        "sample": sample,
    }
