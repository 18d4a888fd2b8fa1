"""Where code waits until the person has decided about it; any thread may look and decide."""

import threading
from dataclasses import dataclass

from agents.call_gate import Refusal
from agents.stop_signal import StopSignal

_REFUSED = "The person did not let this code run. Ask what they would like instead, or answer without it."
_STOPPED = Refusal("The person stopped this before it ran.")


@dataclass(frozen=True, slots=True)
class PendingCode:
    """Code that waits; ``call_id`` names it."""

    call_id: str
    code: str


class ApprovalDesk:
    """One piece of code at a time.

    A decision may come ``patience`` seconds before its code waits: the event that asks for it is a little earlier.
    """

    def __init__(self, patience: float = 0.5) -> None:
        self._patience = patience
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

    def ask(self, call_id: str, code: str, stop: StopSignal) -> str | Refusal:
        """Wait for the person's word, or for a stop."""
        with stop.calling(self._stop), self._changed:
            self._pending, self._decision = PendingCode(call_id, code), _STOPPED if stop.is_set else None
            self._changed.notify_all()
            try:
                while self._decision is None:
                    # Windows lets Ctrl-C through only between waits.
                    self._changed.wait(timeout=1.0)
                return self._decision
            finally:
                self._pending = None

    def _decide(self, call_id: str, decision: str | Refusal) -> bool:
        with self._changed:
            waits = self._changed.wait_for(lambda: self._is_open(call_id), self._patience)
            if waits:
                self._decision = decision
                self._changed.notify_all()
            return waits

    def _is_open(self, call_id: str) -> bool:
        return self._pending is not None and self._pending.call_id == call_id and self._decision is None

    def _stop(self) -> None:
        with self._changed:
            if self._pending is not None:
                self._decision = _STOPPED
                self._changed.notify_all()
