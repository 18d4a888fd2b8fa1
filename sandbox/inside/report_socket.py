"""The socket that a worker calls when it is through with its code; it has no file, and no name that one could guess."""

import os
import socket
import struct
from collections.abc import Callable

from sandbox.inside.loop import Loop

_CREDENTIALS = struct.Struct("3i")


class ReportSocket:
    """Calls ``on_call`` with the process id of each caller and the connection, which is then the callee's to close."""

    def __init__(self, loop: Loop, on_call: Callable[[int, socket.socket], None]) -> None:
        self._on_call = on_call
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
        pid, _, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
        self._on_call(pid, connection)
