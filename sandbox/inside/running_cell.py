"""One cell as the supervisor sees it: its pipes, what its worker reports, the files it left; trusts none of it."""

import json
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from sandbox.inside.box_settings import BoxLimits
from sandbox.inside.frames import Header, encode, encode_parts
from sandbox.inside.loop import Loop
from sandbox.inside.outbox import Outbox
from sandbox.inside.output_pipe import OutputPipe
from sandbox.inside.outputs_folder import FoundFile, OutputsFolder, read_parts
from sandbox.inside.png import is_png
from sandbox.inside.zygote import Child

Stop = Literal["timeout", "interrupt"]
MAX_RETIRED = 64
_MORE_FILES = "{count} more files were left in the sandbox; one cell hands back at most {limit}. Write fewer, or a zip."
_TOO_LARGE = "{name} was left in the sandbox: it is too large to hand back. Write less into it, or several files."
_TOO_MUCH = "More was handed back than one cell may; the rest was left out."
_STILL_WRITTEN = "{name} was still being written when it was read. Finish and close it within the cell."
UTF8_BYTES = 4
"""The most that one character takes."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every cell of a session shares."""

    loop: Loop
    outbox: Outbox
    folder: OutputsFolder
    limits: BoxLimits
    numbers: "count[int]" = field(default_factory=lambda: count(1))
    """For the names of charts; they differ from cell to cell."""
    cell_numbers: "count[int]" = field(default_factory=lambda: count(1))
    """What a worker reports carries the number of its cell."""
    retired: deque[OutputPipe] = field(default_factory=deque)
    """Pipes of cells that are over, still held by processes that they left."""

    def retire(self, pipe: OutputPipe) -> None:
        pipe.retire()
        self.retired.append(pipe)
        while self.retired and (len(self.retired) > MAX_RETIRED or not self.retired[0].is_open):
            self.retired.popleft().close()


