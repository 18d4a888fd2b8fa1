"""The few calls to a Docker engine that the sandbox needs, typed, with every failure told in words; decides nothing."""

import contextlib
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, NotFound
from docker.utils import decode_json_header

from sandbox.build_lines import BuildFailed, lines_told
from sandbox.docker_address import engine_address
from sandbox.docker_errors import ENGINE_TOO_OLD, docker_errors_told
from sandbox.docker_stream import DockerStream
from sandbox.sandbox import SandboxError

OLDEST_API = (1, 41)
"""Docker 20.10, the first that can hide the host's control groups from a container."""
CALL_SECONDS = 10
TRANSFER_SECONDS = 30
"""For a sign of life while much is written to a disk."""
STEP_SECONDS = 900
"""The same between two lines of a build or a pull: a download may take as long."""


class _Client(docker.APIClient):
    """The library's, without its leaks and endless waits."""

    def __init__(self, address: str, version: str, timeout: int, tls: Any) -> None:
        self._path = address.removeprefix("unix://") if address.startswith("unix://") else ""
        super().__init__(address, version, timeout, tls=tls)
        if self._path:
            # It would keep one open for each address that it has asked, and each session has such a client.
            self.headers["Connection"] = "close"

    def send(self, request: Any, **options: Any) -> Any:
        if self._path:
            # Find out by a plain connection whether anyone answers: the library leaks each socket it cannot connect.
            with socket.socket(socket.AF_UNIX) as knock:
                knock.settimeout(CALL_SECONDS)
                knock.connect(self._path)
        # It would wait for ever wherever it is told to stream.
        return super().send(request, **{**options, "timeout": options.get("timeout") or self.timeout})


class DockerEngine:
    """A connection to the engine that the docker command would use, in that engine's own API version.

    Raises ``SandboxError`` when there is none that can be used, and from every method when the engine fails.
    """

    def __init__(self) -> None:
        self._address, self._tls = engine_address()
        self._client = self._connected("auto", CALL_SECONDS)
        if tuple(int(part) for part in self._client.api_version.split(".")) < OLDEST_API:
            self.close()
            raise SandboxError(ENGINE_TOO_OLD)

    def __enter__(self) -> "DockerEngine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @docker_errors_told()
    def _connected(self, version: str, timeout: int) -> Any:  # the library's own types are incomplete
        return _Client(self._address, version, timeout, self._tls or False)

    def close(self) -> None:
        self._client.close()

    @contextmanager
    def _patient(self, seconds: int) -> Iterator[Any]:
        """A client that waits longer for an answer."""
        client = self._connected(self._client.api_version, seconds)
        try:
            yield client
        finally:
            client.close()

    @docker_errors_told()
    def version(self) -> dict[str, Any]:
        return dict(self._client.version())

    @docker_errors_told()
    def info(self) -> dict[str, Any]:
        return dict(self._client.info())

    # Images

    @docker_errors_told()
    def image(self, name: str) -> dict[str, Any] | None:
        """What the engine knows of an image; None when it is not there."""
        try:
            return dict(self._client.inspect_image(name))
        except NotFound:
            return None

    @docker_errors_told()
    def images(self, label: str, *, unused: bool = False) -> list[dict[str, Any]]:
        """Those with the label; ``unused`` leaves out the ones with a name and what others are built on."""
        return list(self._client.images(filters={"label": label, **({"dangling": True} if unused else {})}))

    @docker_errors_told()
    def remove_image(self, name: str) -> None:
        """One that a container uses, or that is gone, is no error."""
        with self._patient(TRANSFER_SECONDS) as client, contextlib.suppress(APIError):
            client.remove_image(name, force=False)

    def pull(self, name: str) -> Iterator[str]:
        """Lines of progress. Raises ``BuildFailed`` when the image cannot be had."""
        with docker_errors_told(), self._patient(STEP_SECONDS) as client:
            try:
                yield from lines_told(client.pull(name, stream=True, decode=True))
            except APIError as error:
                raise BuildFailed(error.explanation or str(error)) from error

    def build(
        self, context: Any, *, tag: str, arguments: Mapping[str, str], labels: Mapping[str, str]
    ) -> Iterator[str]:
        """Lines of progress. Raises ``BuildFailed`` when a step fails; leaving the iterator early ends the build."""
        options = {"custom_context": True, "rm": True, "forcerm": True, "decode": True}
        with docker_errors_told(), self._patient(STEP_SECONDS) as client:
            events = client.build(fileobj=context, tag=tag, buildargs=dict(arguments), labels=dict(labels), **options)
            yield from lines_told(events)

    @docker_errors_told()
    def import_image(self, archive: Path, repository: str, tag: str) -> None:
        with self._patient(STEP_SECONDS) as client:
            client.import_image_from_file(str(archive), repository=repository, tag=tag)

    # Containers

    @docker_errors_told()
    def create(self, options: Mapping[str, Any], name: str) -> None:
        self._client.create_container_from_config(dict(options), name=name)

    @docker_errors_told()
    def attach(self, container: str) -> DockerStream:
        """Its input and output; attach before it starts, so that nothing is missed."""
        params = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        return DockerStream(self._client.attach_socket(container, params=params))

    @docker_errors_told()
    def start(self, container: str) -> None:
        self._client.start(container)

    @docker_errors_told()
    def inspect(self, container: str) -> dict[str, Any] | None:
        try:
            return dict(self._client.inspect_container(container))
        except NotFound:
            return None

    @docker_errors_told()
    def remove(self, container: str) -> None:
        """Kill it and remove it with its volume; one that is gone or going is no error."""
        try:
            self._client.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if error.status_code != 409:
                raise

    @docker_errors_told()
    def extract(self, container: str, folder: str, archive: Iterable[bytes]) -> None:
        """Unpack a tar, given in pieces and not compressed, into a folder of the container's volume."""
        with self._patient(TRANSFER_SECONDS) as client:
            client.put_archive(container, folder, archive)

    @docker_errors_told()
    def file_size(self, container: str, path: str) -> int | None:
        """In bytes, as the engine sees it in the container; None when there is no such file."""
        # The library can only ask for the whole file; the engine also tells the size alone.
        url = f"{self._client.base_url}/v{self._client.api_version}/containers/{container}/archive"
        answer = self._client.head(url, params={"path": path}, timeout=CALL_SECONDS)
        found = answer.headers.get("X-Docker-Container-Path-Stat")
        return int(decode_json_header(found)["size"]) if answer.ok and found else None

    @docker_errors_told()
    def containers(self, label: str) -> list[dict[str, Any]]:
        return list(self._client.containers(all=True, filters={"label": label}))

    @docker_errors_told()
    def volumes(self, label: str, *, unused: bool = False) -> list[dict[str, Any]]:
        """Those with the label; ``unused`` leaves out the ones that belong to a container."""
        filters: dict[str, Any] = {"label": label, **({"dangling": True} if unused else {})}
        return list(self._client.volumes(filters=filters)["Volumes"] or [])

    @docker_errors_told()
    def remove_volume(self, name: str) -> bool:
        """Whether it is gone; a volume that a container uses stays."""
        try:
            self._client.remove_volume(name)
        except APIError as error:
            return error.status_code == 404
        return True
