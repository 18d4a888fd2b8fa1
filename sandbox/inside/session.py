"""What the supervisor does: takes the host's orders, one at a time, has them done and tells when they are."""

from sandbox.inside.box_settings import BoxSettings
from sandbox.inside.channel import Channel
from sandbox.inside.frames import PROTOCOL_VERSION, Header, encode
from sandbox.inside.loop import Loop
from sandbox.inside.outbox import Outbox
from sandbox.inside.outputs_folder import OutputsFolder, clear_folder
from sandbox.inside.profiling import Profiling
from sandbox.inside.running_cell import RunningCell, Stop, Surroundings
from sandbox.inside.workforce import Workforce

MAX_ORDER = 1 << 24
"""The longest code that the host may send, in bytes."""
REPORT_SECONDS = 10
"""For a worker to hand over what its cell has made."""


class Restarting:
    """The worker is being replaced and its files are removed, because the host wants it so."""

    def __init__(self, execution: str) -> None:
        self.execution = execution
        self.stopped: Stop | None = None


class Session:
    """One host, one worker, at most one task. ``run`` returns when the host is gone."""

    def __init__(self, settings: BoxSettings, settings_text: str) -> None:
        self._settings = settings
        self._loop = Loop()
        self._host = Channel(self._loop, (0, 1), MAX_ORDER, self._on_order, self._end)
        self._outbox = Outbox(self._host, self._match_pace)
        self._around = Surroundings(self._loop, self._outbox, OutputsFolder(settings.outputs), settings.limits)
        self._workforce = Workforce(self._loop, settings, settings_text)
        self._workforce.on_idle = self._on_idle
        self._workforce.on_reporting = self._on_reporting
        self._workforce.on_report = self._on_report
        self._workforce.on_lost = self._on_lost
        self._workforce.on_hopeless = self._on_hopeless
        self._task: RunningCell | Profiling | Restarting | None = None
        self._earlier_loss: Header | None = None
        self._is_ready = self._is_over = False

    def run(self) -> None:
        """Serve the host until it closes its end; then end every process."""
        self._workforce.start()
        while not self._is_over:
            self._loop.step()
        self._workforce.end_all()

    def _end(self) -> None:
        self._is_over = True

    def _on_order(self, header: Header, payload: bytes) -> None:
        kind, execution = header["type"], str(header.get("execution"))
        if kind == "interrupt":
            if self._task and self._task.execution == execution:
                self._stop("interrupt")
        elif kind == "run":
            self._task = RunningCell(self._around, execution, payload, float(header["timeout_s"]))
            self._go_on()
        elif kind == "profile":
            self._task = Profiling(header, payload, self._workforce, self._outbox, self._finish)
            self._loop.set_timer("deadline", self._task.timeout, lambda: self._stop("timeout"))
            self._task.start()
        elif kind == "restart":
            self._task = Restarting(execution)
            self._restart()

    def _on_idle(self) -> None:
        """A fresh worker waits for code."""
        if not self._is_ready:
            self._is_ready = True
            description = {"type": "ready", "protocol": PROTOCOL_VERSION}
            self._outbox.send(encode({**self._workforce.description, **description}))
        self._go_on()

    def _go_on(self) -> None:
        if not self._workforce.worker_is_idle or self._workforce.worker is None:
            return
        if isinstance(self._task, Restarting):
            self._finish({"outcome": "ok"})
        elif isinstance(self._task, RunningCell):
            self._workforce.worker_is_idle = False
            self._task.begin(self._workforce.worker)
            # Only now, for the worker is starting meanwhile.
            self._workforce.meter.begin()
            self._loop.set_timer("deadline", self._task.timeout, lambda: self._stop("timeout"))

    def _stop(self, cause: Stop) -> None:
        """First as Ctrl-C for Python alone, then for all its processes, then for good; a second wish kills at once."""
        task = self._task
        if task is None or isinstance(task, Restarting):
            return
        if isinstance(task, Profiling):
            task.stop(cause)
            return
        again, task.stopped = task.stopped is not None, task.stopped or cause
        if not task.has_begun:
            self._finish({"outcome": "error"})
        elif again:
            self._workforce.end(self._workforce.worker)
        else:
            grace = self._settings.limits.grace_seconds
            self._loop.cancel_timers("deadline")
            if not task.is_reporting:
                self._workforce.interrupt()
                self._loop.set_timer("group", grace / 2, self._workforce.interrupt_all)
            self._loop.set_timer("grace", grace, lambda: self._stop(cause))

    def _on_reporting(self) -> None:
        """The code is over, or pretends to be: that counts once, gives it seconds at most, and stops no stop."""
        task = self._task
        if isinstance(task, RunningCell) and task.has_begun and not task.is_reporting:
            task.is_reporting = True
            self._loop.cancel_timers("group")
            if not task.stopped:
                # A host that is slow to take what a cell has made must not cost it its variables.
                self._loop.set_timer("deadline", REPORT_SECONDS, lambda: self._stop("timeout"))

    def _on_report(self, header: Header, payload: bytes) -> None:
        """The worker shows something, or says that the cell is done; then it waits for the next one."""
        if not isinstance(self._task, RunningCell) or not self._task.has_begun:
            return
        if header.get("cell") != self._task.number:
            # Code has reported in the worker's place, and the worker is behind now.
            self._workforce.end(self._workforce.worker)
        elif header["type"] != "done":
            self._task.report(header, payload)
        else:
            self._workforce.worker_is_idle = True
            keep = header.get("keep")
            self._workforce.end_strangers([pid for pid in keep if type(pid) is int] if isinstance(keep, list) else ())
            self._finish({"outcome": "ok" if header.get("outcome") == "ok" else "error"}, payload)

    def _on_lost(self, loss: Header) -> None:
        """The worker is gone, and the variables with it."""
        if isinstance(self._task, Restarting):
            self._clear_folders()
        elif isinstance(self._task, RunningCell) and self._task.has_begun:
            if self._task.stopped:
                loss = {"lost": self._task.stopped}
            self._finish({"outcome": "error", **loss})
        else:
            self._earlier_loss = loss

    def _restart(self) -> None:
        worker = self._workforce.worker
        if worker and worker.pid:
            self._workforce.end(worker)
        else:
            self._clear_folders()
            self._go_on()

    def _clear_folders(self) -> None:
        """No process of the user's is alive at this point."""
        for folder in (self._settings.outputs, self._settings.tmp):
            clear_folder(folder)

    def _on_hopeless(self, complaint: bytes) -> None:
        """Python does not start here."""
        self._outbox.send(encode({"type": "failed"}, complaint))
        self._is_over = True

    def _finish(self, done: Header, error: bytes = b"") -> None:
        """The task is over, whatever ended it."""
        task, self._task = self._task, None
        self._loop.cancel_timers("deadline", "group", "grace")
        if task is None:
            return
        done = {"type": "done", "execution": task.execution, "stopped": task.stopped, **done}
        if isinstance(task, RunningCell):
            done["memory"] = self._workforce.memory_ran_out()
            done["earlier"], self._earlier_loss = self._earlier_loss, None
            if task.has_begun:
                done |= self._workforce.meter.taken()
            task.finish(done, error)
        else:
            self._outbox.send(encode(done, error))

    def _match_pace(self) -> None:
        """Read from the worker only as fast as the host takes it."""
        paused = self._outbox.is_full
        self._workforce.pause(paused)
        if isinstance(self._task, RunningCell):
            self._task.pause(paused)
