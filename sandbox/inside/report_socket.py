"""The socket that a worker calls when it is through with its code, without a file. Code in the worker's own process can
call it too, so a call proves little."""

import os
import socket
import struct
from collections import deque
from collections.abc import Callable

from sandbox.inside.loop import Loop

_CREDENTIALS = struct.Struct("3i")
_ROOM = socket.CMSG_SPACE(_CREDENTIALS.size)
MAX_SILENT = 8
"""So many callers may be connected without having said who they are; then the first of them is hung up on."""


class ReportSocket:
    """Calls ``on_call`` with the process id of each caller and the connection, which is then the callee's to close.

    A caller begins with one byte that carries its credentials, which the kernel has checked. Whom the connection itself
    belongs to is not asked, since gVisor does not know.
    """

    def __init__(self, loop: Loop, on_call: Callable[[int, socket.socket], None]) -> None:
        self._loop = loop
        self._on_call = on_call
        self._silent: deque[socket.socket] = deque()
        self.address = f"sandbox-{os.urandom(16).hex()}"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(b"\0" + self.address.encode())
        self._listener.listen(8)
        self._listener.setblocking(False)
        loop.watch(self._listener.fileno(), self._accept)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            # The caller has hung up already.
            return
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._listen(connection)

    def _listen(self, connection: socket.socket) -> None:
        """Learn who it is, now or when the caller has said so."""
        try:
            _, ancillary, _, _ = connection.recvmsg(1, _ROOM)
        except BlockingIOError:
            self._wait_for(connection)
            return
        except OSError:
            ancillary = []
        self._forget(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        for level, kind, content in ancillary:
            if (level, kind, len(content)) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS, _CREDENTIALS.size):
                self._on_call(_CREDENTIALS.unpack(content)[0], connection)
                return
        connection.close()

    def _wait_for(self, connection: socket.socket) -> None:
        if connection not in self._silent:
            self._silent.append(connection)
            self._loop.watch(connection.fileno(), lambda: self._listen(connection))
        if len(self._silent) > MAX_SILENT:
            first = self._silent[0]
            self._forget(first)
            first.close()

    def _forget(self, connection: socket.socket) -> None:
        if connection in self._silent:
            self._silent.remove(connection)
            self._loop.watch(connection.fileno())
