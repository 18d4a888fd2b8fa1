"""Ends every sandbox of this process when the process ends."""

import atexit
import time
import weakref
from typing import Protocol

_SECONDS_TO_CLOSE_ALL = 5


class Closable(Protocol):
    def hang_up(self) -> None:
        """Make it end by itself, without waiting for it."""

    def close(self) -> None: ...


open_sandboxes: "weakref.WeakSet[Closable]" = weakref.WeakSet()


def close_all() -> None:
    """End them all at once; what is not removed in time, the next sweep removes."""
    sandboxes = list(open_sandboxes)
    for sandbox in sandboxes:
        sandbox.hang_up()
    deadline = time.monotonic() + _SECONDS_TO_CLOSE_ALL
    for sandbox in sandboxes:
        if time.monotonic() < deadline:
            sandbox.close()


atexit.register(close_all)
