"""Runs cells one after the other and says what became of each; talks to nobody and knows no file descriptors."""

import ctypes
import sys
from dataclasses import dataclass
from typing import Any

from sandbox.inside.baseline import Baseline, allow_interrupts, take_keyboard_away
from sandbox.inside.box_settings import BoxSettings
from sandbox.inside.charts import Charts
from sandbox.inside.frames import Header
from sandbox.inside.shell import Shell
from sandbox.inside.shown import Shown, take_over_plotly
from sandbox.inside.traces import short_trace

_flush_c_streams = ctypes.CDLL(None).fflush


@dataclass(frozen=True, slots=True)
class CellReport:
    """What the cell has shown, and its traceback if it failed."""

    messages: list[tuple[Header, bytes]]
    error: str


class CellRunner:
    """Python as a session sees it: namespace, display and whatever has to be put right between two cells."""

    def __init__(self, settings: BoxSettings) -> None:
        limits = settings.limits
        charts = Charts(settings.outputs, limits.chart_pixels, limits.charts, limits.chart_bytes)
        self._shown = Shown(limits, charts)
        self._own_folders = (settings.outputs, settings.tmp)
        take_over_plotly(self._shown)
        self._shell = Shell.instance(self._shown, self._own_folders)
        take_keyboard_away()
        self._baseline = Baseline()
        self._flush = (sys.stdout.flush, sys.stderr.flush)

    def run(self, code: str) -> CellReport:
        """Run one cell. Whatever it raises is in the report."""
        error: BaseException | None = None
        messages: list[tuple[Header, bytes]] = []
        try:
            try:
                allow_interrupts(True)
                error = self._shell.execute(code)
                self._baseline.restore()
                allow_interrupts(True)
                messages = self._shown.take()
            finally:
                allow_interrupts(False)
        except BaseException as raised:  # noqa: BLE001 - an interrupt or a timer of the user's may strike anywhere
            error = error or raised
        self._baseline.restore()
        allow_interrupts(False)
        self._flush_output()
        return CellReport(messages, short_trace(error, self._own_folders) if error else "")

    def _flush_output(self) -> None:
        for flush in self._flush:
            try:
                flush()
            except (OSError, ValueError):
                # The cell has closed its own output.
                continue
        _flush_c_streams(None)


def end_joblib_workers() -> None:
    """joblib keeps processes for its next call; they would print into the pipes of a cell that is over."""
    loky: Any = sys.modules.get("joblib.externals.loky.reusable_executor")
    executor = getattr(loky, "_executor", None)
    if executor is not None:
        executor.shutdown(wait=False, kill_workers=True)


def pool_processes() -> list[int]:
    """The processes of multiprocessing that a later cell may still need."""
    multiprocessing: Any = sys.modules.get("multiprocessing")
    if multiprocessing is None:
        return []
    pids = [child.pid for child in multiprocessing.active_children()]
    for module, helper, attribute in (
        ("multiprocessing.resource_tracker", "_resource_tracker", "_pid"),
        ("multiprocessing.forkserver", "_forkserver", "_forkserver_pid"),
        ("joblib.externals.loky.backend.resource_tracker", "_resource_tracker", "_pid"),
    ):
        pids.append(getattr(getattr(sys.modules.get(module), helper, None), attribute, None))
    return [pid for pid in pids if pid]
