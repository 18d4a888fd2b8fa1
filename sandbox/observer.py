"""What can be watched of sandboxes while they work, for logs and metrics; whoever watches changes nothing."""

import secrets
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from itertools import count
from typing import Literal

from sandbox.sandbox import ExecutionResult, OutputText

Kind = Literal["cell", "load"]
"""A load is the program's own cell, which reads an uploaded table."""
CellEvents = Generator[OutputText | ExecutionResult, None, None]


class EndReason(StrEnum):
    """Why a session gave up a sandbox."""

    IDLE = "idle"
    RESTART = "restart"
    """The person wanted it so, or the page gave an unused one back."""
    NEEDED = "needed"
    """Another session needed the place."""
    OLD = "old"
    GONE = "gone"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One cell that is over. ``code`` and ``result`` hold a person's data."""

    session: str
    """A random name of the session's own, which opens nothing."""
    number: int
    """Counted from 1 in each session."""
    kind: Kind
    isolation: str
    began: datetime
    code: str = field(repr=False)
    result: ExecutionResult = field(repr=False)

    @property
    def outcome(self) -> str:
        """ok, error, interrupted, timeout, or how Python was lost: memory, crash, exit, container_gone."""
        result = self.result
        if result.interrupted:
            return "interrupted"
        if result.timed_out:
            return "timeout"
        return str(result.state_lost or ("ok" if result.ok else "error"))


class SandboxObserver:
    """Hears of everything that happens from the threads that do it; what it does has to be quick."""

    def sandbox_started(self, session: str, seconds: float) -> None:
        """A session has a sandbox, after waiting so long for it."""

    def sandbox_ended(self, session: str, reason: EndReason) -> None:
        """A session has one no more."""

    def executed(self, execution: Execution) -> None:
        """A cell is over."""


class SessionWatch:
    """Tells the observers what one session does."""

    def __init__(self, observers: Sequence[SandboxObserver]) -> None:
        self._observers = observers
        self._session = secrets.token_hex(8)
        self._numbers = count(1)

    def started(self, seconds: float) -> None:
        for observer in self._observers:
            observer.sandbox_started(self._session, seconds)

    def ended(self, reason: EndReason) -> None:
        for observer in self._observers:
            observer.sandbox_ended(self._session, reason)

    def cell(self, kind: Kind, isolation: str, code: str, events: CellEvents) -> CellEvents:
        """Hand the events of a cell on; that it is over is told even when nobody waits for it."""
        began, clock = datetime.now(UTC), time.monotonic()
        result: ExecutionResult | None = None
        try:
            with closing(events):
                for event in events:
                    if isinstance(event, ExecutionResult):
                        result = event
                    yield event
        except GeneratorExit:
            result = result or ExecutionResult(interrupted=True, duration_s=time.monotonic() - clock)
            raise
        finally:
            if result:
                self._executed(kind, isolation, code, began, result)

    def _executed(self, kind: Kind, isolation: str, code: str, began: datetime, result: ExecutionResult) -> None:
        execution = Execution(
            session=self._session,
            number=next(self._numbers),
            kind=kind,
            isolation=isolation,
            began=began,
            code=code,
            result=result,
        )
        for observer in self._observers:
            observer.executed(execution)
