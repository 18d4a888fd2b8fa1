"""The processes of the sandbox: who descends from whom, how to end them, how many the kernel killed; Linux only."""

import contextlib
import ctypes
import os
import posix
import re
import resource
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from resource import struct_rusage

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
# posix is what lies beneath os; what the worker needs is taken from there, as code may replace functions of os.
_libc = ctypes.CDLL(None, use_errno=True)
_MADV_DONTNEED = 4
_FILE_MAPPING = re.compile(
    r"^(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) r-.p \S+ \S+ [1-9]\d* .*\n"
    r"(?:\S+: +\d+ kB\n)*?Anonymous: +(?P<changed>\d+) kB",
    re.MULTILINE,
)
FEW_CHILDREN = 8
_MEMORY_EVENTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")


def set_dumpable(dumpable: bool) -> None:
    """When not dumpable, no process of the same user can open our files, memory or environment through /proc."""
    _prctl(_PR_SET_DUMPABLE, int(dumpable))


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, as process 1 is anyway."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def die_with(parent: int) -> None:
    """End when the process ``parent`` ends, which has adopted us or is about to. Raises ``OSError`` when it is gone."""
    while os.getppid() != parent:
        os.kill(parent, 0)
        os.sched_yield()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_processes(limits: Mapping[str, int]) -> None:
    """For this process and all that it starts, by the limits' names in the module ``resource``."""
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def die_first() -> None:
    """Be the kernel's first choice when memory runs out; the process has to be dumpable."""
    Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def unmap_clean_pages() -> None:
    """Give back the pages of libraries that only mirror a file; what is needed again is read from the file's cache.

    A process that starts many others and rests in between would hold them for nothing: they are not inherited.
    """
    try:
        mappings = Path("/proc/self/smaps").read_text("utf-8", "surrogateescape")
    except OSError:
        # Some kernels keep no such account; it saves memory, no more.
        return
    for mapping in _FILE_MAPPING.finditer(mappings):
        start, end = (int(address, 16) for address in mapping.group("start", "end"))
        if mapping["changed"] == "0":
            _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_DONTNEED)


def descendants(root: int, spared: Collection[int] = ()) -> set[int]:
    """All processes below ``root``, without those in ``spared`` and what is below them."""
    found: set[int] = set()
    waiting = [root]
    while waiting:
        new = [pid for pid in _children(waiting.pop()) if pid not in spared and pid not in found]
        found.update(new)
        waiting += new
    return found


def _children(pid: int) -> list[int]:
    try:
        threads = posix.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    found: list[int] = []
    for thread in threads:
        try:
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
        except OSError:
            if not Path("/proc/self/task", str(os.getpid()), "children").exists():
                return list(_children_by_search(pid))
    return found


def _children_by_search(parent: int) -> Iterator[int]:
    """For kernels that keep no list of children."""
    for entry in os.listdir("/proc"):  # noqa: PTH208 - as above
        if entry.isdigit():
            state_and_parent = _status(int(entry))
            if state_and_parent and state_and_parent[1] == parent:
                yield int(entry)


def _status(pid: int) -> tuple[str, int] | None:
    """State letter and parent of a process, None when it is gone."""
    try:
        state, parent = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return state.decode(), int(parent)


def _read(path: str) -> bytes:
    file = posix.open(path, posix.O_RDONLY)
    try:
        return posix.read(file, 1 << 16)
    finally:
        posix.close(file)


def stop_processes(find: Callable[[], set[int]]) -> set[int]:
    """Halt what ``find`` finds, until it finds nothing more that runs; gives what is halted."""
    halted: set[int] = set()
    for _ in range(200):
        new = {pid for pid in find() - halted if _is_alive(pid)}
        if not new:
            break
        for pid in new:
            send_signal(pid, signal.SIGSTOP)
        halted |= new
    return halted


def end_processes(find: Callable[[], set[int]]) -> None:
    """Kill what ``find`` finds, until it finds nothing that lives.

    They are halted first: what is killed while others fork would be replaced at once.
    """
    for _ in range(200):
        halted = stop_processes(find)
        if not halted:
            return
        for pid in halted:
            send_signal(pid, signal.SIGKILL)
        time.sleep(0.001)


def _is_alive(pid: int) -> bool:
    status = _status(pid)
    return status is not None and status[0] not in "ZX"


def send_signal(pid: int, number: int) -> None:
    """A signal to one process; that it is gone already is no error."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def send_group_signal(group: int, number: int) -> None:
    """A signal to all processes of a group, as a terminal sends it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def ended_children() -> Iterator[tuple[int, int, struct_rusage]]:
    """Process id, wait status and what it took of every child that ended; they are gone with this."""
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        yield pid, status, usage


def reap_many() -> None:
    """Take note of ended children when there are many: until then each counts as a process, and there is a limit.

    A few are left to the code that started them and may still ask how they ended.
    """
    if _has_ended_children() and len(children := _children(posix.getpid())) > FEW_CHILDREN:
        for pid in children:
            with contextlib.suppress(ChildProcessError):
                posix.waitpid(pid, posix.WNOHANG)


def _has_ended_children() -> bool:
    try:
        return posix.waitid(posix.P_ALL, 0, posix.WEXITED | posix.WNOHANG | posix.WNOWAIT) is not None
    except ChildProcessError:
        return False


class MemoryKills:
    """Tells whether the kernel killed a process for want of memory since the last time of asking."""

    def __init__(self, path: str) -> None:
        paths = [path] if path else _MEMORY_EVENTS
        found = next((each for each in paths if os.access(each, os.R_OK)), None)
        # Held open: it is asked after every cell.
        self._file = None if found is None else os.open(found, os.O_RDONLY)
        self._seen = self._count()

    def happened(self) -> bool:
        before, self._seen = self._seen, self._count()
        return self._seen > before

    def _count(self) -> int:
        if self._file is None:
            return 0
        try:
            lines = os.pread(self._file, 1 << 16, 0).decode("ascii").splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
        except (OSError, ValueError, IndexError):
            return 0
