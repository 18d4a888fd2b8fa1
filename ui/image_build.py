"""Makes sure, once for all pages, that the sandbox image is there; builds it in a thread that no click interrupts."""

import threading
import time
from collections.abc import Callable, Iterator

from wording import Sentence, ToldError

_LINES = 400
_SECONDS_BETWEEN_CHECKS = 5.0


class ImageBuild:
    """``is_current`` says whether the image can be used, ``build`` makes it line by line; both raise ``ToldError``."""

    def __init__(self, is_current: Callable[[], bool], build: Callable[[], Iterator[str]]) -> None:
        self._is_current = is_current
        self._build = build
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._checked = float("-inf")
        self.is_ready = False
        self.lines: list[str] = []
        self.problem: Sentence | None = None

    @property
    def is_building(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def look(self) -> None:
        """Check now and then; begin to build when the image is missing or stale."""
        with self._lock:
            is_fresh = time.monotonic() - self._checked < _SECONDS_BETWEEN_CHECKS
            if self.is_building or self.problem or (self.is_ready and is_fresh):
                return
            try:
                self.is_ready = self._is_current()
            except ToldError as error:
                self.is_ready, self.problem = False, error.sentence
                return
            self._checked = time.monotonic()
            if not self.is_ready:
                self.lines = []
                self._thread = threading.Thread(target=self._work, name="image-build", daemon=True)
                self._thread.start()

    def try_again(self) -> None:
        """Forget what went wrong; the next look begins anew."""
        with self._lock:
            self.problem = None

    def _work(self) -> None:
        try:
            for line in self._build():
                self.lines = [*self.lines[1 - _LINES :], line]
        except ToldError as error:
            self.problem = error.sentence
        else:
            self.is_ready, self._checked = True, time.monotonic()
