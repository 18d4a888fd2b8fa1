"""What the measurements of the sandbox share: the cells that are measured, and how."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from sandbox.sandbox import ExecutionResult, Sandbox

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data" / "traffic_accidents.csv"
PYTHON = "/opt/venv/bin/python"
TRIVIAL = "1 + 1"
CHART = """
import matplotlib.pyplot as plt
import pandas as pd

accidents = pd.read_csv("/data/traffic_accidents.csv")
plt.matshow(accidents.corr())
plt.savefig("/outputs/correlations.png")
"""
PLAIN_ENVIRONMENT = {
    "PATH": "/opt/venv/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - in the container
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp",  # noqa: S108
    "OPENBLAS_NUM_THREADS": "1",
}


def run(sandbox: Sandbox, code: str) -> ExecutionResult:
    """The result of a cell that must succeed."""
    *_, result = sandbox.execute(code)
    if not isinstance(result, ExecutionResult) or not result.ok:
        raise RuntimeError(f"the cell failed: {result}")
    return result


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def median(work: Callable[[], object], runs: int) -> float:
    """Of the milliseconds that it takes."""
    return statistics.median(milliseconds(work) for _ in range(runs))
