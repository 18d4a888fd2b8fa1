"""What is left behind is made up for later, and trouble with it stops neither the rest nor the person's question."""

import logging
from typing import Any, cast

import pytest

from sandbox import docker_container, watcher
from sandbox.docker_engine import DockerEngine
from sandbox.sandbox import SandboxError


class StubbornEngine:
    """Cannot remove the container ``stuck``."""

    def __init__(self, stuck: str) -> None:
        self._stuck = stuck
        self.removed_volumes: list[str] = []

    def remove(self, name: str) -> None:
        if name == self._stuck:
            raise SandboxError("Docker reports: {reason}", reason="device busy")

    def inspect(self, name: str) -> None:
        """All others are gone."""

    def volumes(self, label: str, *, unused: bool) -> list[dict[str, Any]]:
        return [{"Name": "old"}]

    def remove_volume(self, name: str) -> None:
        self.removed_volumes.append(name)


def test_a_container_that_the_engine_refuses_to_remove_keeps_none_of_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names = {"a", "b", "c"}
    for stuck in sorted(names):
        monkeypatch.setattr(docker_container, "_left_behind", set(names))
        engine = StubbornEngine(stuck)
        docker_container._remove_left_behind(cast("DockerEngine", engine))
        assert docker_container._left_behind == {stuck}
        assert engine.removed_volumes == ["old"]
        assert f"The container {stuck} could not be removed: Docker reports: device busy" in caplog.text


def test_a_watcher_that_cannot_be_started_is_logged_and_keeps_nobody_from_working(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", refuse)
    with caplog.at_level(logging.WARNING):
        watcher.watch_over("docker", "an instance without a watcher")
    assert "Resource temporarily unavailable" in caplog.text
