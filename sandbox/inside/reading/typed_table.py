"""Finds dates and numbers that a file with types of its own keeps as text."""

from dataclasses import dataclass

import pandas as pd
import pyarrow as pa

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.column_reading import ColumnReading
from sandbox.inside.reading.column_types import judge
from sandbox.inside.reading.notes import Note, note, quoted
from sandbox.inside.reading.recipe import literal
from sandbox.inside.reading.type_arguments import Habits, respelled, settle


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedDates:
    """Lines that convert the text columns which hold dates."""

    lines: list[str]
    notes: list[Note]
    names_cells: bool
    """Whether the lines have parts of cells in them."""


def convert_dates(table: pd.DataFrame, variable: str, choices: Choices) -> ConvertedDates:
    """Numbers that are text stay text, which is told."""
    readings: list[ColumnReading] = []
    notes: list[Note] = []
    for name in table.columns:
        if not isinstance(name, str) or list(table.columns).count(name) > 1:
            continue
        known = table[name].dropna()
        if not len(known) or not all(isinstance(value, str) for value in known):
            continue
        reading = judge(name, pa.array(table[name].astype("object").fillna("").tolist(), type=pa.string()))
        if reading.kind == "date":
            readings.append(reading)
        elif reading.kind == "number":
            notes.append(note("Column {column} has numbers written as text; it stays text.", column=quoted(name)))
    settled, date_notes = settle(readings, Habits("", choices=choices))
    lines = []
    for column in settled:
        target = f"{variable}[{literal(column.reading.name)}]"
        in_utc = ", utc=True" if column.reading.in_utc else ""
        coerce = ', errors="coerce"' if column.reading.missing else ""
        text = respelled(target, column.reading)
        lines.append(f"{target} = pd.to_datetime({text}, format={literal(column.date_format)}{in_utc}{coerce})")
    return ConvertedDates(
        lines=lines, notes=notes + date_notes, names_cells=any(reading.respelled for reading in readings)
    )
