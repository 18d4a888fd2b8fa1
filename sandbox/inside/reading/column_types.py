"""Judges one whole column of text: at a glance where nothing is peculiar, else by all its different cells."""

from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sandbox.inside.reading.cell_kinds import MISSING_SIGNS
from sandbox.inside.reading.column_reading import ColumnReading, kept_words_notes
from sandbox.inside.reading.column_values import (
    BOOLEANS,
    EXACT_DIGITS,
    EXPONENT_CODE,
    NUMBER_CHARACTERS,
    Values,
    judge_values,
)
from sandbox.inside.reading.date_formats import ISO, date_formats, share_of_dates
from sandbox.inside.reading.hidden_times import DAY_AS_NUMBER, count_notes, digit_notes, may_be_time
from sandbox.inside.reading.notes import Note
from sandbox.inside.reading.number_styles import PLAIN, is_number
from sandbox.inside.reading.respelling import looks_respelled

_GLANCE = 1000
_FEW = 50
_PERHAPS_THOUSANDS = r"^[+-]?(\d+|[1-9]\d{0,2}(\.\d{3})+)$"


def judge(name: str, cells: Any) -> ColumnReading:
    """``cells`` is an Arrow array of text in which a blank is the empty string."""
    if len(cells) <= _FEW:
        counts = Counter(cells.to_pylist())
        blanks = counts.pop("", 0)
        if not counts:
            return ColumnReading(name=name, kind="empty", blanks=True)
        return judge_values(Values(name, counts, blanks > 0))
    filled = without_blanks(cells)
    if filled.null_count == len(filled):
        return ColumnReading(name=name, kind="empty", blanks=True)
    reading = _at_a_glance(name, filled)
    if reading is None:
        reading = judge_values(Values(name, _counts(pc.drop_null(filled)), filled.null_count > 0))
    return reading


def without_blanks(cells: Any) -> Any:
    """The cells with null for what is blank; the very same where nothing is."""
    if pc.min(pc.binary_length(cells)).as_py():
        return cells
    return pc.if_else(pc.equal(cells, ""), pa.scalar(None, pa.string()), cells)


def _at_a_glance(name: str, filled: Any) -> ColumnReading | None:
    """Numbers and ISO dates without any peculiarity, and plain text; decided without looking at single cells."""
    blanks = filled.null_count > 0
    if (whole := _is_plain_integer(filled)) or _is_plain_decimal(filled):
        notes = _time_notes(name, filled) if whole else ()
        return ColumnReading(name=name, kind="number", blanks=blanks, styles=(PLAIN,), whole=whole, notes=notes)
    first = pc.unique(pc.drop_null(filled[:_GLANCE])).to_pylist()
    known = [value for value in first if value.strip() not in MISSING_SIGNS]
    if (
        not known
        or BOOLEANS.issuperset(map(str.strip, known))
        or all(NUMBER_CHARACTERS.issuperset(value) for value in known)
    ):
        return None
    if known[0][4:5] == "-" and _cast(filled, pa.timestamp("us")) is not None and date_formats(known):
        return ColumnReading(name=name, kind="date", blanks=blanks, formats=(ISO,))
    if _seems_typed(known):
        return None
    words = _counts(pc.filter(filled, pc.is_in(filled, pa.array(sorted(MISSING_SIGNS)))))
    notes = kept_words_notes(name, words)
    return ColumnReading(name=name, kind="text", blanks=blanks, words=frozenset(words), notes=notes)


def _counts(cells: Any) -> dict[str, int]:
    pairs = pc.value_counts(cells)
    return dict(zip(pairs.field("values").to_pylist(), pairs.field("counts").to_pylist(), strict=True))


def _cast(cells: Any, arrow_type: Any) -> Any | None:
    """The cells in that type, None if any is of another. Asks a few first, for a cast that fails is slow."""
    try:
        pc.cast(cells[:_FEW], arrow_type)
        return pc.cast(cells, arrow_type)
    except pa.ArrowInvalid:
        return None


def _is_plain_integer(filled: Any) -> bool:
    if _cast(filled, pa.int64()) is None or pc.max(pc.binary_length(filled)).as_py() > EXACT_DIGITS:
        return False
    zeros = pc.or_(pc.starts_with(filled, "0"), pc.starts_with(filled, "-0"))
    return not pc.any(pc.and_(zeros, pc.not_equal(filled, "0"))).as_py()


def _is_plain_decimal(filled: Any) -> bool:
    """Decimals with a point that cannot mark thousands, without words such as ``nan`` and very long numbers."""
    first = pc.drop_null(filled[:_GLANCE])
    if not len(first) or pc.all(pc.match_substring_regex(first, _PERHAPS_THOUSANDS)).as_py():
        return False
    numbers = _cast(filled, pa.float64())
    if numbers is None or not pc.all(pc.is_finite(numbers)).as_py():
        return False
    if not pc.all(pc.match_substring(first, ".")).as_py() and _any_matches(filled, EXPONENT_CODE.pattern):
        return False
    long = pc.filter(filled, pc.greater(pc.binary_length(filled), EXACT_DIGITS))
    return not _any_matches(long, r"^[+-]?\d+$")


def _any_matches(cells: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(cells, pattern)).as_py())


def _time_notes(name: str, filled: Any) -> tuple[Note, ...]:
    if _has_days(filled):
        return digit_notes(name, pc.drop_null(filled)[0].as_py())
    if not may_be_time(name):
        return ()
    limits = pc.min_max(pc.cast(filled, pa.int64())).as_py()
    return count_notes(name, limits["min"], limits["max"])


def _has_days(filled: Any) -> bool:
    return all(
        pc.all(pc.match_substring_regex(cells, DAY_AS_NUMBER.pattern), min_count=0).as_py()
        for cells in (filled[:_FEW], filled)
    )


def _all_like_numbers(values: list[str]) -> bool:
    return all(NUMBER_CHARACTERS.issuperset(value) for value in values)


def _seems_typed(values: list[str]) -> bool:
    numbers = sum(is_number(value.strip(" ")) or looks_respelled(value) for value in values)
    return numbers > len(values) / 2 or share_of_dates(values) > 0.5
