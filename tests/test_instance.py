"""What a killed process of ours left behind goes with the next start; what a living one holds stays."""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.docker_engine import DockerEngine
from sandbox.instance import INSTANCE_LABEL, instance_labels, sweep
from sandbox.locks import FileLock
from tests.docker_fixtures import sandbox_image

__all__ = ["sandbox_image"]

OTHER_PROCESS = """
import sys
from sandbox.docker_engine import DockerEngine
from sandbox.image import find_image
from sandbox.instance import instance_labels
from sandbox.limits import Limits, container_options
with DockerEngine() as engine:
    options = container_options(Limits(), image=find_image(engine).id, user=200_001, labels=instance_labels())
    engine.create(options, sys.argv[1])
print("made", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    with DockerEngine() as engine:
        yield engine


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Locks of this test alone, so that no sweep of another run meddles."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    instance_labels.cache_clear()
    yield
    instance_labels.cache_clear()


@pytest.fixture
def other(own_folder: None, sandbox_image: None, engine: DockerEngine) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process of ours that has made a container but not started it."""
    name = f"data-interpreter-test-{secrets.token_hex(4)}"
    command = [sys.executable, "-c", OTHER_PROCESS, name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "made\n"
        yield process, name
        process.kill()
    engine.remove(name)


@pytest.mark.docker
def test_what_a_killed_process_left_is_removed_with_its_volume(
    other: tuple[subprocess.Popen[str], str], engine: DockerEngine
) -> None:
    process, name = other
    found = engine.inspect(name)
    assert found
    label = f"{INSTANCE_LABEL}={found['Config']['Labels'][INSTANCE_LABEL]}"
    assert len(engine.volumes(label)) == 1
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert sweep(engine) == 1
    assert engine.inspect(name) is None
    assert engine.volumes(label) == []
    assert sweep(engine) == 0


@pytest.mark.docker
def test_what_a_living_process_holds_stays(other: tuple[subprocess.Popen[str], str], engine: DockerEngine) -> None:
    assert sweep(engine) == 0
    assert engine.inspect(other[1]) is not None


@pytest.mark.docker
def test_processes_with_other_locks_are_left_alone(
    other: tuple[subprocess.Popen[str], str], engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, name = other
    process.kill()
    process.wait()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert sweep(engine) == 0
    assert engine.inspect(name) is not None


def test_a_process_carries_one_identity(own_folder: None) -> None:
    assert instance_labels() == instance_labels()
    assert len(instance_labels()[INSTANCE_LABEL]) == 32


def test_a_lock_has_one_holder(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "a.lock"), FileLock(tmp_path / "a.lock")
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()
