"""Reads all cells of a delimited text as text, so that whole columns can be judged; converts nothing."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.csv as arrow_csv

from sandbox.inside.reading.cell_kinds import is_typed
from sandbox.inside.reading.dialect import Dialect, read_rows
from sandbox.inside.reading.source import WHOLE_BYTES, Source
from sandbox.inside.reading.text_encoding import TextFacts

_BATCH_ROWS = 20_000
_BLOCK_BYTES = 16_000_000
_MOST_FURTHER = 200
_MOST_GAPS = 60
_MOST_CELLS = 30_000_000


@dataclass(slots=True, kw_only=True)
class WholeText:
    """All cells, column by column, and what is odd about the rows. Lines are counted from 1."""

    columns: list[Any]
    """Arrow arrays of text; rows too short are filled with blanks."""
    rows: int
    short_rows: int = 0
    first_short_line: int = 0
    long_rows: int = 0
    first_long_line: int = 0
    blank_lines: int = 0
    gaps: list[int] = field(default_factory=list)
    """The rows that follow a blank line; of many the last ones."""
    footer: list[str] = field(default_factory=list)
    """Remarks below the table; they are in no column."""
    left_out: int = 0
    """Last rows that were taken for totals, remarks or blank, and are in no column either."""
    open_quote_line: int = 0
    """Where a quotation mark opens that is never closed."""
    broken_cell_line: int = 0
    """The first row with a line break inside a cell."""
    is_well_quoted: bool = True
    """Whether quotation marks open and close cells, and stand nowhere else."""
    whole: bool = True

    @property
    def is_odd(self) -> bool:
        """Whether any row is not like the others."""
        return bool(self.short_rows or self.long_rows or self.footer or self.open_quote_line or not self.is_well_quoted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the data of a table begin, in rows and in lines, and how many names it has."""

    row: int
    line: int
    width: int


def read_uniform(source: Source, facts: TextFacts, dialect: Dialect, place: Place) -> WholeText | None:
    """All cells, fast; None unless every line from ``place`` on is a row of the same width."""
    plain = dialect.quotes and not dialect.escape and not dialect.skip_blanks and len(dialect.delimiter) == 1
    if not plain or facts.nuls or facts.quotes % 2 or facts.errors != "strict" or not facts.ascii_compatible:
        return None
    names = [str(number) for number in range(place.width)]
    whole = facts.whole and facts.lines * place.width <= _MOST_CELLS
    content = b"" if whole else _beginning(source, facts, place)
    lines = facts.lines if whole else content.count(b"\n")
    try:
        with _arrow_stream(source) if whole else pa.BufferReader(content) as stream:
            table = arrow_csv.read_csv(
                stream,
                arrow_csv.ReadOptions(
                    column_names=names,
                    skip_rows=place.line - 1,
                    block_size=_BLOCK_BYTES,
                    encoding="utf-8" if facts.encoding == "utf-8-sig" else facts.encoding,
                ),
                arrow_csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=facts.quotes > 0),
                arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), check_utf8=False),
            )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != lines - (place.line - 1):
        return None
    return WholeText(columns=table.columns, rows=table.num_rows, whole=whole)


def _arrow_stream(source: Source) -> Any:
    return pa.input_stream(source.path, compression="gzip" if source.gzipped else None)


def _beginning(source: Source, facts: TextFacts, place: Place) -> bytes:
    """The complete lines within ``WHOLE_BYTES`` that have about as many cells as may be read."""
    share = min(1.0, _MOST_CELLS / max(facts.lines * place.width, 1))
    content = source.head(int(facts.size * share))
    return content[: content.rfind(b"\n") + 1]


def read_carefully(source: Source, facts: TextFacts, dialect: Dialect, place: Place) -> WholeText:
    """All cells, and what is odd about rows that are shorter, longer or broken over lines."""
    with source.open_text(facts.encoding, facts.errors) as file:
        lines = _Lines(file)
        text = _collect(islice(read_rows(lines, dialect), place.row, None), place.width, facts.quotes > 0)
    text.whole = text.whole and not lines.cut
    if facts.quotes and dialect.quotes and len(dialect.delimiter) == 1:
        with source.open_text(facts.encoding, facts.errors) as file:
            text.open_quote_line, errors = _open_quote_line(file, dialect)
        text.is_well_quoted = not errors and not text.short_rows and not text.long_rows
    return text


