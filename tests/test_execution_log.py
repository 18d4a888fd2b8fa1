"""The execution log: one line for each cell on whatever sandbox, nothing of the person's in it, files that rotate."""

import io
import json
import logging
import stat
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from sandbox import execution_log as execution_log_module
from sandbox.box import Box
from sandbox.connection import ConnectionLost
from sandbox.execution_log import ExecutionLog, execution_log
from sandbox.observer import EndReason, SandboxObserver
from sandbox.sandbox import CellUsage, ExecutionResult, OutputText, SandboxError, StateLoss
from sandbox.session_sandbox import SessionSandbox

KEYS = [
    "time", "session", "execution", "kind", "isolation", "duration_s", "cpu_s", "peak_bytes", "bytes_in", "bytes_out",
    "outcome", "state_lost", "limits_hit",
]  # fmt: skip
Answer = ExecutionResult | SandboxError


class WrittenConnection:
    """Gives what a test wrote, whatever the code."""

    alive = True

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = iter(answers)

    def execute(self, code: str, timeout: float | None = None) -> Generator[OutputText | ExecutionResult, None, None]:
        yield OutputText("stdout", "SECRET output")
        answer = next(self._answers)
        if isinstance(answer, SandboxError):
            raise answer
        yield answer


@dataclass
class WrittenBox:
    connection: WrittenConnection
    isolation: str = "Docker 29.0, runc"
    gaps: tuple[()] = ()
    has_ended: bool = False

    def hang_up(self) -> None: ...
    def remove(self) -> None: ...


@dataclass
class Ends(SandboxObserver):
    started: list[str] = field(default_factory=list)
    reasons: list[EndReason] = field(default_factory=list)

    def sandbox_started(self, session: str, seconds: float) -> None:
        self.started.append(session)

    def sandbox_ended(self, session: str, reason: EndReason) -> None:
        self.reasons.append(reason)


def session(*answers: Answer, observers: Iterable[SandboxObserver]) -> SessionSandbox:
    connection = WrittenConnection(answers)
    return SessionSandbox(lambda files: cast("Box", WrittenBox(connection)), observers=tuple(observers))


def log_to_text(*, with_code: bool = False) -> tuple[ExecutionLog, io.StringIO]:
    text = io.StringIO()
    return ExecutionLog(logging.StreamHandler(text), with_code=with_code), text


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("result", "outcome", "state_lost"),
    [
        (ExecutionResult(), "ok", False),
        (ExecutionResult(error="SECRET"), "error", False),
        (ExecutionResult(timed_out=True), "timeout", False),
        (ExecutionResult(timed_out=True, state_lost=StateLoss.TIMEOUT), "timeout", True),
        (ExecutionResult(interrupted=True), "interrupted", False),
        (ExecutionResult(error="SECRET", state_lost=StateLoss.MEMORY), "memory", True),
        (ConnectionLost("gone"), "container_gone", True),
    ],
)
def test_each_end_of_a_cell_is_one_line_with_its_outcome(result: Answer, outcome: str, state_lost: bool) -> None:
    log, text = log_to_text()
    list(session(result, observers=[log]).execute("open('SECRET.csv')"))
    (line,) = lines(text.getvalue())
    assert list(line) == KEYS
    assert (line["outcome"], line["state_lost"]) == (outcome, state_lost)
    assert (line["execution"], line["kind"], line["isolation"]) == (1, "cell", "Docker 29.0, runc")
    assert "SECRET" not in text.getvalue()


def test_what_a_cell_took_stands_in_its_line() -> None:
    usage = CellUsage(cpu_s=0.25, peak_bytes=1 << 20, bytes_in=90, bytes_out=300, limits_hit=("memory_mb",))
    log, text = log_to_text()
    sandbox = session(ExecutionResult(duration_s=0.51234567, usage=usage), ExecutionResult(), observers=[log])
    for _ in range(2):
        list(sandbox.execute("1"))
    first, second = lines(text.getvalue())
    assert {name: first[name] for name in KEYS[5:10]} == {
        "duration_s": 0.5123, "cpu_s": 0.25, "peak_bytes": 1 << 20, "bytes_in": 90, "bytes_out": 300,
    }  # fmt: skip
    assert first["limits_hit"] == ["memory_mb"]
    assert (first["session"], second["execution"], second["cpu_s"]) == (second["session"], 2, None)


