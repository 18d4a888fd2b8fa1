"""A wish to stop that crosses threads: set once, seen by whatever is running."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class StopSignal:
    """Set by the person's thread; the running side asks ``is_set`` or registers what to call at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        """Ask for a stop; each further call runs the registered callbacks again (a second stop may kill)."""
        with self._lock:
            self._set = True
            callbacks = tuple(self._callbacks)
        for callback in callbacks:
            callback()

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call ``callback`` when the signal is set while the block runs, at once if it already is."""
        with self._lock:
            self._callbacks.append(callback)
            already = self._set
        try:
            if already:
                callback()
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)
