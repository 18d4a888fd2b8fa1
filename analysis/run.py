"""A question being answered, or earlier code run again, in a thread of its own; whoever looks on reads the record."""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from agents.events import Failed, Stopped
from agents.stop_signal import StopSignal
from analysis.record import Entry, QuestionAsked, Record, ReplayBegun, ends_run
from wording import Sentence, ToldError

_BUG = Sentence("Something went wrong in the app itself. Ask again; if it happens again, look into the app's log.")


class Run:
    """Begins at once. Its last entry in the record is one that ends a run, whatever happens."""

    def __init__(
        self,
        beginning: QuestionAsked | ReplayBegun,
        record: Record,
        work: Callable[[StopSignal], Generator[Entry, None, None]],
    ) -> None:
        self.beginning = beginning
        self._record = record
        self._position = len(record)
        self._produce = work
        self._stop = StopSignal()
        record.append(beginning)
        threading.Thread(target=self._work, name="run", daemon=True).start()

    @property
    def is_over(self) -> bool:
        return self.wait(0)

    def events(self, position: int = 0) -> Iterator[Entry]:
        """The entries of this run as they come, from its beginning or from a later ``position`` of the record on."""
        return self._record.follow(max(position, self._position))

    def stop(self) -> None:
        """Ask it to end; variables are kept where the code allows that. A second call kills the code."""
        if not self.is_over:
            self._stop.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; False when ``timeout`` seconds passed first."""
        return self._record.wait_for_end(self._position, timeout)

    def _work(self) -> None:
        end: Entry = Failed(_BUG)
        try:
            end = self._record_up_to_end()
        finally:
            # A bug of ours goes on to the thread's hook, which writes its traceback to the log.
            self._record.append(end)

    def _record_up_to_end(self) -> Entry:
        try:
            with closing(self._produce(self._stop)) as events:
                for event in events:
                    if ends_run(event):
                        return event
                    self._record.append(event)
        except ToldError as error:
            return Stopped() if self._stop.is_set else Failed(error.sentence)
        return Stopped() if self._stop.is_set else Failed(_BUG)
