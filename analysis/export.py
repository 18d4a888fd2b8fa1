"""What a person takes home: safe file names, tables as CSV, all as one zip; opens no file that code made."""

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Literal

from agents.events import CallStarted, ChartMade, FigureMade, FileMade, TableMade
from analysis.figure_page import figure_page
from analysis.record import Entry
from sandbox.sandbox import Cell, OutputFigure, OutputFile, OutputTable
from tools.python_exec_tool import PythonExecTool

OutputKind = Literal["chart", "figure", "table", "file", "code"]

_FORMULA = re.compile(r"[\s\x00\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_NAME_BYTES = 120


@dataclass(frozen=True, slots=True)
class Output:
    """One download. ``name`` is unique among the outputs of an analysis; ``position`` is its entry in the record."""

    name: str
    kind: OutputKind
    position: int
    made: OutputFile | OutputTable | OutputFigure | str = field(repr=False)

    def content(self) -> bytes:
        """The bytes to download: a table as CSV, a figure as a web page, code as Python."""
        match self.made:
            case OutputFile():
                return self.made.content
            case OutputTable():
                return table_csv(self.made)
            case OutputFigure():
                return figure_page(self.made)
            case str():
                return self.made.encode("utf-8", "replace")


def outputs_of(entries: Sequence[Entry]) -> tuple[Output, ...]:
    """Everything made so far, in order. A name that was given stays the same when more is made."""
    taken: set[str] = set()
    made = (output for position, entry in enumerate(entries) for output in made_by(entry, position))
    return tuple(replace(output, name=free_name(output.name, taken)) for output in made)


def made_by(entry: Entry, position: int) -> Iterator[Output]:
    """What an entry made, if anything, under a safe name that need not be unique."""
    match entry:
        case ChartMade(chart=chart):
            yield Output(safe_name(chart.name, "chart.png"), "chart", position, chart)
        case FileMade(file=file):
            yield Output(safe_name(file.name, "file"), "file", position, file)
        case FigureMade(figure=figure):
            name = safe_name(figure.name, "figure").removesuffix(".json") + ".html"
            yield Output(name, "figure", position, figure)
        case TableMade(table=table):
            yield Output("table.csv", "table", position, table)
        case CallStarted(tool=PythonExecTool.name, code=code):
            yield Output("code.py", "code", position, code)


def outputs_zip(outputs: Iterable[Output], script: str = "") -> bytes:
    """All outputs in one zip, and the whole ``script`` that made them; the same outputs give the same bytes."""
    outputs = tuple(outputs)
    contents = [(output.name, output.kind, output.content) for output in outputs]
    if script:
        name = free_name("analysis.py", {output.name.casefold() for output in outputs})
        contents.append((name, "code", lambda: script.encode("utf-8", "replace")))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, kind, content in contents:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_STORED if kind == "chart" else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, content())
    return buffer.getvalue()


def table_csv(table: OutputTable) -> bytes:
    """The table as CSV that a spreadsheet opens as it is meant: UTF-8 with its mark, no text taken for a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(_harmless, table.columns))
    writer.writerows(map(_harmless, row) for row in table.rows)
    return text.getvalue().encode("utf-8-sig", "replace")


def _harmless(cell: Cell) -> Cell:
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return "'" + cell
    return cell


def safe_name(name: str, fallback: str) -> str:
    """A bare file name that any system takes, made from one that may be hostile; ``fallback`` if nothing is left."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    kept = "".join("_" if letter in '<>:"|?*' else letter for letter in last if unicodedata.category(letter)[0] != "C")
    path = PurePosixPath(kept.strip(". ") or fallback)
    stem = path.stem.encode()[: _NAME_BYTES - len(path.suffix[:20].encode())].decode("utf-8", "ignore")
    return ("_" if _DEVICES.fullmatch(stem.split(".")[0]) else "") + stem + path.suffix[:20]


def free_name(name: str, taken: set[str]) -> str:
    """``name``, numbered if it is in ``taken`` whatever its case; the name is then taken."""
    path, number, free = PurePosixPath(name), 1, name
    while free.casefold() in taken:
        number += 1
        free = f"{path.stem}-{number}{path.suffix}"
    taken.add(free.casefold())
    return free
