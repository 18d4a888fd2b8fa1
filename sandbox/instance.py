"""Says which running process a container belongs to, and removes what processes that are gone left behind."""

import atexit
import contextlib
import functools
import secrets
import time
from pathlib import Path
from typing import Any

from sandbox.docker_engine import DockerEngine
from sandbox.locks import FileLock, state_folder
from sandbox.sandbox import SandboxError

REGISTRY_LABEL, INSTANCE_LABEL = "data-interpreter.registry", "data-interpreter.instance"


@functools.cache
def instance_labels() -> dict[str, str]:
    """The labels of everything this process makes. From the first call on the process holds a lock of that name."""
    instance = secrets.token_hex(16)
    lock = FileLock(_lock_path(instance))
    lock.acquire()
    atexit.register(_forget, lock, instance)
    return {REGISTRY_LABEL: _registry(), INSTANCE_LABEL: instance}


def sweep(engine: DockerEngine) -> int:
    """Remove the containers and volumes of dead processes, and give how many there were.

    Only processes that keep their locks in the same folder can be told dead from alive, so others' are left alone.
    One that the engine cannot remove keeps none of the others.
    """
    label = f"{REGISTRY_LABEL}={_registry()}"
    containers = [each for each in engine.containers(label) if not is_alive(each["Labels"][INSTANCE_LABEL])]
    for container in containers:
        with contextlib.suppress(SandboxError):
            engine.remove(container["Id"])
    volumes = [each for each in engine.volumes(label) if not is_alive(each["Labels"][INSTANCE_LABEL])]
    return len(containers) + sum(engine.remove_volume(volume["Name"]) for volume in volumes)


def remains(engine: DockerEngine, instance: str) -> list[dict[str, Any]]:
    """The containers and volumes of the process of that name, as the engine knows them."""
    label = f"{INSTANCE_LABEL}={instance}"
    return [*engine.containers(label), *engine.volumes(label)]


def is_alive(instance: str) -> bool:
    """Whether the process of that name still runs."""
    path = _lock_path(instance)
    if not path.exists():
        return False
    lock = FileLock(path)
    if not lock.acquire():
        return True
    _forget(lock, instance)
    return False


def _forget(lock: FileLock, instance: str) -> None:
    lock.release()
    with contextlib.suppress(OSError):
        _lock_path(instance).unlink()


def _lock_path(instance: str) -> Path:
    return state_folder() / f"instance-{instance}.lock"


def _registry() -> str:
    """A random name for the folder that holds the locks: two machines may share an engine but not that folder."""
    folder = state_folder()
    path, lock = folder / "registry", FileLock(folder / "registry.lock")
    while not lock.acquire():
        time.sleep(0.01)
    try:
        if not path.exists():
            # Whole or not at all: with half a name, or none, a sweep would take others' for ours.
            part = folder / "registry.part"
            part.write_text(secrets.token_hex(8))
            part.replace(path)
        return path.read_text()
    finally:
        lock.release()
