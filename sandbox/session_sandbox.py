"""The sandbox of one session on any backend: its files, its cells, and what is told of lost variables; no engine."""

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

from sandbox.box import Box
from sandbox.cell_result import LOST_BEFORE
from sandbox.connection import ConnectionLost
from sandbox.file_names import safe_name
from sandbox.observer import CellEvents, EndReason, SandboxObserver, SessionWatch
from sandbox.open_sandboxes import open_sandboxes
from sandbox.packages import installed_packages
from sandbox.places import Places, StoppedWaiting
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
from sandbox.session_box import SessionBox, StartBox
from sandbox.session_news import CLOSED, GONE, REPLACED, cut_short
from sandbox.session_tables import Load, SessionTables
from wording import Sentence


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
        observers: Sequence[SandboxObserver] = (),
    ) -> None:
        self._watch = SessionWatch(observers)
        self._held = SessionBox(
            start_box,
            places or Places(),
            self._watch,
            idle_seconds=idle_seconds,
            lifetime_seconds=lifetime_seconds,
            on_end=self._on_end,
        )
        self._files: dict[str, Path] = {}
        self._tables = SessionTables()
        self._profiles = ProfileCache()
        self._has_run = self._is_lost = False
        self._news: tuple[Sentence, ...] = ()
        open_sandboxes.add(self)

    def start(self) -> None:
        """Have Python ready before it is needed."""
        with self._held.in_use():
            self._ready()

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        with self._held.one_at_a_time():
            box = self._prepared(code)
            if box is None:
                yield ExecutionResult(interrupted=True, error="Stopped before the code began.")
                return
            news, was_lost = self._news, self._is_lost
            self._news, self._is_lost, self._has_run = (), False, True
            with closing(self._watch.cell("cell", box.isolation, code, self._run(box, code, timeout))) as events:
                for event in events:
                    if isinstance(event, OutputText):
                        yield event
                        continue
                    if event.state_lost or event.lost_before:
                        self._tables.forget_loaded()
                    if news or was_lost:
                        event = replace(
                            event, lost_before=True if was_lost else event.lost_before, notices=(*news, *event.notices)
                        )
                    yield event

    def _prepared(self, code: str) -> Box | None:
        """The box with the tables that the code names loaded; None once somebody has asked to stop."""
        with contextlib.suppress(StoppedWaiting):
            box = self._ready()
            loads = self._tables.before(code)
            while not self._held.stop_asked.is_set():
                load = next(loads, None)
                if load is None:
                    return box
                self._load(box, load)
                box = self._ready()
        return None

    def _load(self, box: Box, load: Load) -> None:
        """Run the cell that loads a table; what goes wrong is told with the next result and stops nothing."""
        events = cast("CellEvents", box.connection.execute(load.code, size=load.size))
        try:
            *_, result = self._watch.cell("load", box.isolation, load.code, events)
        except ConnectionLost as error:
            self._held.lose()
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
                self._held.lose(REPLACED)
        if not is_wanted:
            return
        yield cut_short(printed, CLOSED if self._held.is_closed else GONE, time.monotonic() - began)

    def put_file(self, name: str, source: Path) -> str:
        with self._held.lock, self._held.in_use():
            stored = safe_name(name, self._files)
            if not source.is_file():
                raise SandboxError("The file {name} cannot be read. Add it again.", name=stored)
            if box := self._held.living:
                box.put(stored, source)
            self._files[stored] = source
            return stored

    def put_known_file(self, profile: FileProfile, source: Path) -> None:
        with self._held.lock:
            self.put_file(profile.name, source)
            self._tables.put(profile)

    def remove_file(self, name: str) -> None:
        with self._held.lock, self._held.in_use():
            self._tables.remove(name)
            if self._files.pop(name, None) and (box := self._held.living):
                box.keep_only(self._files)

    def profile(self, name: str, sample_rows: int = 5, choices: ReadingChoices | None = None) -> FileProfile:
        wanted = choices or ReadingChoices()
        with self._held.one_at_a_time():
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
            self._held.lose(REPLACED)
        try:
            return self._ready().connection.profile(name, sample_rows, choices, taken, size=size)
        except ConnectionLost as error:
            self._held.lose(REPLACED)
            raise SandboxError(
                "The sandbox ends whenever it looks into {name}. Try a smaller part of the file.", name=name
            ) from error

    def interrupt(self) -> None:
        self._held.stop_asked.set()
        if box := self._box:
            with contextlib.suppress(ConnectionLost):
                box.connection.interrupt()

    def restart(self) -> None:
        self._held.drop(EndReason.RESTART)
        self._news, self._is_lost = (), False

    def hang_up(self) -> None:
        """Make the box end by itself, without waiting for it."""
        self._held.hang_up()

    def close(self) -> None:
        self._held.close()
        self._files.clear()
        self._profiles.clear()

    @property
    def status(self) -> SandboxStatus:
        box, waiting = self._box, self._held.waiting
        return SandboxStatus(
            state=SandboxState.WAITING if waiting else self._state(),
            isolation=box.isolation if box else "",
            gaps=box.gaps if box else (),
            packages=installed_packages(box.connection.packages if box else None),
            waiting=waiting,
            lost_variables=self._is_lost or (self._has_run and box is not None and box.has_ended),
        )

    def _state(self) -> SandboxState:
        if self._held.is_closed:
            return SandboxState.CLOSED
        if self._held.is_starting:
            return SandboxState.STARTING
        if self._held.is_busy:
            return SandboxState.BUSY
        return SandboxState.IDLE if self._box else SandboxState.NOT_STARTED

    @property
    def _box(self) -> Box | None:
        return self._held.box

    def _ready(self) -> Box:
        """The box with the session's files."""
        return self._held.ready(self._files)

    def _on_end(self, news: tuple[Sentence, ...]) -> None:
        """The box is gone; ``news`` go with the next result if there were variables to lose."""
        self._tables.forget_loaded()
        if self._has_run:
            self._news, self._is_lost, self._has_run = (*self._news, *news), True, False
