"""Counts what a run has left: containers, volumes, processes, threads, descriptors, files."""

import gc
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from sandbox.docker_engine import DockerEngine
from sandbox.instance import INSTANCE_LABEL, instance_labels
from tests.bubblewrap_fixtures import own_processes

_SECONDS_TO_GO = 20
Counts = dict[str, int]


def counts_now(engine: DockerEngine | None, folder: Path) -> Counts:
    """All that this process holds at the moment; ``folder`` is where its temporary files are."""
    gc.collect()
    label = f"{INSTANCE_LABEL}={instance_labels()[INSTANCE_LABEL]}"
    return {
        "containers": len(engine.containers(label)) if engine else 0,
        "volumes": len(engine.volumes(label)) if engine else 0,
        "processes": len(own_processes(os.getpid())),
        "threads": threading.active_count(),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "temporary files": sum(len(files) for _, _, files in os.walk(folder)),
    }


def leaked(count: Callable[[], Counts], before: Counts) -> Counts:
    """How many more there are of each than ``before``, once it goes down no further."""
    deadline = time.monotonic() + _SECONDS_TO_GO
    while True:
        now = count()
        more = {name: max(0, now[name] - before[name]) for name in now}
        if not any(more.values()) or time.monotonic() > deadline:
            return more
        time.sleep(0.5)
