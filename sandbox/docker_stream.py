"""The byte stream to a container's main process over Docker's attach socket; knows nothing of what the bytes mean."""

import contextlib
import socket
import struct
from collections import deque
from typing import Any

from sandbox.docker_errors import STREAM_ERRORS

_HEADER = struct.Struct(">BxxxL")
_STDERR = 2
_PIECE = 1 << 18


class DockerStream:
    """Input and output of a container without a terminal. One thread reads, any may write or close."""

    def __init__(self, attached: Any) -> None:
        # docker hands out a wrapper on Unix and the socket itself elsewhere; both must be closed.
        self._attached = attached
        self._socket = getattr(attached, "_sock", attached)
        # A cell may be silent for minutes.
        self._socket.settimeout(None)
        self._piece = bytearray(_PIECE)
        self._received = bytearray()
        self._left, self._stream = 0, 0
        self.has_ended = False
        """Whether the reading thread has seen the end of the output."""
        self._errors: deque[bytes] = deque(maxlen=50)

    @property
    def errors(self) -> str:
        """The last of what the main process wrote to its standard error: why it could not start."""
        return b"".join(self._errors).decode("utf-8", "replace")[-2000:]

    def read(self, size: int) -> bytes:
        """Between 1 and ``size`` bytes of output as soon as there are any; none when the container has ended."""
        while True:
            if self._received and self._left:
                piece = bytes(self._received[: min(size, self._left)])
                del self._received[: len(piece)]
                self._left -= len(piece)
                if self._stream != _STDERR:
                    return piece
                self._errors.append(piece)
            elif not self._left and len(self._received) >= _HEADER.size:
                self._stream, self._left = _HEADER.unpack_from(self._received)
                del self._received[: _HEADER.size]
            elif not self._receive():
                return b""

    def _receive(self) -> bool:
        try:
            count = self._socket.recv_into(self._piece)
        except STREAM_ERRORS:  # closed by another thread
            count = 0
        self.has_ended = not count
        self._received += memoryview(self._piece)[:count]
        return bool(count)

    def write(self, data: bytes) -> None:
        """Send all of it. Raises ``OSError`` when the container or the connection is gone."""
        try:
            self._socket.sendall(data)
        except STREAM_ERRORS as error:
            raise OSError("the container is gone") from error

    def close(self) -> None:
        """End both directions at once, also for a thread that is reading; it can be called twice."""
        with contextlib.suppress(*STREAM_ERRORS):
            # First: an engine that is still writing to us could not kill the container.
            self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(*STREAM_ERRORS):
            self._attached.close()
            self._socket.close()
