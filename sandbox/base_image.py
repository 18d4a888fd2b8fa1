"""Gets the base that the sandbox image is built on: one that is there, a pulled one, or one made on this machine."""

import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

from sandbox.build_context import HERE
from sandbox.build_lines import BuildFailed
from sandbox.docker_engine import DockerEngine
from sandbox.sandbox import SandboxError

DEFAULT_BASE = "python:3.13-slim-bookworm"
LOCAL_BASE = "data-interpreter-base:bookworm"
"""Made here when no registry is reachable."""
SCRIPT = HERE / "image" / "make_base.sh"


def base_image_ready(engine: DockerEngine, chosen: str) -> Generator[str, None, str]:
    """Lines of progress, then the name of a base that the engine has. Raises ``SandboxError`` when there is none.

    Only the default base has a substitute: who names another one gets that one.
    """
    wanted = chosen or DEFAULT_BASE
    if engine.image(wanted):
        return wanted
    yield f"Pulling {wanted}"
    try:
        yield from engine.pull(wanted)
    except BuildFailed as error:
        if chosen:
            raise SandboxError(
                "The base image {name} cannot be pulled: {reason}. Load it into Docker, or name another one in "
                "SANDBOX_BASE_IMAGE.",
                name=wanted,
                reason=str(error).rstrip("."),
            ) from error
        yield f"{wanted} cannot be pulled: {error}"
        yield from _made_here(engine, error)
        return LOCAL_BASE
    return wanted


def _made_here(engine: DockerEngine, pull_error: BuildFailed) -> Iterator[str]:
    if engine.image(LOCAL_BASE):
        yield f"Using {LOCAL_BASE}, which was made on this machine before."
        return
    if shutil.which("mmdebstrap") is None:
        raise SandboxError(
            "The base image {name} cannot be pulled: {reason}. Where no registry is reachable, install "
            "mmdebstrap to make one here, or name one that Docker has in SANDBOX_BASE_IMAGE.",
            name=DEFAULT_BASE,
            reason=str(pull_error).rstrip("."),
        ) from pull_error
    yield f"Making {LOCAL_BASE} with mmdebstrap instead."
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "base.tar")
        yield from _debootstrapped(archive)
        repository, _, tag = LOCAL_BASE.partition(":")
        engine.import_image(archive, repository, tag)


def _debootstrapped(archive: Path) -> Iterator[str]:
    command = ["sh", str(SCRIPT), str(archive)]
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        try:
            for line in process.stdout or ():
                lines.append(line.strip())
                yield lines[-1]
        except GeneratorExit:
            process.terminate()
            raise
    if process.returncode != 0:
        raise SandboxError(
            "mmdebstrap could not make a base image: {reason}. Mend that, or name an image that Docker has in "
            "SANDBOX_BASE_IMAGE.",
            reason=" ".join(lines[-3:]).rstrip("."),
        )
