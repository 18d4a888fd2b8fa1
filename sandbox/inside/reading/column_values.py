"""Judges a column by all its different cells: numbers, dates and words as people write them."""

import re
from collections.abc import Iterable
from dataclasses import replace

from sandbox.inside.reading.cell_kinds import MISSING_SIGNS
from sandbox.inside.reading.column_reading import ColumnReading, kept_words_notes
from sandbox.inside.reading.date_formats import ISO, date_formats, misfits, mixes_orders, share_of_dates, zones
from sandbox.inside.reading.hidden_times import DAY_AS_NUMBER, count_notes, digit_notes, may_be_time
from sandbox.inside.reading.notes import Note, listed, note, quoted
from sandbox.inside.reading.number_styles import PLAIN, STYLES, WHOLE_NUMBER, is_number, without_signs
from sandbox.inside.reading.respelling import respellings

EXACT_DIGITS = 15
"""Whole numbers of more digits are rounded where a program calculates with decimals."""
BOOLEANS = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
NUMBER_CHARACTERS = frozenset("0123456789.,+-'’ eE")
EXPONENT_CODE = re.compile(r"^[0-9]+[eE][0-9]+$")
"""Programs write an exponent with decimals or a sign; article numbers look like this too."""
_INT64 = 2**63
_MOSTLY = 0.5


class Values:
    """The different cells of a column with content, and how often each occurs."""

    def __init__(self, name: str, counts: dict[str, int], blanks: bool) -> None:
        self.name = name
        self.counts = counts
        self.missing = frozenset(value for value in counts if value.strip() in MISSING_SIGNS or not value.strip())
        self.blanks = blanks
        self.padded = any(value != value.strip(" ") for value in counts if value not in self.missing)
        self.known = [value.strip(" ") for value in counts if value not in self.missing]

    def cells(self, values: Iterable[str]) -> int:
        return sum(self.counts[value] for value in values)


def judge_values(values: Values) -> ColumnReading:
    """What reading wrongly would do to any single cell counts."""
    known = values.known
    if not known and not any(char.isalnum() for value in values.missing for char in value):
        return ColumnReading(
            name=values.name, kind="empty", blanks=values.blanks, missing=values.missing, notes=_missing_notes(values)
        )
    if not known:
        return _text(values)
    if BOOLEANS.issuperset(known):
        blanks = values.blanks or bool(values.missing)
        return ColumnReading(
            name=values.name,
            kind="boolean",
            blanks=blanks,
            missing=values.missing,
            padded=values.padded,
            dtype="boolean" if blanks else "",
            notes=_missing_notes(values),
        )
    return _numbers(values) or _dates(values) or _respelled(values) or _text(values, *_doubts(values))


def _respelled(values: Values) -> ColumnReading | None:
    """Numbers or dates after all, in a spelling that the recipe has to translate first."""
    for found in respellings(values.name, values.known):
        counts = {value: values.counts[value] for value in values.missing}
        kept = (value for value in values.counts if value not in values.missing)
        for value, other in zip(kept, found.cells, strict=True):
            counts[other] = counts.get(other, 0) + values.counts[value]
        plain = Values(values.name, counts, values.blanks)
        reading = _numbers(plain) or _dates(plain)
        if reading and reading.kind != "text":
            return replace(
                reading, respelled=found.replacements, padded=values.padded, notes=(*found.notes, *reading.notes)
            )
    return None


def _text(values: Values, *notes: Note, dtype: str = "") -> ColumnReading:
    """Text is asked for by name where all cells look so much like numbers that pandas might convert them."""
    if all(NUMBER_CHARACTERS.issuperset(value) for value in values.counts):
        dtype = "str"
    return ColumnReading(
        name=values.name,
        kind="text",
        blanks=values.blanks,
        words=values.missing,
        dtype=dtype,
        notes=(*notes, *kept_words_notes(values.name, values.counts)),
    )


def _numbers(values: Values) -> ColumnReading | None:
    known = values.known
    if all(WHOLE_NUMBER.fullmatch(value) for value in known):
        return _whole_numbers(values)
    styles = [style for style in STYLES if all(style.pattern.fullmatch(value) for value in known)]
    if not styles:
        return None
    if not any("." in value or "," in value for value in known):
        if _longest(known) > EXACT_DIGITS:
            return _long_numbers(values)
        if code := next((value for value in known if EXPONENT_CODE.fullmatch(value)), ""):
            return _codes(values, code)
        styles = styles[:1]
    ways = (next((style for style in styles if style.comma is comma), None) for comma in (False, True))
    return ColumnReading(
        name=values.name,
        kind="number",
        blanks=values.blanks,
        missing=values.missing,
        styles=tuple(style.without_idle_mark(known) for style in ways if style),
        example=next((value for value in known if "." in value or "," in value), ""),
        notes=_missing_notes(values),
    )


