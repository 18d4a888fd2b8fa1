"""Brings an allowed file of the host into the sandbox and tells what it holds; reads nothing else and runs nothing."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sandbox.sandbox import FileProfile, Sandbox, SandboxError
from tools.file_context import file_context
from tools.tool_interface import ToolError, ToolInterface, ToolResult
from wording import Sentence, ToldError

_MB = 1_000_000


class FileRefused(ToldError):
    """A file that is not brought in; the sentence says why and what helps."""


class FileAccessTool(ToolInterface):
    """``opened`` is told of each file that was brought in, whoever asked for it."""

    name = "open_data_file"
    aliases = ("read_file", "open_file", "load_file")
    description = (
        "Opens a data file (CSV, Excel, Parquet, JSON and other tables) for analysis. "
        "Returns its columns, types, number of rows, missing values and first rows."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The path as the person wrote it."}},
        "required": ["path"],
        "additionalProperties": False,
    }

    def __init__(
        self,
        sandbox: Sandbox,
        folders: Iterable[Path],
        *,
        most_bytes: int = 200 * _MB,
        sample_rows: int = 5,
        opened: Callable[[FileProfile], None] = lambda profile: None,
    ) -> None:
        self._sandbox = sandbox
        self._folders = tuple(folder.resolve() for folder in folders)
        self._most_bytes = most_bytes
        self._sample_rows = sample_rows
        self._opened = opened

    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        try:
            profile = self.open(Path(arguments["path"]))
        except FileRefused as error:
            raise ToolError(str(error)) from error
        return ToolResult(text=file_context(profile, self._sample_rows))

    def open(
        self, path: Path, name: str | None = None, told: Callable[[Sentence], object] = lambda step: None
    ) -> FileProfile:
        """Copy the file into the sandbox, as ``name`` if given, and profile it there; ``told`` hears of each step.

        A file without a table is kept as it is. Raises ``FileRefused`` when the file may not be read or is too large.
        """
        name = name or path.name
        allowed = self._allowed(path)
        with self._checked(allowed, name) as opened:
            told(Sentence("Bringing {name} into the sandbox…", {"name": name}))
            stored = self._sandbox.put_file(name, allowed)
            if not _is_same(opened, allowed):
                self._sandbox.remove_file(stored)
                raise FileRefused("{name} changed while it was read. Open it again.", name=name)
        size = -(-opened.st_size // _MB)
        told(Sentence("Looking through all of {name} ({size} MB)…", {"name": name, "size": size}))
        try:
            profile = self._sandbox.profile(stored, self._sample_rows)
        except SandboxError:
            self._sandbox.remove_file(stored)
            raise
        profile = replace(profile, size=opened.st_size)
        self._opened(profile)
        return profile

    def _allowed(self, path: Path) -> Path:
        """The real path, if it lies in an allowed folder and no link leads there from below that folder."""
        places = [path] if path.is_absolute() else [start / path for start in (Path.cwd(), *self._folders)]
        for place in places:
            for folder in self._folders:
                inside = _below(folder, place)
                if inside is not None and os.path.lexists(inside):
                    return inside
        raise FileRefused(
            "{path} is not in a folder that may be read, or does not exist. Files may be read from: {folders}.",
            path=str(path)[:200],
            folders=", ".join(str(folder) for folder in self._folders) or "-",
        )

    @contextmanager
    def _checked(self, path: Path, name: str) -> Iterator[os.stat_result]:
        """The state of the file if it is a regular one within the limit; opening never follows a link and never waits.

        It stays open meanwhile, so that no other file can pass for it.
        """
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            descriptor = os.open(path, flags)
        except OSError as error:
            raise FileRefused(
                "{name} cannot be read ({reason}). Check that it is a file that you may read.",
                name=name,
                reason=os.strerror(error.errno or 0),
            ) from error
        try:
            state = os.fstat(descriptor)
            self._check(state, name)
            yield state
        finally:
            os.close(descriptor)

    def _check(self, state: os.stat_result, name: str) -> None:
        if not stat.S_ISREG(state.st_mode):
            raise FileRefused("{name} is not a regular file. Name a file with a table.", name=name)
        if state.st_size > self._most_bytes:
            raise FileRefused(
                "{name} has {size} MB, more than the limit of {limit} MB. "
                "Use a smaller file, or raise the limit in the settings.",
                name=name,
                size=-(-state.st_size // _MB),
                limit=self._most_bytes // _MB,
            )


def _below(folder: Path, place: Path) -> Path | None:
    """``place`` under the real ``folder``, or None if it is elsewhere, goes up, is hidden, or passes through a link.

    Hidden files hold keys and settings (``.env``), never a table that somebody asks about.
    """
    if ".." in place.parts or "\0" in str(place):
        return None
    for given in (place, place.parent.resolve() / place.name):
        if given.is_relative_to(folder):
            rest = given.relative_to(folder)
            if any(part.startswith(".") for part in rest.parts):
                return None
            steps = [folder.joinpath(*rest.parts[:count]) for count in range(1, len(rest.parts) + 1)]
            return None if any(step.is_symlink() for step in steps) else folder / rest
    return None


def _is_same(opened: os.stat_result, path: Path) -> bool:
    try:
        now = path.lstat()
    except FileNotFoundError:
        return False
    return (opened.st_dev, opened.st_ino) == (now.st_dev, now.st_ino)
