"""The same work done by llm-sandbox, on the same engine and the same image, without its set-up of an environment."""

import statistics
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass

from llm_sandbox import SandboxSession
from llm_sandbox.core.session_base import BaseSession

from benchmarks.timing import CHART, PLAIN_ENVIRONMENT, PYTHON, SAMPLE, TRIVIAL, milliseconds, run
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.image import find_image
from sandbox.limits import Limits

_STARTS, _ROUNDS = 3, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Medians in milliseconds of cells that take turns; a ratio above 1 means that ours is faster."""

    llm_sandbox_new_session_ms: float
    llm_sandbox_new_session_chart_ms: float
    llm_sandbox_trivial_ms: float
    llm_sandbox_chart_ms: float
    new_session_beside_llm_sandbox_ms: float
    """A cold start, as llm-sandbox's is; ours imports the libraries, which llm-sandbox does with each cell."""
    new_session_chart_beside_llm_sandbox_ms: float
    trivial_beside_llm_sandbox_ms: float
    chart_beside_llm_sandbox_ms: float
    new_session_over_llm_sandbox: float
    new_session_chart_over_llm_sandbox: float
    trivial_over_llm_sandbox: float
    chart_over_llm_sandbox: float

    def lines(self) -> list[str]:
        return [
            _line("cold start", self.new_session_beside_llm_sandbox_ms, self.llm_sandbox_new_session_ms),
            _line("  to a chart", self.new_session_chart_beside_llm_sandbox_ms, self.llm_sandbox_new_session_chart_ms),
            _line("trivial cell", self.trivial_beside_llm_sandbox_ms, self.llm_sandbox_trivial_ms),
            _line("chart cell", self.chart_beside_llm_sandbox_ms, self.llm_sandbox_chart_ms),
        ]


def _line(name: str, ours: float, theirs: float) -> str:
    return f"{name:<18}{ours:8.1f} ms   llm-sandbox {theirs:8.1f} ms   {theirs / ours:6.2f} times its speed"


def measure() -> Figures:
    with DockerEngine() as engine:
        image = find_image(engine).id
    starts = [(_our_start(TRIVIAL), _their_start(image, TRIVIAL)) for _ in range(_STARTS)]
    chart_starts = [(_our_start(CHART), _their_start(image, CHART)) for _ in range(_STARTS)]
    with closing(DockerSandbox()) as ours, _session(image) as theirs:
        ours.put_file(SAMPLE.name, SAMPLE)
        _put_sample(theirs)
        charts = [_pair(ours, theirs, CHART) for _ in range(_ROUNDS + 1)][1:]
        trivials = [_pair(ours, theirs, TRIVIAL) for _ in range(_ROUNDS)]
    our_start, their_start = _medians(starts)
    our_chart_start, their_chart_start = _medians(chart_starts)
    our_chart, their_chart = _medians(charts)
    our_trivial, their_trivial = _medians(trivials)
    return Figures(
        llm_sandbox_new_session_ms=their_start,
        llm_sandbox_new_session_chart_ms=their_chart_start,
        llm_sandbox_trivial_ms=their_trivial,
        llm_sandbox_chart_ms=their_chart,
        new_session_beside_llm_sandbox_ms=our_start,
        new_session_chart_beside_llm_sandbox_ms=our_chart_start,
        trivial_beside_llm_sandbox_ms=our_trivial,
        chart_beside_llm_sandbox_ms=our_chart,
        new_session_over_llm_sandbox=their_start / our_start,
        new_session_chart_over_llm_sandbox=their_chart_start / our_chart_start,
        trivial_over_llm_sandbox=their_trivial / our_trivial,
        chart_over_llm_sandbox=their_chart / our_chart,
    )


def _medians(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    ours, theirs = zip(*pairs, strict=True)
    return statistics.median(ours), statistics.median(theirs)


def _pair(ours: DockerSandbox, theirs: BaseSession, code: str) -> tuple[float, float]:
    return milliseconds(lambda: run(ours, code)), milliseconds(lambda: _run(theirs, code))


def _our_start(code: str) -> float:
    with closing(DockerSandbox()) as sandbox:
        return milliseconds(lambda: (sandbox.put_file(SAMPLE.name, SAMPLE), run(sandbox, code)))


def _their_start(image: str, code: str) -> float:
    with ExitStack() as stack:

        def start() -> None:
            session = stack.enter_context(_session(image))
            _put_sample(session)
            _run(session, code)

        return milliseconds(start)


def _put_sample(session: BaseSession) -> None:
    session.copy_to_runtime(str(SAMPLE), f"/data/{SAMPLE.name}")


@contextmanager
def _session(image: str) -> Iterator[BaseSession]:
    """With the limits of ours as far as it can work under them: it copies its code to a disk that can be written."""
    limits = Limits()
    with SandboxSession(
        lang="python",
        image=image,
        keep_template=True,
        skip_environment_setup=True,
        workdir="/tmp",  # noqa: S108 - in the container
        runtime_configs={
            "entrypoint": [PYTHON, "-c", "import time; time.sleep(100000)"],
            "environment": dict(PLAIN_ENVIRONMENT),
            "network_mode": "none",
            "mem_limit": f"{limits.memory_mb}m",
            "nano_cpus": int(limits.cpus * 1e9),
            "pids_limit": limits.processes,
        },
    ) as session:
        yield session


def _run(session: BaseSession, code: str) -> None:
    done = session.run(code)
    if done.exit_code:
        raise RuntimeError(f"the cell failed: {done.stderr}")
