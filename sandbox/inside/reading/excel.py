"""Plans how the sheets of a workbook are read; Excel old and new, and OpenDocument."""

import datetime
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
from python_calamine import (
    CalamineSheet,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
    load_workbook,
)

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.column_reading import ColumnReading
from sandbox.inside.reading.column_types import judge
from sandbox.inside.reading.formulas import columns_without_results
from sandbox.inside.reading.large_sheet import LargeSheet, large_part
from sandbox.inside.reading.notes import LOCKED, NO_DATA, Note, Unreadable, listed, note, quoted
from sandbox.inside.reading.number_styles import PLAIN
from sandbox.inside.reading.recipe import ReadingPlan, Recipe
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.table_header import find_header
from sandbox.inside.reading.table_layout import PlacedColumns, group_notes, header_notes, name_notes, place_columns
from sandbox.inside.reading.type_arguments import Habits, add_types, converted_columns, names_cells
from sandbox.inside.reading.variable_names import unique, variable_name
from sandbox.inside.reading.whole_text import WholeText

_MOST_CELLS = 10_000_000
_HEADER_ROWS = 300
_MOST_SKIPPED = 200
_MOST_GAPS = 60
_Rows = list[list[Any]]


def plan_workbook(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    """One table for each sheet that holds anything, or for the one that is chosen."""
    try:
        workbook = load_workbook(source.path)
    except PasswordError as error:
        raise Unreadable(LOCKED) from error
    plans: list[ReadingPlan] = []
    empty: list[str] = []
    sheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ is SheetTypeEnum.WorkSheet]
    for sheet in [sheet for sheet in sheets if choices.sheet in ("", sheet.name)]:
        name = variable if len(sheets) == 1 or choices.sheet else variable_name(variable, sheet.name)
        name = unique(name, {plan.variable for plan in plans})
        if part := large_part(source, sheet.name):
            plan = LargeSheet(source, sheet.name, part).plan(name, choices)
        else:
            plan = _plan_sheet(source, workbook.get_sheet_by_name(sheet.name), name, choices)
        if plan is None:
            empty.append(sheet.name)
            continue
        if sheet.visible is not SheetVisibleEnum.Visible:
            plan.notes.insert(1, note("The sheet is hidden in the workbook."))
        plans.append(plan)
    if not plans:
        raise Unreadable(NO_DATA)
    plans[0].notes.extend(note("The sheet {sheet} is empty.", sheet=quoted(name)) for name in empty)
    return plans


def _plan_sheet(source: Source, sheet: CalamineSheet, variable: str, choices: Choices) -> ReadingPlan | None:
    """None when nothing is in it."""
    rows = _cells(sheet)
    if all(_is_blank_row(row) for row in rows):
        return None
    return _Sheet(source, sheet, rows, choices).plan(variable)


def _cells(sheet: CalamineSheet) -> _Rows:
    if sheet.total_height * sheet.total_width > _MOST_CELLS:
        raise Unreadable(
            note(
                "The sheet {sheet} has {rows} rows and {columns} columns, which is too much to read. Save it as CSV.",
                sheet=quoted(sheet.name),
                rows=sheet.total_height,
                columns=sheet.total_width,
            )
        )
    return [list(row) for row in sheet.to_python(skip_empty_area=False)]


