"""Says how a text was read: its encoding, and what marks off its cells."""

from sandbox.inside.reading.dialect import BLANKS, WIDE_BLANKS, Dialect
from sandbox.inside.reading.notes import Note, note
from sandbox.inside.reading.text_encoding import TextFacts


def read_as_notes(facts: TextFacts, dialect: Dialect, columns: int) -> list[Note]:
    """For a text that was read as so many columns."""
    encoding = facts.label
    match dialect.delimiter:
        case ",":
            told = note("Read as {encoding}, separated by commas.", encoding=encoding)
        case ";":
            told = note("Read as {encoding}, separated by semicolons.", encoding=encoding)
        case "\t":
            told = note("Read as {encoding}, separated by tabs.", encoding=encoding)
        case "|":
            told = note("Read as {encoding}, separated by bars.", encoding=encoding)
        case delimiter if delimiter in (BLANKS, WIDE_BLANKS):
            told = note("Read as {encoding}, separated by blanks.", encoding=encoding)
        case delimiter:
            told = note("Read as {encoding}, separated by {delimiter}.", encoding=encoding, delimiter=delimiter)
    if columns == 1:
        told = note("Read as {encoding}, one column.", encoding=encoding)
    if dialect.skip_blanks:
        return [told, note("Blanks behind the delimiters are left out."), *_encoding_notes(facts)]
    return [told, *_encoding_notes(facts)]


def _encoding_notes(facts: TextFacts) -> list[Note]:
    notes = []
    if facts.first_bad_line:
        notes.append(
            note(
                "Line {line} has bytes that are no {encoding}; such characters are replaced by \ufffd.",
                line=facts.first_bad_line,
                encoding=facts.label,
            )
        )
    if not facts.certain:
        notes.append(note("The encoding {encoding} is a guess; check the accents and signs.", encoding=facts.label))
    if facts.nuls:
        notes.append(note("NUL characters are left out: {count}.", count=facts.nuls))
    return notes
