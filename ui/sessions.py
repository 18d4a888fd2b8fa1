"""Every analysis of this process by a random name, handed out only to the browser that began it; no Streamlit here."""

import atexit
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from analysis.analysis import Analysis
from wording import ToldError

_LOGGER = logging.getLogger(__name__)
_KEPT = 12
"""An unused chat is forgotten after this many times the minutes after which its sandbox is given back."""


@dataclass(slots=True)
class _Held:
    analysis: Analysis
    browser: str | None
    used: float
    is_resting: bool = False


class Sessions:
    """Any thread may call any method. Idle analyses are put to rest and later forgotten by a thread of its own."""

    def __init__(self, idle_minutes: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle_seconds = idle_minutes * 60
        self._clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, _Held] = {}
        self._ended = threading.Event()

    def start(self) -> "Sessions":
        """Begin to look after idle analyses, and close all of them when the process ends."""
        atexit.register(self.close)
        threading.Thread(target=self._tidy_for_ever, name="sessions", daemon=True).start()
        return self

    def add(self, analysis: Analysis, browser: str | None) -> str:
        """Keep it and give its name, 128 random bits; without a browser only the open page can use it."""
        name = secrets.token_urlsafe(16)
        with self._lock:
            self._held[name] = _Held(analysis, browser, self._clock())
        return name

    def find(self, name: str, browser: str | None) -> Analysis | None:
        """The analysis of that name if this browser began it."""
        with self._lock:
            held = self._held.get(name)
            return held.analysis if held and browser and held.browser == browser else None

    def use(self, name: str) -> bool:
        """Note that somebody is there; False when the analysis was forgotten."""
        with self._lock:
            held = self._held.get(name)
            if held:
                held.used, held.is_resting = self._clock(), False
            return held is not None

    def tidy(self) -> None:
        """Put to rest what is idle and forget what has been so for long, but nothing that is answering a question."""
        resting, forgotten = self._sort_idle()
        for leave in (*(analysis.rest for analysis in resting), *(analysis.close for analysis in forgotten)):
            try:
                leave()
            except ToldError as error:
                _LOGGER.warning("An idle sandbox could not be given back: %s", error)

    def close(self) -> None:
        """Close all of them side by side; it can be called twice."""
        self._ended.set()
        with self._lock:
            analyses = [held.analysis for held in self._held.values()]
            self._held.clear()
        threads = [threading.Thread(target=analysis.close) for analysis in analyses]
        for thread in threads:
            try:
                thread.start()
            except RuntimeError:  # Some Pythons start no thread any more while they end.
                thread.run()
        for thread in threads:
            if thread.ident is not None:
                thread.join()

    def _sort_idle(self) -> tuple[list[Analysis], list[Analysis]]:
        resting, forgotten = [], []
        now = self._clock()
        with self._lock:
            for name, held in list(self._held.items()):
                if held.analysis.run and not held.analysis.run.is_over:
                    held.used = now
                elif now - held.used > self._idle_seconds * _KEPT:
                    forgotten.append(self._held.pop(name).analysis)
                elif now - held.used > self._idle_seconds and not held.is_resting:
                    held.is_resting = True
                    resting.append(held.analysis)
        return resting, forgotten

    def _tidy_for_ever(self) -> None:
        while not self._ended.wait(min(15.0, self._idle_seconds / 4)):
            self.tidy()
