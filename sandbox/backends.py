"""Which backend keeps code in on this machine, the one place where that is decided; code never runs without any."""

import math
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from sandbox import bubblewrap, image
from sandbox.analysis_environment import AnalysisEnvironment
from sandbox.box import Box
from sandbox.bubblewrap_box import BubblewrapBox
from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.execution_log import execution_log
from sandbox.observer import SandboxObserver
from sandbox.options import BackendChoice, SandboxOptions
from sandbox.places import Places
from sandbox.pool import BoxPool
from sandbox.sandbox import SandboxError
from sandbox.session_sandbox import SessionSandbox
from wording import Sentence


class Backend(Protocol):
    """One way to keep code in. Every method raises ``SandboxError``."""

    choice: BackendChoice
    passed_over: Sentence | None
    """Why Docker, which would have come first, was not taken."""

    def is_prepared(self) -> bool:
        """Whether ``prepare`` has nothing to do."""

    def prepare(self) -> Iterator[str]:
        """Make what every sandbox needs, once for this machine, telling each step as a line."""

    def start(self, files: Mapping[str, Path]) -> Box: ...


class DockerBackend:
    """Containers of a Docker engine; the image is what has to be prepared."""

    choice = BackendChoice.DOCKER
    passed_over: Sentence | None = None

    def __init__(self, options: SandboxOptions) -> None:
        self._options = options

    def is_prepared(self) -> bool:
        return image.image_state(self._options.base_image) is image.ImageState.CURRENT

    def prepare(self) -> Iterator[str]:
        return image.build_image(self._options.base_image)

    def start(self, files: Mapping[str, Path]) -> Box:
        options = self._options
        return DockerContainer(options.limits, files, runtime=options.runtime, base_image=options.base_image)


class BubblewrapBackend:
    """Processes of this machine under bubblewrap; the analysis environment is what has to be prepared."""

    choice = BackendChoice.BUBBLEWRAP

    def __init__(self, options: SandboxOptions, passed_over: Sentence | None = None) -> None:
        self._limits = options.limits
        self._environment = AnalysisEnvironment(options.environment)
        self.passed_over = passed_over

    def is_prepared(self) -> bool:
        bubblewrap.bubblewrap_version()
        return self._environment.is_current

    def prepare(self) -> Iterator[str]:
        return self._environment.make()

    def start(self, files: Mapping[str, Path]) -> Box:
        return BubblewrapBox(self._limits, files, self._environment)


def choose_backend(options: SandboxOptions) -> Backend:
    """The backend that is to be used now. Raises ``SandboxError`` that says what to install when there is none.

    What was asked for is never replaced: only without any wish, for a container runtime neither, bubblewrap stands in
    for a Docker engine that does not answer.
    """
    if options.backend is BackendChoice.BUBBLEWRAP:
        if options.runtime:
            raise SandboxError(
                "SANDBOX_RUNTIME is set, but bubblewrap has no container runtimes. Empty it, or set SANDBOX=docker."
            )
        return BubblewrapBackend(options)
    if options.backend is BackendChoice.DOCKER or options.runtime or sys.platform != "linux":
        return DockerBackend(options)
    try:
        DockerEngine().close()
    except SandboxError as docker:
        return _stand_in(options, docker.sentence)
    return DockerBackend(options)


def _stand_in(options: SandboxOptions, docker: Sentence) -> Backend:
    try:
        bubblewrap.bubblewrap_version()
    except SandboxError as error:
        raise SandboxError(
            "There is nothing here to run code in safely. Docker: {docker} Or without Docker: {bubblewrap}",
            docker=docker,
            bubblewrap=error.sentence,
        ) from error
    return BubblewrapBackend(options, docker)


def new_sandbox(
    options: SandboxOptions, idle_seconds: float, observers: Sequence[SandboxObserver] = ()
) -> SessionSandbox:
    """A sandbox that decides on its backend when it starts first and keeps to it.

    The first of a process that keeps some ready begins to make them. Raises ``SandboxError`` when the execution log
    cannot be written.
    """
    chosen: list[Backend] = []
    shared = _shared(options)
    shared.pool.open()

    def start(files: Mapping[str, Path]) -> Box:
        if not chosen:
            chosen.append(choose_backend(options))
        return _from_pool(shared.pool, chosen[0], files) or chosen[0].start(files)

    log = execution_log(options.execution_log, options.execution_log_code)
    return SessionSandbox(
        start,
        idle_seconds=idle_seconds,
        lifetime_seconds=options.hours * 3600,
        places=shared.places,
        observers=(*observers, *([log] if log else ())),
    )


def _from_pool(pool: BoxPool, backend: Backend, files: Mapping[str, Path]) -> Box | None:
    box = pool.take(backend.choice)
    if box is None:
        return None
    try:
        for name, source in files.items():
            box.put(name, source)
    except SandboxError:
        # It may have ended just now; what is wrong with a file, the next attempt tells.
        box.remove()
        return None
    except BaseException:
        box.remove()
        raise
    return box


class _Shared:
    """What the sandboxes of this process with the same options share."""

    def __init__(self, options: SandboxOptions) -> None:
        self.options = options
        self.pool = BoxPool(lambda: choose_backend(options).start({}), options.pool)
        self.places = Places(math.inf if options.capacity is None else options.capacity)


_latest: _Shared | None = None
_latest_lock = threading.Lock()


def _shared(options: SandboxOptions) -> _Shared:
    global _latest
    with _latest_lock:
        old = _latest
        if old and old.options == options:
            return old
        new = _latest = _Shared(options)
    if old:
        # The settings were changed: nothing more begins with the old ones.
        old.pool.close()
    return new


def prepare_backend(options: SandboxOptions, tell: Callable[[str], None]) -> None:
    """Prepare what every sandbox needs, unless it is; ``tell`` gets each line. Raises ``SandboxError``."""
    backend = choose_backend(options)
    if not backend.is_prepared():
        for line in backend.prepare():
            tell(line)
