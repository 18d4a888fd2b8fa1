"""The execution log: one line of JSON for each cell, without anything of the person's unless code is wanted in it."""

import functools
import json
import logging
import os
import stat
import sys
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, TextIO

from sandbox.observer import Execution, SandboxObserver
from sandbox.sandbox import SandboxError
from wording import Sentence

_LOGGER = logging.getLogger(__name__)

OFF, STDERR = "off", "stderr"
_FILE_BYTES, _OLD_FILES = 10_000_000, 5
_UNWRITABLE = "The execution log {path} cannot be written: {reason}. Name another file in EXECUTION_LOG, or empty it."


class ExecutionLog(SandboxObserver):
    """Writes through any handler of the standard library's logging."""

    def __init__(self, handler: logging.Handler, *, with_code: bool = False) -> None:
        self._handler = handler
        self._with_code = with_code

    def executed(self, execution: Execution) -> None:
        line = json.dumps(_fields(execution) | ({"code": execution.code} if self._with_code else {}))
        self._handler.handle(logging.makeLogRecord({"msg": line}))

    def close(self) -> None:
        self._handler.close()


def _fields(execution: Execution) -> dict[str, Any]:
    result, usage = execution.result, execution.result.usage
    return {
        "time": execution.began.isoformat(timespec="milliseconds"),
        "session": execution.session,
        "execution": execution.number,
        "kind": execution.kind,
        "isolation": execution.isolation,
        "duration_s": round(result.duration_s, 4),
        "cpu_s": usage.cpu_s,
        "peak_bytes": usage.peak_bytes,
        "bytes_in": usage.bytes_in,
        "bytes_out": usage.bytes_out,
        "outcome": execution.outcome,
        "state_lost": result.state_lost is not None,
        "limits_hit": usage.limits_hit,
    }


@functools.cache
def execution_log(destination: str, with_code: bool = False) -> ExecutionLog | None:
    """The process's log at ``off``, ``stderr`` or a path. Raises ``SandboxError`` when it cannot be written there."""
    if destination.lower() in ("", OFF):
        return None
    if destination.lower() == STDERR:
        return ExecutionLog(_StandardError(sys.stderr), with_code=with_code)
    path = Path(destination).expanduser()
    try:
        handler = _PrivateFile(path, maxBytes=_FILE_BYTES, backupCount=_OLD_FILES)
        if with_code and handler.stream:
            _close_to_others(handler.stream.fileno())
    except OSError as error:
        raise SandboxError(_UNWRITABLE, path=path, reason=error.strerror or error) from error
    return ExecutionLog(handler, with_code=with_code)


class _PrivateFile(RotatingFileHandler):
    """Nobody else on this machine may read it."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", opener=_opened_privately)

    def handleError(self, record: logging.LogRecord) -> None:
        _tell_once(self.baseFilename, _reason())


class _StandardError(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:
        _tell_once(STDERR, _reason())


@functools.cache
def _tell_once(path: str, reason: str) -> None:
    """What logging tells of a failure by itself holds the line that could not be written, and with it the code."""
    _LOGGER.warning("%s", Sentence(_UNWRITABLE, {"path": path, "reason": reason}))


def _reason() -> str:
    error = sys.exception()
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__


def _opened_privately(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _close_to_others(descriptor: int) -> None:
    """A file that was there before may be open to all; a device stays as it is."""
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.fchmod(descriptor, 0o600)
