"""What sessions under faults have seen, counted; asks nothing of any sandbox."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_SECONDS_OF_AFTERMATH = 2


class Ledger:
    """Shared by all sessions and by what makes the faults."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """Answers and faults, by their kind."""
        self.complaints: list[str] = []
        """A sentence for each answer that was lost or wrong."""
        self._lock = threading.Lock()
        self._trouble_until = 0.0
        self._ongoing = 0

    def count(self, kind: str) -> None:
        with self._lock:
            self.counts[kind] += 1

    def complain(self, kind: str, sentence: str) -> None:
        """``kind`` is ``lost answers`` or ``wrong answers``."""
        with self._lock:
            self.counts[kind] += 1
            self.complaints.append(f"{kind}: {sentence}")

    @contextmanager
    def engine_trouble(self, kind: str) -> Iterator[None]:
        """While the block runs, and a little longer, a session may be told that its engine fails."""
        self.count(f"engine {kind}")
        with self._lock:
            self._ongoing += 1
        try:
            yield
        finally:
            with self._lock:
                self._ongoing -= 1
                self._trouble_until = time.monotonic() + _SECONDS_OF_AFTERMATH

    def had_trouble(self, since: float) -> bool:
        """Whether the engine failed at any time from ``since`` on, by the clock ``time.monotonic``."""
        with self._lock:
            return self._ongoing > 0 or self._trouble_until > since
