"""Gathers the messages of one cell into its ``ExecutionResult``, within limits that the sandbox cannot change."""

import signal
from typing import Any

from sandbox.limits import Limits
from sandbox.packages import Packages, missing_library
from sandbox.printed_text import PrintedText, clean_text
from sandbox.protocol import Message
from sandbox.received import (
    Malformed,
    figure_of,
    file_of,
    read_json,
    sentence_of,
    table_of,
    usage_of,
)
from sandbox.sandbox import CellUsage, ExecutionResult, OutputFigure, OutputFile, OutputTable, OutputText, StateLoss
from wording import Sentence

VALUE_CHARS = 10_001
ERROR_CHARS = 10_000
MAX_NOTICES = 50
NOTICE_BYTES = 1 << 20
"""What the sandbox does not count itself."""

_VARIABLES_KEPT = "The code was stopped after {seconds} s. The variables are still there."
_LOSSES = {
    StateLoss.TIMEOUT: "The code ran longer than {seconds} s and did not stop when it was asked to. Python was started "
    "anew: the variables are gone, the files are still there.",
    StateLoss.INTERRUPT: "The code did not stop when it was asked to. Python was started anew: the variables are gone, "
    "the files are still there.",
    StateLoss.MEMORY: "The code used more memory than there is, {memory_mb} MB. Python was started anew: the variables "
    "are gone, the files are still there.",
    StateLoss.CRASH: "The Python process crashed ({signal}). Python was started anew: the variables are gone, "
    "the files are still there.",
    StateLoss.EXIT: "The code ended the Python process (exit code {exit_code}). Python was started anew: the variables "
    "are gone, the files are still there.",
}
LOST_BEFORE = "Python had ended before this code ran and was started anew: variables of earlier cells were gone."
_MEMORY_SHORT = "A process of the code was ended because the memory, {memory_mb} MB, was used up."
PRINT_CUT = "More than {limit} characters were printed; the middle of it was left out."
_TOO_MUCH = "More was handed back than one cell may; the rest was left out."


