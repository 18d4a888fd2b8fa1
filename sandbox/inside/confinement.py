"""What an engine would do for a container and bubblewrap leaves to us: user, rights, limits and filter of process 1."""

import ctypes
import os
from typing import Any

from sandbox.inside.processes import limit_processes, set_dumpable
from sandbox.inside.seccomp import forbid_dangerous_calls

USER = 10_001
"""The user that code sees itself as, as in the image."""
_CLONE_NEWUSER = 0x10000000
_PR_CAPBSET_READ, _PR_CAPBSET_DROP = 23, 24
_libc = ctypes.CDLL(None, use_errno=True)


def confine(settings: dict[str, Any]) -> None:
    """Give up all that code must not have; the program that is executed next, and all it starts, are without it.

    ``user`` is a number that no one else has on this machine, zero to stay who we are; ``limits`` has the kernel's
    limits by their names in the module ``resource``. Raises ``OSError`` when anything is refused.
    """
    if user := int(settings["user"]):
        _become(user)
    _drop_bounding_set()
    limit_processes(settings["limits"])
    forbid_dangerous_calls()


def _become(user: int) -> None:
    """That user, in a user namespace in which nobody else exists."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _call(_libc.unshare(_CLONE_NEWUSER))
    set_dumpable(True)  # else the files below belong to root
    for name, text in (("setgroups", "deny"), ("gid_map", f"{USER} {user} 1"), ("uid_map", f"{USER} {user} 1")):
        file = os.open(f"/proc/self/{name}", os.O_WRONLY)
        os.write(file, text.encode())
        os.close(file)


def _drop_bounding_set() -> None:
    """The rights themselves go with the execution of the next program, which no longer runs as root."""
    capability = 0
    while (held := _libc.prctl(_PR_CAPBSET_READ, capability, 0, 0, 0)) >= 0:
        if held:
            _call(_libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0))
        capability += 1


def _call(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
