"""A control group: what all processes of one sandbox may use together; for where no engine makes one."""

import contextlib
import functools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sandbox.instance import is_alive
from sandbox.limits import Limits

ROOT = Path("/sys/fs/cgroup")
_PREFIX = "data-interpreter"
_ENTER = Path(__file__).with_name("enter_group.py")
_OF_SWAP = re.compile("swap|memsw")  # missing where the kernel does not count it
_PERIOD_US = 100_000
_SECONDS_TO_EMPTY = 2
_SECONDS_TO_ASK = 5


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """``entry`` goes before a command, which then runs in the group."""

    entry: tuple[str, ...]
    memory_events: str
    """The file that counts kills for want of memory."""
    folders: tuple[Path, ...] = ()

    def remove(self) -> None:
        """To be called when its processes have ended; what is still busy, the next sweep removes."""
        deadline = time.monotonic() + _SECONDS_TO_EMPTY
        for folder in self.folders:
            while not _removed(folder) and time.monotonic() < deadline:
                time.sleep(0.01)


def make_control_group(limits: Limits, instance: str, name: str) -> ControlGroup | None:
    """A new group for a sandbox of this process, as ``instance`` names it; None where none can be made."""
    unit = f"{_PREFIX}-{instance}-{name}"
    try:
        return _made_by_hand(limits, unit) or _made_by_systemd(limits, unit)
    except OSError:
        _remove_all(ROOT.glob(f"**/{unit}"))
        return None


def sweep_control_groups() -> bool:
    """Remove the groups of processes that are gone; False when one of them is still in use."""
    folders = (*ROOT.glob(f"{_PREFIX}-*"), *ROOT.glob(f"*/{_PREFIX}-*"))
    dead = [each for each in folders if not is_alive(each.name.removeprefix(f"{_PREFIX}-").partition("-")[0])]
    return all([_removed(folder) for folder in dead])


def _made_by_hand(limits: Limits, unit: str) -> ControlGroup | None:
    """Where the kernel lets us, as it lets root outside of containers."""
    quota = int(limits.cpus * _PERIOD_US)
    memory = limits.memory_mb << 20
    if (ROOT / "cgroup.controllers").exists():
        wanted = {
            "": {
                "memory.max": memory,
                "memory.swap.max": 0,
                "pids.max": limits.processes + 1,
                "cpu.max": f"{quota} {_PERIOD_US}",
            }
        }
        events = "memory.events"
    else:
        wanted = {
            "memory": {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory},
            "pids": {"pids.max": limits.processes + 1},
            "cpu": {"cpu.cfs_period_us": _PERIOD_US, "cpu.cfs_quota_us": quota},
        }
        events = "memory.oom_control"
    if not all(os.access(ROOT / controller / "cgroup.procs", os.W_OK) for controller in wanted):
        return None
    if "" in wanted:
        # Otherwise the new group would have no such files.
        (ROOT / "cgroup.subtree_control").write_text("+memory +pids +cpu")
    folders = tuple(ROOT / controller / unit for controller in wanted)
    for folder, values in zip(folders, wanted.values(), strict=True):
        folder.mkdir()
        for file, value in values.items():
            if (folder / file).exists() or not _OF_SWAP.search(file):
                (folder / file).write_text(str(value))
    return ControlGroup(entry_of(folders), str(folders[0] / events), folders)


def entry_of(folders: Iterable[Path]) -> tuple[str, ...]:
    """What goes before a command that is to run in these groups."""
    return (sys.executable, "-I", "-S", str(_ENTER), *(f"{folder}/cgroup.procs" for folder in folders), "--")


def _made_by_systemd(limits: Limits, unit: str) -> ControlGroup | None:
    """In the person's own session; the group goes with its last process."""
    if not (manager := _systemd_group()):
        return None
    properties = {
        "MemoryMax": f"{limits.memory_mb}M",
        "MemorySwapMax": "0",
        "TasksMax": str(limits.processes + 1),
        "CPUQuota": f"{limits.cpus * 100:g}%",
    }
    options = [f"--property={name}={value}" for name, value in properties.items()]
    scope = ("systemd-run", "--user", "--scope", "--quiet", "--collect", "--slice=app.slice", f"--unit={unit}.scope")
    return ControlGroup((*scope, *options, "--"), f"{ROOT}{manager}/app.slice/{unit}.scope/memory.events")


@functools.cache
def _systemd_group() -> str:
    """The group of the person's service manager; empty where there is none that may limit memory."""
    if not (ROOT / "cgroup.controllers").exists() or shutil.which("systemd-run") is None:
        return ""
    asked = ("systemctl", "--user", "show", "--property=ControlGroup", "--value")
    try:
        group = subprocess.run(asked, capture_output=True, text=True, timeout=_SECONDS_TO_ASK).stdout.strip()
        controllers = (ROOT / group.lstrip("/") / "cgroup.controllers").read_text().split()
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return group if group and {"memory", "pids"} <= set(controllers) else ""


def _remove_all(folders: Iterable[Path]) -> None:
    for folder in folders:
        _removed(folder)


def _removed(folder: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        try:
            folder.rmdir()
        except OSError:
            return False
    return True
