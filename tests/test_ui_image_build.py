"""The sandbox image is built once for all pages, and what went wrong is told until somebody tries again."""

import threading
from collections.abc import Iterator

from sandbox.sandbox import SandboxError
from ui.image_build import ImageBuild


def wait_for_end(build: ImageBuild) -> None:
    for thread in threading.enumerate():
        if thread.name == "image-build":
            thread.join(10)
    assert not build.is_building


def test_a_current_image_is_not_built() -> None:
    answers = iter([True])
    build = ImageBuild(lambda: next(answers), lambda: iter(()))
    build.look()
    build.look()
    assert build.is_ready


def test_a_missing_image_is_built_once_with_its_lines() -> None:
    go_on, builds = threading.Event(), []

    def lines() -> Iterator[str]:
        builds.append(1)
        yield "step 1"
        go_on.wait()
        yield "step 2"

    build = ImageBuild(lambda: False, lines)
    build.look()
    build.look()
    assert build.is_building
    assert not build.is_ready
    go_on.set()
    wait_for_end(build)
    assert build.is_ready
    assert build.lines == ["step 1", "step 2"]
    assert len(builds) == 1


def test_a_failed_build_is_told_and_tried_again_when_asked() -> None:
    results = ["fails", "works"]

    def lines() -> Iterator[str]:
        yield "step 1"
        if results.pop(0) == "fails":
            raise SandboxError("The build failed. Try again.")

    build = ImageBuild(lambda: False, lines)
    build.look()
    wait_for_end(build)
    assert str(build.problem) == "The build failed. Try again."
    build.look()
    assert not build.is_building
    build.try_again()
    build.look()
    wait_for_end(build)
    assert build.is_ready
    assert build.problem is None


def test_an_engine_that_is_off_is_told_and_found_again_later() -> None:
    engine = ["off", "on"]

    def is_current() -> bool:
        if engine.pop(0) == "off":
            raise SandboxError("Docker does not answer. Start it.")
        return True

    build = ImageBuild(is_current, lambda: iter(()))
    build.look()
    assert str(build.problem) == "Docker does not answer. Start it."
    assert not build.is_ready
    build.try_again()
    build.look()
    assert build.is_ready
