"""Turns what the docker library, its HTTP client and sockets raise into sentences with a remedy; catches no bug."""

import http.client
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import requests
import urllib3
from docker.errors import APIError, DockerException

from sandbox.sandbox import SandboxError

NOT_RUNNING = (
    "Docker is not running. Start Docker Desktop, or on Linux run: sudo systemctl start docker. "
    "If it is missing, install it from https://docs.docker.com/get-docker/"
)
NO_PERMISSION = (
    "You may not use Docker's socket. Join its group, then log out and in again: sudo usermod -aG docker $USER"
)
SILENT = "Docker does not answer. Restart it, then try again."
BROKEN_OFF = "Docker broke off the connection, as it does when it restarts. Try again in a moment."
ENGINE_TOO_OLD = "This Docker engine is too old. Install Docker 20.10 or newer."
LIBRARY_TOO_OLD = (
    "This Docker engine is too new for the installed docker package. "
    "Install the package as listed: pip install -r requirements.txt"
)
IMAGE_MISSING = "The sandbox image is not built. Run: python -m sandbox build"
DISK_FULL = "Docker's disk is full. Free some space, see what takes it with: docker system df"
NO_RUNTIME = (
    "Docker does not know the container runtime in SANDBOX_RUNTIME ({reason}). "
    "Install it, or leave SANDBOX_RUNTIME empty for Docker's own."
)
TOO_MANY_CPUS = "The engine has fewer processor cores than SANDBOX_CPUS ({reason}). Lower SANDBOX_CPUS."
OTHER = "Docker reports: {reason}. To find what is wrong, run: python -m sandbox doctor"

_PIPE_ERRORS: tuple[type[Exception], ...] = ()
if sys.platform == "win32":  # where the engine listens on a pipe
    import pywintypes

    _PIPE_ERRORS = (pywintypes.error,)
STREAM_ERRORS: tuple[type[Exception], ...] = (OSError, RuntimeError, *_PIPE_ERRORS)
"""What an attached stream raises once it is broken or closed."""
_ENGINE_ERRORS: tuple[type[Exception], ...] = (
    DockerException,
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    OSError,
    *_PIPE_ERRORS,
)
_BY_CAUSE: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((PermissionError,), NO_PERMISSION),
    ((requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError), SILENT),
    ((FileNotFoundError, ConnectionRefusedError), NOT_RUNNING),
    ((ConnectionResetError, BrokenPipeError, http.client.IncompleteRead), BROKEN_OFF),
)
_BY_WORDS = (
    ("permission denied while trying to connect", NO_PERMISSION),
    ("the system cannot find the file specified", NOT_RUNNING),
    ("maximum supported api version", ENGINE_TOO_OLD),
    ("no longer supported by this library", ENGINE_TOO_OLD),
    ("minimum supported api version", LIBRARY_TOO_OLD),
    ("no such image", IMAGE_MISSING),
    ("no space left on device", DISK_FULL),
    ("unknown runtime", NO_RUNTIME),
    ("invalid runtime name", NO_RUNTIME),
    ("range of cpus is from", TOO_MANY_CPUS),
)


@contextmanager
def docker_errors_told() -> Iterator[None]:
    """Raise ``SandboxError`` for every failure of the engine, of the connection to it, and of its disk.

    Keep reading of the host's own files out of the block: a missing one would be told as a missing engine.
    """
    try:
        yield
    except _ENGINE_ERRORS as error:
        raise _told(error) from error


def _told(error: BaseException) -> SandboxError:
    causes = tuple(_causes(error))
    reason = error.explanation if isinstance(error, APIError) and error.explanation else error
    reason = str(reason).strip().rstrip(".")[:500]
    for kinds, template in _BY_CAUSE:
        if any(isinstance(cause, kinds) for cause in causes):
            return SandboxError(template)
    words = " ".join(str(cause) for cause in causes)
    return SandboxError(known_trouble(words) or OTHER, reason=reason)


def known_trouble(words: str) -> str | None:
    """The template for what the engine says in these words; None when they are not known."""
    return next((template for phrase, template in _BY_WORDS if phrase in words.lower()), None)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what lies behind it; requests and urllib3 also keep causes in ``reason`` and ``args``."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        behind = (one.__cause__, one.__context__, getattr(one, "reason", None), *one.args)
        waiting += [each for each in behind if isinstance(each, BaseException)]
