"""Everything the sandbox may use and every flag that locks it down, as data in one place; talks to no engine."""
# ruff: noqa: S108 - these paths lie in the container

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from wording import ToldError

_MB = 1 << 20
# Nothing of the host's. The main process hands the code that it runs a longer list, also fixed.
ENVIRONMENT = {
    "PATH": "/opt/venv/bin:/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp/home",
    "LANG": "C.UTF-8",
    "MPLCONFIGDIR": "/tmp/mpl",
}
"""Of the sandbox's main process."""
# What libraries reserve without ever using it: stacks of threads and arenas of allocators.
_RESERVED_MB = 1024
_STREAMS = {
    "AttachStdin": True,
    "AttachStdout": True,
    "AttachStderr": True,
    "OpenStdin": True,
    # Input ends when the app does, however it ends, and the container's main process goes with it.
    "StdinOnce": True,
    "Tty": False,
}
_LEAVES_NOTHING = {"AutoRemove": True, "RestartPolicy": {"Name": "no"}, "LogConfig": {"Type": "none"}, "Init": False}
# What gVisor's own kernel uses in a container, beside the code, and the threads of the host for one of the code.
_GVISOR_MB = 512
_GVISOR_THREADS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one session may use. Each field is a setting ``SANDBOX_<NAME>`` and a row in the README."""

    seconds: float = 60
    """Time for one cell; then it is interrupted, and killed ``grace_seconds`` later."""
    grace_seconds: float = 1.5
    """Also after a stop by the person, who has the page back within two seconds."""
    memory_mb: int = 2048
    """Memory of the container, tmpfs included; there is no swap."""
    cpus: float = 1
    processes: int = 128
    """Processes and threads together. 64 is too few once joblib, polars and duckdb are used side by side."""
    open_files: int = 1024
    tmp_mb: int = 128
    outputs_mb: int = 128
    shm_mb: int = 64
    file_size_mb: int = 256
    """The largest file code may write; not below the largest of the three above."""
    output_chars: int = 100_000
    """Printed text kept of one cell; the head and the tail stay."""
    tables: int = 10
    table_rows: int = 5_000
    table_bytes: int = 4_000_000
    charts: int = 10
    chart_bytes: int = 8_000_000
    chart_pixels: int = 4_000
    """The longest side of a chart that is shown."""
    files: int = 20
    file_bytes: int = 50_000_000
    total_bytes: int = 120_000_000
    """Everything one cell may hand back."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not (math.isfinite(value) and value > 0):
                raise _not_a_number(each.name, value)
        # A full tmpfs cannot be reclaimed: past half of the memory it would starve the processes that could empty it.
        in_memory = self.tmp_mb + self.outputs_mb + self.shm_mb
        if in_memory * 2 > self.memory_mb:
            raise ToldError(
                "SANDBOX_TMP_MB, SANDBOX_OUTPUTS_MB and SANDBOX_SHM_MB together are {sum} MB, more than half of "
                "SANDBOX_MEMORY_MB ({memory}). Make them smaller, or give the sandbox more memory.",
                sum=in_memory,
                memory=self.memory_mb,
            )
        largest = max(self.tmp_mb, self.outputs_mb, self.shm_mb)
        if self.file_size_mb < largest:
            raise ToldError(
                "SANDBOX_FILE_SIZE_MB is {size}, less than the largest folder that a file can lie in. "
                "Set it to {largest} or more.",
                size=self.file_size_mb,
                largest=largest,
            )


def limits_from_environment(environment: Mapping[str, str]) -> Limits:
    """The limits with what ``SANDBOX_<NAME>`` variables say; an empty one means the default.

    Raises ``ToldError`` for a value that is no number above zero, or when the values contradict each other.
    """
    given: dict[str, Any] = {}
    for each in fields(Limits):
        text = environment.get(f"SANDBOX_{each.name.upper()}", "").strip()
        if text:
            given[each.name] = _number(each.name, text, whole=each.type is int)
    return Limits(**given)


def _number(name: str, text: str, *, whole: bool) -> float:
    try:
        return int(text) if whole else float(text)
    except ValueError:
        raise _not_a_number(name, text) from None


def _not_a_number(name: str, value: object) -> ToldError:
    default = next(each.default for each in fields(Limits) if each.name == name)
    return ToldError(
        "SANDBOX_{name} is {value}. Give a number above zero, for example {default}.",
        name=name.upper(),
        value=value,
        default=default,
    )


