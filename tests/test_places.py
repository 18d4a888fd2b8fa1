"""Only so many sandboxes have a box at once: others wait in turn, are told their place, and get the idlest one."""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from sandbox import places as places_module
from sandbox.cell_view import plain
from sandbox.observer import EndReason
from sandbox.places import Places, places_here
from sandbox.sandbox import ExecutionResult, SandboxError, SandboxState
from sandbox.session_sandbox import SessionSandbox
from tests.docker_fixtures import wait_until
from tests.fake_box import FakeBox


class Sessions:
    """Sandboxes that share places, and the boxes that they started."""

    def __init__(self, count: int) -> None:
        self._places = Places(count)
        self.boxes: list[FakeBox] = []
        self.all: list[SessionSandbox] = []
        self.started: list[threading.Thread] = []
        self.failure: SandboxError | None = None

    def new(self) -> SessionSandbox:
        def start(files: Mapping[str, Path]) -> FakeBox:
            if self.failure:
                raise self.failure
            self.boxes.append(FakeBox())
            self.boxes[-1].files = list(files)
            return self.boxes[-1]

        self.all.append(SessionSandbox(start, places=self._places))
        return self.all[-1]

    def in_background(self, work: Callable[[], object]) -> None:
        self.started.append(threading.Thread(target=work))
        self.started[-1].start()


@pytest.fixture
def sessions_of() -> Iterator[Callable[[int], Sessions]]:
    made: list[Sessions] = []

    def make(count: int) -> Sessions:
        made.append(Sessions(count))
        return made[-1]

    yield make
    for sessions in made:
        for sandbox in sessions.all:
            sandbox.close()
        for thread in sessions.started:
            thread.join()


