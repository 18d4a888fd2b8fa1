"""Every limit is a setting with a safe default, and every flag that locks a container down is there."""

import json
from dataclasses import asdict, fields
from typing import Any

import pytest

from sandbox.limits import Limits, container_options, limits_from_environment, process_limits
from wording import ToldError


def options(limits: Limits | None = None, **chosen: Any) -> dict[str, Any]:
    return container_options(limits or Limits(), image="sha256:1", user=200_001, labels={"owner": "test"}, **chosen)


def test_without_variables_the_defaults_hold() -> None:
    assert limits_from_environment({}) == Limits()
    assert limits_from_environment({"SANDBOX_SECONDS": " ", "SANDBOX_CPUS": ""}) == Limits()


def test_each_limit_is_read_from_its_variable() -> None:
    doubled = {each.name: getattr(Limits(), each.name) * 2 for each in fields(Limits)}
    environment = {f"SANDBOX_{name.upper()}": str(value) for name, value in doubled.items()}
    assert asdict(limits_from_environment(environment)) == doubled


@pytest.mark.parametrize("value", ["many", "0", "-1", "nan", "inf", "1.5GB"])
def test_a_value_that_is_no_number_above_zero_is_told(value: str) -> None:
    with pytest.raises(ToldError) as told:
        limits_from_environment({"SANDBOX_SECONDS": value})
    assert str(told.value).startswith("SANDBOX_SECONDS is ")
    assert str(told.value).endswith("Give a number above zero, for example 60.")


def test_a_part_of_a_process_is_told() -> None:
    with pytest.raises(ToldError, match=r"SANDBOX_PROCESSES is 1\.5\. Give"):
        limits_from_environment({"SANDBOX_PROCESSES": "1.5"})


def test_folders_in_memory_may_not_take_more_than_half_of_it() -> None:
    with pytest.raises(ToldError, match="together are 320 MB, more than half of SANDBOX_MEMORY_MB"):
        limits_from_environment({"SANDBOX_MEMORY_MB": "512"})


def test_a_file_may_be_as_large_as_the_folder_it_lies_in() -> None:
    with pytest.raises(ToldError, match="Set it to 128 or more"):
        Limits(file_size_mb=100)


def test_a_container_has_no_rights_and_no_way_out() -> None:
    host = options()["HostConfig"]
    expected = {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "Privileged": False,
        "SecurityOpt": ["no-new-privileges:true"],
        "ReadonlyRootfs": True,
        "IpcMode": "private",
        "CgroupnsMode": "private",
        "LogConfig": {"Type": "none"},
        "RestartPolicy": {"Name": "no"},
        "AutoRemove": True,
        "Init": False,
    }
    assert {name: host[name] for name in expected} == expected
    assert not {"Binds", "Devices", "CapAdd", "PidMode", "UTSMode", "UsernsMode", "PortBindings", "Runtime"} & set(host)


def test_a_container_ends_when_the_app_does() -> None:
    made = options()
    assert (made["OpenStdin"], made["StdinOnce"], made["Tty"], made["StopSignal"]) == (True, True, False, "SIGKILL")
    assert made["Healthcheck"] == {"Test": ["NONE"]}


def test_resources_are_those_of_the_limits_and_swap_adds_none() -> None:
    host = options(Limits(memory_mb=1024, cpus=0.5, processes=99, shm_mb=32, open_files=500))["HostConfig"]
    assert host["Memory"] == host["MemorySwap"] == 1024 << 20
    assert (host["NanoCpus"], host["PidsLimit"], host["ShmSize"]) == (500_000_000, 99, 32 << 20)
    ulimits = {each["Name"]: (each["Soft"], each["Hard"]) for each in host["Ulimits"]}
    assert ulimits == {
        "nofile": (500, 500),
        "fsize": (256 << 20, 256 << 20),
        "core": (0, 0),
        "memlock": (0, 0),
        "msgqueue": (0, 0),
    }


def test_only_two_folders_in_memory_can_be_written_and_their_files_are_counted() -> None:
    host = options(Limits(tmp_mb=10, outputs_mb=20))["HostConfig"]
    assert host["Tmpfs"] == {
        "/tmp": "rw,nosuid,nodev,noexec,size=10m,mode=1777,nr_inodes=16384",
        "/outputs": "rw,nosuid,nodev,noexec,size=20m,mode=0700,nr_inodes=16384,uid=200001,gid=200001",
    }
    labels = {"Labels": {"owner": "test"}}
    assert host["Mounts"] == [{"Type": "volume", "Target": "/volume", "VolumeOptions": labels}]


def test_the_environment_has_nothing_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "CANARY")
    made = options()
    assert [each.partition("=")[0] for each in made["Env"]] == ["PATH", "HOME", "LANG", "MPLCONFIGDIR"]
    assert "CANARY" not in json.dumps(made)


def test_the_main_process_is_told_its_limits() -> None:
    limits = Limits(charts=3)
    assert json.loads(options(limits)["Cmd"][0]) == {"limits": asdict(limits)}


def test_a_runtime_is_used_only_when_chosen() -> None:
    assert options(runtime="runsc")["HostConfig"]["Runtime"] == "runsc"


def test_where_an_engine_cannot_limit_a_container_its_main_process_limits_each() -> None:
    limits = Limits(memory_mb=1024, processes=99)
    told = json.loads(options(limits, together=False)["Cmd"][0])
    assert told == {"limits": asdict(limits), "process_limits": process_limits(limits, count_processes=True)}
    set_there = told["process_limits"]
    assert (set_there["RLIMIT_DATA"], set_there["RLIMIT_NPROC"], set_there["RLIMIT_CORE"]) == (2048 << 20, 99, 0)