class RunningCell:
    """From the host's order to run it to the frame that says it is done."""

    def __init__(self, around: Surroundings, execution: str, code: bytes, timeout: float) -> None:
        self.execution = execution
        self.number = next(around.cell_numbers)
        self.timeout = timeout
        self.stopped: Stop | None = None
        self.has_begun = self.is_reporting = False
        self._pipes: dict[str, OutputPipe] = {}
        self._code = code
        self._around = around
        self._room = around.limits.total_bytes
        self._taken: set[str] = set()
        self._copies: set[str] = set()
        self._pictures: set[tuple[int, int]] = set()
        """Length and hash of each chart; which hash a picture gets differs from process to process."""
        self._charts = self._files = 0
        self._notices: list[bytes] = []

    def begin(self, worker: Child) -> None:
        """Hand the code to a worker that waits for it."""
        self.has_begun = True
        self._around.folder.remember()
        for stream in ("stdout", "stderr"):
            self._pipes[stream] = self._open_pipe(stream)
        ends = tuple(pipe.write_end for pipe in self._pipes.values())
        worker.send_last(encode({"type": "run", "cell": self.number}, self._code), ends)
        for pipe in self._pipes.values():
            pipe.close_write_end()
        self.pause(False)

    def pause(self, paused: bool) -> None:
        """Read no more of what is printed, or read on."""
        for pipe in self._pipes.values():
            pipe.pause(paused)

    def report(self, header: Header, payload: bytes) -> None:
        """Something that the worker shows, told after the code has ended."""
        kind = header["type"]
        if kind in ("value", "table", "figure", "notice"):
            name = {"name": f"figure_{next(self._around.numbers)}"} if kind == "figure" else {}
            self._hand_on({"type": kind, **name}, payload)
        elif kind == "chart" and is_png(payload[:64], self._around.limits.chart_pixels):
            self._hand_on_chart(payload)
        elif kind == "saved":
            self._take_saved(os.fsdecode(payload))
        elif kind == "copy":
            self._copies.add(os.fsdecode(payload))

    def finish(self, done: Header, error: bytes = b"") -> None:
        """Tell the host the rest: what is left in the pipes, the files, and that it is done."""
        for pipe in self._pipes.values():
            pipe.drain()
            self._around.retire(pipe)
        self._around.outbox.send_later(self._closing(done, error))

    def _open_pipe(self, stream: str) -> OutputPipe:
        def passed(data: bytes) -> None:
            self._around.outbox.send(self._frame({"type": stream}, data))

        return OutputPipe(self._around.loop, self._around.limits.output_chars * UTF8_BYTES, passed)

    def _frame(self, header: Header, payload: bytes = b"") -> bytes:
        return encode({**header, "execution": self.execution}, payload)

    def _hand_on(self, header: Header, payload: bytes) -> None:
        self._room -= len(payload)
        if self._room >= 0:
            self._around.outbox.send_later(encode_parts({**header, "execution": self.execution}, payload))
        else:
            self._notice(_TOO_MUCH)

    def _hand_on_chart(self, content: bytes) -> None:
        if self._is_new(content) and self._charts < self._around.limits.charts:
            self._charts += 1
            name = f"chart_{next(self._around.numbers)}.png"
            self._hand_on({"type": "file", "kind": "chart", "name": name}, content)

    def _take_saved(self, path: str) -> None:
        """A chart that the code saved itself keeps its place among those that it left open."""
        found = self._around.folder.find(path)
        if found and path not in self._taken:
            self._around.outbox.send_later(self._file_frames(found))

    def _closing(self, done: Header, error: bytes) -> Iterator[bytes]:
        for stream, pipe in self._pipes.items():
            tail, cut = pipe.printed.tail(), pipe.printed.cut
            if tail or cut:
                yield from encode_parts({"type": stream, "execution": self.execution, "cut": cut}, tail)
        left_out = 0
        for found in self._around.folder.changed():
            if found.path in self._taken:
                continue
            if self._files >= self._around.limits.files:
                left_out += 1
            else:
                yield from self._file_frames(found)
        if left_out:
            self._notice(_MORE_FILES, count=left_out, limit=self._around.limits.files)
        for notice in self._notices:
            yield self._frame({"type": "notice"}, notice)
        yield self._frame({"type": "done", "stopped": self.stopped, **done}, error)

    def _file_frames(self, found: FoundFile) -> Iterator[bytes]:
        self._taken.add(found.path)
        try:
            file = self._around.folder.open(found.path)
        except OSError:
            return
        try:
            size = os.fstat(file).st_size
            name = found.path.encode(errors="replace").decode()
            if size > min(self._around.limits.file_bytes, self._room):
                self._notice(_TOO_LARGE, name=name)
                return
            kind = "chart" if self._is_new_chart(file, size, found.path) else "file"
            yield from self._parts(
                {"type": "file", "kind": kind, "name": name, "execution": self.execution}, file, size
            )
            if os.fstat(file).st_mtime_ns != found.version[2]:
                self._notice(_STILL_WRITTEN, name=name)
        finally:
            os.close(file)

    def _is_new_chart(self, file: int, size: int, path: str) -> bool:
        limits = self._around.limits
        if size <= limits.chart_bytes and is_png(os.pread(file, 64, 0), limits.chart_pixels):
            is_new = self._is_new(b"".join(read_parts(file, size)))
            if is_new and path not in self._copies and self._charts < limits.charts:
                self._charts += 1
                return True
        self._files += 1
        return False

    def _is_new(self, picture: bytes) -> bool:
        known, key = self._pictures, (len(picture), hash(picture))
        is_new = key not in known
        known.add(key)
        return is_new

    def _parts(self, header: Header, file: int, size: int) -> Iterator[bytes]:
        """The size may shrink while it is read, so each part waits until another one follows or none."""
        parts = read_parts(file, size)
        part = next(parts, b"")
        for following in parts:
            yield encode({**header, "more": True}, part)
            self._room -= len(part)
            part = following
        self._room -= len(part)
        yield encode(header, part)

    def _notice(self, template: str, **values: str | int) -> None:
        self._notices.append(json.dumps({"template": template, "values": values}).encode())
