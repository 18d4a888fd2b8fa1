"""Knows for how long a session's box has been unused and has lived, and when that is too long; ends no box itself."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sandbox.observer import EndReason

_SHORTEST_WAIT = 0.05


class BoxWatch:
    """``give_up`` is asked to end the box, and says whether it did."""

    def __init__(self, idle_seconds: float, lifetime_seconds: float, give_up: Callable[[EndReason], bool]) -> None:
        self._idle_seconds = idle_seconds
        self._lifetime_seconds = lifetime_seconds
        self._give_up = give_up
        # Guards the two that follow.
        self._lock = threading.Lock()
        self._users = 0
        self._idle_from = math.inf
        self._is_over = threading.Event()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Put off the end of an idle box; several may use it at once."""
        with self._lock:
            self._users += 1
            self._idle_from = math.inf
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._idle_from = time.monotonic()

    @property
    def is_in_use(self) -> bool:
        return self._idle_from == math.inf

    @property
    def idle_seconds(self) -> float:
        """Zero while the box is in use."""
        return max(0.0, time.monotonic() - self._idle_from)

    def begin(self) -> None:
        """There is a new box."""
        self._is_over = threading.Event()
        threading.Thread(target=self._watch, args=(self._is_over,), name="sandbox watch", daemon=True).start()

    def end(self) -> None:
        """The box is gone."""
        self._is_over.set()

    def _watch(self, is_over: threading.Event) -> None:
        """One thread for the life of a box: a timer for each cell would take longer than a small cell does."""
        old_from = time.monotonic() + self._lifetime_seconds
        while not is_over.wait(self._seconds_to_look(old_from)):
            now = time.monotonic()
            if now >= self._idle_from + self._idle_seconds and self._give_up(EndReason.IDLE):
                return
            if now >= old_from and self._give_up(EndReason.OLD):
                return

    def _seconds_to_look(self, old_from: float) -> float:
        due = min(self._idle_from + self._idle_seconds, old_from)
        return min(max(due - time.monotonic(), _SHORTEST_WAIT), self._idle_seconds)
