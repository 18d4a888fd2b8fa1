"""Where code waits until the person has decided about it; any thread may look and decide."""

import threading
from collections.abc import Generator
from dataclasses import dataclass

from agents.call_gate import CallGate, Refusal
from agents.events import ApprovalAsked, ApprovalGiven, Event
from agents.stop_signal import StopSignal

_REFUSED = "The person did not let this code run. Ask what they would like instead, or answer without it."
_STOPPED = Refusal("The person stopped this before it ran.")


@dataclass(frozen=True, slots=True)
class PendingCode:
    """Code that waits; ``call_id`` names it."""

    call_id: str
    code: str


class ApprovalDesk(CallGate):
    """One piece of code at a time. It waits already when the event that asks for a decision comes."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pending: PendingCode | None = None
        self._decision: str | Refusal | None = None

    @property
    def pending(self) -> PendingCode | None:
        """What waits now."""
        return self._pending

    def approve(self, call_id: str, code: str) -> bool:
        """Run this, which may be changed from what was asked; False when that call does not wait any more."""
        return self._decide(call_id, code)

    def refuse(self, call_id: str, reason: str = "") -> bool:
        """Do not run it; the model reads the reason. False when that call does not wait any more."""
        told = f"The person did not let this code run: {reason.strip()}" if reason.strip() else _REFUSED
        return self._decide(call_id, Refusal(told))

    def check(self, call_id: str, code: str, stop: StopSignal) -> Generator[Event, None, str | Refusal]:
        self._pending, self._decision = PendingCode(call_id, code), None
        try:
            yield ApprovalAsked(call_id, code)
            decision = self._wait(stop)
        finally:
            self._pending = None
        if isinstance(decision, Refusal):
            yield ApprovalGiven(call_id, is_approved=False, code=code)
        else:
            yield ApprovalGiven(call_id, is_approved=True, code=decision)
        return decision

    def _wait(self, stop: StopSignal) -> str | Refusal:
        with stop.calling(self._stop), self._changed:
            while self._decision is None:
                # Windows lets Ctrl-C through only between waits.
                self._changed.wait(timeout=1.0)
            return self._decision

    def _decide(self, call_id: str, decision: str | Refusal) -> bool:
        with self._changed:
            pending = self._pending
            waits = pending is not None and pending.call_id == call_id and self._decision is None
            if waits:
                self._decision = decision
                self._changed.notify_all()
            return waits

    def _stop(self) -> None:
        with self._changed:
            self._decision = _STOPPED
            self._changed.notify_all()