def test_the_code_is_in_the_line_only_when_it_is_wanted_and_never_makes_a_line_of_its_own() -> None:
    log, text = log_to_text(with_code=True)
    code = 'print("a")\n{"outcome": "forged"}\u2028\x1b[2J'
    list(session(ExecutionResult(), observers=[log]).execute(code))
    (line,) = lines(text.getvalue())
    assert line["code"] == code
    assert text.getvalue().isascii()
    assert "\x1b" not in text.getvalue()


def test_a_cell_that_nobody_waits_for_is_told_too() -> None:
    log, text = log_to_text()
    events = cast("Generator[object, None, None]", session(ExecutionResult(), observers=[log]).execute("1"))
    next(events)
    events.close()
    assert [line["outcome"] for line in lines(text.getvalue())] == ["interrupted"]


def test_observers_hear_why_a_sandbox_ended() -> None:
    ends = Ends()
    sandbox = session(ExecutionResult(), ConnectionLost("gone"), ExecutionResult(), observers=[ends])
    for step in (sandbox.restart, sandbox.start, sandbox.close):
        list(sandbox.execute("1"))
        step()
    assert ends.reasons == [EndReason.RESTART, EndReason.GONE, EndReason.CLOSED]
    assert len(ends.started) == 3
    assert len(set(ends.started)) == 1


def test_a_file_is_private_and_rotates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution_log_module, "_FILE_BYTES", 1000)
    path = tmp_path / "executions.jsonl"
    log = execution_log(str(path))
    assert log is execution_log(str(path))
    assert log is not None
    list(session(ExecutionResult(), observers=[log]).execute("1"))
    for _ in range(8):
        list(session(ExecutionResult(), observers=[log]).execute("1"))
    log.close()
    kept = sorted(tmp_path.iterdir())
    assert [each.name for each in kept[:2]] == ["executions.jsonl", "executions.jsonl.1"]
    assert sum(len(lines(each.read_text())) for each in kept) == 9
    assert {stat.S_IMODE(each.stat().st_mode) for each in kept} == {0o600}


def test_a_log_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SandboxError) as told:
        execution_log(str(tmp_path / "absent" / "log"))
    assert str(told.value) == (
        f"The execution log {tmp_path}/absent/log cannot be written: No such file or directory. "
        "Name another file in EXECUTION_LOG, or empty it."
    )


@pytest.mark.parametrize("destination", ["", "off", "OFF"])
def test_off_writes_nothing(destination: str) -> None:
    assert execution_log(destination) is None


def test_a_log_that_becomes_full_is_told_once_and_without_the_code(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    log = execution_log("/dev/full", with_code=True)
    assert log is not None
    for _ in range(2):
        list(session(ExecutionResult(), observers=[log]).execute("SECRET"))
    with pytest.raises(OSError, match="No space"):
        log.close()
    assert caplog.messages == [
        "The execution log /dev/full cannot be written: No space left on device. "
        "Name another file in EXECUTION_LOG, or empty it."
    ]
    assert "SECRET" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(("with_code", "mode"), [(True, 0o600), (False, 0o644)])
def test_a_file_that_was_open_to_all_is_so_no_more_when_code_comes_into_it(
    tmp_path: Path, with_code: bool, mode: int
) -> None:
    path = tmp_path / "log"
    path.touch()
    path.chmod(0o644)
    log = execution_log(str(path), with_code)
    assert log is not None
    log.close()
    assert stat.S_IMODE(path.stat().st_mode) == mode
