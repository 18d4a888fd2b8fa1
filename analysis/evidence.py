"""What a record holds that the answer to its last question may rest on."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from agents.events import (
    CallFinished,
    CallStarted,
    ChartMade,
    FigureMade,
    FileMade,
    OutputWritten,
    TableMade,
    ValueShown,
)
from analysis.record import Entry, FileAdded, QuestionAsked
from analysis.results import Results
from sandbox.sandbox import FileProfile
from tools.python_exec_tool import PythonExecTool

_Made = OutputWritten | ValueShown | TableMade | ChartMade | FigureMade | FileMade


@dataclass(frozen=True, slots=True)
class Evidence:
    """``names`` are those of columns and files; ``code_ran`` is about the last question alone."""

    results: Results
    columns: tuple[str, ...]
    files: tuple[str, ...]
    code_ran: bool


def gather(entries: Sequence[Entry], dictionary: str) -> Evidence:
    """Printed text, shown values and tables of the last question, its own text, the files and the dictionary.

    When no code ran for it, earlier questions of the record count too: the answer may sum them up.
    """
    asked = max((at for at, entry in enumerate(entries) if isinstance(entry, QuestionAsked)), default=0)
    code_ran = _code_ran(entries[asked:])
    profiles = [entry.profile for entry in entries if isinstance(entry, FileAdded)]
    results = Results()
    results.add_text(dictionary)
    for profile in profiles:
        _add_profile(results, profile)
    _add_outputs(results, entries[asked:] if code_ran else entries)
    columns = {column.name for profile in profiles for table in profile.tables for column in table.columns}
    return Evidence(results, tuple(columns), tuple(profile.name for profile in profiles), code_ran)


def _code_ran(entries: Sequence[Entry]) -> bool:
    codes = {entry.call_id for entry in entries if isinstance(entry, CallStarted) and entry.tool == PythonExecTool.name}
    done = (entry for entry in entries if isinstance(entry, _Made) or (isinstance(entry, CallFinished) and entry.ok))
    return any(entry.call_id in codes for entry in done)


def _add_outputs(results: Results, entries: Sequence[Entry]) -> None:
    printed: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in entries:
        if isinstance(entry, OutputWritten):
            printed[entry.call_id, entry.output.stream].append(entry.output.text)
        elif isinstance(entry, QuestionAsked | ValueShown):
            results.add_text(entry.text)
        elif isinstance(entry, TableMade):
            results.add_cells(cell for row in entry.table.rows for cell in row)
            results.add_cells([*entry.table.columns, entry.table.row_count, len(entry.table.columns)])
    for pieces in printed.values():
        # A piece may end in the middle of a number.
        results.add_text("".join(pieces))


def _add_profile(results: Results, profile: FileProfile) -> None:
    for table in profile.tables:
        results.add_cells([table.rows, len(table.columns)])
        for column in table.columns:
            results.add_cells([column.name, column.missing, column.distinct, column.minimum, column.maximum])
        for row in table.sample:
            results.add_cells(row)
        for note in table.notes:
            results.add_text(str(note))
