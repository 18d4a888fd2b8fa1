"""Reads any table of a file and says what it holds: the Python that reads it, its columns, notes and first rows.

Runs inside the sandbox. What is profiled is what the recipe, run as it stands, gives to anybody else.
"""

import gzip
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from sandbox.inside.reading.choices import Choices, choices_of
from sandbox.inside.reading.column_marks import add_marks
from sandbox.inside.reading.column_profile import MOST_DETAILED, count_duplicates, describe, stand_in_notes
from sandbox.inside.reading.file_kind import Kind, identify
from sandbox.inside.reading.notes import DAMAGED, Note, Unreadable, listed, note, quoted
from sandbox.inside.reading.planners import FAILURES, plan_tables
from sandbox.inside.reading.recipe import ReadingPlan, run
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.variable_names import unique, variable_name


def profile_file(
    path: str, sample_rows: int = 5, choices: Mapping[str, Any] | None = None, taken: Iterable[str] = ()
) -> dict[str, Any]:
    """What the file holds, as plain values in the form of ``FileProfile``; ``problem`` when it has no table.

    The path must exist. No table is called by a name in ``taken``. Never raises for what a file contains.
    """
    file = Path(path)
    tables: list[dict[str, Any]] = []
    problem: Note | None = None
    try:
        source, kind = identify(path)
        plans = _plans(source, kind, choices_of(choices), set(taken))
        tables = [_profile(plan, sample_rows) for plan in plans]
    except Unreadable as unreadable:
        problem = unreadable.problem
    except MemoryError:
        problem = note("The file is too large for the memory of the sandbox. Upload a part of it.")
    except (EOFError, zlib.error, gzip.BadGzipFile):
        problem = DAMAGED
    except FAILURES as failure:
        reason = (str(failure).strip() or type(failure).__name__).splitlines()[0]
        problem = note(
            "The file cannot be read ({reason}). Save it anew, for example as CSV, and upload that.",
            reason=quoted(reason, 120),
        )
    return {"name": file.name, "size": file.stat().st_size, "tables": tables, "problem": problem}


def _plans(source: Source, kind: Kind, choices: Choices, taken: set[str]) -> list[ReadingPlan]:
    """The plans under names that begin with that of the file; it gets a number if one of them is taken."""
    stem = variable_name(Path(source.name.removesuffix(".gz")).stem)
    while True:
        name = unique(stem, taken)
        plans = plan_tables(source, kind, name, choices)
        if not any(plan.variable in taken for plan in plans):
            return plans
        taken = taken | {name}


def _profile(plan: ReadingPlan, sample_rows: int) -> dict[str, Any]:
    recipe, notes = plan.recipe, list(plan.notes)
    if plan.described:
        return {
            "variable": plan.variable,
            "rows": plan.rows,
            "columns": plan.described.columns,
            "recipe": recipe,
            "notes": notes,
            "sample": plan.described.head[:sample_rows],
            "duplicates": None,
        }
    try:
        table = plan.frame()
        if table is None:
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
    notes += stand_in_notes(table, columns)
    if len(columns) <= MOST_DETAILED:
        add_marks(table, columns)
    has_key = any(column["distinct"] == len(table) for column in columns)
    duplicates = 0 if has_key else count_duplicates(table)
    return {
        "variable": plan.variable,
        "rows": len(table),
        "columns": columns,
        "recipe": recipe,
        "notes": notes,
        "sample": sample,
        "duplicates": duplicates,
    }
