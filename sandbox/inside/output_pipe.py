"""The pipe that a cell prints into; outlives the cell if a process that the cell left behind still holds it."""

import os
from collections.abc import Callable

from sandbox.inside.loop import Loop
from sandbox.inside.output_text import PrintedBytes

READ_BYTES = 1 << 16


class OutputPipe:
    """The reading end of one stream of one cell. ``passed`` is called with what goes on to the host at once."""

    def __init__(self, loop: Loop, limit: int, passed: Callable[[bytes], None]) -> None:
        self._loop = loop
        self._passed = passed
        self.printed = PrintedBytes(limit)
        self._file, self.write_end = os.pipe()
        os.set_blocking(self._file, False)
        self._live = True
        self.is_open = True

    def pause(self, paused: bool) -> None:
        if self.is_open:
            self._loop.watch(self._file, None if paused else self._on_readable)

    def close_write_end(self) -> None:
        """To be called once the worker has its own copy."""
        os.close(self.write_end)

    def drain(self) -> None:
        """Read what is in the pipe now; whoever goes on writing cannot keep us here."""
        for _ in range(16):
            if not self.is_open or not self._read():
                return

    def retire(self) -> None:
        """The cell is over: what still comes is thrown away, so that writers neither block nor fail."""
        self._live = False
        self.pause(False)

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._loop.watch(self._file)
            os.close(self._file)

    def _on_readable(self) -> None:
        self._read()

    def _read(self) -> bool:
        try:
            data = os.read(self._file, READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self.close()
        elif self._live and (passed := self.printed.add(data)):
            self._passed(passed)
        return bool(data)
