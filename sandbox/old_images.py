"""Images of earlier versions, and what their builds left: which may go, so that they do not fill the engine's disk."""

import contextlib
import hashlib
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sandbox.docker_engine import DockerEngine
from sandbox.locks import state_folder
from sandbox.sandbox import SandboxError

CONTENT_LABEL = "data-interpreter.content"
STAGE_LABEL = "data-interpreter.stage"
"""On what the Dockerfile's stages leave; a later build takes from it what has not changed."""
_HERE = Path(__file__).resolve().parent
_PREFIX = "image-"
_NEWEST = 3
_SECONDS_A_DAY = 86_400


def want_image(content: str) -> None:
    """Note that this copy of the program needs the image with that content."""
    name = hashlib.sha256(bytes(_HERE)).hexdigest()[:16]
    text = f"{content}\n{_HERE}"
    with contextlib.suppress(OSError):  # a full disk: the image is only less safe from others' cleaning up
        note, part = state_folder() / f"{_PREFIX}{name}", state_folder() / f"{name}.part"
        if not note.exists() or note.read_text() != text:
            # Whole or not at all: who reads half a folder's name takes the copy for gone.
            part.write_text(text)
            part.replace(note)


def remove_old_images(engine: DockerEngine) -> None:
    """All that nobody needs; what a container uses stays, and where the engine refuses that is no error.

    Nothing goes while it cannot be read who needs what.
    """
    with contextlib.suppress(SandboxError, OSError):
        wanted = _wanted()
        images = [each for each in engine.images(CONTENT_LABEL) if each["Labels"][CONTENT_LABEL] not in wanted]
        stages: dict[str, list[dict[str, Any]]] = {}
        for stage in engine.images(STAGE_LABEL, unused=True):
            stages.setdefault(stage["Labels"][STAGE_LABEL], []).append(stage)
        for image in (old for kind in (images, *stages.values()) for old in _old(kind)):
            engine.remove_image(image["Id"])


def _wanted() -> set[str]:
    """What the copies of this program need that are still there."""
    wanted = set()
    for note in state_folder().glob(f"{_PREFIX}*"):
        content, _, folder = note.read_text().partition("\n")
        if Path(folder).is_dir():
            wanted.add(content)
        else:
            note.unlink(missing_ok=True)
    return wanted


def _old(images: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Another user's copy, which leaves no note here, may still need one that is new."""
    newest_first = sorted(images, key=lambda image: -float(image["Created"]))
    return [image for image in newest_first[_NEWEST:] if time.time() - image["Created"] > _SECONDS_A_DAY]
