"""Which images of earlier versions go after a build, and which stay."""

import time
from pathlib import Path

import pytest

from sandbox import old_images
from sandbox.docker_engine import DockerEngine
from sandbox.locks import state_folder
from sandbox.old_images import CONTENT_LABEL, STAGE_LABEL, remove_old_images, want_image
from tests.docker_fixtures import ScriptedEngine, scripted_engine

__all__ = ["scripted_engine"]
DAY = 86_400


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def have_images(engine: ScriptedEngine, label: str, ages: dict[str, float], value: str = "") -> None:
    """Images by their names, which are their label's value unless one is given, and ages in days."""
    engine.listed[label] = [
        {"Id": name, "Labels": {label: value or name}, "Created": int(time.time() - age * DAY)}
        for name, age in ages.items()
    ]


def removed(engine: ScriptedEngine) -> list[str]:
    with DockerEngine() as client:
        remove_old_images(client)
    assert all("force=False" in path for method, path in engine.requests if method == "DELETE")
    return [path.partition("?")[0].rpartition("/")[2] for method, path in engine.requests if method == "DELETE"]


def test_old_images_go_but_for_the_newest_and_those_of_the_last_day(scripted_engine: ScriptedEngine) -> None:
    have_images(scripted_engine, CONTENT_LABEL, {"a": 9, "b": 0.5, "c": 0.1, "d": 0.2, "e": 0.9, "f": 30})
    assert removed(scripted_engine) == ["a", "f"]


def test_few_images_stay_however_old(scripted_engine: ScriptedEngine) -> None:
    have_images(scripted_engine, CONTENT_LABEL, {"a": 90, "b": 60, "c": 70})
    assert removed(scripted_engine) == []


def test_what_a_copy_of_the_program_needs_stays_until_that_copy_is_gone(
    scripted_engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(old_images, "_HERE", copy)
        want_image("older")
        want_image("old")
    have_images(scripted_engine, CONTENT_LABEL, {"a": 2, "b": 3, "c": 4, "old": 50, "older": 60})
    assert removed(scripted_engine) == ["older"]
    copy.rmdir()
    scripted_engine.requests.clear()
    assert removed(scripted_engine) == ["old", "older"]


def test_what_builds_left_goes_stage_by_stage(scripted_engine: ScriptedEngine) -> None:
    have_images(scripted_engine, STAGE_LABEL, {"a": 2, "b": 3, "c": 4, "d": 5}, value="builder")
    assert removed(scripted_engine) == ["d"]
    (asked,) = [path for method, path in scripted_engine.requests if "json" in path and STAGE_LABEL in path]
    assert "dangling" in asked


def test_an_engine_that_refuses_is_no_error(scripted_engine: ScriptedEngine) -> None:
    have_images(scripted_engine, CONTENT_LABEL, {name: 9 for name in "abcde"})
    scripted_engine.answers["DELETE", "/images/d"] = 409, {"message": "image is being used by running container"}
    assert removed(scripted_engine) == ["d", "e"]
    scripted_engine.listed.clear()
    scripted_engine.answers["GET", "/images/json"] = 500, {"message": "no"}
    removed(scripted_engine)


def test_where_a_note_cannot_be_read_every_image_stays(scripted_engine: ScriptedEngine) -> None:
    want_image("wanted")
    (note,) = state_folder().glob("image-*")
    note.unlink()
    note.mkdir()
    have_images(scripted_engine, CONTENT_LABEL, {"a": 2, "b": 3, "c": 4, "d": 50})
    assert removed(scripted_engine) == []
