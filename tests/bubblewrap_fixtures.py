"""What tests on bubblewrap need: that it can be used here, and an analysis environment for it."""

import functools
import os
from pathlib import Path

import pytest

from sandbox.analysis_environment import AnalysisEnvironment
from sandbox.bubblewrap import bubblewrap_version
from sandbox.sandbox import SandboxError


@functools.cache
def bubblewrap_problem() -> str:
    """Why bubblewrap cannot be tested here; empty when it can."""
    try:
        bubblewrap_version()
        AnalysisEnvironment().check()
    except SandboxError as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def bubblewrap() -> None:
    """Skips where it cannot be used, and fails instead in CI."""
    if problem := bubblewrap_problem():
        pytest.fail(problem, pytrace=False) if os.environ.get("CI") == "true" else pytest.skip(problem)


def own_processes(parent: int) -> dict[int, str]:
    """The processes that descend from ``parent``, by number, with their command lines."""
    found: dict[int, str] = {}
    waiting = [parent]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            for pid in map(int, task.read_text().split()):
                found[pid] = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
                waiting.append(pid)
    return found
