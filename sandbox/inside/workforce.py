"""The zygote and the session's worker: forks, watches, interrupts, ends and replaces them; knows no cell."""

import os
import signal
import socket
import struct
from collections.abc import Callable, Iterable

from sandbox.inside.box_settings import BoxSettings
from sandbox.inside.channel import OnFrame
from sandbox.inside.frames import Header
from sandbox.inside.loop import Loop
from sandbox.inside.processes import (
    MemoryKills,
    descendants,
    end_processes,
    ended_children,
    send_group_signal,
    send_signal,
)
from sandbox.inside.zygote import Child, Zygote

START_SECONDS = 20
MAX_FAILURES = 50
"""How often in a row a fork or a start may fail before there is no point in going on."""


class Workforce:
    """Keeps one worker at hand. Its owner sets the callbacks."""

    def __init__(self, loop: Loop, settings: BoxSettings, settings_text: str) -> None:
        self._loop = loop
        self._listener, address = _listen()
        loop.watch(self._listener.fileno(), self._accept)
        self._zygote = Zygote(loop, settings, settings_text, address)
        self._zygote.on_ready = self._on_zygote_ready
        self._zygote.on_born = self._on_born
        self._zygote.on_barren = self._on_barren
        self._memory_kills = MemoryKills(settings.memory_events)
        self._children: dict[int, Child] = {}
        self._failures = 0
        self._paused = False
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
        self._wake_up_for_children()
        self._zygote.start()
        self._expect_worker()

    def fork_profiler(self, on_frame: OnFrame, on_end: Callable[[int], None]) -> Child | None:
        """A fresh process that profiles one file; None while there is nothing to fork from."""
        return self._zygote.fork("profile", on_frame, on_end) if self._zygote.is_ready else None

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
        """Begin anew with everything: it was told to fork and has not, so somebody has stopped it."""
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

    def _expect_worker(self) -> None:
        """A zygote that was stopped or starved does not answer: then all starts anew."""
        self._loop.set_timer("worker", START_SECONDS, self.end_zygote)

    def _on_zygote_ready(self, header: Header) -> None:
        self.description = header
        self._fork_worker()

    def _fork_worker(self) -> None:
        if self._zygote.is_ready:
            self.worker = self._zygote.fork("worker", self._on_worker_frame, self._on_worker_end)
        self._expect_worker()

    def _on_born(self, child: Child) -> None:
        self._children[child.pid] = child
        if not os.path.exists(f"/proc/{child.pid}"):  # noqa: PTH110 - ended, and was reaped, before its number was known
            self._on_child_end(child.pid, signal.SIGKILL)
        elif child.is_doomed:
            self.end(child)

    def _on_barren(self, child: Child) -> None:
        """There is no room for one more process."""
        self.end_strangers()
        self._fail()
        if child is self.worker:
            self._loop.set_timer("fork", 0.1, self._fork_worker)
        else:
            child.on_end(signal.SIGKILL)

    def _fail(self) -> None:
        self._failures += 1
        if self._failures > MAX_FAILURES:
            self.on_hopeless(self._zygote.complaint)

    def _on_worker_frame(self, header: Header, payload: bytes) -> None:
        if header["type"] != "idle":
            self.on_report(header, payload)
            return
        self._failures = 0
        self._loop.cancel_timers("worker")
        self.worker_is_idle = True
        self.on_idle()

    def _accept(self) -> None:
        """Take a connection if it is the worker's; no other process has anything to report."""
        connection, _ = self._listener.accept()
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        if self.worker and self.worker.pid == struct.unpack("3i", credentials)[0]:
            self.worker.listen(connection)
            self.pause(self._paused)
            self.on_reporting()
        else:
            connection.close()

    def _wake_up_for_children(self) -> None:
        ours, theirs = socket.socketpair()
        for each in (ours, theirs):
            each.setblocking(False)
        signal.set_wakeup_fd(theirs.detach(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self._bell = ours
        self._loop.watch(ours.fileno(), self._on_bell)

    def _on_bell(self) -> None:
        self._bell.recv(4096)
        # What the ended processes have still sent comes first.
        self._loop.set_timer("reap", 0, self._reap)

    def _reap(self) -> None:
        for pid, status in ended_children():
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
        self._fork_worker()

    def _on_zygote_end(self) -> None:
        """No process of the user's may be alive while a zygote starts, or it could take it over."""
        was_ready = self._zygote.is_ready
        self._zygote.forget()
        self.end_all()
        if not self.description and not was_ready:
            self.on_hopeless(self._zygote.complaint)
            return
        self._fail()
        self._zygote.start()
        self._expect_worker()
        self._loop.set_timer("reap", 0, self._reap)


def _loss(status: int, memory_ran_out: bool) -> Header:
    """Why the variables are gone, from how their process ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        out_of_memory = memory_ran_out and number == signal.SIGKILL
        return {"lost": "memory" if out_of_memory else "crash", "signal": number}
    return {"lost": "exit", "exit_code": os.waitstatus_to_exitcode(status)}


def _listen() -> tuple[socket.socket, str]:
    """A socket without a file: it is named after nothing that could be guessed or that stays behind."""
    address = f"sandbox-{os.urandom(16).hex()}"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(b"\0" + address.encode())
    listener.listen(8)
    listener.setblocking(False)
    return listener, address
