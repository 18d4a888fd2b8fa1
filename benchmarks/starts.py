"""How soon a session answers: from the pool against a cold start, and after its worker or its container was killed."""

import statistics
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import docker

from benchmarks.containers import resident_mb
from benchmarks.timing import TRIVIAL, milliseconds, run
from sandbox.docker_container import DockerContainer
from sandbox.limits import Limits
from sandbox.options import BackendChoice
from sandbox.pool import BoxPool
from sandbox.session_sandbox import SessionSandbox

_COLD_STARTS = 3
_POOL_STARTS = 10
_KILLS = 10
_KILL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
_HANG = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
_HANG_SECONDS = 0.2
_AIM_POOL_MS, _AIM_KILL_MS = 50, 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Medians in milliseconds, each up to the answer of a trivial cell."""

    new_session_cold_ms: float
    new_session_pool_ms: float
    pool_times_faster: float
    after_kill_ms: float
    after_timeout_ms: float
    container_lost_ms: float
    """From the pool, after the container was removed from outside."""
    idle_pooled_mb: float
    """Resident memory of a container that waits for its session."""

    def lines(self) -> list[str]:
        return [
            f"new session       {self.new_session_pool_ms:8.1f} ms from the pool (aim: {_AIM_POOL_MS})   "
            f"cold start {self.new_session_cold_ms:8.0f} ms   {self.pool_times_faster:6.0f} times faster",
            f"next cell         {self.after_kill_ms:8.1f} ms after a kill, {self.after_timeout_ms:.1f} ms after a "
            f"time-out (aim: {_AIM_KILL_MS}), {self.container_lost_ms:.1f} ms after the container was removed",
            f"idle in the pool  {self.idle_pooled_mb:8.0f} MB resident",
        ]


def measure() -> Figures:
    limits = Limits(grace_seconds=0.2)
    cold = statistics.median(_cold_start(limits) for _ in range(_COLD_STARTS))
    pool = BoxPool(lambda: DockerContainer(limits, {}), 1)
    pool.open()
    with closing(pool):
        pooled = statistics.median(_start(pool) for _ in range(_POOL_STARTS))
        _wait_for(pool)
        idle = resident_mb(docker.from_env().containers.get(_waiting(pool)._name))
        with _session(pool) as sandbox:
            run(sandbox, TRIVIAL)
            kills = [_after(sandbox, _KILL, None) for _ in range(_KILLS)]
            hangs = [_after(sandbox, _HANG, _HANG_SECONDS) for _ in range(_KILLS)]
            lost = [_after_removal(sandbox, pool) for _ in range(_COLD_STARTS)]
    return Figures(
        new_session_cold_ms=cold,
        new_session_pool_ms=pooled,
        pool_times_faster=cold / pooled,
        after_kill_ms=statistics.median(kills),
        after_timeout_ms=statistics.median(hangs),
        container_lost_ms=statistics.median(lost),
        idle_pooled_mb=idle,
    )


def _cold_start(limits: Limits) -> float:
    with closing(SessionSandbox(lambda files: DockerContainer(limits, files))) as sandbox:
        return milliseconds(lambda: run(sandbox, TRIVIAL))


@contextmanager
def _session(pool: BoxPool) -> Iterator[SessionSandbox]:
    """Begun once a container is ready for it and the machine is quiet again."""

    def taken(files: object) -> DockerContainer:
        box = pool.take(BackendChoice.DOCKER)
        if not isinstance(box, DockerContainer):
            raise RuntimeError("the pool is empty")
        return box

    _wait_for(pool)
    with closing(SessionSandbox(taken)) as sandbox:
        yield sandbox


def _start(pool: BoxPool) -> float:
    with _session(pool) as sandbox:
        return milliseconds(lambda: run(sandbox, TRIVIAL))


def _after(sandbox: SessionSandbox, fatal: str, seconds: float | None) -> float:
    list(sandbox.execute(fatal, seconds))
    return milliseconds(lambda: run(sandbox, TRIVIAL))


def _after_removal(sandbox: SessionSandbox, pool: BoxPool) -> float:
    _wait_for(pool)
    box = sandbox._box
    if not isinstance(box, DockerContainer):
        raise RuntimeError("the session has no container")
    docker.from_env().containers.get(box._name).remove(force=True)
    while not box.has_ended:
        time.sleep(0.01)
    return milliseconds(lambda: run(sandbox, TRIVIAL))


def _waiting(pool: BoxPool) -> DockerContainer:
    box = pool._ready[0]
    if not isinstance(box, DockerContainer):
        raise RuntimeError("not a container")
    return box


def _wait_for(pool: BoxPool) -> None:
    while not pool.ready:
        time.sleep(0.05)
