"""The sandbox of one session on Docker: a container when it is needed, a new one when that is gone."""

import atexit
import contextlib
import threading
import time
import weakref
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

from sandbox.connection import ConnectionLost
from sandbox.docker_container import DockerContainer
from sandbox.file_names import safe_name
from sandbox.image import installed_packages
from sandbox.limits import Limits
from sandbox.sandbox import (
    ExecutionResult,
    FileProfile,
    OutputText,
    Sandbox,
    SandboxError,
    SandboxState,
    SandboxStatus,
    StateLoss,
)
from wording import Sentence

_CLOSED = Sentence("The session was closed while the code ran. Begin a new one.")
_GONE = Sentence(
    "The container of the sandbox ended while the code ran. The next code runs in a new one: variables are gone, "
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
_open: "weakref.WeakSet[DockerSandbox]" = weakref.WeakSet()


class DockerSandbox(Sandbox):
    """Starts its container with the first use, and gives it up after ``idle_seconds`` without use."""

    def __init__(
        self, limits: Limits | None = None, *, runtime: str = "", base_image: str = "", idle_seconds: float = 1200
    ) -> None:
        self._limits = limits or Limits()
        self._runtime, self._base_image = runtime, base_image
        self._files: dict[str, Path] = {}
        self._container: DockerContainer | None = None
        # Guards the container and the files; held while a container starts, not while a cell runs.
        self._lock = threading.RLock()
        # Held while a cell runs or a file is looked into.
        self._turn = threading.Lock()
        self._closed = self._starting = self._has_run = False
        self._stop_asked = threading.Event()
        self._news: tuple[Sentence, ...] = ()
        self._idle_seconds = idle_seconds
        self._idle_timer = threading.Timer(idle_seconds, self._end_idle)
        _open.add(self)

    def start(self) -> None:
        """Have Python ready before it is needed."""
        self._ready()

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        with self._one_at_a_time():
            self._stop_asked.clear()
            container = self._ready()
            if self._stop_asked.is_set():
                yield ExecutionResult(interrupted=True, error="Stopped before the code began.")
                return
            news, self._news, self._has_run = self._news, (), True
            with closing(self._run(container, code, timeout)) as events:
                for event in events:
                    yield event if isinstance(event, OutputText) else replace(event, notices=(*news, *event.notices))

    def _run(
        self, container: DockerContainer, code: str, timeout: float | None
    ) -> Generator[OutputText | ExecutionResult, None, None]:
        """The cell's own events; a result in words when the container ends before the cell does."""
        printed: list[OutputText] = []
        began = time.monotonic()
        is_wanted = True
        cell = cast("Generator[OutputText | ExecutionResult, None, None]", container.connection.execute(code, timeout))
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
            if self._container is container:
                self._drop(_REPLACED)
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
            if container := self._living():
                container.put(stored, source)
            self._files[stored] = source
            return stored

    def remove_file(self, name: str) -> None:
        with self._lock, self._in_use():
            if self._files.pop(name, None) and (container := self._living()):
                container.keep_only(self._files)

    def profile(self, name: str, sample_rows: int = 5) -> FileProfile:
        with self._one_at_a_time():
            try:
                return self._ready().connection.profile(name, sample_rows)
            except ConnectionLost:
                self._drop(_REPLACED)
            try:
                return self._ready().connection.profile(name, sample_rows)
            except ConnectionLost as error:
                self._drop(_REPLACED)
                raise SandboxError(
                    "The sandbox ends whenever it looks into {name}. Try a smaller part of the file.", name=name
                ) from error

    def interrupt(self) -> None:
        self._stop_asked.set()
        if container := self._container:
            with contextlib.suppress(ConnectionLost):
                container.connection.interrupt()

    def restart(self) -> None:
        self._drop()
        self._news = ()

    def hang_up(self) -> None:
        """Make the container end by itself, without waiting for it."""
        if container := self._container:
            container.hang_up()

    def close(self) -> None:
        self._closed = True
        self._stop_asked.set()
        self.hang_up()
        self._drop()
        self._files.clear()

    @property
    def status(self) -> SandboxStatus:
        container = self._container
        isolation = container.isolation if container else ""
        return SandboxStatus(state=self._state(), isolation=isolation, packages=installed_packages())

    def _state(self) -> SandboxState:
        if self._closed:
            return SandboxState.CLOSED
        if self._starting:
            return SandboxState.STARTING
        if self._turn.locked():
            return SandboxState.BUSY
        return SandboxState.IDLE if self._container else SandboxState.NOT_STARTED

    def _ready(self) -> DockerContainer:
        """The container; a new one with the same files where there was none, or none any more."""
        with self._lock:
            if self._closed:
                raise SandboxError("This sandbox is closed. Begin a new session.")
            container = self._living()
            if container is None:
                self._starting = True
                try:
                    container = self._container = DockerContainer(
                        self._limits, self._files, runtime=self._runtime, base_image=self._base_image
                    )
                finally:
                    self._starting = False
            return container

    def _living(self) -> DockerContainer | None:
        if self._container and self._container.has_ended:
            self._drop(_REPLACED)
        return self._container

    def _drop(self, *news: Sentence) -> None:
        """Remove the container; ``news`` go with the next result if there were variables to lose."""
        with self._lock:
            container, self._container = self._container, None
            if container:
                self._idle_timer.cancel()
                self._news = news if self._has_run else ()
                self._has_run = False
                container.remove()

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
        """Put off the end of an idle container."""
        self._idle_timer.cancel()
        try:
            yield
        finally:
            self._idle_timer.cancel()
            self._idle_timer = threading.Timer(self._idle_seconds, self._end_idle)
            self._idle_timer.daemon = True
            if self._container:
                self._idle_timer.start()

    def _end_idle(self) -> None:
        if self._turn.acquire(blocking=False):
            try:
                self._drop(_WAS_IDLE)
            finally:
                self._turn.release()


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
