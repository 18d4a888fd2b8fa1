"""The file of one kept chat: appended line by line and read back; a full disk delays lines, and a link or a pipe
is refused."""

import errno
import logging
import os
import shutil
import stat
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from analysis.chat_lines import VERSION, ChatBegun, Line, line_of, value_of
from analysis.record import Entry, ends_run

_LOGGER = logging.getLogger(__name__)
_CHECKED_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class ChatFile:
    """One thread at a time may call its methods."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: OSError | None = None
        """Why the last lines are not on disk; each further one tries again."""
        self._whole = 0
        self._unwritten: deque[Line] = deque()
        self._file: BinaryIO | None = None

    def begin(self) -> None:
        """Forget what is there and what waits. Raises ``OSError``."""
        self.close()
        self._unwritten.clear()
        self.failure, self._whole = None, 0
        self.path.unlink(missing_ok=True)

    def go_on(self) -> None:
        """Append to what is there. Raises ``OSError``."""
        self._whole = self.path.stat().st_size
        self._open()

    def append(self, lines: Iterable[Line]) -> None:
        """What cannot be written is kept in memory and comes first the next time."""
        self._unwritten.extend(lines)
        try:
            while self._unwritten:
                self._append(self._unwritten[0])
                self._unwritten.popleft()
            self.failure = None
        except OSError as error:
            if self.failure is None:
                _LOGGER.warning("A chat is not kept for now, since it cannot be written: %s", error)
            self.failure = error
            self.close()

    def close(self) -> None:
        file, self._file = self._file, None
        if file:
            try:
                file.close()
            except OSError as error:  # The last bytes that the buffer holds do not fit on the disk.
                _LOGGER.warning("The end of a chat was not kept: %s", error)

    def _append(self, line: Line) -> None:
        try:
            content = line_of(line)
        except ValueError as error:
            _LOGGER.warning("A line of a chat cannot be kept: %s", error)
            return
        file = self._file or self._open()
        file.write(content)
        file.flush()
        if isinstance(line, Entry) and ends_run(line):
            os.fsync(file.fileno())
        self._whole += len(content)

    def _open(self) -> BinaryIO:
        """Without the torn line that a failure may have left."""
        self._file = file = open(self.path, "ab", opener=_regular_file)  # noqa: SIM115 - it stays open
        if os.fstat(file.fileno()).st_size < self._whole:
            raise OSError(errno.EIO, "the beginning of the chat is gone")
        file.truncate(self._whole)
        return file


def first_line(path: Path) -> ChatBegun | None:
    """None for whatever is no kept chat."""
    try:
        with open(path, "rb", opener=_regular_file) as file:
            first = value_of(file.readline())
    except (OSError, ValueError):
        return None
    return first if isinstance(first, ChatBegun) else None


def read_lines(path: Path) -> tuple[list[Line], bool]:
    """All lines, and whether some are missing: what follows a bad line is put aside, in a file beside this one.

    The last line is cut off when the process ended within it. Raises ``OSError``, and ``ValueError`` for a chat of
    another version.
    """
    lines: list[Line] = []
    whole, is_damaged = 0, False
    with open(path, "rb", opener=_regular_file) as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            try:
                value = value_of(line)
            except ValueError:
                is_damaged = True
                break
            if isinstance(value, ChatBegun) and value.version != VERSION:
                raise ValueError("another version")
            whole += len(line)
            lines.append(value)
    if is_damaged:
        shutil.copyfile(path, path.with_suffix(".damaged"))
    os.truncate(path, whole)
    return lines, is_damaged


def rewrite(path: Path, lines: Iterable[Line]) -> None:
    """Whatever happens meanwhile, the file is the old one or the new one whole."""
    new = path.with_suffix(".new")
    try:
        new.unlink(missing_ok=True)
        with open(new, "wb", opener=_regular_file) as file:
            file.writelines(line_of(line) for line in lines)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        _LOGGER.warning("A kept chat stays as long as it was, since it cannot be written anew: %s", error)
        new.unlink(missing_ok=True)


def _regular_file(path: str, flags: int) -> int:
    """Opens it privately without following a link or waiting for the other end of a pipe. Raises ``OSError``."""
    descriptor = os.open(path, flags | _CHECKED_FLAGS, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return descriptor
