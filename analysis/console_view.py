"""Draws the record on a terminal, as text for a person or as JSON lines for a program, and saves what was made."""

import re
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TextIO

from agents import events
from analysis.cost import Spending
from analysis.event_json import event_line
from analysis.export import free_name, made_by
from analysis.folded_output import FoldedOutput
from analysis.record import (
    AnswerChecked,
    CellReplayed,
    Entry,
    FileAdded,
    FileRemoved,
    PythonRestarted,
    QuestionAsked,
    ReplayBegun,
    ReplayEnded,
    Replaying,
)
from analysis.replay import outcome
from analysis.sandbox_links import SandboxLinks
from sandbox.sandbox import Cell, ExecutionResult, FileProfile, OutputTable
from wording import Language, Sentence, ToldError, say

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|.)")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_ROWS, _CELL = 10, 40
CODE = "  | "


class Saver:
    """Writes charts, figures and files into one folder; it never writes over a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, entry: Entry) -> Path | None:
        """Where the thing that was made is now; None if the entry made none. Raises ``ToldError``."""
        if not isinstance(entry, events.ChartMade | events.FigureMade | events.FileMade):
            return None
        output = next(made_by(entry, 0))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._free_path(output.name)
            path.write_bytes(output.content())
        except OSError as error:
            raise ToldError(
                "{path} cannot be written: {reason}. Choose another folder with --out.",
                path=self._folder,
                reason=error.strerror or error,
            ) from error
        return path

    def _free_path(self, name: str) -> Path:
        taken: set[str] = set()
        while True:
            path = self._folder / free_name(name, taken)
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path


class View(ABC):
    """Shows one entry after the other."""

    def __init__(self, stream: TextIO, saver: Saver, language: Language) -> None:
        self._stream = stream
        self._saver = saver
        self._language = language

    @abstractmethod
    def show(self, entry: Entry) -> None: ...

    @abstractmethod
    def show_error(self, reason: Sentence) -> None:
        """A failure outside any question."""

    def show_spending(self, spent: Spending) -> None:  # noqa: B027 - optional on purpose
        """What a question took; a program counts the tokens of its model calls itself."""


class JsonView(View):
    """One entry a line, each line written out at once."""

    def show(self, entry: Entry) -> None:
        path = self._saver.save(entry)
        self._stream.write(event_line(entry, self._language, None if path is None else str(path)) + "\n")
        self._stream.flush()

    def show_error(self, reason: Sentence) -> None:
        self.show(events.Failed(reason))


class TextView(View):
    """Text as it comes, code and output set apart from it."""

    _is_mid_line = False
    _draft = ""
    """The code of the next call, as far as it was shown while it was written."""

    def __init__(self, stream: TextIO, saver: Saver, language: Language) -> None:
        super().__init__(stream, saver, language)
        self._links = SandboxLinks()
        self._output = FoldedOutput()

    def show(self, entry: Entry) -> None:
        self._end_others(entry)
        match entry:
            case events.TextWritten(text=text):
                self._write(self._links.feed(visible(text)))
            case events.CodeWritten() | events.CallStarted():
                self._show_code(entry)
            case events.CodeReviewed(is_good=False, reason=reason):
                self._tell("A second model sent this code back: {reason}", reason=reason)
            case events.OutputWritten(output=output):
                self._write(self._output.feed(visible(output.text)))
            case events.ValueShown(text=text):
                self._end_line()
                self._write(self._output.feed(visible(text) + "\n"))
            case events.TableMade(table=table):
                self._block(self._table(table))
            case events.ChartMade() | events.FigureMade() | events.FileMade():
                self._tell("Saved: {path}", path=self._saver.save(entry))
            case events.CallFinished():
                self._show_failure(entry)
                self._end_line()
            case _:
                self._show_turn(entry)

    def _end_others(self, entry: Entry) -> None:
        """End the text, and the output, that this does not go on with."""
        if not isinstance(entry, events.TextWritten):
            self._write(self._links.finish())
        if not isinstance(entry, events.OutputWritten | events.ValueShown) and (more := self._output.end()):
            self._block(more.in_language(self._language))

    def _show_code(self, entry: events.CodeWritten | events.CallStarted) -> None:
        """The first call of a reply as it is written; the others, and what is not what was written, as they run."""
        match entry:
            case events.CodeWritten(number=0, text=text):
                self._draft += text
                self._block(text, CODE)
            case events.CallStarted(code=code):
                if code.strip() != self._draft.strip():
                    self._block(code.rstrip(), CODE)
                self._draft = ""

    def show_error(self, reason: Sentence) -> None:
        """It goes to the error stream alone."""
        self._end_line()

    def show_spending(self, spent: Spending) -> None:
        for sentence in spent.sentences[:1]:
            self._block(sentence.in_language(self._language), "$ ")

    def _show_turn(self, entry: Entry) -> None:
        match entry:
            case FileAdded(profile=profile):
                self._show_file(profile)
            case FileRemoved(name=name):
                self._tell("{name} was removed.", name=name)
            case PythonRestarted():
                self._tell("Python was restarted.")
            case ReplayBegun() | CellReplayed() | ReplayEnded():
                self._show_replay(entry)
            case events.Waiting(sentence=sentence):
                self._draft = ""
                self._block(sentence.in_language(self._language))
            case _:
                self._show_end(entry)

    def _show_end(self, entry: Entry) -> None:
        match entry:
            case AnswerChecked(sentences=sentences):
                for sentence in sentences:
                    self._block(sentence.in_language(self._language), "= ")
            case events.Finished(notice=notice):
                self._end_line()
                if notice:
                    self._block(notice.in_language(self._language))
            case events.Stopped():
                self._tell("Stopped.")
            case events.Failed() | QuestionAsked():
                self._draft = ""
                self._end_line()

    def _show_replay(self, entry: Replaying) -> None:
        match entry:
            case ReplayBegun():
                self._tell("Running the earlier code again…")
            case CellReplayed(number=number, count=count):
                self._tell("{number} of {count}", number=number, count=count)
            case ReplayEnded(code=code, failed=failed):
                if failed and not failed.interrupted:
                    self._block(code.rstrip(), CODE)
                    self._show_failure(failed)
                self._block(outcome(entry).in_language(self._language))

    def _show_file(self, profile: FileProfile) -> None:
        for table in profile.tables:
            rows, columns = f"{table.rows:,}", f"{len(table.columns):,}"
            self._tell("{name}: {rows} rows, {columns} columns", name=profile.name, rows=rows, columns=columns)
            for note in table.notes:
                self._block(note.in_language(self._language), "  ")

    def _show_failure(self, ended: events.CallFinished | ExecutionResult) -> None:
        """The error, if there is one, and what else is to be known."""
        if ended.error:
            self._block(ended.error, "  ! ")
        for notice in ended.notices:
            self._block(notice.in_language(self._language))

    def _table(self, table: OutputTable) -> str:
        rows = [table.columns, *table.rows[:_ROWS]]
        texts = [[_cell_text(cell) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        lines = [
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in texts
        ]
        if table.row_count > _ROWS:
            more = Sentence("… {rows} rows in all", {"rows": f"{table.row_count:,}"})
            lines.append(more.in_language(self._language))
        return "\n".join(lines)

    def _tell(self, template: str, **values: object) -> None:
        self._block(say(template, self._language, **values))

    def _block(self, text: str, margin: str = "") -> None:
        """Lines of their own."""
        self._end_line()
        for line in visible(text).splitlines() or [""]:
            self._write(f"{margin}{line}\n")

    def _end_line(self) -> None:
        if self._is_mid_line:
            self._write("\n")

    def _write(self, text: str) -> None:
        shown = visible(text)
        self._stream.write(shown)
        self._stream.flush()
        if shown:
            self._is_mid_line = not shown.endswith("\n")


def visible(text: str) -> str:
    """Text from outside without what steers a terminal; only a progress bar may begin its line again."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", _ESCAPES.sub("", text.replace("\r\n", "\n")))


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:.6g}"
    flat = "" if cell is None else " ".join(str(cell).split())
    return flat if len(flat) <= _CELL else flat[: _CELL - 1] + "…"
