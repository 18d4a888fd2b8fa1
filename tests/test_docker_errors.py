"""Finding the engine, and each way in which it fails, told in a sentence that names the remedy."""

import hashlib
import http.client
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
import urllib3
from docker.errors import DockerException

from sandbox import docker_engine, docker_errors
from sandbox.docker_address import engine_address
from sandbox.docker_engine import DockerEngine
from sandbox.docker_errors import docker_errors_told
from sandbox.sandbox import SandboxError
from tests.docker_fixtures import ScriptedEngine, scripted_engine

__all__ = ["scripted_engine"]


@pytest.fixture(autouse=True)
def a_home_without_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_TLS_VERIFY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def add_context(home: Path, name: str, host: str) -> None:
    folder = home / ".docker" / "contexts" / "meta" / hashlib.sha256(name.encode()).hexdigest()
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text(json.dumps({"Name": name, "Endpoints": {"docker": {"Host": host}}}))


def test_the_current_context_is_followed(tmp_path: Path) -> None:
    add_context(tmp_path, "colima", "unix:///home/me/.colima/docker.sock")
    (tmp_path / ".docker" / "config.json").write_text('{"currentContext": "colima"}')
    assert engine_address() == ("unix:///home/me/.colima/docker.sock", None)


def test_docker_host_goes_before_the_current_context_and_a_chosen_context_before_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_context(tmp_path, "colima", "unix:///colima.sock")
    (tmp_path / ".docker" / "config.json").write_text('{"currentContext": "colima"}')
    monkeypatch.setenv("DOCKER_HOST", "unix:///chosen.sock")
    assert engine_address() == ("unix:///chosen.sock", None)
    monkeypatch.setenv("DOCKER_CONTEXT", "colima")
    assert engine_address() == ("unix:///colima.sock", None)


def test_a_context_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_CONTEXT", "gone")
    with pytest.raises(SandboxError, match='The Docker context "gone" cannot be read'):
        engine_address()


def test_a_broken_configuration_is_as_none(tmp_path: Path) -> None:
    (tmp_path / ".docker").mkdir()
    (tmp_path / ".docker" / "config.json").write_text("[")
    assert engine_address()[0].startswith("unix://")


