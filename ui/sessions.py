"""Every analysis by a random name, handed out only to the browser that began it; no Streamlit here."""

import atexit
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from analysis.analysis import Analysis
from analysis.chat_store import ChatStore, KeptChat
from wording import ToldError

_LOGGER = logging.getLogger(__name__)
_KEPT = 12
"""An unused chat leaves memory after this many times the minutes after which its sandbox is given back."""
_SECONDS_BETWEEN_CLEARINGS = 3600
_Begin = Callable[[KeptChat | None], Analysis]
"""Makes an analysis whose chat is kept there, if anywhere, and goes on from what is there."""


@dataclass(slots=True)
class _Held:
    analysis: Analysis
    browser: str | None
    used: float
    is_resting: bool = False


class Sessions:
    """Any thread may call any method. Idle analyses are put to rest and later leave memory by a thread of its own.

    With ``chats`` they are kept on disk too, and found there when they have left memory or the app was ended.
    """

    def __init__(
        self, idle_minutes: float, clock: Callable[[], float] = time.monotonic, chats: ChatStore | None = None
    ) -> None:
        self._idle_seconds = idle_minutes * 60
        self._clock = clock
        self._chats = chats
        self._lock = threading.Lock()
        # Held while a chat comes from disk or goes back to it, so that one chat is never two analyses.
        self._moving = threading.Lock()
        self._next_clearing = clock()
        self._held: dict[str, _Held] = {}
        self._ended = threading.Event()

    def start(self) -> "Sessions":
        """Begin to look after idle analyses, and close all of them when the process ends."""
        atexit.register(self.close)
        threading.Thread(target=self._tidy_for_ever, name="sessions", daemon=True).start()
        return self

    def use_settings(self, idle_minutes: float, chats: ChatStore | None) -> None:
        """From now on; what is open stays open where it is."""
        self._idle_seconds = idle_minutes * 60
        if chats is not self._chats:
            self._chats, self._next_clearing = chats, self._clock()

    def begin(self, browser: str | None, begin: _Begin) -> tuple[str, Analysis]:
        """A new one with its name, 128 random bits; without a browser only the open page can use it."""
        name = secrets.token_urlsafe(16)
        chat = self._chats.begin(name, browser) if self._chats and browser else None
        return name, self._hold(name, browser, begin, chat)

    def find(self, name: str, browser: str | None, begin: _Begin) -> Analysis | None:
        """The analysis of that name if this browser began it, from disk if it must be.

        Raises ``ToldError`` when it is on disk and cannot be opened.
        """
        if not browser:
            return None
        if found := self._in_memory(name, browser):
            return found
        with self._moving:
            if found := self._in_memory(name, browser):
                return found
            chat = self._chats.open(name, browser) if self._chats else None
            return self._hold(name, browser, begin, chat) if chat else None

    def use(self, name: str) -> bool:
        """Note that somebody is there; False when the analysis was forgotten."""
        with self._lock:
            held = self._held.get(name)
            if held:
                held.used, held.is_resting = self._clock(), False
            return held is not None

    def tidy(self) -> None:
        """Put to rest what is idle and close what has been so for long, but nothing that is answering a question."""
        with self._moving:
            resting, leaving = self._sort_idle()
            for leave in (*(analysis.rest for analysis in resting), *(analysis.close for analysis in leaving)):
                try:
                    leave()
                except ToldError as error:
                    _LOGGER.warning("An idle sandbox could not be given back: %s", error)
        if self._chats and self._clock() >= self._next_clearing:
            self._next_clearing = self._clock() + _SECONDS_BETWEEN_CLEARINGS
            self._chats.forget_old()

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

    def _in_memory(self, name: str, browser: str) -> Analysis | None:
        with self._lock:
            held = self._held.get(name)
        is_theirs = held and held.browser and hmac.compare_digest(held.browser.encode(), browser.encode())
        return held.analysis if held and is_theirs else None

    def _hold(self, name: str, browser: str | None, begin: _Begin, chat: KeptChat | None) -> Analysis:
        with ExitStack() as undone_if_it_fails:
            if chat:
                undone_if_it_fails.callback(chat.close)
            analysis = begin(chat)
            undone_if_it_fails.pop_all()
        with self._lock:
            self._held[name] = _Held(analysis, browser, self._clock())
        return analysis

    def _sort_idle(self) -> tuple[list[Analysis], list[Analysis]]:
        resting, leaving = [], []
        now = self._clock()
        with self._lock:
            for name, held in list(self._held.items()):
                if held.analysis.run and not held.analysis.run.is_over:
                    held.used = now
                elif now - held.used > self._idle_seconds * _KEPT:
                    leaving.append(self._held.pop(name).analysis)
                elif now - held.used > self._idle_seconds and not held.is_resting:
                    held.is_resting = True
                    resting.append(held.analysis)
        return resting, leaving

    def _tidy_for_ever(self) -> None:
        self.tidy()
        while not self._ended.wait(min(15.0, self._idle_seconds / 4)):
            self.tidy()
