"""Ready boxes are made in the background, handed out once, and only while they are fit to be used."""

import threading
from collections.abc import Callable, Iterator

import pytest

from sandbox import pool as pool_module
from sandbox.box import Box
from sandbox.options import BackendChoice
from sandbox.pool import BoxPool
from sandbox.sandbox import SandboxError
from tests.docker_fixtures import wait_until
from tests.fake_box import FakeBox

DOCKER = BackendChoice.DOCKER


class Maker:
    """Starts fake boxes; ``failures`` are raised first, and no start ends before ``gate`` is open."""

    def __init__(self, *failures: SandboxError) -> None:
        self.failures = list(failures)
        self.made: list[FakeBox] = []
        self.begun = threading.Semaphore(0)
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self) -> Box:
        self.begun.release()
        self.gate.wait()
        if self.failures:
            raise self.failures.pop()
        self.made.append(FakeBox())
        return self.made[-1]


@pytest.fixture
def pool_of() -> Iterator[Callable[[Maker, int], BoxPool]]:
    pools: list[BoxPool] = []

    def make(maker: Maker, size: int) -> BoxPool:
        pools.append(BoxPool(maker, size))
        pools[-1].open()
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


PoolOf = Callable[[Maker, int], BoxPool]


def taken(pool: BoxPool) -> FakeBox:
    box = pool.take(DOCKER)
    assert isinstance(box, FakeBox)
    return box


def test_a_pool_that_is_not_open_makes_nothing() -> None:
    maker = Maker()
    assert BoxPool(maker, 2).take(DOCKER) is None
    assert maker.made == []


def test_a_pool_of_none_makes_nothing(pool_of: PoolOf) -> None:
    assert pool_of(Maker(), 0).take(DOCKER) is None


def test_each_box_is_handed_out_once_and_another_takes_its_place(pool_of: PoolOf) -> None:
    pool = pool_of(Maker(), 2)
    numbers = set()
    for _ in range(5):
        wait_until(lambda: pool.ready == 2)
        numbers.add(taken(pool).number)
    assert len(numbers) == 5


def test_a_box_that_is_being_started_is_waited_for(pool_of: PoolOf) -> None:
    maker = Maker()
    maker.gate.clear()
    pool = pool_of(maker, 1)
    maker.begun.acquire()
    threading.Timer(0.05, maker.gate.set).start()
    assert taken(pool) is maker.made[0]


def test_a_start_that_hangs_is_not_waited_for(pool_of: PoolOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "_SECONDS_TO_WAIT", 0.01)
    maker = Maker()
    maker.gate.clear()
    pool = pool_of(maker, 1)
    maker.begun.acquire()
    assert pool.take(DOCKER) is None
    maker.gate.set()


def test_only_one_waits_for_the_box_that_is_being_started(pool_of: PoolOf) -> None:
    maker = Maker()
    maker.gate.clear()
    pool = pool_of(maker, 1)
    maker.begun.acquire()
    first = threading.Thread(target=pool.take, args=(DOCKER,))
    first.start()
    wait_until(lambda: pool._is_awaited)
    assert pool.take(DOCKER) is None
    maker.gate.set()
    first.join()


UNFIT = {
    "has_ended": True,
    "current": False,
    "current, as far as one can ask,": SandboxError("Docker does not answer."),
}


@pytest.mark.parametrize(("state", "value"), UNFIT.items())
def test_a_box_that_has_ended_or_is_outdated_is_never_handed_out(
    pool_of: PoolOf, state: str, value: bool | SandboxError
) -> None:
    maker = Maker()
    pool = pool_of(maker, 2)
    wait_until(lambda: pool.ready == 2)
    setattr(maker.made[0], state.partition(",")[0], value)
    assert taken(pool) is maker.made[1]
    assert maker.made[0].is_removed


def test_a_box_of_another_backend_is_removed_instead(pool_of: PoolOf) -> None:
    maker = Maker()
    pool = pool_of(maker, 1)
    wait_until(lambda: pool.ready == 1)
    assert pool.take(BackendChoice.BUBBLEWRAP) is None
    assert maker.made[0].is_removed


def test_boxes_that_end_while_they_wait_are_replaced(pool_of: PoolOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "_SECONDS_BETWEEN_LOOKS", 0.01)
    maker = Maker()
    pool = pool_of(maker, 1)
    wait_until(lambda: pool.ready == 1)
    maker.made[0].has_ended = True
    wait_until(lambda: maker.made[0].is_removed and pool.ready == 1)
    assert taken(pool) is maker.made[1]


def test_a_failure_is_tried_again_later_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    off = SandboxError("Docker is not running.")
    maker = Maker(*[off] * 9)
    pool = BoxPool(maker, 1)
    looks = pool._is_short.wait

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return looks(seconds if pool.ready else 0)

    monkeypatch.setattr(pool._is_short, "wait", wait)
    pool.open()
    wait_until(lambda: pool.ready == 1)
    pool.close()
    assert pauses[:9] == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_closing_removes_all_and_what_is_being_started(pool_of: PoolOf) -> None:
    maker = Maker()
    pool = pool_of(maker, 2)
    wait_until(lambda: pool.ready == 2)
    maker.gate.clear()
    box = taken(pool)
    wait_until(lambda: pool._is_starting)
    threading.Timer(0.05, maker.gate.set).start()
    pool.close()
    assert pool.ready == 0
    assert pool.take(DOCKER) is None
    wait_until(lambda: all(each.is_removed for each in maker.made if each is not box))
    assert not box.is_removed
