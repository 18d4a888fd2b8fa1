"""Notices that child processes have ended, within the event loop."""

import signal
import socket
from collections.abc import Callable
from resource import struct_rusage

from sandbox.inside.loop import Loop
from sandbox.inside.processes import ended_children


class ChildWatch:
    """Calls ``on_end`` with what ``ended_children`` gives of every child that ends, adopted ones too."""

    def __init__(self, loop: Loop, on_end: Callable[[int, int, struct_rusage], None]) -> None:
        self._loop = loop
        self._on_end = on_end
        self._bell, rung = socket.socketpair()
        for each in (self._bell, rung):
            each.setblocking(False)
        # The interpreter writes there when a signal comes, if only the signal has a handler.
        signal.set_wakeup_fd(rung.detach(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        loop.watch(self._bell.fileno(), self._on_bell)

    def look_soon(self) -> None:
        """Look for ended children once what they may still have sent has been read."""
        self._loop.set_timer("children", 0, self._look)

    def _on_bell(self) -> None:
        self._bell.recv(4096)
        self.look_soon()

    def _look(self) -> None:
        for child in ended_children():
            self._on_end(*child)
