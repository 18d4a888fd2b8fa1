"""The host's side of the conversation when the other side is slow, silent, gone or lying."""

import queue
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sandbox import connection as connection_module
from sandbox.connection import Connection, ConnectionLost
from sandbox.inside.frames import PROTOCOL_VERSION, FrameReader, encode
from sandbox.inside.processes import _is_alive
from sandbox.limits import Limits
from sandbox.sandbox import ExecutionResult, OutputText, SandboxError
from tests.inside_fixtures import Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]

LIMITS = Limits(seconds=1, grace_seconds=0.1)
Order = dict[str, Any]


class ScriptedBox:
    """A stream whose other end answers each order with what a test gives; None in an answer is the end."""

    def __init__(self, answer: Callable[[Order], list[bytes | None]]) -> None:
        self._answer = answer
        self._output: queue.Queue[bytes | None] = queue.Queue()
        self._reader = FrameReader(1 << 24)
        self.orders: list[Order] = []
        self.closed = False

    @property
    def is_read_out(self) -> bool:
        return self._output.empty()

    def say(self, *frames: bytes | None) -> None:
        for frame in frames:
            self._output.put(frame)

    def read(self, size: int, /) -> bytes:
        return self._output.get() or b""

    def write(self, data: bytes, /) -> None:
        if self.closed:
            raise BrokenPipeError
        for header, _ in self._reader.feed(data):
            self.orders.append(header)
            self.say(*self._answer(header))

    def close(self) -> None:
        self.closed = True
        self.say(None)


def connected(answer: Callable[[Order], list[bytes | None]] = lambda order: []) -> tuple[Connection, ScriptedBox]:
    stream = ScriptedBox(answer)
    return Connection(stream, LIMITS), stream


def done(order: Order, **values: Any) -> bytes:
    return encode({"type": "done", "execution": order["execution"], "outcome": "ok", **values})


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "MARGIN_SECONDS", 0.1)


def test_ready_tells_python_and_packages() -> None:
    connection, stream = connected()
    stream.say(
        encode(
            {"type": "ready", "protocol": PROTOCOL_VERSION, "python": "3.11.2", "packages": {"pandas": "3", "B": "1"}}
        )
    )
    ready = connection.wait_ready(5)
    assert (ready.python, ready.packages) == ("3.11.2", (("B", "1"), ("pandas", "3")))
    assert connection.packages == ready.packages


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (encode({"type": "ready", "protocol": 0, "python": "3", "packages": {}}), "of another version"),
        (encode({"type": "ready", "protocol": PROTOCOL_VERSION, "python": 3, "packages": {}}), "of another version"),
        (
            encode({"type": "failed"}, b"Traceback\nImportError: no numpy\n"),
            "does not start in the sandbox: ImportError: no numpy",
        ),
        (b"exec format error, or any other nonsense", "has ended"),
        (None, "has ended"),
    ],
)
def test_a_sandbox_that_is_not_ready_says_why(frame: bytes | None, words: str) -> None:
    connection, stream = connected()
    stream.say(frame)
    with pytest.raises(ConnectionLost, match=words):
        connection.wait_ready(5)
    assert not connection.alive
    with pytest.raises(ConnectionLost):
        next(connection.execute("1"))


def test_a_silent_sandbox_is_given_up_at_the_deadline() -> None:
    connection, _ = connected()
    with pytest.raises(ConnectionLost, match="does not answer"):
        list(connection.execute("1", timeout=0.1))
    assert not connection.alive


def test_late_frames_of_others_are_dropped() -> None:
    def answer(order: Order) -> list[bytes | None]:
        late = encode({"type": "stdout", "execution": "other"}, b"late")
        return [late, encode({"type": "stdout"}, b"nobody's"), done({"execution": "other"}), done(order)]

    connection, _ = connected(answer)
    (result,) = connection.execute("1")
    assert isinstance(result, ExecutionResult)
    assert (result.ok, result.stdout) == (True, "")


def test_a_stream_that_ends_in_mid_answer_is_told() -> None:
    connection, _ = connected(lambda order: [encode({"type": "stdout", "execution": order["execution"]}, b"on"), None])
    events = connection.execute("1")
    assert next(events) == OutputText("stdout", "on")
    with pytest.raises(ConnectionLost, match="has ended"):
        next(events)


def test_a_flood_of_frames_does_not_fill_the_memory() -> None:
    """Nobody takes anything here; the reader goes on reading, but keeps only so much."""
    limits = replace(LIMITS, total_bytes=1_000_000)
    stream = ScriptedBox(lambda order: [])
    connection = Connection(stream, limits)
    frame = encode({"type": "stdout", "execution": "x"}, b"x" * 100_000)
    stream.say(*[frame] * 300, None)
    while not stream.is_read_out:
        assert connection.alive
    assert connection._messages.qsize() < 200
    with pytest.raises(ConnectionLost, match="has ended"):
        connection.wait_ready(10)