def _as_text(cell: Any) -> str:
    """A cell as pandas writes it where a column is read as text."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


class _Sheet:
    """One sheet with something in it."""

    def __init__(self, source: Source, sheet: CalamineSheet, rows: _Rows, choices: Choices) -> None:
        self.source, self.name, self.rows, self.choices = source, sheet.name, rows, choices
        self.merged = sheet.merged_cell_ranges or []
        header = find_header([[_as_text(cell) for cell in row] for row in rows[:_HEADER_ROWS]], choices.header_row)
        below = range(header.data, len(rows))
        self.blank_rows = [place for place in below if _is_blank_row(rows[place])]
        named_by_text = header.row is not None and all(isinstance(cell, str) for cell in rows[header.row])
        self.header = replace(header, plain=header.plain and named_by_text and not self.blank_rows)
        skipped = set(self.blank_rows)
        self.places = [place for place in below if place not in skipped]
        self.data = [rows[place] for place in self.places]

    def plan(self, variable: str) -> ReadingPlan:
        options = {"sheet_name": self.name, "engine": "calamine"}
        recipe = Recipe(variable, "read_excel", self.source.python, options, self.source.before)
        cells = list(zip(*self.data, strict=True))
        blank = set(self.blank_rows)
        text = WholeText(
            columns=[pa.array(map(_as_text, column), type=pa.string()) for column in cells],
            rows=len(self.data),
            gaps=[place for place, row in enumerate(self.places) if row - 1 in blank][-_MOST_GAPS:],
        )
        placed = place_columns(recipe, self.header, text)
        if text.left_out:
            self._drop_last_rows(text.left_out)
        filled_down = self._fill_down(recipe, placed)
        blank_notes = self._skip_blank_rows(recipe)
        cautious = recipe.with_text_only()
        wanted = [text.columns[place] for place in placed.positions]
        typed = [cells[place] if cells else () for place in placed.positions]
        readings = list(map(_judge, placed.names, typed, wanted))
        type_notes = add_types(recipe, readings, cells=0, habits=Habits("", choices=self.choices))
        return ReadingPlan(
            variable=variable,
            recipe=str(recipe),
            cautious_recipe=str(cautious),
            notes=[
                note("Sheet {sheet} of the workbook.", sheet=quoted(self.name)),
                *header_notes(self.header),
                *placed.notes,
                *blank_notes,
                *(self._merged_notes(filled_down) or group_notes(placed.names, wanted)),
                *self._formula_notes(placed),
                *name_notes(placed.names),
                *type_notes,
            ],
            rows=len(self.data),
            converted=converted_columns(readings),
            names_cells=names_cells(recipe, readings),
        )

    def _drop_last_rows(self, count: int) -> None:
        """What is below the data is blank from now on."""
        del self.data[-count:], self.places[-count:]
        last = self.places[-1]
        self.rows = [*self.rows[: last + 1], []]
        self.blank_rows = [row for row in self.blank_rows if row < last]

    def _fill_down(self, recipe: Recipe, placed: PlacedColumns) -> list[str]:
        """The columns whose blank cells all belong to cells merged with the one above; the recipe fills them."""
        found = []
        for name, place in zip(placed.names, placed.positions, strict=True):
            merged = {
                row
                for (first_row, first_column), (last_row, _) in self.merged
                if first_column == place and first_row >= self.header.data
                for row in range(first_row + 1, last_row + 1)
            }
            if merged and merged & set(self.places) == self._blank_in(place):
                found.append(name)
                target = recipe.column(name)
                recipe.after.append(f"{target} = {target}.ffill()")
        return found

    def _blank_in(self, place: int) -> set[int]:
        return {row for row in self.places if _as_text(self.rows[row][place]) == ""}

    def _skip_blank_rows(self, recipe: Recipe) -> list[Note]:
        """Leaves out rows without any cell, which pandas would keep as rows of missing values."""
        last = max((place for place, row in enumerate(self.rows) if not _is_blank_row(row)), default=0)
        inner = [row for row in self.blank_rows if row < last]
        if len(inner) < len(self.blank_rows) or len(self.rows) > last + 1:
            recipe.arguments["nrows"] = last + 1 - self.header.data - len(inner) * (len(inner) <= _MOST_SKIPPED)
        if not inner:
            return []
        if len(inner) > _MOST_SKIPPED:
            recipe.after.append(f'{recipe.variable} = {recipe.variable}.dropna(how="all", ignore_index=True)')
        else:
            recipe.arguments["skiprows"] = [*range(self.header.data), *inner]
        return [note("Blank rows are left out: {count}.", count=len(inner))]

    def _merged_notes(self, filled_down: list[str]) -> list[Note]:
        if filled_down:
            return [note("Merged cells are filled down in {columns}.", columns=listed(filled_down))]
        inside = sum(last_row >= self.header.data for _, (last_row, _) in self.merged)
        if not inside:
            return []
        return [
            note("Merged cells among the data have their value in the first cell only (ranges: {count}).", count=inside)
        ]

    def _formula_notes(self, placed: PlacedColumns) -> list[Note]:
        found = columns_without_results(self.source.path, self.name)
        names = [name for name, place in zip(placed.names, placed.positions, strict=True) if place in found]
        if not names:
            return []
        return [
            note(
                "Formulas in {columns} have no stored results and read as missing. Open the file in Excel, save it and "
                "upload it again.",
                columns=listed(names),
            )
        ]


def _is_blank_row(row: Sequence[Any]) -> bool:
    return not any(_as_text(cell).strip() for cell in row)


def _judge(name: str, cells: Sequence[Any], text: Any) -> ColumnReading:
    """Cells that Excel itself types need no judgement; only those that hold text do."""
    kinds = {_kind(cell) for cell in cells} - {"blank"}
    blanks = any(cell in ("", None) for cell in cells)
    if "text" in kinds or not kinds:
        reading = judge(name, text)
        if reading.kind == "text" and kinds == {"text", "number"}:
            return replace(reading, dtype="str")
        if reading.kind != "text" or len(kinds) < 2:
            return reading
    if kinds == {"number"}:
        return ColumnReading(name=name, kind="number", blanks=blanks, styles=(PLAIN,), whole=True)
    if kinds == {"boolean"}:
        return ColumnReading(name=name, kind="boolean", blanks=blanks, dtype="boolean" if blanks else "")
    if kinds == {"date"}:
        return ColumnReading(name=name, kind="date", blanks=blanks)
    mixed = note("Column {column} mixes numbers, dates and text; check it before calculating.", column=quoted(name))
    return ColumnReading(name=name, kind="text", blanks=blanks, notes=(mixed,) if len(kinds) > 1 else ())


def _kind(cell: Any) -> str:
    if cell is None or cell == "":
        return "blank"
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, int | float):
        return "number"
    return "date" if isinstance(cell, datetime.date) else "time"