def _codes(values: Values, example: str) -> ColumnReading:
    kept = note(
        "Column {column} has cells such as {example}, which may be codes or numbers with an exponent; it stays text.",
        column=quoted(values.name),
        example=quoted(example),
    )
    return _text(values, kept, dtype="str")


def _longest(known: list[str]) -> int:
    return max((len(value.lstrip("+-")) for value in known if WHOLE_NUMBER.fullmatch(value)), default=0)


def _whole_numbers(values: Values) -> ColumnReading:
    digits = (value.lstrip("+-") for value in values.known)
    padded = next((value for value in digits if value.startswith("0") and value != "0"), "")
    if padded:
        kept = note(
            "Column {column} has numbers with leading zeros such as {example}; it stays text.",
            column=quoted(values.name),
            example=quoted(padded),
        )
        return _text(values, kept, dtype="str")
    times = digit_notes(values.name, values.known[0]) if all(map(DAY_AS_NUMBER.match, values.known)) else ()
    if not times and may_be_time(values.name):
        times = count_notes(values.name, min(map(int, values.known)), max(map(int, values.known)))
    long = _longest(values.known) > EXACT_DIGITS
    if long:
        fits = _longest(values.known) < 20 and all(-_INT64 <= int(value) < _INT64 for value in values.known)
        if not fits or len({len(value.lstrip("+-")) for value in values.known}) == 1:
            return _long_numbers(values)
    return ColumnReading(
        name=values.name,
        kind="number",
        blanks=values.blanks,
        missing=values.missing,
        styles=(PLAIN,),
        whole=True,
        dtype="Int64" if long and (values.blanks or values.missing) else "",
        notes=(*_missing_notes(values), *times),
    )


def _long_numbers(values: Values) -> ColumnReading:
    kept = note(
        "Column {column} has numbers of up to {digits} digits, which calculating would round; it stays text.",
        column=quoted(values.name),
        digits=_longest(values.known),
    )
    return _text(values, kept, dtype="str")


def _missing_notes(values: Values) -> tuple[Note, ...]:
    signs = frozenset(sign for sign in values.missing if sign.strip())
    if not signs:
        return ()
    return (
        note(
            "{words} in column {column} is read as missing (cells: {cells}).",
            words=listed(sorted(signs)),
            column=quoted(values.name),
            cells=values.cells(signs),
        ),
    )


def _dates(values: Values) -> ColumnReading | None:
    known = values.known
    formats = date_formats(known)
    if not formats:
        return None
    found = zones(known) if formats == (ISO,) else set()
    in_utc = len(found) > 1 or (bool(found) and not all(zones([value]) for value in known))
    notes = _missing_notes(values)
    if in_utc:
        notes += (
            note("Column {column} has times of several time zones; they are read as UTC.", column=quoted(values.name)),
        )
    return ColumnReading(
        name=values.name,
        kind="date",
        blanks=values.blanks,
        missing=values.missing,
        formats=formats,
        padded=values.padded,
        zoned=bool(found),
        in_utc=in_utc,
        notes=notes,
    )


def _doubts(values: Values) -> list[Note]:
    """What a person would want to know of a text column that is not quite text."""
    column = quoted(values.name)
    known = values.known
    if all(is_number(value) for value in known):
        examples = listed(known)
        return [
            note(
                "Column {column} has numbers written in different ways, such as {examples}; it stays text.",
                column=column,
                examples=examples,
            )
        ]
    if all(is_number(without_signs(value)) for value in known):
        example = quoted(next(value for value in known if not is_number(value)))
        return [
            note(
                "Column {column} has amounts with signs such as {example}; it stays text.",
                column=column,
                example=example,
            )
        ]
    if mixes_orders(known):
        return [
            note(
                "Column {column} has dates with the day first and dates with the month first; it stays text.",
                column=column,
            )
        ]
    return _strangers(values)


def _strangers(values: Values) -> list[Note]:
    """The few cells that keep a column of numbers or dates from being one."""
    column = quoted(values.name)
    few = (1 - _MOSTLY) * sum(count for value, count in values.counts.items() if value not in values.missing)
    words = [value for value in values.counts if value not in values.missing and not is_number(value.strip(" "))]
    if 0 < (cells := values.cells(words)) <= few:
        return [
            note(
                "Column {column} is mostly numbers, but some cells are not, such as {examples} (cells: {cells}); "
                "it stays text.",
                column=column,
                cells=cells,
                examples=listed(words),
            )
        ]
    if share_of_dates(values.known[:1000]) < _MOSTLY:
        return []
    odd = set(misfits(values.known))
    others = [value for value in values.counts if value.strip(" ") in odd]
    if (cells := values.cells(others)) <= few:
        return [
            note(
                "Column {column} is mostly dates, but some cells are none or of another form, such as {examples} "
                "(cells: {cells}); it stays text.",
                column=column,
                cells=cells,
                examples=listed(others),
            )
        ]
    return []
