"""The bubblewrap of this machine: which one it is, and whether it can be used here; starts no sandbox."""

import functools
import os
import re
import secrets
import shutil
import subprocess
import sys

from sandbox.bubblewrap_command import namespaces
from sandbox.sandbox import SandboxError

OLDEST = (0, 7)
"""The first that limits the size of a tmpfs."""
NOT_INSTALLED = (
    "bubblewrap is not installed. Install it with the system's package manager: sudo apt-get install bubblewrap"
)
_ONLY_LINUX = "bubblewrap works on Linux only. Use Docker here: https://docs.docker.com/get-docker/"
_TOO_OLD = "bubblewrap {version} is too old. Install 0.7 or newer, or use Docker."
_NO_NAMESPACES = (
    "bubblewrap may not make namespaces here ({reason}). Allow user namespaces for it in the system's settings (sysctl "
    "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), or use Docker."
)
_SECONDS_TO_TRY = 20
_KERNEL_THAT_COUNTS = (5, 14)
"""The first that counts a user's processes apart for each user namespace."""


@functools.cache
def bubblewrap_version() -> str:
    """Raises ``SandboxError`` in words when there is none that can be used here."""
    if sys.platform != "linux":
        raise SandboxError(_ONLY_LINUX)
    if shutil.which("bwrap") is None:
        raise SandboxError(NOT_INSTALLED)
    version = _run(["bwrap", "--version"]).stdout.strip().rpartition(" ")[2]
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers < OLDEST:
        raise SandboxError(_TOO_OLD, version=version)
    tried = _run(["bwrap", *namespaces(new_user()), "--ro-bind", "/", "/", "--proc", "/proc", "--", "true"])
    if tried.returncode != 0:
        raise SandboxError(_NO_NAMESPACES, reason=tried.stderr.strip().rpartition("\n")[2].removeprefix("bwrap: "))
    return version


def new_user() -> int:
    """A user number that nobody has, at odds of one in a billion; zero for who may not change their user."""
    return 200_000 + secrets.randbelow(1_000_000_000) if sys.platform == "linux" and os.geteuid() == 0 else 0


def counts_processes(user: int) -> bool:
    """Whether the kernel can count the processes of one sandbox of that user apart from all others."""
    release = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    return bool(user) or release >= _KERNEL_THAT_COUNTS


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS_TO_TRY)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(_NO_NAMESPACES, reason=str(error)) from error
