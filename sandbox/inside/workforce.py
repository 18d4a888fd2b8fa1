"""The zygote and the session's worker: forks, watches, interrupts, ends and replaces them; knows no cell."""

import os
import signal
import socket
from collections.abc import Callable, Iterable
from resource import struct_rusage

from sandbox.inside.box_settings import BoxSettings
from sandbox.inside.channel import OnFrame
from sandbox.inside.child_watch import ChildWatch
from sandbox.inside.frames import Header
from sandbox.inside.loop import Loop
from sandbox.inside.meter import Meter
from sandbox.inside.processes import (
    MemoryKills,
    descendants,
    end_processes,
    send_group_signal,
    send_signal,
    stop_processes,
)
from sandbox.inside.report_socket import ReportSocket
from sandbox.inside.zygote import Child, Zygote

ZYGOTE_SECONDS = 120
"""For Python to start and import its libraries; a host may give up earlier."""
FORK_SECONDS = 20
MAX_FAILURES = 50
"""How often in a row a fork may fail before there is no point in going on; a zygote that ends counts ten times."""


class Workforce:
    """Keeps one worker at hand. Its owner sets the callbacks."""

    def __init__(self, loop: Loop, settings: BoxSettings, settings_text: str) -> None:
        self._loop = loop
        self._reports = ReportSocket(loop, self._on_call)
        self._child_watch = ChildWatch(loop, self._on_process_end)
        self._zygote = Zygote(loop, settings, settings_text, self._reports.address)
        self._zygote.on_sealed = self._on_zygote_sealed
        self._zygote.on_ready = self._on_zygote_ready
        self._zygote.on_born = self._on_born
        self._zygote.on_barren = self._on_barren
        self._memory_kills = MemoryKills(settings.memory_events)
        self._halted: set[int] = set()
        self._children: dict[int, Child] = {}
        self._failures = 0
        self._paused = self._worker_has_started = self._worker_was_welcome = False
        self.meter = Meter()
        self.worker: Child | None = None
        self.worker_is_idle = False
        self.description: Header = {}
        """What the zygote says of itself: its Python and its packages."""
        self.on_idle: Callable[[], None] = lambda: None
        self.on_reporting: Callable[[], None] = lambda: None
        """Called when the worker is through with its code and begins to report."""
        self.on_report: OnFrame = lambda header, payload: None
        self.on_lost: Callable[[Header], None] = lambda loss: None
        """Called with why the worker is gone; a new one is on its way."""
        self.on_hopeless: Callable[[bytes], None] = lambda complaint: None

    def start(self) -> None:
        self._zygote.start()
        self._fork_worker()

    def fork_profiler(self, on_frame: OnFrame, on_end: Callable[[int], None]) -> Child:
        """A fresh process that profiles one file."""
        return self._zygote.fork("profile", on_frame, on_end)

    def interrupt(self) -> None:
        """Ctrl-C for the worker alone."""
        if self.worker and self.worker.pid:
            send_signal(self.worker.pid, signal.SIGINT)

    def interrupt_all(self) -> None:
        """Ctrl-C for the worker and what it started, as a terminal would send it."""
        if self.worker and self.worker.pid:
            send_group_signal(self.worker.pid, signal.SIGINT)

    def end(self, child: Child | None) -> None:
        """Kill a child with all that it started; ``on_end`` follows. One that is not born yet has to wait for that."""
        if child and (pid := child.pid):
            end_processes(lambda: {pid} | descendants(pid))
        elif child:
            child.is_doomed = True

    def end_zygote(self) -> None:
        """Have another one: it was told to fork and has not, so somebody has stopped it."""
        self._zygote.kill()

    def end_strangers(self, keep: Iterable[int] = ()) -> None:
        """End what a cell left running, but for the worker itself and the processes of its own pools."""
        kept = {self._zygote.pid, *self._children, *keep}
        roots = [os.getpid(), *self._children]
        end_processes(lambda: set().union(*(descendants(root, kept) for root in roots)))

    def end_all(self) -> None:
        """End every process but our own."""
        end_processes(lambda: descendants(os.getpid()))

    def pause(self, paused: bool) -> None:
        """Read no more of what the worker reports, or read on."""
        self._paused = paused
        if self.worker and self.worker.channel:
            self.worker.channel.pause(paused)

    def memory_ran_out(self) -> bool:
        """Whether the kernel killed a process for want of memory since the last time of asking."""
        return self._memory_kills.happened()

    def _on_zygote_ready(self, header: Header) -> None:
        self.description = header
        self._failures = 0

    def _fork_worker(self) -> None:
        """A zygote that was stopped or starved does not answer: then there has to be another one."""
        self._worker_has_started = self._worker_was_welcome = False
        self._loop.set_timer("worker", FORK_SECONDS if self._zygote.is_ready else ZYGOTE_SECONDS, self.end_zygote)
        self.worker = self._zygote.fork("worker", self._on_worker_frame, self._on_worker_end)
        self.worker.on_hung_up = self._on_worker_hung_up

    def _on_born(self, child: Child) -> None:
        self._children[child.pid] = child
        if not os.path.exists(f"/proc/{child.pid}"):  # noqa: PTH110 - ended, and was reaped, before its number was known
            self._on_child_end(child.pid, signal.SIGKILL)
        elif child.is_doomed:
            self.end(child)
        elif child is self.worker:
            self._welcome_worker()

    def _on_barren(self, child: Child) -> None:
        """There is no room for one more process."""
        self.end_strangers()
        self._fail()
        if child is self.worker:
            self._loop.set_timer("fork", 0.1, self._fork_worker)
        else:
            child.on_end(signal.SIGKILL)

    def _fail(self, weight: int = 1) -> None:
        self._failures += weight
        if self._failures > MAX_FAILURES:
            self.on_hopeless(self._zygote.complaint)

    def _on_worker_frame(self, header: Header, payload: bytes) -> None:
        if header["type"] != "idle":
            self.on_report(header, payload)
        elif self.worker:
            self._worker_has_started = True
            self._welcome_worker()

    def _on_worker_hung_up(self) -> None:
        """One that waits for code does not; so this was its code, which it is still running."""
        if self.worker_is_idle:
            self.worker_is_idle = False
            self.end(self.worker)

    def _welcome_worker(self) -> None:
        """It can be used once it has started and its number is known; which comes first is up to chance."""
        if self.worker and self.worker.pid and self._worker_has_started:
            self._worker_has_started, self._worker_was_welcome = False, True
            self._failures = 0
            self._loop.cancel_timers("worker")
            self.worker_is_idle = True
            self.meter.watch(self.worker.pid)
            self.on_idle()

    def _on_call(self, pid: int, connection: socket.socket) -> None:
        """The worker is through with its code; no other process has anything to report."""
        if self.worker and self.worker.pid == pid:
            channel = self.worker.listen(connection)
            self.pause(self._paused)
            self.on_reporting()
            if not self._paused:
                # What it has to say came with its call.
                self._loop.call_last(channel.read)
        else:
            connection.close()

    def _on_process_end(self, pid: int, status: int, usage: struct_rusage) -> None:
        if self.worker and pid == self.worker.pid:
            self.meter.end_worker(usage)
        if pid == self._zygote.pid:
            self._on_zygote_end()
        else:
            self._on_child_end(pid, status)

    def _on_child_end(self, pid: int, status: int) -> None:
        child = self._children.pop(pid, None)
        if child:
            child.hang_up()
            child.on_end(status)

    def _on_worker_end(self, status: int) -> None:
        self.worker, self.worker_is_idle = None, False
        self.end_strangers()
        self.on_lost(_loss(status, self.memory_ran_out()))
        if self._worker_was_welcome:
            self._fork_worker()
        else:
            # It did not even get as far as waiting for code.
            self._fail(10)
            self._loop.set_timer("fork", 0.1, self._fork_worker)

    def _on_zygote_end(self) -> None:
        """No process of the user's may run while a zygote starts, or it could take it over."""
        self._zygote.forget()
        if not self.description:
            self.on_hopeless(self._zygote.complaint)
            return
        self._fail(10)
        self._halted |= stop_processes(lambda: descendants(os.getpid()))
        self._zygote.start()

    def _on_zygote_sealed(self) -> None:
        halted, self._halted = self._halted, set()
        for pid in halted:
            send_signal(pid, signal.SIGCONT)


def _loss(status: int, memory_ran_out: bool) -> Header:
    """Why the variables are gone, from how their process ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        out_of_memory = memory_ran_out and number == signal.SIGKILL
        return {"lost": "memory" if out_of_memory else "crash", "signal": number}
    return {"lost": "exit", "exit_code": os.waitstatus_to_exitcode(status)}
