"""A stream of frames that never blocks: what cannot be written yet waits, what cannot be read as frames ends it."""

import os
import socket
from array import array
from collections.abc import Callable, Iterable, Iterator

from sandbox.inside.frames import FrameError, FrameReader, Header
from sandbox.inside.loop import Callback, Loop

READ_BYTES = 1 << 16
FULL_BYTES = 1 << 20
"""With this much waiting to be written a channel counts as full."""

OnFrame = Callable[[Header, bytes], None]


class Channel:
    """Frames in both directions over one or two file descriptors; it owns neither."""

    def __init__(
        self, loop: Loop, files: tuple[int, int], max_payload: int, on_frame: OnFrame, on_end: Callback
    ) -> None:
        self._loop = loop
        self._source, self._sink = files
        self._reader = FrameReader(max_payload)
        self._on_frame = on_frame
        self._on_end = on_end
        self._unsent = bytearray()
        self._open = True
        self._waits_for_room = False
        self.on_room: Callback = lambda: None
        """Called when nothing waits to be written any more."""
        self.reading = True
        for file in {*files}:
            os.set_blocking(file, False)
        self._watch()

    @property
    def is_full(self) -> bool:
        return len(self._unsent) >= FULL_BYTES

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    def send(self, frame: bytes) -> None:
        """What is sent while one thing is handled is written at once: each write costs the reader a wake-up."""
        if not self._open:
            return
        if not self._unsent:
            self._loop.call_last(self._write)
        self._unsent += frame

    def send_with_files(self, connection: socket.socket, frame: bytes, files: Iterable[int]) -> None:
        """As ``send``, over a Unix socket on which nothing waits, with file descriptors for the other process."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", files))]
        try:
            sent = connection.sendmsg([frame], rights)
        except OSError:
            self._end()
            return
        if sent < len(frame):
            self.send(frame[sent:])

    def pause(self, paused: bool) -> None:
        """Stop reading, or read on."""
        if self._open and self.reading is paused:
            self.reading = not paused
            self._watch()

    def close(self) -> None:
        """Watch and call back no longer; what was not written is dropped."""
        if self._open:
            self._open = False
            for file in {self._source, self._sink}:
                self._loop.watch(file)

    def _watch(self) -> None:
        read = self.read if self.reading else None
        write = self._write if self._waits_for_room else None
        if self._source == self._sink:
            self._loop.watch(self._source, read, write)
        else:
            self._loop.watch(self._source, read)
            self._loop.watch(self._sink, None, write)

    def read(self) -> None:
        """Take what is there, if anything is."""
        try:
            data = os.read(self._source, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._end()
            return
        try:
            for header, payload in self._frames(data):
                self._on_frame(header, payload)
        except FrameError:
            self._end()

    def _frames(self, data: bytes) -> Iterator[tuple[Header, bytes]]:
        for frame in self._reader.feed(data):
            if self._open:
                yield frame

    def _write(self) -> None:
        if not self._open:
            return
        waited, was_full = self._waits_for_room, self.is_full
        try:
            del self._unsent[: os.write(self._sink, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._end()
            return
        self._waits_for_room = bool(self._unsent)
        if self._waits_for_room is not waited:
            self._watch()
        if (waited or was_full) and not self._unsent:
            self.on_room()

    def _end(self) -> None:
        if self._open:
            self.close()
            self._on_end()
