"""Finds, checks and builds the image that the sandbox runs; what it holds is written in the folder ``image``."""

import io
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sandbox.base_image import DEFAULT_BASE, base_image_ready
from sandbox.build_context import build_context, content_hash, proxy_arguments
from sandbox.build_lines import BuildFailed
from sandbox.docker_engine import DockerEngine
from sandbox.docker_errors import DISK_FULL, IMAGE_MISSING, known_trouble
from sandbox.inside.frames import PROTOCOL_VERSION
from sandbox.locks import FileLock, state_folder
from sandbox.old_images import CONTENT_LABEL, remove_old_images, want_image
from sandbox.packages import EXTRA_REQUIREMENTS, extras_failed
from sandbox.sandbox import SandboxError

REPOSITORY = "data-interpreter-sandbox"
BASE_LABEL = "data-interpreter.base"
PROTOCOL_LABEL = "data-interpreter.protocol"
_LAST_LINES = 15


class ImageState(StrEnum):
    """Whether the image is there and is the one that this version of the program needs."""

    CURRENT = "current"
    STALE = "stale"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is current; ``id`` names exactly this build."""

    id: str
    base: str
    size: int
    """In bytes."""


def find_image(engine: DockerEngine, base_image: str = "") -> Image:
    """The current image. Raises ``SandboxError`` that names the command when it is missing or stale."""
    state, found = _look_up(engine, base_image)
    if found is None:
        raise SandboxError(
            "The sandbox image is outdated. Run: python -m sandbox build"
            if state is ImageState.STALE
            else IMAGE_MISSING
        )
    return found


def image_state(base_image: str = "") -> ImageState:
    """Whether ``build_image`` has something to do. Raises ``SandboxError`` when the engine does not answer."""
    with DockerEngine() as engine:
        return _look_up(engine, base_image)[0]


def _look_up(engine: DockerEngine, base_image: str) -> tuple[ImageState, Image | None]:
    content = content_hash(base_image or DEFAULT_BASE)
    want_image(content)
    found = engine.image(_tag(content))
    if found is None:
        return (ImageState.STALE if engine.images(CONTENT_LABEL) else ImageState.MISSING), None
    labels = found["Config"].get("Labels") or {}
    if labels.get(CONTENT_LABEL) != content:
        return ImageState.STALE, None
    return ImageState.CURRENT, Image(found["Id"], labels.get(BASE_LABEL, ""), found["Size"])


def _tag(content: str) -> str:
    return f"{REPOSITORY}:{content[:16]}"


def build_image(base_image: str = "") -> Iterator[str]:
    """Build the image unless it is current, telling each step as a line of text.

    Waits while another process builds. Raises ``SandboxError`` with the last lines when the build fails.
    """
    with DockerEngine() as engine:
        lock = FileLock(state_folder() / "build.lock")
        if not lock.acquire():
            yield "Another process is building the image; waiting for it."
            while not lock.acquire():
                time.sleep(0.5)
        try:
            yield from _brought_up_to_date(engine, base_image)
        finally:
            lock.release()


def _brought_up_to_date(engine: DockerEngine, base_image: str) -> Iterator[str]:
    if _look_up(engine, base_image)[0] is ImageState.CURRENT:
        yield "The sandbox image is up to date."
        return
    content = content_hash(base_image or DEFAULT_BASE)
    base = yield from base_image_ready(engine, base_image)
    yield from _built(engine, base, content)
    remove_old_images(engine)
    yield f"Built {_tag(content)}."


def _built(engine: DockerEngine, base: str, content: str) -> Iterator[str]:
    arguments = proxy_arguments() | {"BASE_IMAGE": base}
    if mirror := os.environ.get("SANDBOX_DEBIAN_MIRROR"):
        arguments["DEBIAN_MIRROR"] = mirror
    last: deque[str] = deque(maxlen=_LAST_LINES)
    labels = {CONTENT_LABEL: content, BASE_LABEL: base, PROTOCOL_LABEL: str(PROTOCOL_VERSION)}
    try:
        for line in engine.build(io.BytesIO(build_context()), tag=_tag(content), arguments=arguments, labels=labels):
            last.append(line)
            yield line
    except BuildFailed as error:
        if known_trouble(str(error)) == DISK_FULL:
            raise SandboxError(DISK_FULL) from error
        # The engine names the command that failed.
        if EXTRA_REQUIREMENTS.name in str(error):
            raise extras_failed("\n".join(last)) from error
        raise SandboxError(
            "The sandbox image could not be built: {reason}. Check that packages can be downloaded from here, "
            "then run: python -m sandbox build\n{lines}",
            reason=str(error).rstrip("."),
            lines="\n".join(last),
        ) from error
