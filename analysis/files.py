"""The files of one analysis: private copies, brought into its sandbox and profiled there, never read here."""

import hashlib
import os
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Protocol

from sandbox.sandbox import FileProfile, ReadingChoices, Sandbox
from tools.file_access_tool import FileAccessTool
from wording import Sentence, ToldError

_MB = 1_000_000
_LARGE = 20 * _MB
_PERCENT = 5


@dataclass(frozen=True, slots=True)
class AnalysisFile:
    """A file as the code sees it: ``name`` in /data, ``size`` in bytes, and what it holds."""

    name: str
    size: int
    profile: FileProfile
    choices: ReadingChoices = ReadingChoices()  # noqa: RUF009 - a frozen value
    """What the person decided about its reading."""


@dataclass(frozen=True, slots=True)
class _Copy:
    path: Path
    identity: tuple[str, str]
    """Name as given and digest of the content: the same file added again is no new file."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file with what it takes to put it back: the name of its copy and what it was added as."""

    file: AnalysisFile
    copy: str
    identity: tuple[str, str]


class CopiesFolder(Protocol):
    """Where the copies lie. Once closed it is not written to any more, and perhaps gone."""

    path: Path

    def close(self) -> None: ...


class AnalysisFiles:
    """Copies each file, since the sandbox may need it again; only this user can read the copies."""

    def __init__(self, sandbox: Sandbox, folder: CopiesFolder, *, largest_mb: int, sample_rows: int) -> None:
        self._sandbox = sandbox
        self._largest_mb = largest_mb
        self._sample_rows = sample_rows
        self._folder = folder
        self._tool = FileAccessTool(
            sandbox, [self._folder.path], most_bytes=largest_mb * _MB, sample_rows=sample_rows, opened=self.adopt
        )
        self._files: dict[str, AnalysisFile] = {}
        self._copies: dict[str, _Copy] = {}

    def __iter__(self) -> Iterator[AnalysisFile]:
        return iter(tuple(self._files.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def add(
        self, name: str, source: Path | BinaryIO, told: Callable[[Sentence], object] = lambda step: None
    ) -> tuple[AnalysisFile, bool]:
        """The file, and whether it is new; ``told`` hears of each step.

        Raises ``ToldError`` for one that is empty or too large.
        """
        name = unicodedata.normalize("NFC", name)
        copy = self._copy(name, source, told)
        for added, known in self._copies.items():
            if known.identity == copy.identity:
                copy.path.unlink()
                return self._files[added], False
        try:
            profile = self._tool.open(copy.path, name, told)
        except ToldError:
            copy.path.unlink()
            raise
        self._copies[profile.name] = copy
        return self._files[profile.name], True

    def stored(self, name: str) -> StoredFile:
        """What ``put_back`` takes."""
        copy = self._copies[name]
        return StoredFile(self._files[name], copy.path.name, copy.identity)

    def put_back(self, files: Iterable[StoredFile]) -> list[str]:
        """Have files again that were added when the app ran before; gives the names of those whose copy is lost."""
        lost: list[str] = []
        for stored in files:
            file, path = stored.file, self._folder.path / stored.copy
            is_plain = Path(stored.copy).name == stored.copy and not path.is_symlink()
            if is_plain and path.is_file() and path.stat().st_size == file.size:
                self._sandbox.put_known_file(file.profile, path)
                self._files[file.name], self._copies[file.name] = file, _Copy(path, stored.identity)
            else:
                lost.append(file.name)
        return lost

    def read_again(self, name: str, choices: ReadingChoices) -> AnalysisFile:
        """Look into a file anew, as the person chose. Raises ``ToldError`` when it is gone or cannot be read so."""
        file = self._files.get(name)
        if file is None:
            raise ToldError("{name} is no longer there. Add it again.", name=name)
        profile = replace(self._sandbox.profile(name, self._sample_rows, choices), size=file.size)
        self._files[name] = AnalysisFile(name, file.size, profile, choices)
        return self._files[name]

    def adopt(self, profile: FileProfile) -> None:
        """Count a file that is in the sandbox already."""
        self._files[profile.name] = AnalysisFile(profile.name, profile.size, profile)

    def remove(self, name: str) -> None:
        del self._files[name]
        copy = self._copies.pop(name, None)
        try:
            self._sandbox.remove_file(name)
        finally:
            if copy:
                copy.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Leave the copies to their folder; what the sandbox holds goes when it is closed."""
        self._files.clear()
        self._copies.clear()
        self._folder.close()

    def _copy(self, name: str, source: Path | BinaryIO, told: Callable[[Sentence], object]) -> _Copy:
        target = self._folder.path / secrets.token_hex(8)
        try:
            with _opened(source) as file:
                digest = self._write(name, _measured(file, name, told), target)
        except OSError as error:
            target.unlink(missing_ok=True)
            raise ToldError(
                "{name} cannot be read: {reason}. Check that it is a file you may read and that the disk has space.",
                name=name,
                reason=error.strerror or error,
            ) from error
        except ToldError:
            target.unlink(missing_ok=True)
            raise
        return _Copy(target, (name, digest))

    def _write(self, name: str, pieces: Iterator[bytes], target: Path) -> str:
        """Copy without holding the whole file in memory; gives the digest."""
        size, digest = 0, hashlib.sha256()
        target.touch(0o600)
        with target.open("wb") as copy:
            for chunk in pieces:
                size += len(chunk)
                if size > self._largest_mb * _MB:
                    raise ToldError(
                        "{name} is larger than {limit} MB. Use a smaller file, or raise MAX_UPLOAD_MB.",
                        name=name,
                        limit=self._largest_mb,
                    )
                copy.write(chunk)
                digest.update(chunk)
        if size == 0:
            raise ToldError("{name} is empty. Add a file that has column names and rows.", name=name)
        return digest.hexdigest()


def _measured(file: BinaryIO, name: str, told: Callable[[Sentence], object]) -> Iterator[bytes]:
    """The content in pieces; says how far it has come, of a large file in steps of a few percent."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    done = last = 0
    while piece := file.read(_MB):
        yield piece
        done += len(piece)
        if (percent := 100 * done // max(size, 1)) >= last + _PERCENT and size > _LARGE:
            last = percent
            told(Sentence("Copying {name}: {percent} %", {"name": name, "percent": percent}))


@contextmanager
def _opened(source: Path | BinaryIO) -> Iterator[BinaryIO]:
    """The source from its beginning; a stream that was handed in stays open."""
    if isinstance(source, Path):
        if not source.is_file():
            raise ToldError("There is no file {path}. Check its name and folder.", path=source)
        with source.open("rb") as file:
            yield file
    else:
        source.seek(0)
        yield source
