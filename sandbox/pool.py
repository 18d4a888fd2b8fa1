"""Ready boxes for sessions that begin: made in the background, each handed out once; knows no engine and no files."""

import logging
import threading
from collections.abc import Callable

from sandbox.box import Box
from sandbox.open_sandboxes import open_sandboxes
from sandbox.options import BackendChoice
from sandbox.sandbox import SandboxError

_LOGGER = logging.getLogger(__name__)
_SECONDS_BETWEEN_LOOKS = 30.0
_LONGEST_PAUSE = 60.0
_SECONDS_TO_CLOSE = 3.0
_SECONDS_TO_WAIT = 10.0
"""For a box that is being started; a start that takes longer hangs, and one of one's own says why."""


class BoxPool:
    """Keeps ``size`` boxes ready from ``open`` on. Any thread may call any method.

    ``start`` makes one without files; when it raises ``SandboxError`` it is tried again, later each time.
    """

    def __init__(self, start: Callable[[], Box], size: int) -> None:
        self._start = start
        self._size = size
        # Guards what follows; notified when a start has ended.
        self._changed = threading.Condition()
        self._ready: list[Box] = []
        self._is_open = self._is_starting = self._is_awaited = False
        self._is_short = threading.Event()

    def open(self) -> None:
        """Begin to fill; it can be called any number of times."""
        with self._changed:
            if self._is_open or not self._size:
                return
            self._is_open = True
        open_sandboxes.add(self)
        threading.Thread(target=self._fill_for_ever, name="sandbox pool", daemon=True).start()

    def take(self, backend: BackendChoice) -> Box | None:
        """A living box of that backend and of the programs that are current; None means to start one oneself.

        Waits, for some seconds, for one that is being started already, which is sooner there than another.
        """
        for _ in range(self._size):
            box = self._next()
            self._is_short.set()
            if box is None:
                return None
            if box.backend is backend and _is_fit(box):
                return box
            box.remove()
        return None

    @property
    def ready(self) -> int:
        """How many boxes wait."""
        return len(self._ready)

    def hang_up(self) -> None:
        """Make the boxes end by themselves, and make no more."""
        self._is_open = False
        for box in list(self._ready):
            box.hang_up()

    def close(self) -> None:
        """Remove all boxes and make no more; it can be called twice."""
        self.hang_up()
        self._is_short.set()
        with self._changed:
            boxes, self._ready = self._ready, []
        for box in boxes:
            box.remove()
        with self._changed:
            self._changed.wait_for(lambda: not self._is_starting, _SECONDS_TO_CLOSE)

    def _next(self) -> Box | None:
        with self._changed:
            if not self._ready and self._is_starting and not self._is_awaited:
                self._is_awaited = True
                self._changed.wait_for(lambda: self._ready or not self._is_starting, _SECONDS_TO_WAIT)
                self._is_awaited = False
            return self._ready.pop(0) if self._ready else None

    def _fill_for_ever(self) -> None:
        pause = 1.0
        while self._is_open:
            self._is_short.clear()
            self._remove_unfit()
            try:
                while self._begin():
                    self._add()
                pause = 1.0
                self._is_short.wait(_SECONDS_BETWEEN_LOOKS)
            except SandboxError as error:
                _LOGGER.info("No sandbox could be made ready: %s", error)
                self._is_short.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _begin(self) -> bool:
        """Whether one more is to be started."""
        with self._changed:
            # Once the main thread has ended nothing can be started any more.
            is_wanted = self._is_open and len(self._ready) < self._size and threading.main_thread().is_alive()
            self._is_starting = is_wanted
            return is_wanted

    def _add(self) -> None:
        box = None
        try:
            box = self._start()
        finally:
            with self._changed:
                self._is_starting = False
                if box and self._is_open:
                    self._ready.append(box)
                    box = None
                self._changed.notify_all()
        if box:
            box.remove()

    def _remove_unfit(self) -> None:
        unfit = [box for box in list(self._ready) if not _is_fit(box)]
        with self._changed:
            unfit = [box for box in unfit if box in self._ready]
            self._ready = [box for box in self._ready if box not in unfit]
        for box in unfit:
            box.remove()


def _is_fit(box: Box) -> bool:
    try:
        return not box.has_ended and box.is_current
    except SandboxError:
        return False
