"""Bounds what one chat keeps in memory, so that code that makes ever more cannot fill the machine."""

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import replace

from agents.events import CallFinished, ChartMade, FigureMade, FileMade, TableMade
from analysis.record import Entry
from wording import Sentence

_CELL_BYTES = 64


def size_of(entry: Entry) -> int:
    """About how many bytes of memory the thing takes that an entry brought; 0 for words."""
    match entry:
        case ChartMade(chart=file) | FileMade(file=file):
            return len(file.content)
        case FigureMade(figure=figure):
            return len(figure.json)
        case TableMade(table=table):
            texts = sum(len(cell) for row in table.rows for cell in row if isinstance(cell, str))
            return texts + _CELL_BYTES * len(table.columns) * len(table.rows)
    return 0


def kept(entries: Generator[Entry, None, None], before: Iterable[Entry], most_mb: int) -> Generator[Entry, None, None]:
    """The entries without what would exceed the bound; the end of the call that made it says so."""
    used, is_cut = sum(map(size_of, before)), False
    notice = Sentence(
        "Not kept: this chat would hold more than {limit} MB of tables, charts and files. "
        "Download what you need and begin a new chat, or raise MAX_CHAT_MB.",
        {"limit": most_mb},
    )
    with closing(entries):
        for entry in entries:
            size = size_of(entry)
            if size and used + size > most_mb * 1_000_000:
                is_cut = True
                continue
            used += size
            if is_cut and isinstance(entry, CallFinished):
                entry, is_cut = replace(entry, notices=(*entry.notices, notice)), False
            yield entry
