"""The host's end of the conversation with one sandbox, over any stream of bytes; knows no engine."""

import contextlib
import json
import queue
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from sandbox.cell_result import CellResult
from sandbox.limits import Limits
from sandbox.protocol import MAX_CODE_BYTES, PROTOCOL_VERSION, FrameError, Message, MessageReader, order
from sandbox.received import Malformed, dict_of, profile_of, text_of
from sandbox.sandbox import ExecutionResult, FileProfile, OutputText, ReadingChoices, SandboxError
from wording import Sentence

READ_BYTES = 1 << 16
START_SECONDS = 60
MARGIN_SECONDS = 30
"""How much longer than the limits the host waits before it gives a silent sandbox up."""
STOP_MARGIN_SECONDS = 5
"""The same for a sandbox that somebody wants to stop, who is waiting for it."""
_ENDED = "The sandbox has ended. Try again: a new one will be started."
PRINTED_BYTES = 1 << 24
"""What may wait to be taken beyond the files and charts of a cell."""


_BYTES_A_SECOND = 2_000_000
"""How slowly a file may be looked through."""


class ConnectionLost(SandboxError):
    """The sandbox is gone or does not answer; it has to be replaced, and its variables are gone with it."""


class ByteStream(Protocol):
    """Both directions of a conversation. One thread reads; any may write or close."""

    def read(self, size: int, /) -> bytes:
        """Between 1 and ``size`` bytes as soon as there are any; none at the end."""

    def write(self, data: bytes, /) -> None:
        """Send all of it. Raises ``OSError`` when the other side is gone."""

    def close(self) -> None:
        """End both directions, also for a thread that is reading."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What the sandbox says of itself when it can take code."""

    python: str
    packages: tuple[tuple[str, str], ...]
    """Names and versions, by name."""


