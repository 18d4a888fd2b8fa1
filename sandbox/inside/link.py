"""The worker's side of its conversation with the supervisor; there is no open descriptor while user code runs."""

import _socket
import os
from array import array
from collections.abc import Iterable
from struct import Struct

from sandbox.inside.frames import FrameReader, Header, encode

# The C type is used because its methods cannot be replaced by user code, as those of socket.socket can.
_Socket = _socket.socket
_RIGHTS = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS)
_ROOM_FOR_FILES = _socket.CMSG_SPACE(8 * 4)
MAX_PAYLOAD = 1 << 24
SENT_AT_ONCE_BYTES = 1 << 16
"""With this much gathered a report is sent on."""
Rights = list[tuple[int, int, bytes]]
_pack_credentials = Struct("3i").pack
_process_id, _user_id, _group_id = os.getpid, os.getuid, os.getgid


class Link:
    """One connection. A lost supervisor shows as an ``EOFError`` or ``OSError``."""

    def __init__(self, connection: _Socket) -> None:
        self._connection = connection

    @classmethod
    def from_file(cls, file: int) -> "Link":
        return cls(_Socket(fileno=file))

    @classmethod
    def report(cls, address: str, messages: Iterable[tuple[Header, bytes]]) -> "Link":
        """Call the supervisor, say who we are, which nobody can say for another, and what there is to say."""
        link = cls(_Socket(_socket.AF_UNIX, _socket.SOCK_STREAM))
        link._connection.connect(b"\0" + address.encode())
        credentials = _pack_credentials(_process_id(), _user_id(), _group_id())
        waiting = bytearray(b"\0")
        rights: Rights = [(_socket.SOL_SOCKET, _socket.SCM_CREDENTIALS, credentials)]
        for header, payload in messages:
            waiting += encode(header, payload)
            if len(waiting) > SENT_AT_ONCE_BYTES:
                link._send(waiting, rights)
                waiting, rights = bytearray(), []
        link._send(waiting, rights)
        return link

    def send(self, header: Header, payload: bytes = b"") -> None:
        self._send(encode(header, payload), [])

    def _send(self, data: bytes | bytearray, rights: Rights) -> None:
        """In one go where that is possible: each write wakes the other side up."""
        sent = self._connection.sendmsg([data], rights)
        if sent < len(data):
            self._connection.sendall(memoryview(data)[sent:])

    def receive(self) -> tuple[Header, bytes, list[int]]:
        """The next message and the file descriptors that came with it."""
        reader = FrameReader(MAX_PAYLOAD)
        files: array[int] = array("i")
        while True:
            data, ancillary, _, _ = self._connection.recvmsg(1 << 16, _ROOM_FOR_FILES)
            if not data:
                raise EOFError
            for level, kind, content in ancillary:
                if (level, kind) == _RIGHTS:
                    files.frombytes(content[: len(content) - len(content) % files.itemsize])
            for header, payload in reader.feed(data):
                return header, payload, list(files)

    def close(self) -> None:
        self._connection.close()
