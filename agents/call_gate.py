"""What code has to pass before it runs: a second model that reads it, or the person."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass

from agents.events import Event
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
