"""The box of one session: started when it is needed, given up when others need it more; knows nothing of cells."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sandbox.box import Box
from sandbox.box_watch import BoxWatch
from sandbox.observer import EndReason, SessionWatch
from sandbox.places import Places, StoppedWaiting
from sandbox.sandbox import SandboxError
from sandbox.session_news import NEWS_OF, REPLACED
from wording import Sentence

_SECONDS_TO_DETACH = 0.1
_CLOSED = "This sandbox is closed. Begin a new session."

StartBox = Callable[[Mapping[str, Path]], Box]
"""Starts a box with these files, by the names they get. Raises ``SandboxError``."""


class SessionBox:
    """At most one at a time, and only with one of the ``places``.

    ``on_end`` is called when the session has a box no more, with what is to be told of that.
    """

    def __init__(
        self,
        start: StartBox,
        places: Places,
        watch: SessionWatch,
        *,
        idle_seconds: float,
        lifetime_seconds: float,
        on_end: Callable[[tuple[Sentence, ...]], None],
    ) -> None:
        self._start = start
        self._places = places
        self._place: object = None
        self._watch = watch
        self._box_watch = BoxWatch(idle_seconds, lifetime_seconds, self._give_up)
        self._on_end = on_end
        # Held while a cell runs or a file is looked into.
        self._turn = threading.Lock()
        # Held while a place is waited for and a box starts in it: one is enough.
        self._start_turn = threading.Lock()
        self.lock = threading.RLock()
        """Guards the box; held while one starts, not while a place is waited for, a cell runs or a box is removed."""
        self.box: Box | None = None
        self._removals: list[threading.Thread] = []
        self.stop_asked = threading.Event()
        self.is_starting = self.is_closed = False

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    @property
    def waiting(self) -> Sentence | None:
        """What is told of the place in the queue; None when nobody waits."""
        return None if self.is_closed else self._places.told(self)

    @property
    def idle_seconds(self) -> float:
        """For how long the box has been unused; zero while it is in use."""
        return self._box_watch.idle_seconds

    def ready(self, files: Mapping[str, Path]) -> Box:
        """The box; a new one with these files where there was none, or none any more.

        Raises ``StoppedWaiting``, and ``SandboxError`` when there can be none.
        """
        with self._start_turn:
            if self.is_closed:
                raise SandboxError(_CLOSED)
            if box := self.living:
                return box
            self.lose(REPLACED)
            began = time.monotonic()
            place = self._places.take(self, self.stop_asked)
            with self.lock:
                box = self._started(files, place)
                self._watch.started(time.monotonic() - began)
                self._box_watch.begin()
            return box

    @property
    def living(self) -> Box | None:
        """The box if there is one that has not ended."""
        box = self.box
        return box if box and not box.has_ended else None

    def drop(self, reason: EndReason, *news: Sentence) -> None:
        """Remove the box, if there is one; ``news`` are to be told of it."""
        with self.lock:
            removal = self._detached(reason, news)
        removal.close()

    def lose(self, *news: Sentence) -> None:
        """Be without a box that has ended or does not answer; nobody waits while its engine removes it."""
        with self.lock:
            if self.box is None:
                return
            removal = threading.Thread(target=self._detached(EndReason.GONE, news).close, name="sandbox removal")
            self._removals = [*(each for each in self._removals if each.is_alive()), removal]
            # Once the main thread has ended nothing can be started any more.
            (removal.start if threading.main_thread().is_alive() else removal.run)()

    def close(self) -> None:
        """Remove the box and start none any more; what was lost is removed then, too."""
        self.is_closed = True
        self.stop_asked.set()
        self.hang_up()
        self.drop(EndReason.CLOSED)
        for removal in self._removals:
            if removal.is_alive():
                removal.join()

    def hang_up(self) -> None:
        """Make the box end by itself, without waiting for it."""
        if box := self.box:
            box.hang_up()

    def make_room(self) -> bool:
        """Give up the box for another session, unless it is in use; whether it was given up."""
        return self._give_up(EndReason.NEEDED)

    @contextmanager
    def one_at_a_time(self) -> Iterator[None]:
        """Nothing else may run meanwhile. Raises ``SandboxError`` when something does."""
        # Whoever gives the box up holds it as well, but only for a moment.
        if not self._turn.acquire(timeout=_SECONDS_TO_DETACH):
            raise SandboxError("The sandbox is busy with another cell. Wait for its end, or stop it.")
        try:
            with self.in_use():
                self.stop_asked.clear()
                yield
        finally:
            self._turn.release()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """The box is not given up meanwhile."""
        with self._box_watch.in_use():
            yield

    def _started(self, files: Mapping[str, Path], place: object) -> Box:
        self.is_starting = True
        try:
            if self.is_closed:
                raise StoppedWaiting(_CLOSED)
            self.box = self._start(files)
        except BaseException:
            self._places.give_back(place)
            raise
        finally:
            self.is_starting = False
        self._place = place
        return self.box

    def _give_up(self, reason: EndReason) -> bool:
        if self.box is None or self._box_watch.is_in_use or not self._turn.acquire(blocking=False):
            return False
        try:
            with self.lock:
                removal = self._detached(reason, (NEWS_OF[reason],))
        finally:
            self._turn.release()
        removal.close()
        return True

    def _detached(self, reason: EndReason, news: tuple[Sentence, ...]) -> contextlib.ExitStack:
        """Be without the box, if there was one; closing what comes back removes it."""
        removal = contextlib.ExitStack()
        box, self.box = self.box, None
        if box:
            removal.callback(self._places.give_back, self._place)
            removal.callback(box.remove)
            self._box_watch.end()
            self._watch.ended(reason)
            self._on_end(news)
        return removal
