"""What a container of this engine does not cover; asks no engine, reads what it has reported."""

from collections.abc import Iterator, Mapping
from typing import Any

from sandbox.limits import Limits, is_gvisor
from wording import Sentence

SHARED_KERNEL = Sentence(
    "A hole in the Linux kernel would be a way out, for the code talks to it directly. With Docker, "
    "SANDBOX_RUNTIME=runsc puts gVisor in between."
)
GVISOR_REACH = Sentence(
    "Code can reach the main process of its own sandbox: it can forge what its own cells hand back, or end the "
    "sandbox, as too much memory and too many processes do; a new one then takes its place, without the variables."
)
FILES_UNCOUNTED = Sentence("Files are limited by their size, not by their number: each empty one takes some memory.")
_NEEDED_SUPPORT = ("MemoryLimit", "SwapLimit", "CpuCfsQuota", "PidsLimit")


def docker_gaps(runtime: str, info: Mapping[str, Any], limits: Limits) -> tuple[Sentence, ...]:
    """For a container under ``runtime``, the one that the engine says it uses."""
    files = (FILES_UNCOUNTED,) if is_podman(info) or is_gvisor(runtime) else ()
    return (GVISOR_REACH if is_gvisor(runtime) else SHARED_KERNEL, *files, *support_notes(info, limits))


def is_podman(info: Mapping[str, Any]) -> bool:
    """Whether it is Podman that answers in Docker's stead; it cannot limit the number of files."""
    return "BuildahVersion" in info


def support_notes(info: Mapping[str, Any], limits: Limits) -> Iterator[Sentence]:
    """What the engine cannot enforce on this machine."""
    for name in _NEEDED_SUPPORT:
        if info.get(name) is False:
            yield Sentence(
                "This engine cannot enforce {name}: one session can take what others need. "
                "Enable that control group in the kernel.",
                {"name": name},
            )
    if not any("seccomp" in option for option in info.get("SecurityOptions") or ()):
        yield Sentence("This engine has no seccomp filter. Use a kernel and an engine that have one.")
    memory = int(info.get("MemTotal") or 0) >> 20
    if 0 < memory < limits.memory_mb:
        yield Sentence(
            "The engine has {memory} MB of memory, less than one sandbox may use. Lower SANDBOX_MEMORY_MB.",
            {"memory": memory},
        )
