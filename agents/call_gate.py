"""What code has to pass before it runs: a second model that reads it, or the person."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass

from agents.events import ApprovalAsked, ApprovalGiven, Event
from agents.stop_signal import StopSignal


@dataclass(frozen=True, slots=True)
class Refusal:
    """The code does not run; ``reason`` is what the model reads in place of a result."""

    reason: str


class CallGate(ABC):
    """Asked about each piece of code, one after the other."""

    @abstractmethod
    def check(self, call_id: str, code: str, stop: StopSignal) -> Generator[Event, None, str | Refusal]:
        """What to show meanwhile, and in the end the code to run, perhaps another, or why none. Ends soon after a
        stop."""


Approval = Callable[[str, str, StopSignal], str | Refusal]
"""Blocks until the person has decided about a call's code: the code to run, or why not. Ends soon after a stop."""


class ApprovalGate(CallGate):
    """Lets code run as the person approves it."""

    def __init__(self, approve: Approval) -> None:
        self._approve = approve

    def check(self, call_id: str, code: str, stop: StopSignal) -> Generator[Event, None, str | Refusal]:
        yield ApprovalAsked(call_id, code)
        decision = self._approve(call_id, code, stop)
        if isinstance(decision, Refusal):
            yield ApprovalGiven(call_id, is_approved=False, code=code)
        else:
            yield ApprovalGiven(call_id, is_approved=True, code=decision)
        return decision
