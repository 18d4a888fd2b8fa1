"""Puts the readings of all columns together: arguments for pandas, lines after the call, and notes."""

from collections import Counter
from dataclasses import dataclass

from sandbox.inside.reading.cell_kinds import MISSING_WORDS
from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.column_reading import ColumnReading
from sandbox.inside.reading.date_formats import ISO, is_day_first, is_month_first
from sandbox.inside.reading.notes import Note, note, quoted
from sandbox.inside.reading.number_styles import PLAIN, NumberStyle
from sandbox.inside.reading.recipe import Recipe, literal

_GUESSED_TOGETHER = 2**20
"""pandas guesses types for about so many cells at a time, and the guesses for later rows may differ."""
_THOUSANDS = frozenset(",.' ")
"""The marks that pandas can leave out by itself."""
_IN_WORDS = {"%d": "DD", "%m": "MM", "%Y": "YYYY", "%y": "YY", "%b": "Mon", "%B": "Month", "%a": "Day"} | {
    "%H": "hh",
    "%I": "hh",
    "%M": "mm",
    "%S": "ss",
    "%f": "f",
    "%p": "AM/PM",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One column with all doubts settled."""

    reading: ColumnReading
    style: NumberStyle | None = None
    date_format: str = ""


@dataclass(frozen=True, slots=True)
class Habits:
    """What settles doubts beside the columns themselves: the delimiter, and what a person says."""

    delimiter: str
    choices: Choices

    @property
    def comma(self) -> bool | None:
        """Whether a person says that decimals follow a comma; None when nobody does."""
        return self.choices.decimal == "," if self.choices.decimal else None

    @property
    def day_first(self) -> bool | None:
        return self.choices.date_order == "day" if self.choices.date_order else None


def settle(readings: list[ColumnReading], habits: Habits) -> tuple[list[Decided], list[Note]]:
    """Settles doubts by what a person says, or else by what the other columns show; gives all notes."""
    notes = [item for reading in readings for item in reading.notes]
    commas = _decimal_comma(readings) if habits.comma is None else habits.comma
    day_first = _day_first(readings) if habits.day_first is None else habits.day_first
    comma = commas if commas is not None else habits.delimiter == ";"
    columns = []
    for reading in readings:
        style, style_notes = _style(reading, comma, certain=commas is not None)
        date_format, date_notes = _format(reading, day_first, comma or habits.delimiter == ";")
        if habits.comma is not None:
            style_notes = []
        if habits.day_first is not None and date_format:
            date_notes = _format_notes(reading, date_format)
        notes += style_notes + date_notes
        columns.append(Decided(reading=reading, style=style, date_format=date_format))
    return columns, notes


def add_types(recipe: Recipe, readings: list[ColumnReading], cells: int, habits: Habits) -> list[Note]:
    """Adds to the recipe what the columns ask for; gives all notes."""
    columns, notes = settle(readings, habits)
    common = _common_style(columns)
    if common.comma:
        recipe.arguments["decimal"] = ","
    if common.thousands:
        recipe.arguments["thousands"] = common.thousands
    kept = _add_missing_words(recipe, readings)
    by_line = {
        column.reading.name: line
        for column in columns
        if (line := _line(recipe, column, common, bool(column.reading.missing & kept)))
    }
    _add_dtypes(recipe, columns, set(by_line), cells)
    _add_dates(recipe, [column for column in columns if column.date_format and column.reading.name not in by_line])
    recipe.after += by_line.values()
    return notes


def names_cells(recipe: Recipe, readings: list[ColumnReading]) -> bool:
    """Whether the recipe has words of the file's cells in it."""
    return "na_values" in recipe.arguments or any(reading.respelled for reading in readings)


def converted_columns(readings: list[ColumnReading]) -> tuple[str, ...]:
    """The columns that hold no text once they are read."""
    return tuple(reading.name for reading in readings if reading.kind in ("number", "date", "boolean"))


def _decimal_comma(readings: list[ColumnReading]) -> bool | None:
    """What the columns of numbers that leave no doubt say; None when there are none."""
    votes = Counter(reading.styles[0].comma for reading in readings if len(reading.styles) == 1 and not reading.whole)
    return votes[True] > votes[False] if votes else None


def _day_first(readings: list[ColumnReading]) -> bool | None:
    sure = [reading.formats[0] for reading in readings if len(reading.formats) == 1]
    votes = Counter(is_day_first(form) for form in sure if is_day_first(form) or is_month_first(form))
    return votes[True] >= votes[False] if votes else None


def _style(reading: ColumnReading, comma: bool, certain: bool) -> tuple[NumberStyle | None, list[Note]]:
    if len(reading.styles) < 2:
        return (reading.styles[0] if reading.styles else None), []
    style = next(style for style in reading.styles if style.comma is comma)
    if style == PLAIN and certain:
        return style, []
    column, example = quoted(reading.name), reading.example
    if style.thousands:
        return style, [
            note(
                "In column {column}, {example} is read with {mark} between thousands; "
                "it might also be the decimal mark.",
                column=column,
                example=example,
                mark=quoted(style.thousands),
            )
        ]
    return style, [
        note(
            "In column {column}, {example} is read with {mark} before the decimals; it might also mark thousands.",
            column=column,
            example=example,
            mark=quoted(style.decimal),
        )
    ]


def _format(reading: ColumnReading, day_first: bool | None, european: bool) -> tuple[str, list[Note]]:
    if not reading.formats:
        return "", []
    if len(reading.formats) == 1:
        return reading.formats[0], _format_notes(reading, reading.formats[0])
    if day_first is None:
        day_first = european or not any("/" in form for form in reading.formats)
    form, other = sorted(reading.formats, key=lambda form: is_day_first(form) is not day_first)
    return form, [
        note(
            "Dates in column {column} are read as {format}; the values would also fit {other}.",
            column=quoted(reading.name),
            format=in_words(form),
            other=in_words(other),
        )
    ]


def _format_notes(reading: ColumnReading, form: str) -> list[Note]:
    if form == ISO:
        return []
    return [note("Dates in column {column} are read as {format}.", column=quoted(reading.name), format=in_words(form))]


def in_words(date_format: str) -> str:
    """A format as people write it, such as DD.MM.YYYY."""
    for code, word in _IN_WORDS.items():
        date_format = date_format.replace(code, word)
    return date_format


def _common_style(columns: list[Decided]) -> NumberStyle:
    """The style that pandas is told, which holds for the whole file."""
    told = [column for column in columns if not column.reading.whole and not column.reading.respelled]
    styles = [column.style for column in told if column.style]
    commas = Counter(style.comma for style in styles)
    comma = commas[True] > commas[False]
    marks = Counter(style.thousands for style in styles if style.comma is comma and style.thousands in _THOUSANDS)
    return NumberStyle(marks.most_common(1)[0][0] if marks else "", "," if comma else ".")


def _add_missing_words(recipe: Recipe, readings: list[ColumnReading]) -> frozenset[str]:
    """Names the words that are missing values; gives those that are text in another column and cannot be named."""
    missing = frozenset[str]().union(*(reading.missing for reading in readings))
    kept = frozenset[str]().union(*(reading.words for reading in readings))
    if kept & MISSING_WORDS:
        recipe.arguments["keep_default_na"] = False
        recipe.arguments["na_values"] = ["", *sorted(missing - kept)]
    elif further := sorted(missing - MISSING_WORDS - kept):
        recipe.arguments["na_values"] = further
    return kept


def _line(recipe: Recipe, column: Decided, common: NumberStyle, clash: bool) -> str:
    """The line that converts a column which the call cannot; empty when it can."""
    reading, target = column.reading, recipe.column(column.reading.name)
    coerce = ', errors="coerce"' if clash else ""
    strip = ".str.strip()" if reading.padded else ""
    text = respelled(target + strip, reading)
    if reading.kind == "date" and (clash or reading.in_utc or reading.padded or reading.respelled):
        in_utc = ", utc=True" if reading.in_utc else ""
        return f"{target} = pd.to_datetime({text}, format={literal(column.date_format)}{in_utc}{coerce})"
    if reading.kind == "boolean" and (clash or reading.padded):
        return f'{target} = {target}{strip}.str.lower().map({{"true": True, "false": False}}).astype("boolean")'
    if reading.kind == "empty" and clash:
        return f"{target} = pd.to_numeric({target}{coerce})"
    style = column.style
    if style is None:
        return ""
    same_decimal = reading.whole or style.comma is common.comma
    if same_decimal and style.thousands in ("", common.thousands) and not clash and not reading.respelled:
        return ""
    bare = text if reading.respelled else target
    if style.thousands:
        bare += f'.str.replace({literal(style.thousands)}, "")'
    if style.comma:
        bare += '.str.replace(",", ".")'
    exact = ', dtype_backend="numpy_nullable"' if reading.dtype == "Int64" else ""
    return f"{target} = pd.to_numeric({bare}{coerce}{exact})"


def respelled(target: str, reading: ColumnReading) -> str:
    """The column, with its own spelling of numbers or dates put into a common one."""
    if not reading.respelled:
        return target
    return f"{target}.replace({literal(dict(reading.respelled))}, regex=True)"


def _add_dtypes(recipe: Recipe, columns: list[Decided], by_line: set[str], cells: int) -> None:
    dtypes = {}
    for column in columns:
        reading = column.reading
        text = reading.name in by_line or (reading.kind == "text" and cells > _GUESSED_TOGETHER)
        if dtype := "str" if text else reading.dtype:
            dtypes[reading.name] = dtype
    if dtypes:
        everything = len(dtypes) == len(columns) and set(dtypes.values()) == {"str"}
        recipe.arguments["dtype"] = "str" if everything else dtypes


def _add_dates(recipe: Recipe, columns: list[Decided]) -> None:
    if not columns:
        return
    formats = {column.reading.name: column.date_format for column in columns}
    recipe.arguments["parse_dates"] = list(formats)
    recipe.arguments["date_format"] = columns[0].date_format if len(set(formats.values())) == 1 else formats
