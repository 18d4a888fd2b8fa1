"""Waits for whatever happens next, files that become ready or time that has passed; knows nothing of its meaning."""

import selectors
import time
from collections.abc import Callable
from dataclasses import dataclass

Callback = Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Watched:
    read: Callback | None
    write: Callback | None


class Loop:
    """One thread's event loop. A callback runs to its end before the next one."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._timers: dict[str, tuple[float, Callback]] = {}

    def watch(self, file: int, read: Callback | None = None, write: Callback | None = None) -> None:
        """Call ``read`` or ``write`` whenever ``file`` is ready for it; neither means: watch it no longer."""
        known = self._selector.get_map().get(file)
        events = (selectors.EVENT_READ if read else 0) | (selectors.EVENT_WRITE if write else 0)
        if known and events:
            self._selector.modify(file, events, _Watched(read, write))
        elif known:
            self._selector.unregister(file)
        elif events:
            self._selector.register(file, events, _Watched(read, write))

    def set_timer(self, name: str, seconds: float, callback: Callback) -> None:
        """Call back once, ``seconds`` from now; a timer of the same name is replaced."""
        self._timers[name] = (time.monotonic() + seconds, callback)

    def cancel_timers(self, *names: str) -> None:
        for name in names:
            self._timers.pop(name, None)

    def step(self) -> None:
        """Wait for the next thing and handle all that is due."""
        for key, mask in self._selector.select(self._patience()):
            for event, callback in ((selectors.EVENT_READ, key.data.read), (selectors.EVENT_WRITE, key.data.write)):
                # An earlier callback of this round may have closed this file, and its number may live again.
                if mask & event and self._selector.get_map().get(key.fd) is key:
                    callback()
        now = time.monotonic()
        for name, (when, callback) in list(self._timers.items()):
            if when <= now and self._timers.get(name) == (when, callback):
                del self._timers[name]
                callback()

    def _patience(self) -> float | None:
        if not self._timers:
            return None
        return max(0.0, min(when for when, _ in self._timers.values()) - time.monotonic())
