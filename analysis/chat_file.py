"""The file of a kept chat: whether a browser began it, its lines, and the same in fewer lines; locks nothing."""

import hmac
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from analysis.chat_lines import VERSION, ChatBegun, Line, line_of, value_of

_LOGGER = logging.getLogger(__name__)


def is_begun_by(browser: str, path: Path) -> bool:
    """False also where there is no file that can be read."""
    try:
        with path.open("rb") as file:
            first = value_of(file.readline())
    except (OSError, ValueError):
        return False
    return isinstance(first, ChatBegun) and hmac.compare_digest(first.browser.encode(), browser.encode())


def whole_lines(path: Path) -> Iterator[Line]:
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


def rewrite(path: Path, lines: Iterable[Line]) -> None:
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
