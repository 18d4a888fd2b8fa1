"""How many sandboxes of this process may have a box at once: hands out places in turn; knows no box."""

import math
import os
import threading
import time
from typing import Protocol

from sandbox.sandbox import SandboxError
from wording import Sentence

WAIT_SECONDS = 120.0
SETTLED_SECONDS = 20.0
"""A box that was in use so shortly ago may well be needed again for the same answer."""
_SECONDS_BETWEEN_LOOKS = 0.2
_SHARE = 0.75
_UNKNOWN_MACHINE = 4


class StoppedWaiting(SandboxError):
    """Nobody waits for the place any more."""


class Tenant(Protocol):
    """Who has a place, or wants one."""

    @property
    def idle_seconds(self) -> float:
        """For how long its box has been unused; zero while it is in use."""

    def make_room(self) -> bool:
        """Give up the box and with it the place, unless it is in use; whether it was given up."""


class Places:
    """``count`` of them. Any thread may call any method."""

    def __init__(self, count: float = math.inf) -> None:
        self._count = count
        # Guards what follows; notified when a place is free or the queue moves on.
        self._changed = threading.Condition()
        self._taken: dict[object, Tenant] = {}
        self._queue: list[Tenant] = []

    def take(self, tenant: Tenant, stop: threading.Event) -> object:
        """A place, to be given back. When there is none it waits in turn, also for one that is idle long enough.

        Raises ``StoppedWaiting`` once ``stop`` is set, ``SandboxError`` when it takes too long.
        """
        deadline = time.monotonic() + WAIT_SECONDS
        with self._changed:
            self._queue.append(tenant)
        try:
            while (place := self._taken_by_first(tenant)) is None:
                if stop.is_set():
                    raise StoppedWaiting("The wait for a sandbox was stopped. Ask again.")
                if time.monotonic() > deadline:
                    raise SandboxError(
                        "All sandboxes ({count}) are in use and none became free within {seconds} s. "
                        "Ask again later, or raise SANDBOX_CAPACITY.",
                        count=self._count,
                        seconds=f"{WAIT_SECONDS:g}",
                    )
                if not self._make_room(tenant):
                    with self._changed:
                        self._changed.wait(_SECONDS_BETWEEN_LOOKS)
            return place
        finally:
            with self._changed:
                self._queue.remove(tenant)
                self._changed.notify_all()

    def give_back(self, place: object) -> None:
        with self._changed:
            del self._taken[place]
            self._changed.notify_all()

    def told(self, tenant: Tenant) -> Sentence | None:
        """Which place in the queue is theirs, for the person who waits; None when they do not."""
        with self._changed:
            if tenant not in self._queue:
                return None
            position = self._queue.index(tenant) + 1
        return Sentence(
            "All sandboxes ({count}) are in use. Yours is number {position} in the queue.",
            {"count": self._count, "position": position},
        )

    def _taken_by_first(self, tenant: Tenant) -> object | None:
        with self._changed:
            if self._queue[0] is not tenant or len(self._taken) >= self._count:
                return None
            place = object()
            self._taken[place] = tenant
            return place

    def _make_room(self, tenant: Tenant) -> bool:
        """Have one give up its box, first asked who has not used it for longest, if it is the turn of this tenant."""
        with self._changed:
            if self._queue[0] is not tenant:
                return False
            idle = {each: each.idle_seconds for each in self._taken.values()}
        settled = [each for each in idle if idle[each] >= SETTLED_SECONDS]
        return any(each.make_room() for each in sorted(settled, key=idle.__getitem__, reverse=True))


def places_here(memory_mb: int, ready: int) -> int:
    """How many sandboxes of that much memory fit into three quarters of this machine's, beside the ``ready`` ones."""
    try:
        machine_mb = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):  # Windows has no such figures
        return _UNKNOWN_MACHINE
    return max(1, int(machine_mb * _SHARE / memory_mb) - ready)
