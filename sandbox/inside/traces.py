"""Tracebacks in few lines: the user's own code and the exception, without the inside of libraries."""

import errno
import os
import traceback
from collections.abc import Sequence

MAX_CHARS = 8000
CELL_PREFIX = "<cell "
_LIBRARY = "site-packages/"


def cell_name(number: int) -> str:
    """The file name under which a cell's code is known to Python."""
    return f"{CELL_PREFIX}{number}>"


def short_trace(error: BaseException, own_folders: Sequence[str]) -> str:
    """The traceback of an error. Code is the user's own when it is in a cell or in a file in ``own_folders``."""
    try:
        story = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
        has_own_code = _shorten(story, (CELL_PREFIX, *own_folders))
        text = "".join(story.format() if has_own_code else story.format_exception_only()).strip()
    except Exception:  # noqa: BLE001 - exceptions may be of the user's classes, with code of their own
        text = f"{type(error).__name__}: this error cannot be shown"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        text += "".join(map(_space_hint, own_folders))
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS // 2]}\n[…]\n{text[-MAX_CHARS // 2 :]}"
    return text


def _shorten(story: traceback.TracebackException, own: tuple[str, ...]) -> bool:
    """Keep the frames of the user's own code, and where in a library it ended. False when there are none."""
    frames = [frame for frame in story.stack if frame.filename.startswith(own) and _LIBRARY not in frame.filename]
    found = bool(frames)
    last = story.stack[-1] if story.stack else None
    if last is not None and found and last is not frames[-1]:
        place = last.filename.rpartition(_LIBRARY)[2].rpartition("/lib/")[2]
        frames.append(traceback.FrameSummary(place, last.lineno, last.name, lookup_line=False, line=""))
    story.stack = traceback.StackSummary.from_list(frames)
    for before in ("__cause__", "__context__"):
        told = getattr(story, before)
        if told is not None and not _shorten(told, own):
            setattr(story, before, None)
    for each in story.exceptions or ():
        _shorten(each, own)
    return found


def _space_hint(folder: str) -> str:
    space = os.statvfs(folder)
    size, free = (blocks * space.f_frsize // 1_000_000 for blocks in (space.f_blocks, space.f_bavail))
    return f"\n{folder} holds {size} MB, {free} MB of it free. Delete files there that are not needed."
