"""Waits for whatever happens next, files that become ready or time that has passed; knows nothing of its meaning."""

import contextlib
import select
import time
from collections.abc import Callable
from dataclasses import dataclass

Callback = Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Watched:
    events: int
    read: Callback | None
    write: Callback | None


class Loop:
    """One thread's event loop. A callback runs to its end before the next one."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._watched: dict[int, _Watched] = {}
        self._timers: dict[str, tuple[float, Callback]] = {}
        self._last: list[Callback] = []

    def watch(self, file: int, read: Callback | None = None, write: Callback | None = None) -> None:
        """Call ``read`` or ``write`` whenever ``file`` is ready for it; neither means: watch it no longer."""
        known, events = self._watched.pop(file, None), _events(read, write)
        if events:
            self._watched[file] = _Watched(events, read, write)
            if known is None:
                self._poll.register(file, events)
            elif known.events != events:
                self._poll.modify(file, events)
        elif known:
            with contextlib.suppress(OSError):  # closed already
                self._poll.unregister(file)

    def set_timer(self, name: str, seconds: float, callback: Callback) -> None:
        """Call back once, ``seconds`` from now; a timer of the same name is replaced."""
        self._timers[name] = (time.monotonic() + seconds, callback)

    def cancel_timers(self, *names: str) -> None:
        for name in names:
            self._timers.pop(name, None)

    def call_last(self, callback: Callback) -> None:
        """Call back once, when all else that is due now has been handled."""
        self._last.append(callback)

    def step(self) -> None:
        """Wait for the next thing and handle all that is due."""
        self._handle_files()
        if self._timers:
            self._handle_timers()
        while self._last:
            self._last.pop(0)()

    def _handle_files(self) -> None:
        ready = [(file, mask, self._watched.get(file)) for file, mask in self._poll.poll(self._patience())]
        for file, mask, watched in ready:
            # Whoever hangs up or fails shows when one reads or writes.
            if watched and watched.read and mask & ~select.EPOLLOUT and self._is_current(file, watched):
                watched.read()
            if watched and watched.write and mask & ~select.EPOLLIN and self._is_current(file, watched):
                watched.write()

    def _is_current(self, file: int, watched: _Watched) -> bool:
        """An earlier callback of this round may have closed this file, and its number may live again."""
        return self._watched.get(file) is watched

    def _handle_timers(self) -> None:
        now = time.monotonic()
        for name, (when, callback) in list(self._timers.items()):
            if when <= now and self._timers.get(name) == (when, callback):
                del self._timers[name]
                callback()

    def _patience(self) -> float | None:
        if not self._timers:
            return None
        return max(0.0, min(when for when, _ in self._timers.values()) - time.monotonic())


def _events(read: Callback | None, write: Callback | None) -> int:
    return (select.EPOLLIN if read else 0) | (select.EPOLLOUT if write else 0)
