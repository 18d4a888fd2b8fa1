"""Brings lost variables back: the cells that ran well since Python was last restarted, once more, in order."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import cast

from agents.events import ApprovalGiven, CallFinished, CallStarted, CodeReviewed
from agents.stop_signal import StopSignal
from analysis.briefing import Briefing
from analysis.record import CellReplayed, Entry, PythonRestarted, ReplayBegun, ReplayEnded
from sandbox.sandbox import ExecutionResult, OutputText, Sandbox, SandboxError, StateLoss
from tools.code_cleaning import clean_code
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolError
from wording import Sentence


@dataclass(frozen=True, slots=True)
class LostCell:
    """Code that ran well, and what had raised an error just before it: it may build on what that set until then."""

    code: str
    failed_before: tuple[str, ...] = ()


class _Cells:
    """What ran since the person restarted Python, in order, and how much of it is lost."""

    def __init__(self) -> None:
        self.good: list[LostCell] = []
        self.lost = 0
        self._failed: list[str] = []

    def add(self, code: str, end: CallFinished) -> None:
        if end.lost_before:
            self.lose_all()
        if end.ok:
            self.good.append(LostCell(code, tuple(self._failed)))
            self._failed.clear()
        elif end.state_lost:
            self.lose_all()
        elif not (end.timed_out or end.interrupted):
            self._failed.append(code)

    def lose_all(self) -> None:
        self.lost = len(self.good)
        self._failed.clear()


def cells_to_replay(entries: Iterable[Entry], *, lost_variables: bool) -> tuple[LostCell, ...]:
    """Every cell that ran well since the person restarted Python; none while their variables are all there.

    ``lost_variables`` is what the sandbox says of the time since the last entry.
    """
    cells = _Cells()
    codes: dict[str, str] = {}
    for entry in entries:
        match entry:
            case CallStarted(call_id, PythonExecTool.name, code):
                codes[call_id] = code
            case ApprovalGiven(call_id, is_approved=True, code=code) if call_id in codes:
                codes[call_id] = code
            case ApprovalGiven(call_id) | CodeReviewed(call_id, is_good=False):
                codes.pop(call_id, None)
            case CallFinished(call_id=call_id) if call_id in codes:
                cells.add(codes.pop(call_id), entry)
            case PythonRestarted(by_person=True):
                cells = _Cells()
            case PythonRestarted() | ReplayBegun() | ReplayEnded(failed=ExecutionResult(state_lost=StateLoss())):
                cells.lose_all()
            case CellReplayed():
                cells.lost -= 1
    return tuple(cells.good) if cells.lost or lost_variables else ()


def replay(
    sandbox: Sandbox, cells: Sequence[LostCell], briefing: Briefing, stop: StopSignal
) -> Generator[Entry, None, None]:
    """Run the cells in a new Python, so that nothing that ran since the loss disturbs them, and tell the model.

    The first that fails is the last, for the later ones most often build on it; what had failed before may fail again.
    What they print and make is in the record already and is dropped. Raises ``SandboxError``.
    """
    try:
        for entry in _replayed(sandbox, cells, stop):
            if isinstance(entry, ReplayEnded):
                briefing.tell_of_replay(entry)
            yield entry
    except SandboxError:
        briefing.tell_of_restart()
        raise


def _replayed(sandbox: Sandbox, cells: Sequence[LostCell], stop: StopSignal) -> Iterator[CellReplayed | ReplayEnded]:
    sandbox.restart()
    count = len(cells)
    for number, cell in enumerate(cells, 1):
        code, result = _run_cell(sandbox, cell, stop)
        if not result.ok:
            failed = replace(result, tables=(), charts=(), figures=(), files=())
            yield ReplayEnded(count=count, done=number - 1, code=code, failed=failed)
            return
        yield CellReplayed(number, count)
    yield ReplayEnded(count=count, done=count)


def _run_cell(sandbox: Sandbox, cell: LostCell, stop: StopSignal) -> tuple[str, ExecutionResult]:
    """The cell's result with its code, or those of what came before it and ended more than itself."""
    for code in cell.failed_before:
        result = _run(sandbox, code, stop)
        if result.interrupted or result.state_lost:
            return code, result
    return cell.code, _run(sandbox, cell.code, stop)


def _run(sandbox: Sandbox, code: str, stop: StopSignal) -> ExecutionResult:
    if stop.is_set:
        return ExecutionResult(interrupted=True)
    # What a sandbox hands out is a generator, whose closing interrupts the code.
    output = sandbox.execute(_cleaned(code))
    with (
        stop.calling(sandbox.interrupt),
        closing(cast("Generator[OutputText | ExecutionResult, None, None]", output)) as items,
    ):
        (result,) = [item for item in items if isinstance(item, ExecutionResult)]
    return result


def _cleaned(code: str) -> str:
    """As it ran the first time; what is not Python did not run at all."""
    try:
        return clean_code(code).code
    except ToolError:
        return ""


def outcome(ended: ReplayEnded) -> Sentence:
    """What a person reads at the end of a replay."""
    places = {"number": ended.done + 1, "count": ended.count}
    if ended.failed is None:
        return Sentence(
            "The earlier code ran again: {count} of {count}. Its variables and files are back; files that other code "
            "had left in the sandbox are gone.",
            {"count": ended.count},
        )
    if ended.failed.state_lost:
        return Sentence(
            "The earlier code ran again up to {number} of {count}, which ended Python: variables are gone, and so "
            "are files that code had left in the sandbox before. The files you added are still there. Run it once "
            "more, or ask anew.",
            places,
        )
    if ended.failed.interrupted:
        return Sentence(
            "Stopped at {number} of {count}. The variables of the code before it are back; run the earlier code again "
            "for the others.",
            places,
        )
    return Sentence(
        "The earlier code ran again up to {number} of {count}, which failed. The variables of the code before it are "
        "back; ask for the others anew.",
        places,
    )