class CellResult:
    """Takes messages until the one that says ``done``."""

    def __init__(self, limits: Limits, timeout: float, packages: Packages = ()) -> None:
        """``packages`` are those of the sandbox that runs the cell."""
        self._packages = packages
        self._limits = limits
        self._timeout = timeout
        self._texts = {stream: PrintedText(limits.output_chars) for stream in ("stdout", "stderr")}
        self._value = ""
        self._tables: list[OutputTable] = []
        self._charts: list[OutputFile] = []
        self._figures: list[OutputFigure] = []
        self._files: list[OutputFile] = []
        self._notices: list[Sentence] = []
        self._names: set[str] = set()
        self._room = limits.total_bytes + NOTICE_BYTES

    def add(self, message: Message) -> OutputText | None:
        """Take one message; gives printed text that is to be shown at once."""
        if printed := self._texts.get(message.kind):
            lost = message.header.get("cut")
            text = printed.add(message.content, lost if type(lost) is int else 0)
            return OutputText("stdout" if message.kind == "stdout" else "stderr", text) if text else None
        self._room -= len(message.content)
        if self._room < 0:
            self._notice(Sentence(_TOO_MUCH))
            return None
        try:
            self._take(message)
        except Malformed:
            # Nothing of ours sends such a thing, so there is nobody to tell.
            return None
        return None

    def _take(self, message: Message) -> None:
        limits, content = self._limits, message.content
        if message.kind == "value":
            self._value = clean_text(content)[:VALUE_CHARS]
        elif message.kind == "table" and len(self._tables) < limits.tables:
            self._tables.append(table_of(content, limits))
        elif message.kind == "figure" and len(self._figures) < limits.charts:
            self._figures.append(figure_of(content, message.header.get("name"), limits))
        elif message.kind == "notice":
            self._notice(sentence_of(read_json(content)))
        elif message.kind == "file":
            self._take_file(file_of(content, message.header, limits, self._names))

    def _take_file(self, file: OutputFile) -> None:
        kept, most = (self._charts, self._limits.charts) if file.kind == "chart" else (self._files, self._limits.files)
        if len(kept) < most:
            self._names.add(file.name)
            kept.append(file)

    def _notice(self, notice: Sentence) -> None:
        if notice not in self._notices and len(self._notices) < MAX_NOTICES:
            self._notices.append(notice)

    def finish(self, done: Message, seconds: float, transferred: tuple[int, int] = (0, 0)) -> ExecutionResult:
        """The result, with how long it took by the host's own clock, and the bytes that went in and came out."""
        header = done.header
        stopped, loss = header.get("stopped"), loss_of(header)
        error = clean_text(done.content)[:ERROR_CHARS]
        if loss:
            lost = self._loss_sentence(loss, header)
            error = error or str(lost)
            self._notice(lost)
        elif stopped == "timeout":
            self._notice(Sentence(_VARIABLES_KEPT, {"seconds": f"{self._timeout:g}"}))
        self._notice_rest(header, loss, error)
        (stdout, stdout_cut), (stderr, stderr_cut) = (printed.whole() for printed in self._texts.values())
        if stdout_cut or stderr_cut:
            self._notice(Sentence(PRINT_CUT, {"limit": self._limits.output_chars}))
        cpu_s, peak_bytes = usage_of(header, self._limits, seconds)
        return ExecutionResult(
            stdout=stdout,
            stderr=stderr,
            value=self._value,
            error=error or (None if header.get("outcome") == "ok" or stopped else "The code failed."),
            timed_out=stopped == "timeout",
            interrupted=stopped == "interrupt",
            state_lost=loss,
            lost_before=header.get("earlier") is not None,
            duration_s=seconds,
            tables=tuple(self._tables),
            charts=tuple(self._charts),
            figures=tuple(self._figures),
            files=tuple(self._files),
            notices=tuple(self._notices),
            usage=CellUsage(
                cpu_s=cpu_s,
                peak_bytes=peak_bytes,
                bytes_in=transferred[0],
                bytes_out=transferred[1],
                limits_hit=self._limits_hit(header, loss, stdout_cut or stderr_cut),
            ),
        )

    def _notice_rest(self, header: dict[str, Any], loss: StateLoss | None, error: str) -> None:
        """What happened besides the end of the cell."""
        if header.get("memory") is True and loss is not StateLoss.MEMORY:
            self._notice(Sentence(_MEMORY_SHORT, {"memory_mb": self._limits.memory_mb}))
        if missing := missing_library(error, self._packages):
            self._notice(missing)
        if header.get("earlier") is not None:
            self._notice(Sentence(LOST_BEFORE))

    def _limits_hit(self, header: dict[str, Any], loss: StateLoss | None, text_cut: bool) -> tuple[str, ...]:
        is_hit = {
            "seconds": header.get("stopped") == "timeout",
            "memory_mb": header.get("memory") is True or loss is StateLoss.MEMORY,
            "output_chars": text_cut,
            "total_bytes": self._room < 0,
        }
        return tuple(name for name, hit in is_hit.items() if hit)

    def _loss_sentence(self, loss: StateLoss, header: dict[str, Any]) -> Sentence:
        exit_code = header.get("exit_code")
        values: dict[str, str | int] = {
            "seconds": f"{self._timeout:g}",
            "memory_mb": self._limits.memory_mb,
            "signal": _signal_name(header.get("signal")),
            "exit_code": exit_code if isinstance(exit_code, int) else "?",
        }
        template = _LOSSES[loss]
        return Sentence(template, {name: value for name, value in values.items() if f"{{{name}}}" in template})


def loss_of(header: dict[str, Any]) -> StateLoss | None:
    """Why the variables are gone, None when they are not."""
    if "lost" not in header:
        return None
    try:
        loss = StateLoss(str(header["lost"]))
    except ValueError:
        return None
    return loss if loss in _LOSSES else None


def _signal_name(number: object) -> str:
    try:
        return f"signal {number}, {signal.Signals(number).name}" if isinstance(number, int) else "unknown signal"
    except ValueError:
        return f"signal {number}"
