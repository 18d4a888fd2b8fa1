"""The byte stream to a process of this machine over a pair of sockets; knows nothing of what the bytes mean."""

import contextlib
import socket


class ProcessStream:
    """Give ``theirs`` to the process as input and output, then call ``started``. One thread reads, any may write or
    close."""

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair()

    def started(self) -> None:
        """The process has its own copy: from now on its end shows here, and ours there."""
        self.theirs.close()

    def read(self, size: int, /) -> bytes:
        return self._ours.recv(size)

    def write(self, data: bytes, /) -> None:
        self._ours.sendall(data)

    def close(self) -> None:
        """End both directions at once, also for a thread that is reading; it can be called twice."""
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._ours.close()
        self.theirs.close()
