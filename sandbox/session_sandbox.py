"""The sandbox of one session on any backend: a box when it is needed, a new one when that is gone; knows no engine."""

import atexit
import contextlib
import math
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

from sandbox.box import Box
from sandbox.cell_result import LOST_BEFORE
from sandbox.connection import ConnectionLost
from sandbox.file_names import safe_name
from sandbox.observer import CellEvents, EndReason, SandboxObserver, SessionWatch
from sandbox.packages import installed_packages
from sandbox.profile_cache import ProfileCache
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
from sandbox.session_tables import Load, SessionTables
from wording import Sentence

_CLOSED = Sentence("The session was closed while the code ran. Begin a new one.")
_GONE = Sentence(
    "The sandbox ended while the code ran. The next code runs in a new one: variables are gone, "
    "the files in /data are there."
)
_REPLACED = Sentence(
    "The sandbox was replaced by a new one: variables of earlier cells are gone, the files in /data are there."
)
_WAS_IDLE = Sentence(
    "The sandbox was not used for a while and was replaced by a new one: variables of earlier cells are gone, "
    "the files in /data are there."
)
_SECONDS_TO_CLOSE_ALL = 5
_open: "weakref.WeakSet[SessionSandbox]" = weakref.WeakSet()

StartBox = Callable[[Mapping[str, Path]], Box]
"""Starts a box with these files, by the names they get. Raises ``SandboxError``."""


