"""Shows what cells did, as text for a person or as one JSON line a cell, and writes what they made under safe names."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from sandbox.file_names import safe_name
from sandbox.sandbox import ExecutionResult, FileProfile, OutputTable, SandboxError
from wording import Language

_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')
_ROWS = 20


def plain(text: str) -> str:
    """Text from the sandbox as a terminal may show it: nothing that moves the cursor or turns the reading direction."""
    return _CONTROL.sub("", text)


class OutputFolder:
    """Where the charts and files of all cells go; without a path they are only named."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._taken: set[str] = set()

    def keep(self, number: int, result: ExecutionResult) -> tuple[list[str], list[str]]:
        """The names that the charts and the other files of a cell got. Nothing is written over."""
        charts = [self._write(f"cell{number}-{chart.name}", chart.content) for chart in result.charts]
        figures = [self._write(f"cell{number}-{each.name}.json", each.json.encode()) for each in result.figures]
        return charts, figures + [self._write(f"cell{number}-{file.name}", file.content) for file in result.files]

    def _write(self, wanted: str, content: bytes) -> str:
        name = safe_name(_NOT_ON_WINDOWS.sub("_", wanted.replace("/", "_").replace("\\", "_")), self._taken)
        if self._path is None:
            self._taken.add(name)
            return name
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            self._taken |= {each.name for each in self._path.iterdir()}
            name = safe_name(name, self._taken)
            (self._path / name).write_bytes(content)
        except OSError as error:
            raise SandboxError(
                "{folder} cannot be written to: {reason}. Choose another folder with --out.",
                folder=self._path,
                reason=error.strerror or error,
            ) from error
        return name


def result_line(result: ExecutionResult, charts: list[str], files: list[str]) -> str:
    """One line of ASCII JSON; the keys are what scripts rely on."""
    values = {
        "stdout": result.stdout,
        "stderr": result.stderr,
        "error": result.error,
        "timed_out": result.timed_out,
        "state_lost": result.state_lost,
        "duration_s": round(result.duration_s, 4),
        "charts": charts,
        "files": files,
    }
    return json.dumps(values)


def show_result(result: ExecutionResult, names: list[str], out: TextIO, language: Language) -> None:
    """What is left to show of a cell whose printed text was shown as it came."""
    if result.stdout and not result.stdout.endswith("\n"):
        out.write("\n")
    for text in (result.value, *map(_table_text, result.tables), result.error or ""):
        if text:
            out.write(plain(text).rstrip("\n") + "\n")
    for sentence in result.notices:
        if str(sentence) != result.error:
            out.write(f"[{plain(sentence.in_language(language))}]\n")
    for name in names:
        out.write(f"[{name}]\n")


def _table_text(table: OutputTable) -> str:
    lines = ["\t".join(table.columns), *("\t".join(str(cell) for cell in row) for row in table.rows[:_ROWS])]
    more = table.row_count - min(len(table.rows), _ROWS)
    return "\n".join([*lines, *([f"... {more:,} more rows"] if more > 0 else [])])


def profile_line(profile: FileProfile) -> str:
    """One line of ASCII JSON; sentences in English."""
    values = asdict(profile)
    values["problem"] = profile.problem and str(profile.problem)
    for told, table in zip(values["tables"], profile.tables, strict=True):
        told["notes"] = [str(note) for note in table.notes]
        for column in told["columns"]:
            del column["marks"]
    return json.dumps(values)


def profile_text(profile: FileProfile, language: Language) -> str:
    """For a person: each table with its columns, and the Python that reads it."""
    lines = [f"{profile.name}: {profile.size:,} bytes"]
    for table in profile.tables:
        lines += ["", f"{table.variable}: {table.rows:,} rows, {len(table.columns)} columns"]
        lines += [f"  {each.name!r}: {each.type}, {each.missing:,} missing" for each in table.columns]
        lines += [f"  {note.in_language(language)}" for note in table.notes]
        lines += [f"  {line}" for line in table.recipe.splitlines()]
    return plain("\n".join(lines))
