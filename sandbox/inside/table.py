"""Reads any table of a file and says what it holds: the Python that reads it, its columns, notes and first rows.

Runs inside the sandbox. What is profiled is what the recipe, run as it stands, gives to anybody else.
"""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from python_calamine import CalamineError

from sandbox.inside.column_profile import describe_columns, sample_cells
from sandbox.inside.columnar import plan_feather, plan_parquet
from sandbox.inside.delimited import plan_delimited
from sandbox.inside.excel import plan_workbook
from sandbox.inside.file_kind import identify
from sandbox.inside.json_table import plan_json
from sandbox.inside.notes import Note, Unreadable, note, quoted
from sandbox.inside.recipe import ReadingPlan, run
from sandbox.inside.source import Source
from sandbox.inside.variable_names import variable_name

_PLANNERS: dict[str, Callable[[Source, str], list[ReadingPlan]]] = {
    "text": lambda source, variable: [plan_delimited(source, variable)],
    "json": plan_json,
    "workbook": plan_workbook,
    "parquet": plan_parquet,
    "feather": plan_feather,
}
_FAILURES = (
    ValueError,
    OSError,
    EOFError,
    KeyError,
    OverflowError,
    RecursionError,
    zlib.error,
    pa.ArrowException,
    CalamineError,
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
        tables = [_profile(plan, sample_rows) for plan in _PLANNERS[kind](source, variable_name(stem))]
    except Unreadable as unreadable:
        problem = unreadable.problem
    except MemoryError:
        problem = note("The file is too large for the memory of the sandbox. Upload a part of it.")
    except _FAILURES as failure:
        reason = (str(failure).strip() or type(failure).__name__).splitlines()[0]
        problem = note(
            "The file cannot be read ({reason}). Save it anew, for example as CSV, and upload that.",
            reason=quoted(reason, 120),
        )
    return {"name": file.name, "size": file.stat().st_size, "tables": tables, "problem": problem}


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
    return {
        "variable": plan.variable,
        "rows": len(table),
        "columns": describe_columns(table),
        "recipe": recipe,
        "notes": notes,
        "sample": sample_cells(table, sample_rows),
    }
