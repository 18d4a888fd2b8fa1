"""Every wall that bubblewrap puts up, as data in one place: namespaces, mounts, the program inside; starts nothing."""
# ruff: noqa: S108 - these paths lie in the sandbox

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sandbox.limits import ENVIRONMENT, Limits, process_limits
from sandbox.protocol import box_settings

INSIDE = Path(__file__).resolve().parent / "inside"
PYTHON = "/opt/venv/bin/python"
MEMORY_EVENTS = "/run/memory.events"
_SUPERVISOR = "/opt/sandbox/supervisor.py"
_OTHER_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_SYSTEM_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# All of /etc that programs need; the rest may hold what is nobody's business.
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/mime.types")
_OWN_FILES = ("passwd", "group", "hosts")
# What engines hide of the kernel's own.
_HIDDEN_FILES = ("kcore", "keys", "latency_stats", "timer_list", "sched_debug", "interrupts", "kallsyms")
_HIDDEN_FOLDERS = ("acpi", "scsi")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPaths:
    """What the sandbox sees of this machine, apart from the system's own programs, all of it read-only."""

    environment: Path
    """The virtual environment with the libraries."""
    python: Path
    """The folder of the Python that it was made with."""
    data: Path
    etc: Path
    font_lists: tuple[Path, ...] = ()
    memory_events: str = ""


def namespaces(user: int) -> list[str]:
    """The options that put the sandbox into namespaces of its own.

    ``user`` is zero for who may not change their user: then bubblewrap makes the user namespace. Otherwise it is
    root's to start it and process 1 changes to that user, in a user namespace that it makes.
    """
    if user:
        rights = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
        given = [option for right in rights for option in ("--cap-add", right)]
        return [*_OTHER_NAMESPACES, "--cap-drop", "ALL", *given]
    return ["--unshare-user", *_OTHER_NAMESPACES, "--uid", "10001", "--gid", "10001", "--cap-drop", "ALL"]


def bubblewrap_command(limits: Limits, paths: HostPaths, *, user: int, count_processes: bool) -> list[str]:
    """The whole command line. ``count_processes`` as in ``process_limits``."""
    confinement = {"user": user, "limits": process_limits(limits, count_processes=count_processes)}
    settings = box_settings(limits, memory_events=MEMORY_EVENTS if paths.memory_events else "")
    return [
        "bwrap",
        *namespaces(user),
        *("--hostname", "sandbox", "--new-session", "--die-with-parent", "--as-pid-1"),
        *_system(),
        *_analysis(paths),
        *_kernel(),
        *_own(limits, paths),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/outputs", "--clearenv"),
        *(option for name, value in ENVIRONMENT.items() for option in ("--setenv", name, value)),
        *("--", PYTHON, "-I", "-B", _SUPERVISOR, "confined", json.dumps(confinement), settings),
    ]


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for folder in (Path("/", name) for name in _SYSTEM_FOLDERS):
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))
    yield from _folder("/etc")
    for file in _SYSTEM_FILES:
        yield from ("--ro-bind-try", file, file)


def _analysis(paths: HostPaths) -> Iterator[str]:
    if not paths.python.is_relative_to("/usr"):
        # It finds its library by its own path.
        for parent in reversed(paths.python.parents[:-1]):
            yield from _folder(str(parent))
        yield from ("--ro-bind", str(paths.python), str(paths.python))
    yield from _folder("/opt")
    yield from ("--ro-bind", str(paths.environment), "/opt/venv")
    yield from ("--ro-bind", str(INSIDE), "/opt/sandbox")


def _kernel() -> Iterator[str]:
    yield from ("--proc", "/proc")
    for path in (Path("/proc", name) for name in _HIDDEN_FILES):
        if path.exists():
            yield from ("--ro-bind", "/dev/null", str(path))
    for path in (Path("/proc", name) for name in _HIDDEN_FOLDERS):
        if path.exists():
            yield from ("--size", "4096", "--tmpfs", str(path), "--remount-ro", str(path))
    yield from ("--dev", "/dev")


def _own(limits: Limits, paths: HostPaths) -> Iterator[str]:
    """What belongs to this sandbox: what it may write to, and what it was given."""
    for path, megabytes in (
        ("/tmp", limits.tmp_mb),
        ("/outputs", limits.outputs_mb),
        ("/dev/shm", limits.shm_mb),
    ):
        yield from ("--size", str(megabytes << 20), "--perms", "1777", "--tmpfs", path)
    yield from ("--perms", "1777", "--dir", "/tmp/mpl")
    for file in paths.font_lists:
        yield from ("--ro-bind", str(file), f"/tmp/mpl/{file.name}")
    yield from ("--ro-bind", str(paths.data), "/data")
    for name in _OWN_FILES:
        yield from ("--ro-bind", str(paths.etc / name), f"/etc/{name}")
    if paths.memory_events:
        yield from _folder("/run")
        yield from ("--ro-bind", paths.memory_events, MEMORY_EVENTS)
    yield from (*_folder("/mnt"), "--symlink", "/outputs", "/mnt/data")


def _folder(path: str) -> tuple[str, ...]:
    return ("--perms", "0755", "--dir", path)
