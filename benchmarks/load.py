"""Many sessions that do the sample cell at the same moment: how many fail, and how long the slow ones take."""

import math
import os
import statistics
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.timing import CHART, SAMPLE, milliseconds, run
from sandbox.docker_sandbox import DockerSandbox
from sandbox.sandbox import SandboxError

SESSIONS = 30
_ALONE = 4
_AIM = 1.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The ideal is what would be if the cores did one cell after the other, each in the time that it takes alone."""

    sessions: int
    failures: int
    cell_alone_ms: float
    p95_ms: float
    ideal_p95_ms: float
    p95_over_ideal: float

    def lines(self) -> list[str]:
        return [
            f"{self.sessions} at once        {self.p95_ms:8.0f} ms 95th percentile   ideal {self.ideal_p95_ms:.0f} ms "
            f"({self.cell_alone_ms:.0f} ms alone)   {self.p95_over_ideal:6.2f} times the ideal (aim: {_AIM})   "
            f"{self.failures} failures",
        ]


def measure(sessions: int = SESSIONS) -> Figures:
    """Every session is a new one: its cell is its first."""
    everyone = [DockerSandbox() for _ in range(sessions + _ALONE)]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as starters:
            list(starters.map(_begin, everyone))
        before = [_cell(sandbox) for sandbox in everyone[: _ALONE // 2]]
        times = _at_once(everyone[_ALONE:])
        after = [_cell(sandbox) for sandbox in everyone[_ALONE // 2 : _ALONE]]
    finally:
        with ThreadPoolExecutor(os.cpu_count()) as closers:
            list(closers.map(DockerSandbox.close, everyone))
    alone = statistics.median([*before, *after])
    good = sorted(each for each in times if math.isfinite(each))
    slow = good[math.ceil(0.95 * len(good)) - 1]
    ideal = alone * math.ceil(math.ceil(0.95 * sessions) / (os.cpu_count() or 1))
    return Figures(
        sessions=sessions,
        failures=sessions - len(good),
        cell_alone_ms=alone,
        p95_ms=slow,
        ideal_p95_ms=ideal,
        p95_over_ideal=slow / ideal,
    )


def _begin(sandbox: DockerSandbox) -> None:
    sandbox.start()
    sandbox.put_file(SAMPLE.name, SAMPLE)


def _cell(sandbox: DockerSandbox) -> float:
    return milliseconds(lambda: run(sandbox, CHART))


def _at_once(sandboxes: Sequence[DockerSandbox]) -> list[float]:
    """Milliseconds from the same moment on; infinite for a session that failed."""
    together = threading.Barrier(len(sandboxes))

    def work(sandbox: DockerSandbox) -> float:
        together.wait()
        try:
            return _cell(sandbox)
        except (SandboxError, RuntimeError):
            return math.inf

    with ThreadPoolExecutor(len(sandboxes)) as threads:
        return list(threads.map(work, sandboxes))
