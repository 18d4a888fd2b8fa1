"""The supervisor's side of the warm Python process that it forks workers from; runs no user code itself."""

import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

from sandbox.inside.box_settings import BoxSettings
from sandbox.inside.channel import Channel, OnFrame
from sandbox.inside.environment import environment
from sandbox.inside.frames import Header, encode
from sandbox.inside.loop import Loop
from sandbox.inside.processes import send_signal

MAX_PAYLOAD = 1 << 24
"""The largest thing that a worker may show at once, in bytes."""
STDERR_BYTES = 4000
ENTRY = str(Path(__file__).with_name("supervisor.py"))


class Child:
    """A process forked from the zygote, and the connection that it talks over, if it does."""

    def __init__(self, loop: Loop, on_frame: OnFrame, on_end: Callable[[int], None]) -> None:
        self._loop = loop
        self._on_frame = on_frame
        self.on_end = on_end
        """Called with the wait status."""
        self.on_hung_up: Callable[[], None] = lambda: None
        """Called when the other side is the one that ends the connection."""
        self.pid = 0
        """Zero until it is known."""
        self.is_doomed = False
        self.connection: socket.socket | None = None
        self.channel: Channel | None = None

    def listen(self, connection: socket.socket) -> Channel:
        """Talk over ``connection`` from now on."""
        self.hang_up()
        files = (connection.fileno(), connection.fileno())
        self.connection = connection
        self.channel = Channel(self._loop, files, MAX_PAYLOAD, self._on_frame, self._on_end)
        return self.channel

    def _on_end(self) -> None:
        self.hang_up()
        self.on_hung_up()

    def hang_up(self) -> None:
        if self.channel and self.connection:
            self.channel.close()
            self.connection.close()
        self.channel = self.connection = None

    def send(self, frame: bytes, files: tuple[int, ...] = ()) -> None:
        if self.channel and self.connection:
            self.channel.send_with_files(self.connection, frame, files)

    def send_last(self, frame: bytes, files: tuple[int, ...]) -> None:
        """As ``send``, for what the child hangs up after; we do so first, unless a part of it still waits."""
        self.send(frame, files)
        if self.channel and not self.channel.has_unsent:
            self.hang_up()


class Zygote:
    """Started once, and again whenever it was killed."""

    def __init__(self, loop: Loop, settings: BoxSettings, settings_text: str, address: str) -> None:
        self._loop = loop
        self._arguments = [sys.executable, "-I", "-B", ENTRY, "worker", settings_text, address]
        self._environment = environment(settings)
        self._asked: deque[tuple[Child, str, socket.socket]] = deque()
        """Children that it has not been told of yet, because it is still starting."""
        self._unborn: deque[Child] = deque()
        self._link = Child(loop, self._on_frame, lambda status: None)
        self._stderr = -1
        self.pid = 0
        self.is_ready = False
        self.complaint = b""
        """The last that it wrote to stderr."""
        self.on_sealed: Callable[[], None] = lambda: None
        """Called when no other process can take it over any more."""
        self.on_ready: Callable[[Header], None] = lambda header: None
        self.on_born: Callable[[Child], None] = lambda child: None
        self.on_barren: Callable[[Child], None] = lambda child: None
        """Called when it could not fork."""

    def start(self) -> None:
        """Start the process; ``on_ready`` tells when it can fork."""
        ours, theirs = socket.socketpair()
        self._stderr, stderr = os.pipe()
        os.set_blocking(self._stderr, False)
        self._loop.watch(self._stderr, self._read_stderr)
        null = os.open(os.devnull, os.O_RDWR)
        files = enumerate((null, null, stderr, theirs.fileno()))
        actions = [(os.POSIX_SPAWN_DUP2, source, target) for target, source in files]
        self.pid = os.posix_spawn(sys.executable, self._arguments, self._environment, file_actions=actions)
        for file in (null, stderr):
            os.close(file)
        theirs.close()
        self._link.listen(ours)

    def fork(self, kind: str, on_frame: OnFrame, on_end: Callable[[int], None]) -> Child:
        """A new process of that kind, as soon as that is possible; ``on_born`` is called when its number is known."""
        ours, theirs = socket.socketpair()
        child = Child(self._loop, on_frame, on_end)
        child.listen(ours)
        self._asked.append((child, kind, theirs))
        self._ask()
        return child

    def _ask(self) -> None:
        while self.is_ready and self._asked:
            child, kind, theirs = self._asked.popleft()
            self._unborn.append(child)
            self._link.send(encode({"type": "fork", "kind": kind}), (theirs.fileno(),))
            theirs.close()

    def kill(self) -> None:
        send_signal(self.pid, signal.SIGKILL)

    def forget(self) -> None:
        """To be called when the process has ended."""
        self._read_stderr()
        self._loop.watch(self._stderr)
        os.close(self._stderr)
        self._link.hang_up()
        self.is_ready = False
        unborn, self._unborn = self._unborn, deque()
        for child in unborn:
            child.hang_up()
            child.on_end(signal.SIGKILL)

    def _on_frame(self, header: Header, payload: bytes) -> None:
        if header["type"] == "ready":
            self.is_ready = True
            self.on_ready(header)
            self._ask()
        elif header["type"] == "sealed":
            self.on_sealed()
        elif header["type"] == "forked":
            child = self._unborn.popleft()
            child.pid = header["pid"]
            self.on_born(child)
        else:
            child = self._unborn.popleft()
            child.hang_up()
            self.on_barren(child)

    def _read_stderr(self) -> None:
        try:
            data = os.read(self._stderr, STDERR_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._loop.watch(self._stderr)
        self.complaint = (self.complaint + data)[-STDERR_BYTES:]
