"""A file being profiled, by a process of its own that is gone afterwards."""

from collections.abc import Callable

from sandbox.inside.frames import Header, encode, encode_parts
from sandbox.inside.outbox import Outbox
from sandbox.inside.running_cell import Stop
from sandbox.inside.workforce import Workforce
from sandbox.inside.zygote import Child

MAX_TRIES = 3


class Profiling:
    """From the host's order to the end of the process; the ``wishes`` in it are handed on as they came.

    ``on_done`` is called once, with the outcome.
    """

    def __init__(
        self, order: Header, wishes: bytes, workforce: Workforce, outbox: Outbox, on_done: Callable[[Header], None]
    ) -> None:
        self.execution = str(order["execution"])
        self.timeout = float(order["timeout_s"])
        self.stopped: Stop | None = None
        self._wishes = wishes
        self._request = {"type": "profile", "name": str(order["name"]), "sample_rows": int(order["sample_rows"])}
        self._workforce = workforce
        self._outbox = outbox
        self._on_done = on_done
        self._is_done = False
        self._tries = 0
        self._child: Child | None = None

    def start(self) -> None:
        self._tries += 1
        self._child = self._workforce.fork_profiler(self._on_answer, self._on_end)
        self._child.send(encode(self._request, self._wishes))

    def stop(self, cause: Stop) -> None:
        """End the process; there is nothing in it worth keeping."""
        self.stopped = cause
        if self._child and self._child.pid:
            self._workforce.end(self._child)
        else:
            self._workforce.end_zygote()

    def _on_answer(self, header: Header, payload: bytes) -> None:
        if header["type"] == "profile" and not self._is_done:
            self._outbox.send_later(encode_parts({"type": "profile", "execution": self.execution}, payload))
            self._finish({"outcome": "ok"})
            self._workforce.end(self._child)

    def _on_end(self, status: int) -> None:
        if self._is_done:
            return
        was_born = self._child is not None and self._child.pid
        if not was_born and not self.stopped and self._tries < MAX_TRIES:
            # It was the zygote that ended, and there is another one.
            self.start()
        else:
            self._finish({"outcome": "error", "memory": self._workforce.memory_ran_out()})

    def _finish(self, outcome: Header) -> None:
        self._is_done = True
        self._on_done(outcome)
