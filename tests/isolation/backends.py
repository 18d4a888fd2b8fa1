"""The backends of this machine, each with the reason why it cannot be tried when it cannot."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sandbox.backends import new_sandbox, prepare_backend
from sandbox.limits import Limits
from sandbox.options import BackendChoice, SandboxOptions
from sandbox.sandbox import Sandbox, SandboxError
from tests.isolation.podman import Missing, podman_service
from tests.isolation.properties import Bench

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("runc", "runsc", "podman", "podman-rootless", "bubblewrap")
LIMITS = Limits(seconds=5, memory_mb=1024, tmp_mb=32, outputs_mb=32, shm_mb=32, grace_seconds=1)
CANARY = "CANARY-KEY"
"""The key that the app has during these tests."""


@contextmanager
def bench_on(name: str) -> Iterator[Bench]:
    """Sandboxes on that backend. Raises ``Missing`` with the reason when there is none."""
    os.environ["OPENAI_API_KEY"] = CANARY
    if name.startswith("podman"):
        with podman_service(rootless=name.endswith("rootless")):
            yield from _started(SandboxOptions(backend=BackendChoice.DOCKER, limits=LIMITS))
    elif name == "bubblewrap":
        yield from _started(SandboxOptions(backend=BackendChoice.BUBBLEWRAP, limits=LIMITS))
    else:
        yield from _started(SandboxOptions(backend=BackendChoice.DOCKER, limits=LIMITS, runtime=name))


def _started(options: SandboxOptions) -> Iterator[Bench]:
    def make() -> Sandbox:
        sandbox = new_sandbox(options, 600)
        sandbox.start()
        return sandbox

    try:
        prepare_backend(options, lambda line: None)
        bench = Bench(make)
    except SandboxError as error:
        raise Missing(str(error)) from error
    with closing(bench):
        yield bench