@pytest.fixture
def idle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box may be given up as soon as its cell is over."""
    monkeypatch.setattr(places_module, "SETTLED_SECONDS", 0.0)


SessionsOf = Callable[[int], Sessions]


def run(sandbox: SessionSandbox, code: str = "1") -> ExecutionResult:
    *_, result = sandbox.execute(code)
    assert isinstance(result, ExecutionResult)
    return result


def told(sandbox: SessionSandbox) -> str:
    return str(sandbox.status.waiting or "")


@pytest.mark.usefixtures("idle_at_once")
def test_the_box_unused_for_longest_is_given_up_and_its_session_is_told(sessions_of: SessionsOf) -> None:
    sessions = sessions_of(2)
    first, second, third = (sessions.new() for _ in range(3))
    run(first)
    run(second)
    run(first)
    assert run(third).ok
    assert [box.is_removed for box in sessions.boxes] == [False, True, False]
    notice = plain(str(run(second).notices[0]))
    assert notice.startswith("All sandboxes were in use, and this one, unused for longest, was given to another")
    assert run(second).notices == ()


def test_who_waits_is_told_the_place_and_follows_in_turn(sessions_of: SessionsOf) -> None:
    sessions = sessions_of(1)
    holder, *others = (sessions.new() for _ in range(3))
    run(holder)
    order: list[SessionSandbox] = []

    def answer(sandbox: SessionSandbox) -> None:
        run(sandbox)
        order.append(sandbox)

    for sandbox in others:
        sessions.in_background(partial(answer, sandbox))
        wait_until(lambda: sandbox.status.state is SandboxState.WAITING)  # noqa: B023 - it is called at once
    assert [told(each) for each in others] == [
        "All sandboxes (1) are in use. Yours is number 1 in the queue.",
        "All sandboxes (1) are in use. Yours is number 2 in the queue.",
    ]
    holder.restart()
    wait_until(lambda: order == others[:1])
    assert told(others[1]) == "All sandboxes (1) are in use. Yours is number 1 in the queue."
    others[0].close()
    wait_until(lambda: order == others)
    assert told(others[1]) == ""


def test_a_stop_ends_the_wait(sessions_of: SessionsOf) -> None:
    sessions = sessions_of(1)
    holder, other = sessions.new(), sessions.new()
    run(holder)
    results: list[ExecutionResult] = []
    sessions.in_background(lambda: results.append(run(other)))
    wait_until(lambda: other.status.state is SandboxState.WAITING)
    other.interrupt()
    wait_until(lambda: bool(results))
    assert (results[0].interrupted, results[0].error) == (True, "Stopped before the code began.")
    holder.restart()
    assert run(other).ok


def test_a_stop_ends_the_wait_of_a_file(sessions_of: SessionsOf, tmp_path: Path) -> None:
    sessions = sessions_of(1)
    holder, other = sessions.new(), sessions.new()
    run(holder)
    errors: list[str] = []

    def profile() -> None:
        with pytest.raises(SandboxError) as error:
            other.profile("a.csv")
        errors.append(str(error.value))

    sessions.in_background(profile)
    wait_until(lambda: other.status.state is SandboxState.WAITING)
    other.interrupt()
    wait_until(lambda: bool(errors))
    assert errors == ["The wait for a sandbox was stopped. Ask again."]


def test_files_come_and_go_while_a_place_is_waited_for(sessions_of: SessionsOf, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    sessions = sessions_of(1)
    holder, other = sessions.new(), sessions.new()
    run(holder)
    sessions.in_background(lambda: run(other))
    wait_until(lambda: other.status.state is SandboxState.WAITING)
    for name in ("a.csv", "b.csv"):
        other.put_file(name, tmp_path / "a.csv")
    other.remove_file("b.csv")
    other.restart()
    assert other.status.state is SandboxState.WAITING
    holder.restart()
    wait_until(lambda: len(sessions.boxes) == 2)
    assert sessions.boxes[1].files == ["a.csv"]


def test_closing_ends_the_wait(sessions_of: SessionsOf) -> None:
    sessions = sessions_of(1)
    holder, other = sessions.new(), sessions.new()
    run(holder)
    sessions.in_background(lambda: run(other))
    wait_until(lambda: other.status.state is SandboxState.WAITING)
    other.close()
    assert other.status.state is SandboxState.CLOSED


def test_a_wait_that_takes_too_long_ends_in_a_sentence(
    sessions_of: SessionsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places_module, "WAIT_SECONDS", 0.0)
    sessions = sessions_of(1)
    holder, other = sessions.new(), sessions.new()
    run(holder)
    with pytest.raises(SandboxError) as error:
        run(other)
    assert str(error.value) == (
        "All sandboxes (1) are in use and none became free within 0 s. Ask again later, or raise SANDBOX_CAPACITY."
    )
    assert "SANDBOX_CAPACITY" in error.value.sentence.in_language("zh")


@pytest.mark.usefixtures("idle_at_once")
def test_a_box_that_is_at_work_is_never_given_up(sessions_of: SessionsOf) -> None:
    sessions = sessions_of(1)
    holder, other = sessions.new(), sessions.new()
    run(holder)
    with holder._held.one_at_a_time():
        sessions.in_background(lambda: run(other))
        wait_until(lambda: other.status.state is SandboxState.WAITING)
        assert not holder._held.make_room()
    wait_until(lambda: len(sessions.boxes) == 2)
    assert sessions.boxes[0].is_removed


def test_a_file_that_comes_while_a_cell_runs_does_not_make_its_box_an_idle_one(
    sessions_of: SessionsOf, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    holder = sessions_of(1).new()
    run(holder)
    with holder._held.one_at_a_time():
        holder.put_file("a.csv", tmp_path / "a.csv")
        assert holder._held._box_watch.is_in_use


@dataclass(eq=False)
class FakeTenant:
    idle_seconds: float
    gives_up: bool
    asked: list[float]

    def make_room(self) -> bool:
        self.asked.append(self.idle_seconds)
        return self.gives_up


def test_a_box_that_is_needed_again_just_now_leaves_the_turn_to_the_next_idle_one() -> None:
    asked: list[float] = []
    places = Places()
    for idle_seconds, gives_up in ((50.0, True), (30.0, True), (90.0, False), (1.0, True)):
        places.take(FakeTenant(idle_seconds, gives_up, asked), threading.Event())
    first = FakeTenant(0.0, False, asked)
    places._queue.append(first)
    assert places._make_room(first)
    assert asked == [90.0, 50.0]


def test_a_box_that_could_not_be_started_frees_its_place(sessions_of: SessionsOf) -> None:
    sessions = sessions_of(1)
    sessions.failure = SandboxError("Docker is not running.")
    with pytest.raises(SandboxError, match="not running"):
        run(sessions.new())
    sessions.failure = None
    assert run(sessions.new()).ok


def test_a_box_that_has_lived_its_time_is_replaced_when_nothing_runs_in_it() -> None:
    boxes: list[FakeBox] = []

    def start(files: object) -> FakeBox:
        boxes.append(FakeBox())
        return boxes[-1]

    sandbox = SessionSandbox(start, lifetime_seconds=0.01)
    with closing(cast("Generator[object]", sandbox.execute("1"))) as events:
        next(events)
        assert not sandbox._held._give_up(EndReason.OLD)
        assert not boxes[0].is_removed
    wait_until(lambda: boxes[0].is_removed)
    assert str(run(sandbox).notices[0]).startswith("The sandbox reached its longest lifetime and was replaced")
    sandbox.close()


def test_places_are_what_fits_into_the_memory_beside_the_ready_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PHYS_PAGES": 4 << 20, "SC_PAGE_SIZE": 4096}  # 16 GB
    monkeypatch.setattr("os.sysconf", pages.__getitem__)
    assert [places_here(2048, 1), places_here(2048, 0), places_here(64_000, 1)] == [5, 6, 1]
    monkeypatch.delattr("os.sysconf")
    assert places_here(2048, 1) == 4
