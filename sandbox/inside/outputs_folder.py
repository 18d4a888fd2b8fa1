"""What code left in its output folder: finds new regular files and reads them without being fooled; parses none."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox.inside.frames import PART_BYTES

MAX_ENTRIES = 10_000
MAX_DEPTH = 10
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK

Version = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file that is new or has changed; ``path`` is relative to the folder."""

    path: str
    size: int
    version: Version = field(repr=False)


class OutputsFolder:
    """The folder and what is known to lie in it already."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[str, Version] = {}

    def remember(self) -> None:
        """Take all that lies there now as known."""
        self._known = {found.path: found.version for found in self._walk("", 0, [0])}

    def changed(self) -> list[FoundFile]:
        """Files that are new or have changed since ``remember``, the oldest first."""
        changed = [found for found in self._walk("", 0, [0]) if self._known.get(found.path) != found.version]
        return sorted(changed, key=lambda found: (found.version[2], found.path))

    def find(self, path: str) -> FoundFile | None:
        """One file, None when it is no regular file or is known already."""
        try:
            file = self.open(path)
        except OSError:
            return None
        try:
            status = os.fstat(file)
        finally:
            os.close(file)
        version = _version(status)
        return None if self._known.get(path) == version else FoundFile(path, status.st_size, version)

    def open(self, path: str) -> int:
        """A descriptor of a regular file; no link is followed on the way. Raises ``OSError`` for anything else."""
        *folders, name = path.split("/")
        here = os.open(self._path, _FOLDER)
        try:
            for folder in folders:
                here, before = os.open(_plain(folder), _FOLDER, dir_fd=here), here
                os.close(before)
            file = os.open(_plain(name), _FILE, dir_fd=here)
        finally:
            os.close(here)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise OSError(f"no regular file: {path}")
        return file

    def clear(self) -> None:
        """Remove all that lies there."""
        clear_folder(self._path)
        self._known = {}

    def _walk(self, folder: str, depth: int, seen: list[int]) -> Iterator[FoundFile]:
        """Hidden files and folders are left out: editors and libraries keep their own there."""
        try:
            with os.scandir(os.path.join(self._path, folder)) as entries:  # noqa: PTH118 - hot path
                for entry in entries:
                    seen[0] += 1
                    if seen[0] > MAX_ENTRIES:
                        return
                    if entry.name.startswith((".", "__pycache__")):
                        continue
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if depth < MAX_DEPTH:
                            yield from self._walk(path, depth + 1, seen)
                    elif entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        yield FoundFile(path, status.st_size, _version(status))
        except OSError:
            return


def read_parts(file: int, size: int) -> Iterator[bytes]:
    """The first ``size`` bytes of a file, in parts; fewer when it has become shorter."""
    offset = 0
    while offset < size and (part := os.pread(file, min(PART_BYTES, size - offset), offset)):
        yield part
        offset += len(part)


def clear_folder(path: str) -> None:
    """Remove what lies in a folder, not the folder; what cannot be removed stays."""
    import shutil  # it is large, and hardly any session needs it

    with os.scandir(path) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                try:
                    os.unlink(entry.path)  # noqa: PTH108 - a link is removed, not followed
                except OSError:
                    continue


def _plain(name: str) -> str:
    if name in ("", ".", ".."):
        raise OSError(f"no plain name: {name!r}")
    return name


def _version(status: os.stat_result) -> Version:
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
