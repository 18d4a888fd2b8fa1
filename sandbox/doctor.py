"""Looks at everything the sandbox needs and says what is missing and which command mends it; changes nothing."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sandbox.analysis_environment import AnalysisEnvironment
from sandbox.backends import DockerBackend, choose_backend, new_sandbox
from sandbox.bubblewrap import bubblewrap_version
from sandbox.docker_engine import DockerEngine
from sandbox.docker_errors import NO_RUNTIME
from sandbox.docker_gaps import is_podman, mapping_notes, support_notes
from sandbox.image import find_image
from sandbox.limits import Limits
from sandbox.options import SandboxOptions
from sandbox.sandbox import ExecutionResult, SandboxError
from wording import Sentence

# Older ones have known ways out of a container: CVE-2025-31133 for runc, CVE-2025-9074 for Docker Desktop.
_RUNC_FLOORS: dict[tuple[int, ...], int] = {(1, 2): 8, (1, 3): 3}
_DESKTOP_FLOOR = (4, 44, 3)
# The first engine whose own seccomp profile denies io_uring.
_ENGINE_FLOOR = (25, 0)
# The oldest one that kernel.org still mends.
_KERNEL_FLOOR = (5, 10)
_RUNC_OLD = "runc {version} lacks the mends of 1.2.8 and 1.3.3 for ways out of a container. Update Docker."
_RUNC_UNKNOWN = (
    "runc {version} is older than 1.2.8 and 1.3.3, which mend ways out of a container. Your distribution may have "
    "mended them under its own number; keep its security updates on."
)


class Verdict(StrEnum):
    """How one thing stands; a fault keeps the sandbox from working or leaves it less locked down than it should be."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    verdict: Verdict
    sentence: Sentence


def examine(options: SandboxOptions) -> Iterator[Finding]:
    """One finding after the other. What a fault makes impossible to look at is left out."""
    try:
        backend = choose_backend(options)
        if isinstance(backend, DockerBackend):
            yield from _docker_findings(options)
        else:
            yield from _bubblewrap_findings(options, backend.passed_over)
        yield from _first_cell(options)
    except SandboxError as error:
        yield Finding(Verdict.FAULT, error.sentence)


def _docker_findings(options: SandboxOptions) -> Iterator[Finding]:
    with DockerEngine() as engine:
        yield from _engine_findings(engine, options.limits, options.runtime)
        image = find_image(engine, options.base_image)
    yield _ok("The sandbox image is there, {size} MB on {base}.", size=image.size // 1_000_000, base=image.base)


def _bubblewrap_findings(options: SandboxOptions, passed_over: Sentence | None) -> Iterator[Finding]:
    if passed_over:
        yield Finding(
            Verdict.NOTE,
            Sentence("Docker is not used: {reason} Until then bubblewrap keeps the code in.", {"reason": passed_over}),
        )
    yield _ok("bubblewrap {version} can make namespaces here.", version=bubblewrap_version())
    environment = AnalysisEnvironment(options.environment)
    environment.check()
    yield _ok("The analysis environment is there, in {folder}.", folder=str(environment.folder))


def _engine_findings(engine: DockerEngine, limits: Limits, runtime: str) -> Iterator[Finding]:
    version, info = engine.version(), engine.info()
    number, default = version["Version"], info["DefaultRuntime"]
    if is_podman(info):
        yield _ok("Podman {version} answers; its runtime is {runtime}.", version=number, runtime=default)
    else:
        yield _ok("Docker {version} answers; its runtime is {runtime}.", version=number, runtime=default)
    notes = (*version_notes(version, podman=is_podman(info)), *support_notes(info, limits), *mapping_notes(info))
    for note in notes:
        yield Finding(Verdict.NOTE, note)
    if runtime:
        yield _runtime_finding(runtime, info)


def _ok(template: str, **values: Sentence | str | int) -> Finding:
    return Finding(Verdict.OK, Sentence(template, values))


def _runtime_finding(runtime: str, info: Mapping[str, Any]) -> Finding:
    if runtime in info.get("Runtimes", {}):
        return _ok("Docker knows the runtime {runtime}.", runtime=runtime)
    raise SandboxError(NO_RUNTIME, reason=runtime)


def _first_cell(options: SandboxOptions) -> Iterator[Finding]:
    began = time.monotonic()
    with closing(new_sandbox(options, 60)) as sandbox:
        *_, result = sandbox.execute("print(6 * 7)")
        seconds = f"{time.monotonic() - began:.1f}"
        status = sandbox.status
    if not (isinstance(result, ExecutionResult) and result.stdout == "42\n"):
        raise SandboxError("Python in the sandbox answers wrongly. Build its image anew: python -m sandbox build")
    for gap in status.gaps:
        yield Finding(Verdict.NOTE, Sentence("Not covered: {gap}", {"gap": gap}))
    yield _ok("Python runs in a sandbox ({isolation}) after {seconds} s.", isolation=status.isolation, seconds=seconds)


def version_notes(version: Mapping[str, Any], *, podman: bool = False) -> Iterator[Sentence]:
    """What is known to be wrong with these versions. A distribution may have mended it without a new number."""
    kernel = str(version.get("KernelVersion", ""))
    if kernel and _numbers(kernel)[:2] < _KERNEL_FLOOR:
        yield Sentence(
            "The kernel {version} is older than 5.10, and ways out of a container are mended in newer ones only. Your "
            "distribution may have mended them under its own number; keep its security updates on.",
            {"version": kernel},
        )
    parts = {part["Name"]: part for part in version.get("Components") or ()}
    runc = str(parts.get("runc", {}).get("Version", ""))
    if runc and not _runc_is_safe(_numbers(runc)):
        yield Sentence(_RUNC_UNKNOWN if _is_packaged(runc) else _RUNC_OLD, {"version": runc})
    engine = str(version.get("Version", ""))
    if not podman and _numbers(engine) < _ENGINE_FLOOR:
        yield Sentence(
            "Docker {version} lets containers reach io_uring, which 25.0 and newer deny. The sandbox denies it to "
            "its code by itself. Update Docker when you can.",
            {"version": engine},
        )
    desktop = re.match(r"Docker Desktop ([\d.]+)", str((version.get("Platform") or {}).get("Name", "")))
    if desktop and _numbers(desktop[1]) < _DESKTOP_FLOOR:
        yield Sentence(
            "Docker Desktop {version} lets containers take over the engine. Update it to 4.44.3 or newer.",
            {"version": desktop[1]},
        )


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _runc_is_safe(version: tuple[int, ...]) -> bool:
    floor = _RUNC_FLOORS.get(version[:2])
    return version[:2] > max(_RUNC_FLOORS) if floor is None else version[2:] >= (floor,)


def _is_packaged(version: str) -> bool:
    return bool(re.search(r"[+~-]\w*(ds|deb|ubuntu|el|fc)\w*", version))
