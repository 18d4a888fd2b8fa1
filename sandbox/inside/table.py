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
    if plan.described:
        rows, columns, sample = plan.rows, plan.described.columns, plan.described.head[:sample_rows]
        return _as_values(plan, plan.recipe, plan.notes, rows=rows, columns=columns, sample=sample)
    table, recipe, notes = _read(plan)
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
    return _as_values(plan, recipe, notes, rows=len(table), columns=columns, sample=sample, duplicates=duplicates)


def _read(plan: ReadingPlan) -> tuple[pd.DataFrame, str, list[Note]]:
    """The table, the recipe that reads it and the notes on that."""
    try:
        table = plan.frame()
        return (run(plan.recipe, plan.variable) if table is None else table), plan.recipe, list(plan.notes)
    except (ValueError, OverflowError, TypeError):
        if not plan.cautious_recipe:
            raise
    unclear = note("The types of the columns are not clear; all of them are read as text.")
    return run(plan.cautious_recipe, plan.variable), plan.cautious_recipe, [*plan.notes, unclear]


def _as_values(
    plan: ReadingPlan,
    recipe: str,
    notes: list[Note],
    *,
    rows: int | None,
    columns: list[dict[str, Any]],
    sample: list[list[Any]],
    duplicates: int | None = None,
) -> dict[str, Any]:
    return {
        "variable": plan.variable,
        "rows": rows,
        "columns": columns,
        "recipe": recipe,
        "notes": notes,
        "sample": sample,
        "duplicates": duplicates,
        "is_in_memory": plan.described is None,
        "names_cells": plan.names_cells,
    }
