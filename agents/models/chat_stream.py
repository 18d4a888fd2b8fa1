"""One streamed request on a thread of its own, so that a stop ends the wait at once, whatever the server does."""

import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Generator, Iterable
from typing import Any

_ENDED = object()
_current = threading.local()


class ChatStream:
    """Reads what ``opened`` gives; a bug in there ends the stream and is a traceback in the log."""

    def __init__(self, opened: Callable[[], Iterable[Any]]) -> None:
        self._opened = opened
        self._items: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cancelled = False

    @property
    def has_connected(self) -> bool:
        """Whether the server was reached at all."""
        return self._socket is not None

    def items(self) -> Generator[Any, None, None]:
        """What is read, as it comes; ends early once cancelled."""
        threading.Thread(target=self._read, name="model-reply", daemon=True).start()
        while (item := self._items.get()) is not _ENDED and not self._is_cancelled:
            yield item

    def connected(self, connection: socket.socket | None) -> None:
        """The socket that the request travels by, as soon as there is one."""
        with self._lock:
            self._socket = connection
            if self._is_cancelled:
                self._shut()

    def cancel(self) -> None:
        """End it now: the reader gets no more, and the server sees the connection close."""
        with self._lock:
            self._is_cancelled = True
            self._shut()
        self._items.put(_ENDED)

    def _shut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        _current.stream = self
        try:
            for item in self._opened():
                self._items.put(item)
        finally:
            self._items.put(_ENDED)


def current_stream() -> ChatStream | None:
    """The stream that this thread reads for, so that a hook of the HTTP client can find it."""
    stream: ChatStream | None = getattr(_current, "stream", None)
    return stream
