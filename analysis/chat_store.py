"""Chats kept on disk, a private folder for each, so that they are still there when the app was ended; no other user
can read them, and only the browser that began one is handed it."""

import hashlib
import hmac
import logging
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from analysis.chat_lines import VERSION, ChatBegun, Line, line_of, value_of
from analysis.chat_state import ChatState, state_of
from analysis.compact_lines import TextJoiner, compacted, ends_sentence
from analysis.record import Entry, ends_run
from sandbox.locks import FileLock, state_folder
from wording import ToldError

_LOGGER = logging.getLogger(__name__)
_NAME = re.compile(r"[0-9a-f]{32}")
_LINES, _FILES, _LOCK = "chat.jsonl", "files", "lock"
_GONE = ".gone"
"""Ends the name of a folder that is being removed."""
_DAY = 86_400


def chats_folder() -> Path:
    """Where chats are kept unless a setting says otherwise."""
    return state_folder() / "chats"


class KeptChat:
    """The folder of one chat; no other process can open it meanwhile. Any thread may call any method."""

    def __init__(self, folder: Path, browser: str, lock: FileLock, state: ChatState) -> None:
        """The lock is held already."""
        self.folder = folder
        self.state = state
        """As it was when the chat was opened."""
        self._browser = browser
        self._is_empty = not (state.entries or state.dictionary or state.choice)
        self._file_lock = lock
        self._lock = threading.Lock()
        self._joiner = TextJoiner()
        self._file: BinaryIO | None = None

    @property
    def files(self) -> "KeptFiles":
        return KeptFiles(self.folder / _FILES)

    def begin(self) -> None:
        """Write the first line. Raises ``OSError``."""
        (self.folder / _FILES).mkdir(mode=0o700, exist_ok=True)
        (self.folder / _LINES).touch(0o600)
        self.go_on()
        self.write(ChatBegun(VERSION, self._browser))

    def begin_anew(self) -> None:
        """Forget what was kept; the copies of files are removed by who made them."""
        with self._lock:
            self._joiner.rest()
            self._close_file()
        self.state = ChatState()
        try:
            (self.folder / _LINES).unlink(missing_ok=True)
            self.begin()
        except OSError as error:
            _LOGGER.warning("A chat is not kept, since it cannot be written: %s", error)

    def go_on(self) -> None:
        """Write after what is there. Raises ``OSError``."""
        with self._lock:
            self._file = (self.folder / _LINES).open("ab")

    def write(self, line: Line) -> None:
        """It is safe from the end of the process at once, and from that of the machine with the end of each answer.

        Of a text the last sentence waits for its end. What cannot be written costs nobody their answer: the chat goes
        on and the rest of it is not kept.
        """
        with self._lock:
            if self._file is None:
                return
            self._is_empty = isinstance(line, ChatBegun)
            self._put(self._joiner.add(line))
            if ends_sentence(line):
                self._put(self._joiner.rest())

    def close(self) -> None:
        """Leave the chat on disk, to be opened again, unless nothing was kept; it can be called twice."""
        with self._lock:
            self._put(self._joiner.rest())
            self._close_file()
            if self._is_empty:
                _discard(self.folder, self._file_lock)
                self._is_empty = False
            self._file_lock.release()

    def _put(self, lines: Iterable[Line]) -> None:
        for line in lines:
            if self._file is None:
                return
            try:
                self._file.write(line_of(line))
                self._file.flush()
                if _ends_run(line):
                    os.fsync(self._file.fileno())
            except (OSError, ValueError) as error:
                _LOGGER.warning("A chat is not kept any further, since it cannot be written: %s", error)
                self._close_file()

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file:
            try:
                file.close()
            except OSError as error:  # The last bytes that the buffer holds do not fit on the disk.
                _LOGGER.warning("The end of a chat was not kept: %s", error)


