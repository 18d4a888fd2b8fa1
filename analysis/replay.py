"""Brings lost variables back: the cells that ran well since Python was last restarted, once more, in order."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import cast

from agents.events import ApprovalGiven, CallFinished, CallStarted
from agents.stop_signal import StopSignal
from analysis.briefing import Briefing
from analysis.record import CellReplayed, Entry, PythonRestarted, ReplayBegun, ReplayEnded
from sandbox.sandbox import ExecutionResult, OutputText, Sandbox, SandboxError
from tools.code_cleaning import clean_code
from tools.python_exec_tool import PythonExecTool
from wording import Sentence


def cells_to_replay(entries: Iterable[Entry], *, lost_variables: bool) -> tuple[str, ...]:
    """The code of every cell that ran well since the person restarted Python; none while its variables are all there.

    ``lost_variables`` is what the sandbox says of the time since the last entry.
    """
    cells: list[str] = []
    codes: dict[str, str] = {}
    lost = 0
    for entry in entries:
        match entry:
            case CallStarted(call_id, PythonExecTool.name, code):
                codes[call_id] = code
            case ApprovalGiven(call_id, is_approved=True, code=code) if call_id in codes:
                codes[call_id] = code
            case CallFinished(call_id=call_id) if call_id in codes:
                lost = len(cells) if entry.lost_before else lost
                cells += [codes[call_id]] if entry.ok else []
                lost = len(cells) if entry.state_lost else lost
            case PythonRestarted(by_person=True):
                cells, lost = [], 0
            case PythonRestarted() | ReplayBegun():
                lost = len(cells)
            case CellReplayed():
                lost -= 1
            case ReplayEnded(failed=ExecutionResult(state_lost=loss)) if loss:
                lost = len(cells)
    return tuple(cells) if lost or lost_variables else ()


def replay(
    sandbox: Sandbox, cells: Sequence[str], briefing: Briefing, stop: StopSignal
) -> Generator[Entry, None, None]:
    """Run the cells in a new Python, so that nothing that ran since the loss disturbs them, and tell the model.

    The first that fails is the last, for the later ones most often build on it. What they print and make is in the
    record already and is dropped. Raises ``SandboxError``.
    """
    try:
        for entry in _replayed(sandbox, cells, stop):
            if isinstance(entry, ReplayEnded):
                briefing.tell_of_replay(entry)
            yield entry
    except SandboxError:
        briefing.tell_of_restart()
        raise


def _replayed(sandbox: Sandbox, cells: Sequence[str], stop: StopSignal) -> Iterator[CellReplayed | ReplayEnded]:
    sandbox.restart()
    count = len(cells)
    for number, code in enumerate(cells, 1):
        result = _run(sandbox, code, stop)
        if not result.ok:
            failed = replace(result, tables=(), charts=(), figures=(), files=())
            yield ReplayEnded(count=count, done=number - 1, code=code, failed=failed)
            return
        yield CellReplayed(number, count)
    yield ReplayEnded(count=count, done=count)


def _run(sandbox: Sandbox, code: str, stop: StopSignal) -> ExecutionResult:
    if stop.is_set:
        return ExecutionResult(interrupted=True)
    # What a sandbox hands out is a generator, whose closing interrupts the code.
    output = sandbox.execute(clean_code(code).code)
    with (
        stop.calling(sandbox.interrupt),
        closing(cast("Generator[OutputText | ExecutionResult, None, None]", output)) as items,
    ):
        (result,) = [item for item in items if isinstance(item, ExecutionResult)]
    return result


def outcome(ended: ReplayEnded) -> Sentence:
    """What a person reads at the end of a replay."""
    places = {"number": ended.done + 1, "count": ended.count}
    if ended.failed is None:
        return Sentence(
            "The earlier code ran again: {count} of {count}. Its variables are back.", {"count": ended.count}
        )
    if ended.failed.state_lost:
        return Sentence(
            "The earlier code ran again up to {number} of {count}, which ended Python: variables are gone, files are "
            "still there. Ask for what you need anew.",
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
