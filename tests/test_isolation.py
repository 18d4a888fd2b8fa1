"""Every property of the table holds in a container with runc; ``make test-isolation`` tries the other backends."""

from collections.abc import Iterator

import pytest

from sandbox.sandbox import Sandbox
from tests.docker_fixtures import sandbox_image
from tests.isolation.__main__ import PROPERTIES
from tests.isolation.backends import NAMES, sandbox_on
from tests.isolation.properties import Property, tried

__all__ = ["sandbox_image"]


@pytest.fixture(scope="module")
def contained(sandbox_image: None) -> Iterator[Sandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "CANARY" + "-KEY")
        with sandbox_on("runc") as sandbox:
            yield sandbox


@pytest.mark.docker
@pytest.mark.parametrize("each", PROPERTIES, ids=lambda each: each.name)
def test_it_holds_in_a_container(each: Property, contained: Sandbox) -> None:
    verdict = tried(each, contained)
    assert verdict.held, verdict.seen[-2000:]


def test_every_gap_belongs_to_a_backend_and_says_why() -> None:
    gaps = [(backend, why) for each in PROPERTIES for backend, why in each.gaps.items()]
    assert {backend for backend, _ in gaps} <= set(NAMES) - {"runc"}
    assert all(why for _, why in gaps)


def test_no_two_properties_have_one_name() -> None:
    assert len({each.name for each in PROPERTIES}) == len(PROPERTIES)