class KeptFiles:
    """The copies of a kept chat's files; they stay when it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def close(self) -> None:
        pass


class ChatStore:
    """All kept chats; each stays for ``days`` after its last change, and with 0 none is kept."""

    def __init__(
        self, folder: Path, days: float, now: Callable[[], float] = time.time, most_bytes: int = 5_000_000_000
    ) -> None:
        """``most_bytes`` is what all of them may take together; the hourly clearing sees to that."""
        self._folder = folder
        self._days = days
        self._most_bytes = most_bytes
        self._now = now

    def begin(self, name: str, browser: str) -> KeptChat | None:
        """A place for a new chat; None where none can be kept."""
        if not self._days:
            return None
        folder = self._folder_of(name)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700)
            lock = FileLock(folder / _LOCK)
            with ExitStack() as undone_if_it_fails:
                undone_if_it_fails.callback(_discard, folder, lock)
                lock.acquire()
                chat = KeptChat(folder, browser, lock, ChatState())
                chat.begin()
                undone_if_it_fails.pop_all()
        except OSError as error:
            _LOGGER.warning("Chats are not kept, since %s cannot be written: %s", self._folder, error)
            return None
        return chat

    def open(self, name: str, browser: str) -> KeptChat | None:
        """The chat of that name if this browser began it; it is open here from now on.

        Raises ``ToldError`` when it cannot be read or is open elsewhere.
        """
        folder = self._folder_of(name)
        if not self._days or not _is_begun_by(browser, folder / _LINES):
            return None
        lock = FileLock(folder / _LOCK)
        try:
            if not lock.acquire():
                raise ToldError(
                    "The earlier chat of this page is open in another running app. Close that one, then open the "
                    "address of the chat again."
                )
            with ExitStack() as undone_if_it_fails:
                undone_if_it_fails.callback(lock.release)
                chat = _opened(folder, browser, lock)
                undone_if_it_fails.pop_all()
        except FileNotFoundError:  # It was removed at this moment.
            return None
        except (OSError, ValueError) as error:
            _LOGGER.warning("A kept chat cannot be read: %s", type(error).__name__)
            raise ToldError(
                "The earlier chat of this page cannot be read: another version of the app kept it, or its file is "
                "damaged. Add your files again to go on."
            ) from error
        return chat

    def forget_old(self) -> None:
        """Remove what nobody has used for so many days, and what was unused for longest where all are too large
        together; what is open anywhere stays."""
        room = self._most_bytes
        for used, size, folder in sorted(self._all(), reverse=True):
            room -= size
            if room < 0 or self._now() - used > self._days * _DAY:
                self._forget(folder, used)

    def _all(self) -> Iterator[tuple[float, int, Path]]:
        """When each chat was used last, its bytes, and its folder."""
        for folder in self._folder.glob("*"):
            if folder.suffix == _GONE:
                _remove(folder)
            elif _NAME.fullmatch(folder.name):
                # Another process may remove it meanwhile.
                with suppress(OSError):
                    yield _last_use(folder), sum(path.stat().st_size for path in folder.rglob("*")), folder

    def _forget(self, folder: Path, used: float) -> None:
        lock = FileLock(folder / _LOCK)
        try:
            if not lock.acquire():
                return
            if _last_use(folder) == used:
                _discard(folder, lock)
        except OSError as error:
            _LOGGER.warning("An old chat cannot be removed: %s", error)
        finally:
            lock.release()

    def _folder_of(self, name: str) -> Path:
        """The name comes from an address, so it is no part of the path, and the folder does not give it away."""
        return self._folder / hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32]


def _is_begun_by(browser: str, path: Path) -> bool:
    try:
        with path.open("rb") as file:
            first = value_of(file.readline())
    except (OSError, ValueError):
        return False
    return isinstance(first, ChatBegun) and hmac.compare_digest(first.browser.encode(), browser.encode())


def _opened(folder: Path, browser: str, lock: FileLock) -> KeptChat:
    """Raises ``OSError`` and ``ValueError``."""
    lines = list(_whole_lines(folder / _LINES))
    compact = compacted(lines)
    if compact != lines:
        _rewrite(folder / _LINES, compact)
    chat = KeptChat(folder, browser, lock, state_of(compact))
    os.utime(folder / _LINES)
    chat.go_on()
    return chat


def _discard(folder: Path, lock: FileLock) -> None:
    """Remove a chat whose lock is held. It has another name before that is free, so that nobody opens it meanwhile."""
    with suppress(OSError):  # Windows renames no folder in which a file is open.
        folder = folder.rename(folder.with_suffix(_GONE))
    lock.release()
    _remove(folder)


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except OSError as error:
        _LOGGER.warning("An old chat cannot be removed: %s", error)


def _last_use(folder: Path) -> float:
    lines = folder / _LINES
    return (lines if lines.exists() else folder).stat().st_mtime


def _whole_lines(path: Path) -> Iterator[Line]:
    """Every line; the last one is cut off when the process ended within it. Raises ``OSError`` and ``ValueError``."""
    whole = 0
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            value = value_of(line)
            if isinstance(value, ChatBegun) and value.version != VERSION:
                raise ValueError("another version")
            yield value
    os.truncate(path, whole)


def _rewrite(path: Path, lines: Iterable[Line]) -> None:
    """Whatever happens meanwhile, the file is the old one or the new one whole."""
    new = path.with_suffix(".new")
    try:
        new.touch(0o600)
        with new.open("wb") as file:
            file.writelines(line_of(line) for line in lines)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        _LOGGER.warning("A kept chat stays as long as it was, since it cannot be written anew: %s", error)
        new.unlink(missing_ok=True)


def _ends_run(line: Line) -> bool:
    return isinstance(line, Entry) and ends_run(line)
