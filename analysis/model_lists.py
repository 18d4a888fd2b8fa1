"""What the models' servers list, looked up in the background once for the whole process; keeps no key."""

import hashlib
import threading
import time
from collections.abc import Callable

_SECONDS, _SECONDS_AFTER_FAILURE = 600.0, 15.0


class ModelLists:
    """Any thread may ask. A list holds for ten minutes; a server that tells none is soon asked again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._found: dict[str, tuple[str, ...]] = {}
        self._ask_again: dict[str, float] = {}

    def of(self, address: tuple[str, str], ask: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """What is known by now; ``address`` is the key and where it goes, and ``ask`` gives nothing on failure."""
        name = hashlib.sha256("\n".join(address).encode("utf-8", "replace")).hexdigest()
        with self._lock:
            is_due = self._clock() >= self._ask_again.get(name, 0.0)
            if is_due:
                self._ask_again[name] = float("inf")
            found = self._found.get(name, ())
        if is_due:
            threading.Thread(target=self._ask, args=(name, ask), name="model-list", daemon=True).start()
        return found

    def _ask(self, name: str, ask: Callable[[], tuple[str, ...]]) -> None:
        found: tuple[str, ...] = ()
        try:
            found = ask()
        finally:
            with self._lock:
                if found:
                    self._found[name] = found
                self._ask_again[name] = self._clock() + (_SECONDS if found else _SECONDS_AFTER_FAILURE)