def quotes_are_text(source: Source, facts: TextFacts, dialect: Dialect, place: Place) -> bool:
    """Whether every line by itself is a whole row once quotation marks count as text."""
    if place.width < 2:
        return False
    with source.open_text(facts.encoding, facts.errors) as file:
        rows = islice(read_rows(_Lines(file), replace(dialect, quotes=False)), place.line - 1, None)
        return all(len(row) == place.width for _, row in rows if any(cell.strip() for cell in row))


class _Lines:
    """The lines of a file without NULs, up to ``WHOLE_BYTES``."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.cut = False

    def __iter__(self) -> Iterator[str]:
        left = WHOLE_BYTES
        for line in self._lines:
            left -= len(line)
            if left < 0:
                self.cut = True
                return
            yield line.replace("\0", "") if "\0" in line else line


def _open_quote_line(file: Iterable[str], dialect: Dialect) -> tuple[int, int]:
    """Where a quotation mark opens that runs to the end or over the next line's own quotes; 0 when none does.

    And in how many rows a quotation mark is not where it belongs.
    """
    errors = 0
    lines = _Lines(file)
    reader = csv.reader(
        lines,
        delimiter=dialect.delimiter,
        escapechar=dialect.escape,
        skipinitialspace=dialect.skip_blanks,
        strict=True,
    )
    while True:
        begin = reader.line_num + 1
        try:
            next(reader)
        except StopIteration:
            return 0, errors
        except csv.Error as error:
            errors += 1
            at_end = "unexpected end" in str(error)
            if (at_end and not lines.cut) or (reader.line_num > begin and not at_end):
                return begin, errors


def _collect(rows: Iterator[tuple[int, list[str]]], width: int, quotes: bool) -> WholeText:
    text = WholeText(columns=[], rows=0)
    batches: list[Any] = []
    tail: list[list[str]] = []
    while batch := list(islice(rows, _BATCH_ROWS)):
        if text.rows * width > _MOST_CELLS:
            text.whole = False
            break
        if width > 1 and not quotes and all(len(row) == width for _, row in batch):
            kept = [*tail, *(row for _, row in batch)]
        else:
            kept = [*tail, *_kept(batch, width, text, text.rows + len(tail))]
        tail = []
        while kept and width > 2 and len(kept[-1]) == 1 and not is_typed(kept[-1][0]):
            tail.insert(0, kept.pop())
        if kept:
            batches.append(_columns(kept, width))
            text.rows += len(kept)
    text.footer = [row[0] for row in tail]
    text.short_rows -= len(tail)
    for number in range(max((len(batch) for batch in batches), default=width)):
        chunks = [batch[number] if number < len(batch) else pa.array([""] * len(batch[0])) for batch in batches]
        text.columns.append(pa.chunked_array(chunks, type=pa.string()))
    return text


def _columns(rows: list[list[str]], width: int) -> list[Any]:
    widest = max(width, *map(len, rows))
    if min(map(len, rows)) < widest:
        rows = [row + [""] * (widest - len(row)) for row in rows]
    return [pa.array(column, type=pa.string()) for column in zip(*rows, strict=True)]


def _kept(batch: list[tuple[int, list[str]]], width: int, text: WholeText, before: int) -> list[list[str]]:
    """The rows with content, ``before`` others; notes those of another width."""
    kept = []
    for line, row in batch:
        found = len(row)
        if found < 2 and not (row and row[0].strip()):
            if row == [""] and width == 1:
                kept.append(row)
            else:
                text.blank_lines += 1
                text.gaps = [*text.gaps[-_MOST_GAPS:], before + len(kept)]
            continue
        if found < width:
            text.short_rows += 1
            text.first_short_line = text.first_short_line or line
        elif found > width and any(cell.strip() for cell in row[width:]):
            text.long_rows += 1
            text.first_long_line = text.first_long_line or line
            row = row[: width + _MOST_FURTHER]
        if not text.broken_cell_line and any("\n" in cell or "\r" in cell for cell in row):
            text.broken_cell_line = line
        kept.append(row)
    return kept
