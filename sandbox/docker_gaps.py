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
NO_GROUP = Sentence(
    "Memory and processes are limited one by one, not for a session as a whole, and processor time is not limited: "
    "this system lets us make no control group."
)
_ROOTLESS_UNLIMITED = Sentence(
    "This engine runs without root and may not limit containers. Use a system with version 2 of the control groups and "
    "let your user have them: https://rootlesscontaine.rs/getting-started/common/cgroup2/"
)
_NO_FILTER = Sentence("This engine has no seccomp filter. Use a kernel and an engine that have one.")
_FILTER_OFF = Sentence(
    "This engine starts containers without its seccomp filter. Take seccomp-profile out of its settings."
)
_SAME_USERS = Sentence(
    "Users in a container are users of this machine too. Docker's rootless mode or its setting userns-remap would put "
    "one more wall there."
)
_NEEDED_SUPPORT = ("MemoryLimit", "SwapLimit", "CpuCfsQuota", "PidsLimit")


def docker_gaps(runtime: str, info: Mapping[str, Any], limits: Limits) -> tuple[Sentence, ...]:
    """For a container under ``runtime``, the one that the engine says it uses."""
    files = (FILES_UNCOUNTED,) if is_podman(info) or is_gvisor(runtime) else ()
    group = () if limits_containers(info) else (NO_GROUP,)
    return (GVISOR_REACH if is_gvisor(runtime) else SHARED_KERNEL, *files, *group, *support_notes(info, limits))


def is_podman(info: Mapping[str, Any]) -> bool:
    """Whether it is Podman that answers in Docker's stead; it cannot limit the number of files."""
    return "BuildahVersion" in info


def user_mapping(info: Mapping[str, Any]) -> list[str]:
    """``rootless`` or ``userns`` when root in a container is not root on the host."""
    names = {option.removeprefix("name=").partition(",")[0] for option in info.get("SecurityOptions") or ()}
    # Podman says it elsewhere.
    names |= {"rootless"} if info.get("Rootless") is True else set()
    return sorted(names & {"rootless", "userns"})


def limits_containers(info: Mapping[str, Any]) -> bool:
    """Whether memory and processes of a container are limited together; Podman claims it also where it does not."""
    is_unlimited_podman = is_podman(info) and bool(user_mapping(info)) and str(info.get("CgroupVersion")) == "1"
    supported = all(info.get(name) is not False for name in ("MemoryLimit", "PidsLimit"))
    return supported and not is_unlimited_podman and info.get("CgroupDriver") != "none"


def support_notes(info: Mapping[str, Any], limits: Limits) -> Iterator[Sentence]:
    """What the engine cannot enforce on this machine."""
    is_unlimited = bool(user_mapping(info)) and not limits_containers(info)
    if is_unlimited:
        yield _ROOTLESS_UNLIMITED
    for name in _NEEDED_SUPPORT:
        if info.get(name) is False and not is_unlimited:
            yield Sentence(
                "This engine cannot enforce {name}: one session can take what others need. "
                "Enable that control group in the kernel.",
                {"name": name},
            )
    filters = [option for option in info.get("SecurityOptions") or () if "seccomp" in option]
    if not filters:
        yield _NO_FILTER
    elif any("unconfined" in option for option in filters):
        yield _FILTER_OFF
    memory = int(info.get("MemTotal") or 0) >> 20
    if 0 < memory < limits.memory_mb:
        yield Sentence(
            "The engine has {memory} MB of memory, less than one sandbox may use. Lower SANDBOX_MEMORY_MB.",
            {"memory": memory},
        )


def mapping_notes(info: Mapping[str, Any]) -> Iterator[Sentence]:
    """What its owner could still switch on."""
    if not user_mapping(info):
        yield _SAME_USERS
