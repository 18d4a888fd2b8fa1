"""Everything that happened in one analysis, in order; the only thing that a face ever draws."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agents.events import Event, Failed, Finished, Stopped
from sandbox.sandbox import ExecutionResult, FileProfile
from wording import Sentence


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A person's question; what follows up to the next one belongs to it."""

    text: str


@dataclass(frozen=True, slots=True)
class FileAdded:
    profile: FileProfile


@dataclass(frozen=True, slots=True)
class FileRemoved:
    name: str


@dataclass(frozen=True, slots=True)
class PythonRestarted:
    """Variables and what code left in files are gone; without ``by_person`` it was long unused, or the app ended."""

    by_person: bool


@dataclass(frozen=True, slots=True)
class ReplayBegun:
    """Python is a new one, in which ``count`` earlier cells are to run again."""

    count: int


@dataclass(frozen=True, slots=True)
class CellReplayed:
    """The cell ``number``, counted from 1, of ``count`` ran well once more."""

    number: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayEnded:
    """The first ``done`` of ``count`` cells ran well; ``code`` is the next one, if there is one."""

    count: int
    done: int
    code: str = ""
    failed: ExecutionResult | None = None
    """How that one failed, or that the person stopped it, without what it made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChecked:
    """The figures of the answer, which comes next, were looked up in what the code gave; ``missing`` as written."""

    found: int
    missing: tuple[str, ...]
    code_ran: bool
    sentences: tuple[Sentence, ...]

    @property
    def is_good(self) -> bool:
        return self.code_ran and not self.missing


Replaying = ReplayBegun | CellReplayed | ReplayEnded
Entry = Event | QuestionAsked | FileAdded | FileRemoved | PythonRestarted | AnswerChecked | Replaying


class Record:
    """An append-only list of entries that several threads may read while one writes.

    It goes on from ``entries``; ``keep`` is handed each further one before anybody sees it.
    """

    def __init__(self, entries: Iterable[Entry] = (), keep: Callable[[Entry], None] = lambda entry: None) -> None:
        self._entries = list(entries)
        self._keep = keep
        self._last_end = max((at for at, entry in enumerate(self._entries) if ends_run(entry)), default=-1)
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def is_begun(self) -> bool:
        """Something was asked."""
        return any(isinstance(entry, QuestionAsked) for entry in self.since())

    def append(self, entry: Entry) -> None:
        self._keep(entry)
        with self._changed:
            if ends_run(entry):
                self._last_end = len(self._entries)
            self._entries.append(entry)
            self._changed.notify_all()

    def since(self, position: int = 0) -> tuple[Entry, ...]:
        """The entries from ``position`` on; ask again from ``position`` plus their number."""
        with self._changed:
            return tuple(self._entries[position:])

    def follow(self, position: int) -> Iterator[Entry]:
        """Entries from ``position`` on as they come, up to and with the first that ends a run."""
        while True:
            with self._changed:
                while len(self._entries) <= position:
                    # Windows lets Ctrl-C through only between waits.
                    self._changed.wait(timeout=1.0)
                news = tuple(self._entries[position:])
            for entry in news:
                yield entry
                if ends_run(entry):
                    return
            position += len(news)

    def wait_for_end(self, position: int, timeout: float | None = None) -> bool:
        """Wait until the run that began at ``position`` is over; False when ``timeout`` seconds passed first."""
        with self._changed:
            return self._changed.wait_for(lambda: self._last_end > position, timeout)


def ends_run(entry: Entry) -> bool:
    return isinstance(entry, Finished | Failed | Stopped | ReplayEnded)