class SessionSandbox(Sandbox):
    """Starts its box with the first use, and gives it up after ``idle_seconds`` without use."""

    def __init__(
        self, start_box: StartBox, *, idle_seconds: float = 1200, observers: Sequence[SandboxObserver] = ()
    ) -> None:
        self._start_box = start_box
        self._watch = SessionWatch(observers)
        self._files: dict[str, Path] = {}
        self._tables = SessionTables()
        self._profiles = ProfileCache()
        self._box: Box | None = None
        # Guards the box and the files; held while a box starts, not while a cell runs.
        self._lock = threading.RLock()
        # Held while a cell runs or a file is looked into.
        self._turn = threading.Lock()
        self._closed = self._starting = self._has_run = self._is_lost = False
        self._stop_asked = threading.Event()
        self._news: tuple[Sentence, ...] = ()
        self._idle_seconds = idle_seconds
        self._idle_from = math.inf
        self._dropped = threading.Event()
        _open.add(self)

    def start(self) -> None:
        """Have Python ready before it is needed."""
        self._ready()

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        with self._one_at_a_time():
            self._stop_asked.clear()
            self._ready()
            for load in self._tables.before(code):
                if self._stop_asked.is_set():
                    break
                self._load(load)
            if self._stop_asked.is_set():
                yield ExecutionResult(interrupted=True, error="Stopped before the code began.")
                return
            box = self._ready()
            news, was_lost = self._news, self._is_lost
            self._news, self._is_lost, self._has_run = (), False, True
            with closing(self._watch.cell("cell", box.isolation, code, self._run(box, code, timeout))) as events:
                for event in events:
                    if isinstance(event, OutputText):
                        yield event
                        continue
                    if event.state_lost or event.lost_before:
                        self._tables.forget_loaded()
                    lost_before = event.lost_before or was_lost
                    yield replace(event, lost_before=lost_before, notices=(*news, *event.notices))

    def _load(self, load: Load) -> None:
        """Run the cell that loads a table; what goes wrong is told with the next result and stops nothing."""
        box = self._ready()
        events = cast("CellEvents", box.connection.execute(load.code))
        try:
            *_, result = self._watch.cell("load", box.isolation, load.code, events)
        except ConnectionLost as error:
            self._drop(EndReason.GONE)
            result = ExecutionResult(error=str(error), state_lost=StateLoss.CONTAINER_GONE)
        assert isinstance(result, ExecutionResult)  # noqa: S101 - the last event always is
        if result.lost_before:
            self._tables.forget_loaded(but=load.variable)
            self._news += (Sentence(LOST_BEFORE),)
        if result.state_lost:
            self._tables.forget_loaded(ended_by=load.variable)
        self._is_lost |= result.lost_before or result.state_lost is not None
        if failure := load.failure(result):
            self._news += (failure,)

    def _run(self, box: Box, code: str, timeout: float | None) -> CellEvents:
        """The cell's own events; a result in words when the box ends before the cell does."""
        printed: list[OutputText] = []
        began = time.monotonic()
        is_wanted = True
        cell = cast("CellEvents", box.connection.execute(code, timeout))
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
                self._drop(EndReason.GONE, _REPLACED)
        if not is_wanted:
            return
        notice = _CLOSED if self._closed else _GONE
        yield ExecutionResult(
            stdout="".join(each.text for each in printed if each.stream == "stdout"),
            stderr="".join(each.text for each in printed if each.stream == "stderr"),
            error=str(notice),
            state_lost=StateLoss.CONTAINER_GONE,
            duration_s=time.monotonic() - began,
            notices=(notice,),
        )

    def put_file(self, name: str, source: Path) -> str:
        with self._lock, self._in_use():
            stored = safe_name(name, self._files)
            if not source.is_file():
                raise SandboxError("The file {name} cannot be read. Add it again.", name=stored)
            if box := self._living():
                box.put(stored, source)
            self._files[stored] = source
            return stored

    def put_known_file(self, profile: FileProfile, source: Path) -> None:
        with self._lock:
            self.put_file(profile.name, source)
            self._tables.put(profile)

    def remove_file(self, name: str) -> None:
        with self._lock, self._in_use():
            self._tables.remove(name)
            if self._files.pop(name, None) and (box := self._living()):
                box.keep_only(self._files)

    def profile(self, name: str, sample_rows: int = 5, choices: ReadingChoices | None = None) -> FileProfile:
        wanted = choices or ReadingChoices()
        with self._one_at_a_time():
            taken = tuple(self._tables.variables_beside(name))
            profile = self._profiles.profile_of(
                self._files.get(name, Path()),
                (name, sample_rows, wanted, taken),
                lambda: self._profile(name, sample_rows, wanted, taken),
            )
            self._tables.put(profile)
            return profile

    def _profile(self, name: str, sample_rows: int, choices: ReadingChoices, taken: tuple[str, ...]) -> FileProfile:
        size = path.stat().st_size if (path := self._files.get(name)) and path.is_file() else 0
        try:
            return self._ready().connection.profile(name, sample_rows, choices, taken, size=size)
        except ConnectionLost:
            self._drop(EndReason.GONE, _REPLACED)
        try:
            return self._ready().connection.profile(name, sample_rows, choices, taken, size=size)
        except ConnectionLost as error:
            self._drop(EndReason.GONE, _REPLACED)
            raise SandboxError(
                "The sandbox ends whenever it looks into {name}. Try a smaller part of the file.", name=name
            ) from error

    def interrupt(self) -> None:
        self._stop_asked.set()
        if box := self._box:
            with contextlib.suppress(ConnectionLost):
                box.connection.interrupt()

    def restart(self) -> None:
        self._drop(EndReason.RESTART)
        self._news, self._is_lost = (), False

    def hang_up(self) -> None:
        """Make the box end by itself, without waiting for it."""
        if box := self._box:
            box.hang_up()

    def close(self) -> None:
        self._closed = True
        self._stop_asked.set()
        self.hang_up()
        self._drop(EndReason.CLOSED)
        self._files.clear()
        self._profiles.clear()

    @property
    def status(self) -> SandboxStatus:
        box = self._box
        isolation, gaps = (box.isolation, box.gaps) if box else ("", ())
        lost = self._is_lost or (self._has_run and box is not None and box.has_ended)
        return SandboxStatus(
            state=self._state(), isolation=isolation, gaps=gaps, packages=installed_packages(), lost_variables=lost
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
                self._starting = True
                dropped = self._dropped = threading.Event()
                began = time.monotonic()
                try:
                    box = self._box = self._start_box(self._files)
                finally:
                    self._starting = False
                self._watch.started(time.monotonic() - began)
                threading.Thread(target=self._watch_idle, args=(dropped,), daemon=True).start()
            return box

    def _living(self) -> Box | None:
        if self._box and self._box.has_ended:
            self._drop(EndReason.GONE, _REPLACED)
        return self._box

    def _drop(self, reason: EndReason, *news: Sentence) -> None:
        """Remove the box; ``news`` go with the next result if there were variables to lose."""
        with self._lock:
            box, self._box = self._box, None
            if box:
                self._dropped.set()
                self._watch.ended(reason)
                self._tables.forget_loaded()
                if self._has_run:
                    self._news, self._is_lost, self._has_run = (*self._news, *news), True, False
                box.remove()

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        if not self._turn.acquire(blocking=False):
            raise SandboxError("The sandbox is busy with another cell. Wait for its end, or stop it.")
        try:
            with self._in_use():
                yield
        finally:
            self._turn.release()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Put off the end of an idle box."""
        self._idle_from = math.inf
        try:
            yield
        finally:
            self._idle_from = time.monotonic() + self._idle_seconds

    def _watch_idle(self, dropped: threading.Event) -> None:
        """One thread for the life of a box: a timer for each cell would take longer than a small cell does."""
        while not dropped.wait(min(max(self._idle_from - time.monotonic(), 0.05), self._idle_seconds)):
            if time.monotonic() >= self._idle_from and self._turn.acquire(blocking=False):
                try:
                    self._drop(EndReason.IDLE, _WAS_IDLE)
                finally:
                    self._turn.release()
                return


def close_all() -> None:
    """End every sandbox of this process, all at once; what is not removed in time, the next sweep removes."""
    sandboxes = list(_open)
    for sandbox in sandboxes:
        sandbox.hang_up()
    deadline = time.monotonic() + _SECONDS_TO_CLOSE_ALL
    for sandbox in sandboxes:
        if time.monotonic() < deadline:
            sandbox.close()


atexit.register(close_all)
