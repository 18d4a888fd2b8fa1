"""The doctor names each fault with the command that mends it, and says what it cannot know."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.docker_gaps import NO_GROUP, docker_gaps, limits_containers, mapping_notes, support_notes
from sandbox.doctor import Verdict, examine, version_notes
from sandbox.limits import Limits
from sandbox.options import BackendChoice, SandboxOptions
from tests.docker_fixtures import ScriptedEngine, sandbox_image, scripted_engine

__all__ = ["sandbox_image", "scripted_engine"]

INFO: dict[str, Any] = {
    "DefaultRuntime": "runc",
    "Runtimes": {"runc": {}},
    "SecurityOptions": ["name=seccomp,profile=default"],
    "MemTotal": 16 << 30,
    **dict.fromkeys(("MemoryLimit", "SwapLimit", "CpuCfsQuota", "PidsLimit"), True),
}


def version(
    engine: str = "29.0.1", runc: str = "1.3.3", platform: str = "", kernel: str = "6.12.1-amd64"
) -> dict[str, Any]:
    components = [{"Name": "runc", "Version": runc}]
    return {"Version": engine, "Platform": {"Name": platform}, "Components": components, "KernelVersion": kernel}


def findings(**options: Any) -> list[tuple[Verdict, str]]:
    return [
        (each.verdict, str(each.sentence)) for each in examine(SandboxOptions(backend=BackendChoice.DOCKER, **options))
    ]


@pytest.mark.parametrize("runc", ["1.2.8", "1.2.9-rc1", "1.3.3", "1.4.0"])
def test_mended_versions_give_no_note(runc: str) -> None:
    assert list(version_notes(version(runc=runc))) == []


@pytest.mark.parametrize("runc", ["1.1.12", "1.2.7", "1.3.2"])
def test_an_old_runc_is_told(runc: str) -> None:
    (note,) = version_notes(version(runc=runc))
    assert str(note).startswith(f"runc {runc} lacks the mends")
    assert str(note).endswith("Update Docker.")


@pytest.mark.parametrize("runc", ["1.1.5+ds1", "1.1.12-0ubuntu2~22.04.1", "1.1.9+deb12u1"])
def test_of_a_distributions_runc_it_cannot_be_told(runc: str) -> None:
    (note,) = version_notes(version(runc=runc))
    assert "Your distribution may have mended them" in str(note)


def test_an_engine_that_lets_io_uring_through_is_told() -> None:
    (note,) = version_notes(version(engine="20.10.24+dfsg1"))
    assert "io_uring" in str(note)


def test_an_old_docker_desktop_is_told() -> None:
    (note,) = version_notes(version(platform="Docker Desktop 4.43.1 (198352)"))
    assert str(note).endswith("Update it to 4.44.3 or newer.")
    assert list(version_notes(version(platform="Docker Desktop 4.44.3 (202357)"))) == []


def test_podman_is_not_measured_by_the_numbers_of_docker() -> None:
    assert list(version_notes(version(engine="4.3.1"), podman=True)) == []


@pytest.mark.parametrize(("kernel", "is_told"), [("4.18.0-553.el8", True), ("5.4.0-200", True), ("5.10.0", False)])
def test_an_old_kernel_is_told(kernel: str, is_told: bool) -> None:
    notes = [str(note) for note in version_notes(version(kernel=kernel))]
    assert [note.startswith(f"The kernel {kernel} is older") for note in notes] == [True] * is_told


def test_a_filter_that_is_switched_off_is_told() -> None:
    weak = INFO | {"SecurityOptions": ["name=seccomp,profile=unconfined"]}
    (note,) = support_notes(weak, Limits())
    assert str(note).startswith("This engine starts containers without its seccomp filter.")


def test_users_that_are_not_mapped_are_told() -> None:
    assert [str(note)[:40] for note in mapping_notes(INFO)] == ["Users in a container are users of this m"]
    assert list(mapping_notes(INFO | {"SecurityOptions": ["name=seccomp", "name=rootless"]})) == []
    assert list(mapping_notes(INFO | {"Rootless": True})) == []


ROOTLESS_DOCKER = {
    "SecurityOptions": ["name=seccomp,profile=builtin", "name=rootless", "name=cgroupns"],
    "CgroupDriver": "none",
    **dict.fromkeys(("MemoryLimit", "SwapLimit", "CpuCfsQuota", "PidsLimit"), False),
}
ROOTLESS_PODMAN = {"BuildahVersion": "1.28.2", "Rootless": True, "CgroupVersion": "1"}


@pytest.mark.parametrize("more", [ROOTLESS_DOCKER, ROOTLESS_PODMAN], ids=["docker", "podman"])
def test_an_engine_without_root_that_limits_no_container_is_told_once(more: dict[str, Any]) -> None:
    (note,) = support_notes(INFO | more, Limits())
    assert str(note).startswith("This engine runs without root and may not limit containers.")
    assert NO_GROUP in docker_gaps("runc", INFO | more, Limits())


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"Rootless": True, "BuildahVersion": "5", "CgroupVersion": "2"},
        {"BuildahVersion": "4", "CgroupVersion": "1"},
    ],
)
def test_an_engine_that_limits_containers_has_no_such_gap(more: dict[str, Any]) -> None:
    assert limits_containers(INFO | more)
    assert NO_GROUP not in docker_gaps("runc", INFO | more, Limits())


def test_what_the_engine_cannot_enforce_is_told() -> None:
    assert list(support_notes(INFO, Limits())) == []
    weak = INFO | {"SwapLimit": False, "SecurityOptions": [], "MemTotal": 1 << 30}
    notes = [str(note) for note in support_notes(weak, Limits())]
    assert [note.partition(".")[0] for note in notes] == [
        "This engine cannot enforce SwapLimit: one session can take what others need",
        "This engine has no seccomp filter",
        "The engine has 1024 MB of memory, less than one sandbox may use",
    ]


def test_an_engine_that_is_off_is_a_fault_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    ((verdict, words),) = findings()
    assert verdict is Verdict.FAULT
    assert "sudo systemctl start docker" in words


def test_a_missing_image_is_a_fault_with_its_remedy(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/version"] = 200, {"ApiVersion": "1.52", **version()}
    scripted_engine.answers["GET", "/info"] = 200, INFO
    scripted_engine.answers["GET", "/images/json"] = 200, []
    assert findings() == [
        (Verdict.OK, "Docker 29.0.1 answers; its runtime is runc."),
        (Verdict.NOTE, str(*mapping_notes(INFO))),
        (Verdict.FAULT, "The sandbox image is not built. Run: python -m sandbox build"),
    ]


def test_a_runtime_that_is_not_installed_is_a_fault(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/version"] = 200, {"ApiVersion": "1.52", **version()}
    scripted_engine.answers["GET", "/info"] = 200, INFO
    verdict, words = findings(runtime="runsc")[-1]
    assert verdict is Verdict.FAULT
    assert words.startswith("Docker does not know the container runtime in SANDBOX_RUNTIME (runsc).")


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_where_all_is_well_python_runs_in_a_sandbox() -> None:
    found = findings()
    assert Verdict.FAULT not in {verdict for verdict, _ in found}
    assert found[-1][1].startswith("Python runs in a sandbox (Docker ")
