"""Finds the address of the Docker engine as the docker command does; speaks to no engine."""

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from docker.tls import TLSConfig

from sandbox.docker_errors import docker_errors_told
from sandbox.sandbox import SandboxError


def engine_address() -> tuple[str, TLSConfig | None]:
    """The address and how to encrypt. Raises ``SandboxError`` for one that is unsafe or not supported."""
    address, tls = _chosen_address()
    if address.startswith("ssh://"):
        raise SandboxError(
            "Docker over {address} is not supported. Use a local engine, or tcp:// with TLS.", address=address
        )
    if address.startswith(("tcp://", "http://")) and tls is None:
        raise SandboxError(
            "The Docker address {address} is not encrypted: anyone on the network could take over the engine. "
            "Use a local engine, or set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH.",
            address=address,
        )
    return address, tls


def _chosen_address() -> tuple[str, TLSConfig | None]:
    """The chosen context, else DOCKER_HOST, else the current context, else the usual sockets."""
    name = os.environ.get("DOCKER_CONTEXT", "")
    host = os.environ.get("DOCKER_HOST", "")
    if host and not name:
        verify = os.environ.get("DOCKER_TLS_VERIFY")
        folder = Path(os.environ.get("DOCKER_CERT_PATH") or _config_folder())
        return host, _tls(folder, verify=True) if verify else None
    name = name or _current_context()
    if name not in ("", "default"):
        return _context(name)
    return next(_usual_addresses()), None


def _config_folder() -> Path:
    return Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker")


def _current_context() -> str:
    try:
        return str(json.loads((_config_folder() / "config.json").read_text("utf-8")).get("currentContext", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def _context(name: str) -> tuple[str, TLSConfig | None]:
    identifier = hashlib.sha256(name.encode()).hexdigest()
    contexts = _config_folder() / "contexts"
    try:
        endpoint = json.loads((contexts / "meta" / identifier / "meta.json").read_text("utf-8"))["Endpoints"]["docker"]
        host = str(endpoint["Host"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SandboxError(
            'The Docker context "{name}" cannot be read. Choose another one: docker context use default', name=name
        ) from error
    certificates = contexts / "tls" / identifier / "docker"
    return host, _tls(certificates, verify=not endpoint.get("SkipTLSVerify")) if certificates.is_dir() else None


def _tls(folder: Path, *, verify: bool) -> TLSConfig:
    with docker_errors_told():
        pair = (str(folder / "cert.pem"), str(folder / "key.pem"))
        return TLSConfig(client_cert=pair, ca_cert=str(folder / "ca.pem"), verify=verify)


def _usual_addresses() -> Iterator[str]:
    if sys.platform == "win32":
        yield "npipe:////./pipe/docker_engine"
        return
    home, runtime = Path.home(), os.environ.get("XDG_RUNTIME_DIR")
    sockets = [Path("/var/run/docker.sock"), *([Path(runtime, "docker.sock")] if runtime else [])]
    sockets += [home / place for place in (".docker/run/docker.sock", ".docker/desktop/docker.sock")]
    sockets += [home / place for place in (".colima/default/docker.sock", ".rd/docker.sock")]
    yield from (f"unix://{socket}" for socket in sockets if socket.exists())
    yield "unix:///var/run/docker.sock"