def test_closing_the_iterator_stops_the_code() -> None:
    def answer(order: Order) -> list[bytes | None]:
        if order["type"] == "interrupt":
            return [done(order, stopped="interrupt")]
        return [encode({"type": "stdout", "execution": order["execution"]}, b"on")]

    connection, stream = connected(answer)
    events = connection.execute("while True: pass")
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert [order["type"] for order in stream.orders] == ["run", "interrupt"]
    assert connection.alive


def test_a_sandbox_that_does_not_even_answer_a_stop_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "STOP_MARGIN_SECONDS", 0.1)
    connection, _ = connected(lambda order: [encode({"type": "stdout", "execution": order["execution"]}, b"on")])
    events = connection.execute("while True: pass", timeout=3600)
    next(events)
    connection.interrupt()
    with pytest.raises(ConnectionLost, match="does not answer"):
        list(events)
    assert not connection.alive


def test_a_stop_that_finds_its_code_ended_does_not_count_against_the_next() -> None:
    def answer(order: Order) -> list[bytes | None]:
        if order["type"] == "interrupt":
            connection._execution = "the next"
        return []

    connection, _ = connected(answer)
    connection._begin("run")
    connection.interrupt()
    assert connection._give_up_at(10.0) == 10.0


def test_interrupt_without_code_asks_for_nothing() -> None:
    connection, stream = connected(lambda order: [done(order)])
    connection.interrupt()
    list(connection.execute("1"))
    connection.interrupt()
    assert [order["type"] for order in stream.orders] == ["run"]


def test_each_execution_has_a_secret_name_of_its_own() -> None:
    connection, stream = connected(lambda order: [done(order)])
    for _ in range(3):
        list(connection.execute("1"))
    names = {order["execution"] for order in stream.orders}
    assert len(names) == 3
    assert all(len(name) == 32 for name in names)


def test_a_lost_stream_is_noticed_when_writing() -> None:
    connection, stream = connected()
    stream.closed = True
    with pytest.raises(ConnectionLost):
        list(connection.execute("1"))


def test_code_that_is_too_long_is_refused_before_it_is_sent() -> None:
    connection, stream = connected()
    with pytest.raises(SandboxError, match="The code is longer than 16 MB"):
        list(connection.execute("#" * (1 << 24) + "x"))
    assert stream.orders == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            b'{"size": 3, "tables": [], "problem": {"template": "{name} is empty.", "values": {"name": "a.csv"}}}',
            "a.csv is empty.",
        ),
        (
            b'{"size": -1, "tables": [], "problem": null}',
            "a.csv could not be read. Check that it is whole, or save it as CSV.",
        ),
        (
            b'{"size": 1, "tables": [{}], "problem": null}',
            "a.csv could not be read. Check that it is whole, or save it as CSV.",
        ),
        (b"nonsense", "a.csv could not be read. Check that it is whole, or save it as CSV."),
    ],
)
def test_a_profile_is_checked(content: bytes, problem: str) -> None:
    def answer(order: Order) -> list[bytes | None]:
        return [encode({"type": "profile", "execution": order["execution"]}, content), done(order)]

    connection, _ = connected(answer)
    assert str(connection.profile("a.csv").problem) == problem


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"stopped": "timeout"}, "took longer than 1 s"),
        ({"stopped": "interrupt"}, "was stopped"),
        ({"memory": True}, "took more memory than there is"),
    ],
)
def test_a_profile_that_fails_says_why(values: dict[str, Any], words: str) -> None:
    connection, _ = connected(lambda order: [done(order, **values)])
    assert words in str(connection.profile("a.csv").problem)


def test_a_large_file_may_take_longer() -> None:
    connection, _ = connected(lambda order: [done(order, stopped="timeout")])
    assert "took longer than 251 s" in str(connection.profile("a.csv", size=500_000_000).problem)


def test_closing_early_leaves_a_sandbox_that_works(box: Box) -> None:
    box.run("kept = 3")
    events = box.connection.execute("import time\nprint('on')\ntime.sleep(100)")
    assert next(events) == OutputText("stdout", "on\n")
    events.close()  # type: ignore[attr-defined]
    assert box.run("kept").value == "3"


def test_a_killed_sandbox_is_noticed_at_once(start_box: StartBox) -> None:
    box = start_box()
    events = box.connection.execute("import os\nprint(os.getpid())\nwhile True: pass")
    worker = next(events)
    assert isinstance(worker, OutputText)
    box.process.kill()
    with pytest.raises(ConnectionLost, match="has ended"):
        next(events)
    while _is_alive(int(worker.text)):
        """Its worker ends with it."""