def container_options(
    limits: Limits,
    *,
    image: str,
    user: int,
    labels: Mapping[str, str],
    runtime: str = "",
    podman: bool = False,
    together: bool = True,
) -> dict[str, Any]:
    """The body of the engine's "create a container" call, API 1.41 and newer.

    ``podman`` is for an engine that cannot count the files of a tmpfs or give it to a user, and that would set a limit
    of processes of its own. ``together`` is false for one that cannot limit all processes of a container together, and
    may drop the limits of each as well: then the main process sets those itself.

    ``user`` is a number that no other container uses at the time: the kernel counts inotify watches, pipe buffers and
    message queues per user across containers. For the same reason there is no ``nproc`` limit.
    """
    more_settings = {} if together else {"process_limits": process_limits(limits, count_processes=True)}
    return {
        "Image": image,
        "Cmd": [json.dumps({"limits": asdict(limits), **more_settings})],
        "User": f"{user}:{user}",
        "Hostname": "sandbox",
        "WorkingDir": "/outputs",
        "Env": [f"{name}={value}" for name, value in ENVIRONMENT.items()],
        "Labels": dict(labels),
        **_STREAMS,
        "StopSignal": "SIGKILL",
        "Healthcheck": {"Test": ["NONE"]},
        "HostConfig": {
            **_isolation(runtime),
            **_resources(limits, is_gvisor=is_gvisor(runtime), podman=podman),
            "Tmpfs": _folders(limits, user, podman=podman),
            "Mounts": [_volume(labels)],
            **_LEAVES_NOTHING,
        },
    }


def _isolation(runtime: str) -> dict[str, Any]:
    # Docker's own seccomp and AppArmor profiles stay in force because nothing here replaces them.
    chosen = {"Runtime": runtime} if runtime else {}
    return chosen | {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "Privileged": False,
        "SecurityOpt": ["no-new-privileges:true"],
        "ReadonlyRootfs": True,
        "IpcMode": "private",
        "CgroupnsMode": "private",
    }


def is_gvisor(runtime: str) -> bool:
    """Whether containers of that runtime have gVisor's kernel, which runs in the container and uses its share."""
    return runtime.startswith("runsc")


def _resources(limits: Limits, *, is_gvisor: bool, podman: bool) -> dict[str, Any]:
    memory = (limits.memory_mb + (_GVISOR_MB if is_gvisor else 0)) * _MB
    # gVisor does not tell who used up the container's memory but ends it; so each process has a limit before that.
    more_limits = {"as": (limits.memory_mb + 2 * _RESERVED_MB) * _MB} if is_gvisor else {}
    if podman:
        more_limits["nproc"] = limits.processes * _GVISOR_THREADS
    return {
        "Memory": memory,
        "MemorySwap": memory,
        "NanoCpus": int(limits.cpus * 1_000_000_000),
        "CpuShares": 256,
        "PidsLimit": limits.processes * (_GVISOR_THREADS if is_gvisor else 1),
        "ShmSize": limits.shm_mb * _MB,
        "OomScoreAdj": 500,
        "Ulimits": [
            {"Name": name, "Soft": value, "Hard": value} for name, value in (_file_limits(limits) | more_limits).items()
        ],
    }


def _file_limits(limits: Limits) -> dict[str, int]:
    """The kernel's limits for one process that hold on every backend."""
    return {"nofile": limits.open_files, "fsize": limits.file_size_mb * _MB, "core": 0, "memlock": 0, "msgqueue": 0}


def process_limits(limits: Limits, *, count_processes: bool) -> dict[str, int]:
    """The kernel's limits for one process where no engine sets them, by their names in the module ``resource``.

    ``count_processes`` says that the sandbox has a user, or the number of one in a namespace, for itself.
    """
    memory = {"data": (limits.memory_mb + _RESERVED_MB) * _MB, "as": 2 * (limits.memory_mb + _RESERVED_MB) * _MB}
    processes = {"nproc": limits.processes} if count_processes else {}
    return {f"RLIMIT_{name.upper()}": value for name, value in (_file_limits(limits) | memory | processes).items()}


def _volume(labels: Mapping[str, str]) -> dict[str, Any]:
    # Without a source it is a volume of this container alone, which goes when the container does.
    return {"Type": "volume", "Target": "/volume", "VolumeOptions": {"Labels": dict(labels)}}


def _folders(limits: Limits, user: int, *, podman: bool) -> dict[str, str]:
    # Podman would add folders of its own, as large as they like.
    more = dict.fromkeys(("/run", "/var/tmp"), "ro,nosuid,nodev,noexec,size=64k,notmpcopyup") if podman else {}
    return more | {
        "/tmp": _tmpfs(limits.tmp_mb, mode="1777", plain=podman),
        "/outputs": _tmpfs(limits.outputs_mb, mode="0700", owner=user, plain=podman),
    }


def _tmpfs(megabytes: int, *, mode: str, owner: int | None = None, plain: bool) -> str:
    common = f"rw,nosuid,nodev,noexec,size={megabytes}m"
    if plain:
        return f"{common},mode=1777,notmpcopyup"
    # Without nr_inodes empty files would fill kernel memory however small the tmpfs is.
    owned = "" if owner is None else f",uid={owner},gid={owner}"
    return f"{common},mode={mode},nr_inodes=16384{owned}"
