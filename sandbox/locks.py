"""Locks between processes of one user, held by open files: the system frees them however a process ends."""

import functools
import os
import sys
import tempfile
from pathlib import Path
from typing import IO


def state_folder() -> Path:
    """A private folder that all processes of this user share; made when it is missing."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home())
    else:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(base, "data-interpreter")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return _own_folder()
    return folder


@functools.cache
def _own_folder() -> Path:
    """Where there is no home to write to, as in some services: then each process keeps its locks to itself."""
    return Path(tempfile.mkdtemp(prefix="data-interpreter-"))


class FileLock:
    """One holder at a time, across threads and processes. The file itself means nothing and may stay."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free; never waits."""
        file = self._path.open("ab")
        try:
            _lock(file)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file:
            self._file.close()
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
