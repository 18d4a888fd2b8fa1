"""Groups of version 2, which this suite's machine may not have: with plain files in the kernel's place, and a systemd
that only notes what it is asked for. The rest of the suite uses the groups that the machine really has."""

import os
import subprocess
from pathlib import Path

import pytest

from sandbox import control_group
from sandbox.control_group import make_control_group
from sandbox.limits import Limits

LIMITS = Limits(memory_mb=1024, processes=99, cpus=0.5)
MANAGER = "/user.slice/user-1000.slice/user@1000.service"
REAL_ROOTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The top of a tree of version 2 that only a person's service manager may change."""
    root = tmp_path / "cgroup"
    (root / MANAGER.strip("/")).mkdir(parents=True)
    for folder in (root, root / MANAGER.strip("/")):
        (folder / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    monkeypatch.setattr(control_group, "ROOT", root)
    monkeypatch.setattr(control_group, "_systemd_group", control_group._systemd_group.__wrapped__)
    return root


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What systemd was asked for; it starts the command that it is given."""
    said = tmp_path / "asked"
    programs = {
        "systemctl": f"echo {MANAGER}",
        "systemd-run": f'echo "$@" > {said}; until [ "$1" = -- ]; do shift; done; shift; exec "$@"',
    }
    for name, script in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return said


def test_who_may_make_groups_makes_one_by_hand(root: Path) -> None:
    for name in ("cgroup.procs", "cgroup.subtree_control"):
        (root / name).touch()
    group = make_control_group(LIMITS, "instance", "name")
    assert group
    (folder,) = group.folders
    assert folder == root / "data-interpreter-instance-name"
    assert {file.name: file.read_text() for file in folder.iterdir()} == {
        "memory.max": str(1024 << 20),
        "pids.max": "100",
        "cpu.max": "50000 100000",
    }
    assert (root / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    assert group.memory_events == f"{folder}/memory.events"
    started = subprocess.run([*group.entry, "sh", "-c", "echo $$"], capture_output=True, text=True, check=True)
    assert (folder / "cgroup.procs").read_text() == started.stdout.strip()


def test_who_may_not_asks_their_service_manager(root: Path, asked: Path) -> None:
    group = make_control_group(LIMITS, "instance", "name")
    assert group
    started = subprocess.run([*group.entry, "echo", "inside"], capture_output=True, text=True, check=True)
    assert started.stdout == "inside\n"
    unit = "data-interpreter-instance-name.scope"
    assert asked.read_text().split() == [
        *("--user", "--scope", "--quiet", "--collect", "--slice=app.slice", f"--unit={unit}"),
        *("--property=MemoryMax=1024M", "--property=MemorySwapMax=0"),
        *("--property=TasksMax=100", "--property=CPUQuota=50%", "--", "echo", "inside"),
    ]
    assert group.memory_events == f"{root}{MANAGER}/app.slice/{unit}/memory.events"
    group.remove()


def test_a_service_manager_that_may_not_limit_memory_is_not_asked(root: Path, asked: Path) -> None:
    (root / MANAGER.strip("/") / "cgroup.controllers").write_text("cpu pids\n")
    assert make_control_group(LIMITS, "instance", "name") is None
    assert not asked.exists()


def test_without_a_service_manager_there_is_no_group(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(root))
    assert make_control_group(LIMITS, "instance", "name") is None


def test_a_process_enters_a_real_group_of_version_2_before_its_program_starts() -> None:
    top = next((each for each in REAL_ROOTS if (each / "cgroup.controllers").exists()), None)
    if top is None or not os.access(top / "cgroup.procs", os.W_OK):
        pytest.skip("no control groups of version 2 that can be changed here")
    folder = top / f"data-interpreter-test-{os.getpid()}"
    folder.mkdir()
    try:
        group = control_group.ControlGroup(control_group.entry_of([folder]), "", (folder,))
        shown = subprocess.run([*group.entry, "cat", "/proc/self/cgroup"], capture_output=True, text=True, check=True)
        assert f"0::/{folder.name}" in shown.stdout.splitlines()
    finally:
        group.remove()
    assert not folder.exists()
