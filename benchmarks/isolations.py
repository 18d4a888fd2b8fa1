"""The same cells under every isolation that is here, taking turns."""

import statistics
from contextlib import ExitStack, closing
from dataclasses import dataclass

from benchmarks.timing import CHART, SAMPLE, TRIVIAL, milliseconds, run
from sandbox.backends import new_sandbox
from sandbox.docker_engine import DockerEngine
from sandbox.options import BackendChoice, SandboxOptions
from sandbox.sandbox import SandboxError
from sandbox.session_sandbox import SessionSandbox

_ROUNDS = 10
_WITH_DOCKER = ("runc", "runsc")
_NAMES = (*_WITH_DOCKER, "bubblewrap")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Medians in milliseconds by the name of the isolation; a name in ``isolations_missing`` has none."""

    isolations_trivial_ms: dict[str, float]
    isolations_chart_ms: dict[str, float]
    isolations_chart_over_runc: dict[str, float]
    """Medians of the ratios of one round."""
    isolations_missing: tuple[str, ...]

    def lines(self) -> list[str]:
        measured = [
            f"{name:<18}{self.isolations_chart_ms[name]:8.1f} ms chart cell   "
            f"{self.isolations_trivial_ms[name]:8.2f} ms trivial cell   "
            + (f"{self.isolations_chart_over_runc[name]:6.2f} times runc" if self.isolations_chart_over_runc else "")
            for name in self.isolations_chart_ms
        ]
        return [*measured, *(f"{name:<18} not here" for name in self.isolations_missing)]


def measure() -> Figures:
    with ExitStack() as stack:
        sandboxes = _started(stack)
        chart: dict[str, list[float]] = {name: [] for name in sandboxes}
        trivial: dict[str, list[float]] = {name: [] for name in sandboxes}
        for _ in range(_ROUNDS):
            for name, sandbox in sandboxes.items():
                chart[name].append(milliseconds(lambda: run(sandbox, CHART)))  # noqa: B023 - called at once
                trivial[name].append(milliseconds(lambda: run(sandbox, TRIVIAL)))  # noqa: B023
    return Figures(
        isolations_trivial_ms={name: statistics.median(times) for name, times in trivial.items()},
        isolations_chart_ms={name: statistics.median(times) for name, times in chart.items()},
        isolations_chart_over_runc=_over(chart.get("runc", []), chart),
        isolations_missing=tuple(name for name in _NAMES if name not in sandboxes),
    )


def _over(base: list[float], chart: dict[str, list[float]]) -> dict[str, float]:
    if not base:
        return {}
    return {
        name: statistics.median(time / runc for time, runc in zip(times, base, strict=True))
        for name, times in chart.items()
    }


def _started(stack: ExitStack) -> dict[str, SessionSandbox]:
    """One session for each isolation, after its first chart."""
    sandboxes = {}
    for name in _NAMES:
        sandbox = stack.enter_context(closing(new_sandbox(_options(name), 3600)))
        try:
            if name in _WITH_DOCKER and name not in _runtimes():
                continue
            sandbox.put_file(SAMPLE.name, SAMPLE)
            run(sandbox, CHART)
        except SandboxError:
            continue
        sandboxes[name] = sandbox
    return sandboxes


def _options(name: str) -> SandboxOptions:
    if name in _WITH_DOCKER:
        return SandboxOptions(backend=BackendChoice.DOCKER, runtime=name)
    return SandboxOptions(backend=BackendChoice.BUBBLEWRAP)


def _runtimes() -> dict[str, object]:
    with DockerEngine() as engine:
        return dict(engine.info().get("Runtimes") or {})
