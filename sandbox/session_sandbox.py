"""The sandbox of one session on any backend: a box when it is needed, a new one when that is gone; knows no engine."""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

from sandbox.box import Box
from sandbox.box_watch import BoxWatch
from sandbox.cell_result import LOST_BEFORE
from sandbox.connection import ConnectionLost
from sandbox.file_names import safe_name
from sandbox.open_sandboxes import open_sandboxes
from sandbox.packages import installed_packages
from sandbox.places import Places, StoppedWaiting
from sandbox.sandbox import (
    ExecutionResult,
    FileProfile,
    OutputText,
    ReadingChoices,
    Sandbox,
    SandboxError,
    SandboxState,
    SandboxStatus,
    StateLoss,
)
from sandbox.session_news import CLOSED, GONE, REPLACED, WAS_NEEDED, cut_short
from sandbox.session_tables import Load, SessionTables
from wording import Sentence

_SECONDS_TO_DETACH = 0.1

StartBox = Callable[[Mapping[str, Path]], Box]
"""Starts a box with these files, by the names they get. Raises ``SandboxError``."""


class SessionSandbox(Sandbox):
    """Starts its box with the first use, once it has one of the ``places``.

    It gives the box up after ``idle_seconds`` without use, or when nothing runs in it after ``lifetime_seconds``.
    """

    def __init__(
        self,
        start_box: StartBox,
        *,
        idle_seconds: float = 1200,
        lifetime_seconds: float = math.inf,
        places: Places | None = None,
    ) -> None:
        self._start_box = start_box
        self._places = places or Places()
        self._place: object = None
        self._files: dict[str, Path] = {}
        self._tables = SessionTables()
        self._box: Box | None = None
        # Guards the box and the files; held while a box starts, not while a cell runs.
        self._lock = threading.RLock()
        # Held while a cell runs or a file is looked into.
        self._turn = threading.Lock()
        self._closed = self._starting = self._has_run = False
        self._stop_asked = threading.Event()
        self._news: tuple[Sentence, ...] = ()
        self._box_watch = BoxWatch(idle_seconds, lifetime_seconds, self._give_up)
        open_sandboxes.add(self)

    def start(self) -> None:
        """Have Python ready before it is needed."""
        with self._box_watch.in_use():
            self._ready()

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        with self._one_at_a_time():
            try:
                self._ready()
            except StoppedWaiting:
                yield ExecutionResult(interrupted=True, error="Stopped before the code began.")
                return
            news, self._news = self._news, ()
            for load in self._tables.before(code):
                if self._stop_asked.is_set():
                    break
                news += self._load(load)
            if self._stop_asked.is_set():
                yield ExecutionResult(interrupted=True, error="Stopped before the code began.", notices=news)
                return
            self._has_run = True
            with closing(self._run(self._ready(), code, timeout)) as events:
                for event in events:
                    if isinstance(event, OutputText):
                        yield event
                        continue
                    if event.state_lost or Sentence(LOST_BEFORE) in event.notices:
                        self._tables.forget_loaded()
                    yield replace(event, notices=(*news, *event.notices))

    def _load(self, load: Load) -> tuple[Sentence, ...]:
        """Run the cell that loads a table; what goes wrong is told with the next result and stops nothing."""
        box = self._ready()
        try:
            *_, result = box.connection.execute(load.code)
        except ConnectionLost as error:
            self._drop()
            result = ExecutionResult(error=str(error), state_lost=StateLoss.CONTAINER_GONE)
        assert isinstance(result, ExecutionResult)  # noqa: S101 - the last event always is
        if result.state_lost:
            self._tables.forget_loaded(ended_by=load.variable)
        failure = load.failure(result)
        return (failure,) if failure else ()

    def _run(self, box: Box, code: str, timeout: float | None) -> Generator[OutputText | ExecutionResult, None, None]:
        """The cell's own events; a result in words when the box ends before the cell does."""
        printed: list[OutputText] = []
        began = time.monotonic()
        is_wanted = True
        cell = cast("Generator[OutputText | ExecutionResult, None, None]", box.connection.execute(code, timeout))
        try:
            with closing(cell) as events:
                try:
                    for event in events:
                        if isinstance(event, OutputText):
                            printed.append(event)
                        yield event
                except GeneratorExit:
                    is_wanted = False
                    raise
            return
        except ConnectionLost:
            if self._box is box:
                self._drop(REPLACED)
        if not is_wanted:
            return
        yield cut_short(printed, CLOSED if self._closed else GONE, time.monotonic() - began)

    def put_file(self, name: str, source: Path) -> str:
        with self._lock, self._box_watch.in_use():
            stored = safe_name(name, self._files)
            if not source.is_file():
                raise SandboxError("The file {name} cannot be read. Add it again.", name=stored)
            if box := self._living():
                box.put(stored, source)
            self._files[stored] = source
            return stored

    def remove_file(self, name: str) -> None:
        with self._lock, self._box_watch.in_use():
            self._tables.remove(name)
            if self._files.pop(name, None) and (box := self._living()):
                box.keep_only(self._files)

    def profile(self, name: str, sample_rows: int = 5, choices: ReadingChoices | None = None) -> FileProfile:
        with self._one_at_a_time():
            profile = self._profile(name, sample_rows, choices or ReadingChoices())
            self._tables.put(profile)
            return profile

    def _profile(self, name: str, sample_rows: int, choices: ReadingChoices) -> FileProfile:
        taken = self._tables.variables_beside(name)
        try:
            return self._ready().connection.profile(name, sample_rows, choices, taken)
        except ConnectionLost:
            self._drop(REPLACED)
        try:
            return self._ready().connection.profile(name, sample_rows, choices, taken)
        except ConnectionLost as error:
            self._drop(REPLACED)
            raise SandboxError(
                "The sandbox ends whenever it looks into {name}. Try a smaller part of the file.", name=name
            ) from error

    def interrupt(self) -> None:
        self._stop_asked.set()
        if box := self._box:
            with contextlib.suppress(ConnectionLost):
                box.connection.interrupt()

    def restart(self) -> None:
        self._drop()
        self._news = ()

    def hang_up(self) -> None:
        """Make the box end by itself, without waiting for it."""
        if box := self._box:
            box.hang_up()

    def close(self) -> None:
        self._closed = True
        self._stop_asked.set()
        self.hang_up()
        self._drop()
        self._files.clear()

    @property
    def status(self) -> SandboxStatus:
        box, waiting = self._box, self._places.told(self)
        return SandboxStatus(
            state=SandboxState.WAITING if waiting else self._state(),
            isolation=box.isolation if box else "",
            gaps=box.gaps if box else (),
            packages=installed_packages(),
            waiting=waiting,
        )

    def _state(self) -> SandboxState:
        if self._closed:
            return SandboxState.CLOSED
        if self._starting:
            return SandboxState.STARTING
        if self._turn.locked():
            return SandboxState.BUSY
        return SandboxState.IDLE if self._box else SandboxState.NOT_STARTED

    def _ready(self) -> Box:
        """The box; a new one with the same files where there was none, or none any more."""
        with self._lock:
            if self._closed:
                raise SandboxError("This sandbox is closed. Begin a new session.")
            box = self._living()
            if box is None:
                box = self._box = self._started()
                self._box_watch.begin()
            return box

    def _started(self) -> Box:
        place = self._places.take(self, self._stop_asked)
        self._starting = True
        try:
            box = self._start_box(self._files)
        except BaseException:
            self._places.give_back(place)
            raise
        finally:
            self._starting = False
        self._place = place
        return box

    def _living(self) -> Box | None:
        if self._box and self._box.has_ended:
            self._drop(REPLACED)
        return self._box

    def _drop(self, *news: Sentence) -> None:
        """Remove the box; ``news`` go with the next result if there were variables to lose."""
        with self._lock:
            self._detached(news).close()

    def _detached(self, news: tuple[Sentence, ...]) -> contextlib.ExitStack:
        """Be without the box, if there was one; closing what comes back removes it."""
        removal = contextlib.ExitStack()
        box, self._box = self._box, None
        if box:
            removal.callback(self._places.give_back, self._place)
            removal.callback(box.remove)
            self._box_watch.end()
            self._tables.forget_loaded()
            self._news = news if self._has_run else ()
            self._has_run = False
        return removal

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        # Whoever gives the box up holds it as well, but only for a moment.
        if not self._turn.acquire(timeout=_SECONDS_TO_DETACH):
            raise SandboxError("The sandbox is busy with another cell. Wait for its end, or stop it.")
        try:
            with self._box_watch.in_use():
                self._stop_asked.clear()
                yield
        finally:
            self._turn.release()

    @property
    def idle_seconds(self) -> float:
        """For how long the box has been unused; zero while it is in use."""
        return self._box_watch.idle_seconds

    def make_room(self) -> bool:
        """Give up the box for another session, unless it is in use; whether it was given up."""
        return self._give_up(WAS_NEEDED)

    def _give_up(self, news: Sentence) -> bool:
        if self._box_watch.is_in_use or not self._turn.acquire(blocking=False):
            return False
        try:
            with self._lock:
                removal = self._detached((news,))
        finally:
            self._turn.release()
        removal.close()
        return True