@pytest.mark.parametrize("place", [".docker/run/docker.sock", ".colima/default/docker.sock", "run/docker.sock"])
def test_sockets_in_other_places_are_found(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: path != Path("/var/run/docker.sock") and exists(path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).touch()
    assert engine_address() == (f"unix://{tmp_path / place}", None)


def test_an_address_without_encryption_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://build.example:2375")
    with pytest.raises(SandboxError, match="is not encrypted"):
        engine_address()


def test_an_engine_that_is_not_running_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(SandboxError) as told:
        DockerEngine()
    assert str(told.value) == docker_errors.NOT_RUNNING
    assert "sudo systemctl start docker" in str(told.value)


def test_an_engine_that_is_too_old_is_told(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/version"] = 200, {"ApiVersion": "1.40"}
    with pytest.raises(SandboxError, match="engine is too old"):
        DockerEngine()


def test_an_engine_that_is_too_new_for_the_library_is_told(scripted_engine: ScriptedEngine) -> None:
    refusal = "client version 1.35 is too old. Minimum supported API version is 1.44"
    scripted_engine.answers["GET", "/version"] = 400, {"message": refusal}
    with pytest.raises(SandboxError, match="too new for the installed docker package"):
        DockerEngine()


def test_the_engine_is_spoken_to_in_its_own_version(scripted_engine: ScriptedEngine) -> None:
    scripted_engine.answers["GET", "/version"] = 200, {"ApiVersion": "1.52", "Version": "29.0"}
    with DockerEngine() as engine:
        assert engine.version()["Version"] == "29.0"
    assert scripted_engine.requests[-1] == ("GET", "/v1.52/version")


def test_a_forbidden_socket_is_told_without_opening_it_to_everyone() -> None:
    aborted = urllib3.exceptions.ProtocolError("Connection aborted.", PermissionError(13, "Permission denied"))
    with pytest.raises(SandboxError) as told, docker_errors_told():
        raise DockerException("Error while fetching server API version") from requests.ConnectionError(aborted)
    assert "sudo usermod -aG docker" in str(told.value)
    assert "chmod" not in str(told.value)


@pytest.mark.parametrize(
    ("status", "message", "words"),
    [
        (404, "No such image: sha256:123", "not built. Run: python -m sandbox build"),
        (500, "write /var/lib/docker/x: no space left on device", "disk is full"),
        (
            400,
            "Unknown runtime specified runsc",
            "does not know the container runtime in SANDBOX_RUNTIME (Unknown runtime",
        ),
        (400, "unknown or invalid runtime name: runsc", "does not know the container runtime"),
        (400, "Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available", "Lower SANDBOX_CPUS"),
        (
            500,
            "something else.",
            "Docker reports: something else. To find what is wrong, run: python -m sandbox doctor",
        ),
    ],
)
def test_what_the_engine_refuses_is_told(
    status: int, message: str, words: str, scripted_engine: ScriptedEngine
) -> None:
    scripted_engine.answers["POST", "/containers/create"] = status, {"message": message}
    with DockerEngine() as engine, pytest.raises(SandboxError) as told:
        engine.create({}, "name")
    assert words in str(told.value)


def test_an_engine_that_is_silent_is_told() -> None:
    with pytest.raises(SandboxError, match="does not answer"), docker_errors_told():
        raise requests.ReadTimeout("UnixHTTPConnectionPool: Read timed out. (read timeout=10)")


CALLS: dict[str, Callable[[DockerEngine], object]] = {
    "version": lambda engine: engine.version(),
    "info": lambda engine: engine.info(),
    "image": lambda engine: engine.image("a"),
    "images": lambda engine: engine.images("a"),
    "remove_image": lambda engine: engine.remove_image("a"),
    "pull": lambda engine: list(engine.pull("a")),
    "build": lambda engine: list(engine.build(io.BytesIO(), tag="a", arguments={}, labels={})),
    "import_image": lambda engine: engine.import_image(Path(__file__), "a", "b"),
    "create": lambda engine: engine.create({}, "a"),
    "attach": lambda engine: engine.attach("a"),
    "start": lambda engine: engine.start("a"),
    "inspect": lambda engine: engine.inspect("a"),
    "remove": lambda engine: engine.remove("a"),
    "extract": lambda engine: engine.extract("a", "/", iter([b"tar"])),
    "file_size": lambda engine: engine.file_size("a", "/a"),
    "containers": lambda engine: engine.containers("a"),
    "volumes": lambda engine: engine.volumes("a"),
    "remove_volume": lambda engine: engine.remove_volume("a"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_no_call_waits_for_ever(
    call: Callable[[DockerEngine], object], scripted_engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CALL_SECONDS", "TRANSFER_SECONDS", "STEP_SECONDS"):
        monkeypatch.setattr(docker_engine, name, 0.2)
    with DockerEngine() as engine:
        scripted_engine.is_silent = True
        with pytest.raises(SandboxError) as told:
            call(engine)
    assert str(told.value) == docker_errors.SILENT


def test_every_call_to_the_engine_is_among_those() -> None:
    calls = {name for name, value in vars(DockerEngine).items() if callable(value) and not name.startswith("_")}
    assert calls - {"close"} == set(CALLS)


def test_a_connection_that_breaks_off_is_told() -> None:
    aborted = urllib3.exceptions.ProtocolError("Connection aborted.", http.client.RemoteDisconnected("closed"))
    with pytest.raises(SandboxError, match="broke off the connection"), docker_errors_told():
        raise requests.ConnectionError(aborted)


def test_a_bug_of_ours_is_not_told_as_docker_trouble() -> None:
    with pytest.raises(KeyError), docker_errors_told():
        raise KeyError("name")
