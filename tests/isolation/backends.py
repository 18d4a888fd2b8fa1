"""The backends of this machine, each with the reason why it cannot be tried when it cannot."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sandbox.backends import new_sandbox, prepare_backend
from sandbox.docker_engine import DockerEngine
from sandbox.image import find_image
from sandbox.limits import Limits
from sandbox.options import BackendChoice, SandboxOptions
from sandbox.sandbox import Sandbox, SandboxError

NAMES = ("runc", "runsc", "podman", "bubblewrap")
LIMITS = Limits(memory_mb=1024, tmp_mb=32, outputs_mb=32, shm_mb=32, grace_seconds=1)
_SECONDS_TO_ANSWER = 30


class Missing(Exception):
    """A backend that this machine does not have."""


@contextmanager
def sandbox_on(name: str) -> Iterator[Sandbox]:
    """A sandbox on that backend. Raises ``Missing`` with the reason when there is none."""
    if name == "podman":
        with _podman():
            yield from _started(SandboxOptions(backend=BackendChoice.DOCKER, limits=LIMITS))
    elif name == "bubblewrap":
        yield from _started(SandboxOptions(backend=BackendChoice.BUBBLEWRAP, limits=LIMITS))
    else:
        yield from _started(SandboxOptions(backend=BackendChoice.DOCKER, limits=LIMITS, runtime=name))


def _started(options: SandboxOptions) -> Iterator[Sandbox]:
    try:
        prepare_backend(options, lambda line: None)
        sandbox = new_sandbox(options, 600)
        with closing(sandbox):
            sandbox.start()
            yield sandbox
    except SandboxError as error:
        raise Missing(str(error)) from error


@contextmanager
def _podman() -> Iterator[None]:
    """Podman's socket as the engine, with the image of the Docker engine."""
    if shutil.which("podman") is None:
        raise Missing("podman is not installed")
    with tempfile.TemporaryDirectory() as folder, DockerEngine() as engine:
        address = Path(folder, "podman.sock")
        tag = find_image(engine, os.environ.get("SANDBOX_BASE_IMAGE", "")).id
        with subprocess.Popen(
            ["podman", "system", "service", "--time=0", f"unix://{address}"], stderr=subprocess.DEVNULL
        ) as service:
            before = os.environ.get("DOCKER_HOST")
            try:
                _wait_for(address)
                _copy_image(engine, tag)
                os.environ["DOCKER_HOST"] = f"unix://{address}"
                yield
            finally:
                os.environ.pop("DOCKER_HOST", None)
                if before is not None:
                    os.environ["DOCKER_HOST"] = before
                service.terminate()


def _wait_for(address: Path) -> None:
    deadline = time.monotonic() + _SECONDS_TO_ANSWER
    while not address.exists():
        if time.monotonic() > deadline:
            raise Missing("podman's service does not start here")
        time.sleep(0.1)


def _copy_image(engine: DockerEngine, identifier: str) -> None:
    (tag, *_) = (engine.image(identifier) or {})["RepoTags"]
    if subprocess.run(["podman", "image", "exists", tag]).returncode == 0:
        return
    with subprocess.Popen(["docker", "save", tag], stdout=subprocess.PIPE) as saved:
        if subprocess.run(["podman", "load", "--quiet"], stdin=saved.stdout, capture_output=True).returncode != 0:
            raise Missing("podman cannot load the image")
