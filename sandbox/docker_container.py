"""One container from its creation to its removal; knows nothing of cells or of what replaces it."""

import contextlib
import io
import logging
import os
import secrets
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sandbox import data_archive
from sandbox.connection import Connection, ConnectionLost
from sandbox.docker_engine import DockerEngine
from sandbox.docker_errors import SILENT
from sandbox.docker_gaps import docker_gaps, is_podman, limits_containers, user_mapping
from sandbox.docker_stream import DockerStream
from sandbox.image import find_image
from sandbox.instance import INSTANCE_LABEL, instance_labels, sweep
from sandbox.limits import Limits, container_options
from sandbox.options import BackendChoice
from sandbox.sandbox import SandboxError
from sandbox.watcher import watch_over
from wording import Sentence

_LOGGER = logging.getLogger(__name__)
_swept = threading.Event()
_left_behind: set[str] = set()
"""Names of containers that the engine could not remove, or may have made although it did not say so."""


class DockerContainer:
    """A locked-down container with the files in place and Python ready in it.

    Raises ``SandboxError`` when it cannot be had; whatever was begun is removed then.
    """

    backend = BackendChoice.DOCKER

    def __init__(self, limits: Limits, files: Mapping[str, Path], *, runtime: str = "", base_image: str = "") -> None:
        self._engine = DockerEngine()
        self._name = f"data-interpreter-{secrets.token_hex(8)}"
        self._stream: DockerStream | None = None
        self._files: set[str] = set()
        try:
            self._base_image = base_image
            image = self._image = find_image(self._engine, base_image)
            if not _swept.is_set():
                _swept.set()
                with contextlib.suppress(SandboxError):
                    sweep(self._engine)
            _remove_left_behind(self._engine)
            labels = instance_labels()
            watch_over("docker", labels[INSTANCE_LABEL])
            info = self._engine.info()
            user = _free_user(info)
            options = container_options(
                limits,
                image=image.id,
                user=user,
                labels=labels,
                runtime=runtime,
                podman=is_podman(info),
                together=limits_containers(info),
            )
            self._create(options)
            for name, source in files.items():
                self.put(name, source)
            self.connection = self._started(limits)
            self.isolation, self.gaps = self._told_isolation(info, limits)
        except BaseException:
            self.remove()
            raise

    def _create(self, options: Mapping[str, Any]) -> None:
        try:
            self._engine.create(options, self._name)
        except SandboxError:
            # An engine that has fallen silent may still make it later.
            _left_behind.add(self._name)
            raise

    def _started(self, limits: Limits) -> Connection:
        self._stream = self._engine.attach(self._name)
        self._engine.start(self._name)
        connection = Connection(self._stream, limits)
        try:
            connection.wait_ready()
        except ConnectionLost as error:
            reason = self._stream.errors.strip().rpartition("\n")[2].rstrip(".")
            if not reason:
                raise SandboxError(
                    "Python did not start in the sandbox and gave no reason; the machine may be busy. "
                    "Try again. If it stays so, run: python -m sandbox doctor"
                ) from error
            raise SandboxError(
                "Python does not start in the sandbox: {reason}. Build its image anew: python -m sandbox build",
                reason=reason,
            ) from error
        return connection

    def _told_isolation(self, info: Mapping[str, Any], limits: Limits) -> tuple[str, tuple[Sentence, ...]]:
        """As the engine reports it, not as it was asked for; and what that does not cover."""
        found = self._engine.inspect(self._name) or {}
        runtime = str(found.get("HostConfig", {}).get("Runtime", ""))
        engine = "Podman" if is_podman(info) else "Docker"
        told = ", ".join([f"{engine} {info['ServerVersion']}", runtime, *user_mapping(info)])
        return told, docker_gaps(runtime, info, limits)

    @property
    def has_ended(self) -> bool:
        return not self.connection.alive or self._stream is None or self._stream.has_ended

    @property
    def is_current(self) -> bool:
        return find_image(self._engine, self._base_image) == self._image

    def put(self, name: str, source: Path) -> None:
        """Bring a host file to ``/data``; its arrival is checked, not assumed."""
        try:
            file = source.open("rb", buffering=0)
        except OSError as error:
            raise SandboxError("The file {name} cannot be read any more. Add it again.", name=name) from error
        with file:
            size = os.fstat(file.fileno()).st_size
            try:
                self._engine.extract(self._name, data_archive.VOLUME, data_archive.added(name, file, size))
            except SandboxError as error:
                if error.sentence.template != SILENT:
                    self._remove_half(name)
                raise
        self._files.add(name)
        if self._engine.file_size(self._name, f"{data_archive.VOLUME}/{data_archive.FOLDER}/{name}") != size:
            raise SandboxError("The file {name} did not reach the sandbox whole. Add it again.", name=name)

    def _remove_half(self, name: str) -> None:
        """A file that came in part only; emptied first, because on a full disk nothing else can be done."""
        with contextlib.suppress(SandboxError):
            self._engine.extract(self._name, data_archive.VOLUME, data_archive.added(name, io.BytesIO(), 0))
            self.keep_only(self._files)

    def keep_only(self, names: Iterable[str]) -> None:
        """Take all other files out of ``/data``."""
        self._files.intersection_update(names)
        self._engine.extract(self._name, data_archive.VOLUME, data_archive.removed(names))

    def hang_up(self) -> None:
        """Make the container end by itself, without waiting for it."""
        if self._stream:
            self._stream.close()

    def remove(self) -> None:
        """End it and remove it with its volume; what the engine cannot remove now, the next start does."""
        self.hang_up()
        try:
            self._engine.remove(self._name)
        except SandboxError:
            _left_behind.add(self._name)
        self._engine.close()


def _remove_left_behind(engine: DockerEngine) -> None:
    if not _left_behind:
        return
    for name in tuple(_left_behind):
        try:
            engine.remove(name)
            if engine.inspect(name) is None:
                _left_behind.discard(name)
        except SandboxError as error:
            _LOGGER.warning("The container %s could not be removed: %s", name, error)
    with contextlib.suppress(SandboxError):
        # An engine that was restarted may have removed a container without its volume.
        for volume in engine.volumes(f"{INSTANCE_LABEL}={instance_labels()[INSTANCE_LABEL]}", unused=True):
            engine.remove_volume(volume["Name"])


def _free_user(info: Mapping[str, Any]) -> int:
    """A user number that no other container has, at odds of one in a billion, or fewer where the engine maps users."""
    if user_mapping(info):
        return 10_000 + secrets.randbelow(50_000)
    return 200_000 + secrets.randbelow(1_000_000_000)
