"""Finds what marks off the cells of a text: the delimiter and how quotes are used."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice

from sandbox.inside.reading.cell_kinds import kind_of

csv.field_size_limit(2**31 - 1)
DELIMITERS = (",", ";", "\t", "|")
BLANKS = r"\s+"
WIDE_BLANKS = r"\s{2,}"
_SAMPLE_ROWS = 300
_HINT = re.compile(r'"?sep=([^\w\s"]|\t|\\t)"?[;,\t|]*\s*(?:\r\n?|\n|$)', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are marked off; a delimiter of more than one character is a pattern of blanks."""

    delimiter: str
    quotes: bool = True
    """False when quotation marks are part of the text."""
    escape: str | None = None
    skip_blanks: bool = False
    """Whether blanks behind a delimiter belong to no cell."""
    hinted: bool = False
    """Whether the first line says ``sep=`` and holds no data."""


def read_rows(lines: Iterable[str], dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line, counted from 1, in which it begins; an empty line is an empty row."""
    if len(dialect.delimiter) > 1:
        split = re.compile(dialect.delimiter).split
        for number, line in enumerate(lines, 1):
            yield number, split(line.strip()) if line.strip() else []
        return
    reader = csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quoting=csv.QUOTE_MINIMAL if dialect.quotes else csv.QUOTE_NONE,
        escapechar=dialect.escape,
        skipinitialspace=dialect.skip_blanks,
    )
    begin = 1
    for row in reader:
        yield begin, row
        begin = reader.line_num + 1


def find_dialect(sample: str, delimiter: str = "") -> Dialect:
    """The dialect of a text by its first rows; only comma, semicolon, tab, bar and aligned blanks mark off cells.

    A ``delimiter`` that is given is not looked for.
    """
    hint = _HINT.match(sample)
    if delimiter and not hint:
        return _with_quoting(Dialect(delimiter), sample) if len(delimiter) == 1 else Dialect(delimiter)
    if hint:
        delimiter = delimiter or ("\t" if hint[1] == "\\t" else hint[1])
        return _with_quoting(Dialect(delimiter, hinted=True), sample[hint.end() :])
    scored = [(_score(sample, delimiter), delimiter) for delimiter in DELIMITERS if delimiter in sample]
    score, delimiter = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
    if score > 0:
        return _with_quoting(Dialect(delimiter), sample)
    for pattern in (BLANKS, WIDE_BLANKS):
        if _aligned(sample, pattern):
            return Dialect(pattern)
    return Dialect(_delimiter_for_one_column(sample))


def _delimiter_for_one_column(sample: str) -> str:
    return next((delimiter for delimiter in (",", "\t", "|", ";") if delimiter not in sample), "\x1f")


def _sample_rows(sample: str, dialect: Dialect) -> list[list[str]]:
    """The first rows that hold anything."""
    rows = (row for _, row in islice(read_rows(StringIO(sample, newline=""), dialect), _SAMPLE_ROWS))
    return [row for row in rows if any(cell.strip() for cell in row)]


def _score(sample: str, delimiter: str) -> float:
    """How much the text looks like a table of that delimiter; 0 when it is none."""
    rows = _sample_rows(sample, Dialect(delimiter))
    widths = [len(row) for row in rows]
    width = usual_width(widths)
    if width < 2:
        return 0.0
    first = next(index for index, found in enumerate(widths) if found >= width or (found == width - 1 and found > 1))
    if first == 1 and widths[0] == 1 and _is_one_column(rows, delimiter):
        return 0.0
    body = widths[first:]
    steady = sum(found == width for found in body) / len(body)
    if first > len(rows) / 2 or steady < 0.5:
        return 0.0
    return steady * _tidiness([row for row in rows[first : first + 50] if len(row) == width], delimiter)


def usual_width(widths: list[int]) -> int:
    """The most frequent number of cells; of equally frequent ones the largest."""
    counts = Counter(widths)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def _is_one_column(rows: list[list[str]], delimiter: str) -> bool:
    """A heading above prose with the same number of commas in each line, such as ``Berlin, Germany``."""
    cells = [cell for row in rows[1:51] for cell in row]
    prose = sum(cell.startswith(" ") for cell in cells) >= len(rows[1:51])
    return delimiter == "," and prose and all(kind_of(cell) == "text" for cell in cells)


def _tidiness(rows: list[list[str]], delimiter: str) -> float:
    """From 0 to 1: numbers and dates count most, cells with another delimiter inside not at all."""
    others = [other for other in DELIMITERS if other != delimiter]
    points = total = 0.0
    for row in rows:
        for cell in row[:50]:
            kind = kind_of(cell)
            total += 1
            if kind in ("number", "date", "blank", "missing", "address"):
                points += 1
            elif not any(other in cell for other in others):
                points += 0.8
            else:
                points += 0.2
    return points / total if total else 0.0


def _with_quoting(dialect: Dialect, sample: str) -> Dialect:
    r"""Adds what the sample shows of quotes: ``\"`` inside of them; and of blanks behind delimiters."""
    later = [cell for row in _sample_rows(sample, dialect) for cell in row[1:] if cell.strip()]
    led = sum(cell.startswith(" ") for cell in later)
    if led > 0.8 * len(later) or any(cell.startswith(" ") and cell.lstrip(" ").startswith('"') for cell in later):
        return replace(dialect, skip_blanks=True)
    if '\\"' in sample and not _strictly_read(sample, dialect):
        escaped = replace(dialect, escape="\\")
        if _strictly_read(sample, escaped):
            return escaped
    return dialect


def _strictly_read(sample: str, dialect: Dialect) -> bool:
    """Whether every quote is closed and followed by a delimiter; the last row may be cut off and is not asked."""
    lines = StringIO(sample, newline="")
    reader = csv.reader(lines, delimiter=dialect.delimiter, escapechar=dialect.escape, strict=True)
    try:
        for _ in islice(reader, _SAMPLE_ROWS):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return True


def _aligned(sample: str, pattern: str) -> bool:
    """Whether every line has the same number of cells between blanks and at least one column is numbers or dates."""
    rows = [re.split(pattern, line.strip()) for line in sample.splitlines()[:_SAMPLE_ROWS] if line.strip()]
    if len(rows) < 2 or len(rows[-1]) < 2 or len({len(row) for row in rows}) != 1:
        return False
    return any(all(kind_of(row[place]) in ("number", "date") for row in rows[1:]) for place in range(len(rows[0])))
