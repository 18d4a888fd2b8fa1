"""Every property of the table holds in a container with runc; ``make test-isolation`` tries the other backends."""

from collections.abc import Iterator

import pytest

from tests.docker_fixtures import sandbox_image
from tests.isolation.backends import CANARY, NAMES, bench_on
from tests.isolation.properties import Bench, Property, tried
from tests.isolation.table import GROUPS

__all__ = ["sandbox_image"]
PROPERTIES = [
    pytest.param(each, id=f"{group[0]}: {each.name}") for group, properties in GROUPS.items() for each in properties
]


@pytest.fixture(scope="module")
def bench(sandbox_image: None) -> Iterator[Bench]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", CANARY)
        with bench_on("runc") as bench:
            yield bench


@pytest.mark.docker
@pytest.mark.parametrize("each", PROPERTIES)
def test_it_holds_in_a_container(each: Property, bench: Bench) -> None:
    verdict = tried(each, bench)
    assert verdict.held, verdict.seen[-2000:]


def test_every_gap_belongs_to_a_backend_and_says_why() -> None:
    gaps = [gap for properties in GROUPS.values() for each in properties for gap in each.gaps.items()]
    assert {backend for backend, _ in gaps} <= set(NAMES) - {"runc"}
    assert all(why for _, why in gaps)


def test_no_two_properties_have_one_name() -> None:
    names = [each.name for properties in GROUPS.values() for each in properties]
    assert len(set(names)) == len(names)
