"""What a cell takes of processor and memory, as the kernel counts it and not as the code claims."""

import contextlib
import os
import re
from pathlib import Path
from resource import struct_rusage

from sandbox.inside.frames import Header

_GROUPS = Path("/sys/fs/cgroup")
_NUMBER = re.compile(rb"\d+")
_TICK = 1 / os.sysconf("SC_CLK_TCK")
_TIMES = slice(11, 15)
"""In ``/proc/PID/stat`` behind the name: the times of a process and of the children that it waited for."""
_PEAK = re.compile(rb"VmHWM:\s+(\d+) kB")
_RESET_PEAK = b"5"
_ROOM = 4096
_FILES = {"stat": os.O_RDONLY, "status": os.O_RDONLY, "clear_refs": os.O_WRONLY}


class Meter:
    """Counts for one worker at a time; what the kernel of this sandbox does not count is left out."""

    def __init__(self) -> None:
        self._group, self._group_unit = _group_counter()
        self._files = dict.fromkeys(_FILES, -1)
        self._before = 0.0
        self._ended: struct_rusage | None = None

    def watch(self, pid: int) -> None:
        """Count for this worker from now on. Its files stay open, for to open them takes longer than to read them."""
        for name, flags in _FILES.items():
            if self._files[name] >= 0:
                os.close(self._files[name])
            self._files[name] = _opened(f"/proc/{pid}/{name}", flags)

    def begin(self) -> None:
        """A cell begins."""
        self._ended = None
        with contextlib.suppress(OSError):
            os.write(self._files["clear_refs"], _RESET_PEAK)
        self._before = self._seconds()

    def end_worker(self, usage: struct_rusage) -> None:
        """The worker is gone, and the kernel has said what it took."""
        self._ended = usage

    def taken(self) -> Header:
        """``cpu_s`` of all the cell's processes, and ``peak_bytes``, the most that the worker itself held.

        The worker can set that peak back to what it holds at the moment, so code may hide one, but not make one up.
        """
        peak = self._ended.ru_maxrss if self._ended else self._worker_peak_kb()
        return {"cpu_s": round(self._seconds() - self._before, 6), "peak_bytes": peak << 10 if peak else None}

    def _worker_peak_kb(self) -> int:
        """Zero where no peak can be had for one cell alone."""
        if self._files["clear_refs"] < 0:
            return 0
        found = _PEAK.search(_read(self._files["status"]))
        return int(found[1]) if found else 0

    def _seconds(self) -> float:
        """Of the whole sandbox where that is counted; otherwise of the worker and of the processes it waited for."""
        if self._group >= 0:
            counted = _NUMBER.search(_read(self._group))
            return int(counted[0]) * self._group_unit if counted else 0.0
        if self._ended:
            return self._ended.ru_utime + self._ended.ru_stime
        return sum(map(int, _read(self._files["stat"]).rpartition(b")")[2].split()[_TIMES])) * _TICK


def _group_counter() -> tuple[int, float]:
    """The processor time of our control group and its unit in seconds, but not that of the whole machine's group."""
    if (_GROUPS / "cpu.max").exists():
        return _opened(f"{_GROUPS}/cpu.stat"), 1e-6
    if (_GROUPS / "cpuacct/release_agent").exists():
        return -1, 0.0
    return _opened(f"{_GROUPS}/cpuacct/cpuacct.usage"), 1e-9


def _opened(path: str, flags: int = os.O_RDONLY) -> int:
    """Minus one when there is no such file for us."""
    try:
        return os.open(path, flags)
    except OSError:
        return -1


def _read(file: int) -> bytes:
    """Nothing when the process has ended."""
    try:
        return os.pread(file, _ROOM, 0)
    except OSError:
        return b""
