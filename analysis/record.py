"""Everything that happened in one analysis, in order; the only thing that a face ever draws."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agents.events import Event, Failed, Finished, Stopped
from sandbox.sandbox import FileProfile


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
    """The person asked for a fresh Python; the variables are gone, the files are not."""


Entry = Event | QuestionAsked | FileAdded | FileRemoved | PythonRestarted


class Record:
    """An append-only list of entries that several threads may read while one writes."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return len(self._entries)

    def append(self, entry: Entry) -> None:
        with self._changed:
            self._entries.append(entry)
            self._changed.notify_all()

    def since(self, position: int = 0) -> tuple[Entry, ...]:
        """The entries from ``position`` on; ask again from ``position`` plus their number."""
        with self._changed:
            return tuple(self._entries[position:])

    def follow(self, position: int, is_over: Callable[[], bool]) -> Iterator[Entry]:
        """Entries from ``position`` on as they come, until ``is_over`` says yes and all were given."""
        over = False
        while not over or position < len(self):
            with self._changed:
                if len(self._entries) <= position and not is_over():
                    self._changed.wait(timeout=1.0)
            over = is_over()
            news = self.since(position)
            position += len(news)
            yield from news

    def clear(self) -> None:
        with self._changed:
            self._entries.clear()
            self._changed.notify_all()


def ends_question(entry: Entry) -> bool:
    return isinstance(entry, Finished | Failed | Stopped)
