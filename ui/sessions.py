"""Every analysis by a random name, handed out only to the browser that began it; no Streamlit here."""

import atexit
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from analysis.analysis import Analysis
from analysis.chat_store import ChatStore, KeptChat
from wording import ToldError

_LOGGER = logging.getLogger(__name__)
_KEPT = 12
"""An unused chat leaves memory after this many times the minutes after which its sandbox is given back."""
_SECONDS_BETWEEN_CLEARINGS = 3600
_LEAVING_AT_ONCE = 4
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
        self._moving: set[str] = set()
        self._moved = threading.Condition()
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
        with self._alone_with(name):
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
        with ThreadPoolExecutor(_LEAVING_AT_ONCE, "leaving") as threads:
            for leaving in [threads.submit(self._put_away, name) for name in self._idle()]:
                if error := leaving.exception():
                    is_told = isinstance(error, ToldError)
                    _LOGGER.warning(
                        "An idle sandbox could not be given back: %s", error, exc_info=None if is_told else error
                    )
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

    def _idle(self) -> list[str]:
        with self._lock:
            for held in self._held.values():
                if held.analysis.run and not held.analysis.run.is_over:
                    held.used = self._clock()
            return [name for name, held in self._held.items() if self._is_idle(held)]

    def _is_idle(self, held: _Held) -> bool:
        unused = self._clock() - held.used
        return unused > self._idle_seconds * (_KEPT if held.is_resting else 1)

    def _put_away(self, name: str) -> None:
        """Nobody but who comes back to this chat waits for it."""
        with self._alone_with(name):
            with self._lock:
                held = self._held.get(name)
                if held is None or not self._is_idle(held):
                    return
                is_leaving = self._clock() - held.used > self._idle_seconds * _KEPT
                if is_leaving:
                    del self._held[name]
                held.is_resting = True
            if is_leaving:
                held.analysis.close()
                return
            with ExitStack() as undone_if_it_fails:
                undone_if_it_fails.callback(setattr, held, "is_resting", False)
                held.analysis.rest()
                undone_if_it_fails.pop_all()

    @contextmanager
    def _alone_with(self, name: str) -> Iterator[None]:
        """One at a time brings a chat from disk or back to it, so that one chat is never two analyses."""
        with self._moved:
            self._moved.wait_for(lambda: name not in self._moving)
            self._moving.add(name)
        try:
            yield
        finally:
            with self._moved:
                self._moving.remove(name)
                self._moved.notify_all()

    def _tidy_for_ever(self) -> None:
        self.tidy()
        while not self._ended.wait(min(15.0, self._idle_seconds / 4)):
            self.tidy()
