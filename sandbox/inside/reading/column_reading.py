"""What is found out about one column of text, before it is decided how the whole table is read."""

from dataclasses import dataclass
from typing import Literal

from sandbox.inside.reading.cell_kinds import MISSING_WORDS
from sandbox.inside.reading.notes import Note, listed, note, quoted
from sandbox.inside.reading.number_styles import NumberStyle

Kind = Literal["empty", "number", "boolean", "date", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReading:
    """What a column is and what reading it takes. Where the cells leave two ways open, both are given."""

    name: str
    kind: Kind
    blanks: bool = False
    missing: frozenset[str] = frozenset()
    """Words and signs that stand for a missing value here; in text none does."""
    words: frozenset[str] = frozenset()
    """Such words and signs in this text column, where they are text."""
    styles: tuple[NumberStyle, ...] = ()
    whole: bool = False
    """Whether the numbers have neither decimals nor marks between thousands."""
    example: str = ""
    """A cell that shows where the ways part."""
    formats: tuple[str, ...] = ()
    zoned: bool = False
    """Whether times state their distance from UTC."""
    in_utc: bool = False
    respelled: tuple[tuple[str, str], ...] = ()
    """Regular expressions and what takes their place before the cells are converted."""
    padded: bool = False
    """Whether dates or booleans have blanks around them."""
    dtype: str = ""
    """The type to ask of pandas, where it would choose another."""
    notes: tuple[Note, ...] = ()


def kept_words_notes(name: str, counts: dict[str, int]) -> tuple[Note, ...]:
    """Says that words which pandas would take for missing are text here."""
    words = MISSING_WORDS.intersection(counts)
    if not words:
        return ()
    return (
        note(
            "{words} in column {column} is kept as text, not taken for missing (cells: {cells}).",
            words=listed(sorted(words)),
            column=quoted(name),
            cells=sum(counts[word] for word in words),
        ),
    )
