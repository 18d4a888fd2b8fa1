"""A folder for a person's files that no other user can read and that does not outlive its process for long."""

import secrets
import shutil
import weakref
from pathlib import Path

from sandbox.locks import FileLock, state_folder


class PrivateFolder:
    """Gone when it is closed or the process ends; what a killed process left is removed with the next one made."""

    def __init__(self) -> None:
        parent = state_folder() / "files"
        parent.mkdir(mode=0o700, exist_ok=True)
        for lock_file in parent.glob("*.lock"):
            lock = FileLock(lock_file)
            if lock.acquire():
                _remove(lock_file, lock)
        lock_file = parent / f"{secrets.token_hex(8)}.lock"
        lock = FileLock(lock_file)
        lock.acquire()
        self.path = lock_file.with_suffix("")
        self.path.mkdir(mode=0o700)
        self._remove = weakref.finalize(self, _remove, lock_file, lock)

    def close(self) -> None:
        """It can be called twice."""
        self._remove()


def _remove(lock_file: Path, lock: FileLock) -> None:
    shutil.rmtree(lock_file.with_suffix(""), ignore_errors=True)
    lock.release()
    lock_file.unlink(missing_ok=True)