class Connection:
    """One sandbox, one execution at a time. Any thread may call ``interrupt`` and ``close``."""

    def __init__(self, stream: ByteStream, limits: Limits) -> None:
        self._stream = stream
        self._limits = limits
        self._messages: queue.SimpleQueue[tuple[Message | None, int] | None] = queue.SimpleQueue()
        """With their size in bytes; None only wakes up who waits."""
        self._most_waiting = limits.total_bytes + PRINTED_BYTES
        self._read_bytes = self._taken_bytes = 0
        self._order_bytes = 0
        self._execution = ""
        self._stop_asked = ("", 0.0)
        """Of which execution, and when; it may have ended before the stop was sent."""
        self._heard_at = 0.0
        self._write_lock = threading.Lock()
        self.packages: tuple[tuple[str, str], ...] = ()
        """Names and versions of all that is installed in it, once it is ready."""
        self.alive = True
        """False once the sandbox has to be replaced."""
        threading.Thread(target=self._read_on, name="sandbox reader", daemon=True).start()

    def wait_ready(self, timeout: float = START_SECONDS) -> Ready:
        """Wait until Python has started. Raises ``ConnectionLost``, also for a sandbox of another version."""
        deadline = time.monotonic() + timeout
        while True:
            message = self._next(deadline)
            if message.kind == "failed":
                self.alive = False
                last_line = message.content.decode("utf-8", "replace").strip().rpartition("\n")[2][:500]
                raise ConnectionLost("Python does not start in the sandbox: {reason}", reason=last_line)
            if message.kind == "ready":
                ready = self._read_ready(message)
                self.packages = ready.packages
                return ready

    def execute(self, code: str, timeout: float | None = None, size: int = 0) -> Iterator[OutputText | ExecutionResult]:
        """Run one cell: its text as it is printed, then its result. Raises ``ConnectionLost``.

        A cell that reads a file may take the longer the more bytes that has (``size``).
        Closing the iterator early stops the code.
        """
        content = code.encode("utf-8", "replace")
        if len(content) > MAX_CODE_BYTES:
            raise SandboxError("The code is longer than {limit} MB. Make it shorter.", limit=MAX_CODE_BYTES >> 20)
        seconds = self._seconds(size) if timeout is None else timeout
        result = CellResult(self._limits, seconds, self.packages)
        began, received = time.monotonic(), self._taken_bytes
        execution = self._begin("run", content, timeout_s=seconds)
        is_over = False
        try:
            for message in self._answers(execution, self._patience(seconds)):
                if message.kind == "done":
                    is_over = True
                    transferred = (self._order_bytes, self._taken_bytes - received)
                    yield result.finish(message, time.monotonic() - began, transferred)
                elif text := result.add(message):
                    yield text
        finally:
            if not is_over and self.alive:
                self._stop(execution)

    def profile(
        self,
        name: str,
        sample_rows: int = 5,
        choices: ReadingChoices | None = None,
        taken: Sequence[str] = (),
        timeout: float | None = None,
        size: int = 0,
    ) -> FileProfile:
        """What the file ``name`` holds, read in a process of its own; no table of it is called as one in ``taken``.

        It may take as long as a cell, and the longer the more bytes the file has (``size``). Raises ``ConnectionLost``.
        """
        seconds = self._seconds(size) if timeout is None else timeout
        wishes = json.dumps({"choices": asdict(choices or ReadingChoices()), "taken": list(taken)}).encode()
        execution = self._begin("profile", wishes, name=name, sample_rows=sample_rows, timeout_s=seconds)
        profile = None
        for message in self._answers(execution, self._patience(seconds)):
            if message.kind == "profile":
                profile = self._read_profile(message, name)
            elif message.kind == "done" and profile is None:
                profile = FileProfile(name=name, size=0, problem=self._profile_problem(message, name, seconds))
        if profile is None:
            raise ConnectionLost(_ENDED)
        return profile

    def _seconds(self, size: int) -> float:
        return self._limits.seconds + size // _BYTES_A_SECOND

    def interrupt(self) -> None:
        """Stop what is running, if anything is; a second time kills it. Raises ``ConnectionLost``."""
        if execution := self._execution:
            self._write(order("interrupt", execution))
            self._stop_asked = (execution, time.monotonic())
            self._messages.put(None)

    def restart(self) -> None:
        """Start Python anew, without variables and output files. Raises ``ConnectionLost``."""
        for _ in self._answers(self._begin("restart"), self._patience(0)):
            pass

    def close(self) -> None:
        """Hang up; a sandbox that is hung up on ends itself."""
        self.alive = False
        self._stream.close()

    def _begin(self, kind: str, content: bytes = b"", **words: str | float) -> str:
        if not self.alive:
            raise ConnectionLost(_ENDED)
        self._execution = execution = secrets.token_hex(16)
        data = order(kind, execution, content, **words)
        self._order_bytes = len(data)
        self._write(data)
        return execution

    def _patience(self, seconds: float) -> float:
        return time.monotonic() + seconds + self._limits.grace_seconds + MARGIN_SECONDS

    def _answers(self, execution: str, deadline: float) -> Iterator[Message]:
        """The messages of one execution to its last; those of others are late and dropped."""
        while True:
            message = self._next(deadline)
            if message.execution == execution:
                if message.kind == "done":
                    self._execution = ""
                yield message
                if message.kind == "done":
                    return

    def _stop(self, execution: str) -> None:
        """Nobody waits for the result any more: stop the code, so that the next can run."""
        self.interrupt()
        for _ in self._answers(execution, self._patience(0)):
            pass

    def _next(self, deadline: float) -> Message:
        item = None
        while item is None:
            patience = self._give_up_at(deadline) - time.monotonic()
            with contextlib.suppress(queue.Empty):
                item = self._messages.get(timeout=max(0.0, patience))
            if item is None and patience <= 0:
                self.alive = False
                raise ConnectionLost("The sandbox does not answer. Try again: a new one will be started.")
        message, size = item
        self._taken_bytes += size
        if message is None:
            self.alive = False
            raise ConnectionLost(_ENDED)
        return message

    def _give_up_at(self, deadline: float) -> float:
        """Once it was asked to stop it may be silent for a few seconds only, but may send on what it has begun."""
        execution, asked_at = self._stop_asked
        if not execution or execution != self._execution:
            return deadline
        return min(deadline, max(asked_at, self._heard_at) + self._limits.grace_seconds + STOP_MARGIN_SECONDS)

    def _write(self, data: bytes) -> None:
        try:
            with self._write_lock:
                self._stream.write(data)
        except OSError as error:
            self.alive = False
            raise ConnectionLost(_ENDED) from error

    def _read_on(self) -> None:
        """Read for ever: a sandbox whose output nobody takes could not be ended by its engine."""
        reader = MessageReader(self._limits)
        is_sound = True
        size = 0
        while data := self._read():
            self._heard_at = time.monotonic()
            if not is_sound:
                continue
            size += len(data)
            try:
                for message in reader.feed(data):
                    self._read_bytes += size
                    self._messages.put((message, size))
                    size = 0
            except FrameError:
                is_sound = False
            if not is_sound or self._read_bytes - self._taken_bytes > self._most_waiting:
                is_sound = False
                self._messages.put((None, 0))
        self._messages.put((None, 0))

    def _read(self) -> bytes:
        try:
            return self._stream.read(READ_BYTES)
        except (OSError, ValueError):
            return b""

    def _read_ready(self, message: Message) -> Ready:
        try:
            if message.header.get("protocol") != PROTOCOL_VERSION:
                raise Malformed("another version")
            python = text_of(message.header.get("python"), 50)
            packages = dict_of(message.header.get("packages"))
            versions = {text_of(name, 200): text_of(version, 200) for name, version in packages.items()}
        except Malformed as error:
            self.alive = False
            raise ConnectionLost(
                "The sandbox is of another version than this program. Build its image anew: python -m sandbox build"
            ) from error
        return Ready(python, tuple(sorted(versions.items(), key=lambda each: each[0].lower())))

    def _read_profile(self, message: Message, name: str) -> FileProfile | None:
        try:
            return profile_of(message.content, name)
        except Malformed:
            return None

    def _profile_problem(self, done: Message, name: str, seconds: float) -> Sentence:
        if done.header.get("stopped") == "interrupt":
            return Sentence("Reading {name} was stopped. Add it again.", {"name": name})
        if done.header.get("stopped") == "timeout":
            return Sentence("Reading {name} took longer than {seconds} s.", {"name": name, "seconds": f"{seconds:g}"})
        if done.header.get("memory") is True:
            template = "Reading {name} took more memory than there is, {memory_mb} MB. Add a part of the file."
            return Sentence(template, {"name": name, "memory_mb": self._limits.memory_mb})
        return Sentence("{name} could not be read. Check that it is whole, or save it as CSV.", {"name": name})
