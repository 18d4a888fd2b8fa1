"""What waits to go to the host; made piece by piece, only as fast as the host takes it."""

from collections import deque
from collections.abc import Iterator

from sandbox.inside.channel import Channel
from sandbox.inside.loop import Callback


class Outbox:
    """Frames for the host in order. ``on_change`` is called when it may have become full, or has room again."""

    def __init__(self, host: Channel, on_change: Callback) -> None:
        self._host = host
        self._waiting: deque[Iterator[bytes]] = deque()
        self._on_change = on_change
        host.on_room = self._make_more

    @property
    def is_full(self) -> bool:
        return bool(self._waiting) or self._host.is_full

    def send(self, frame: bytes) -> None:
        """One frame, behind all that waits."""
        if self._waiting:
            self.send_later(iter((frame,)))
        else:
            self._host.send(frame)
            if self._host.is_full:
                self._on_change()

    def send_later(self, frames: Iterator[bytes]) -> None:
        """Frames that are made when there is room for them."""
        self._waiting.append(frames)
        self._make_more()

    def _make_more(self) -> None:
        while self._waiting and not self._host.is_full:
            frame = next(self._waiting[0], None)
            if frame is None:
                self._waiting.popleft()
            else:
                self._host.send(frame)
        self._on_change()
