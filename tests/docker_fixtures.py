"""What Docker tests share: the image, sandboxes that must leave nothing, and an engine that says what a test wants."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer
from typing import Any

import pytest

from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.docker_sandbox import DockerSandbox
from sandbox.image import build_image
from sandbox.instance import INSTANCE_LABEL, instance_labels, remains
from sandbox.limits import Limits
from sandbox.sandbox import ExecutionResult


@pytest.fixture(scope="session")
def sandbox_image() -> None:
    """The current image, built if need be."""
    for _ in build_image():
        pass


def run(sandbox: DockerSandbox, code: str, timeout: float | None = None) -> ExecutionResult:
    *_, result = sandbox.execute(code, timeout)
    assert isinstance(result, ExecutionResult)
    return result


def printed(sandbox: DockerSandbox, code: str) -> str:
    result = run(sandbox, code)
    assert (result.error, result.stderr) == (None, "")
    return result.stdout.strip()


def ours(engine: DockerEngine) -> list[dict[str, Any]]:
    return remains(engine, instance_labels()[INSTANCE_LABEL])


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with DockerEngine() as engine:
        yield engine


@pytest.fixture
def new(engine: DockerEngine) -> Iterator[Callable[..., DockerSandbox]]:
    """Makes sandboxes; the test that leaves a container or a volume behind fails."""
    before = {each.get("Id") or each["Name"] for each in ours(engine)}
    made: list[DockerSandbox] = []

    def make(limits: Limits | None = None, **options: Any) -> DockerSandbox:
        made.append(DockerSandbox(limits, **options))
        return made[-1]

    yield make
    for sandbox in made:
        sandbox.close()
    wait_until(lambda: {each.get("Id") or each["Name"] for each in ours(engine)} <= before)


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.05)


def container_of(sandbox: DockerSandbox) -> str:
    assert isinstance(sandbox._box, DockerContainer)
    return sandbox._box._name


class ScriptedEngine(ThreadingMixIn, UnixStreamServer):
    """Speaks HTTP on a socket as Docker does.

    ``answers`` maps a method and the end of a path to a status and JSON; a tuple is a stream of several. It is silent
    when ``is_silent``.
    """

    daemon_threads = True

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), _Handler)
        self.address = f"unix://{path}"
        self.answers: dict[tuple[str, str], tuple[int, Any]] = {("GET", "/version"): (200, {"ApiVersion": "1.41"})}
        self.requests: list[tuple[str, str]] = []
        self.listed: dict[str, list[Any]] = {}
        """Images by the label that is asked for."""
        self.is_silent = False
        self.ends = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedEngine

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        self.server.requests.append((self.command, self.path))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.server.is_silent:
            self.close_connection = self.server.ends.wait()
            return
        found = (
            said for (method, end), said in self.server.answers.items() if method == self.command and path.endswith(end)
        )
        status, said = next(found, (404, {"message": f"page not found: {path}"}))
        if self.server.listed and path.endswith("/images/json"):
            status, said = 200, next((some for label, some in self.server.listed.items() if label in self.path), [])
        parts = [json.dumps(each).encode() for each in (said if isinstance(said, tuple) else (said,))]
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in (*parts, b""):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    do_GET = do_POST = do_DELETE = do_PUT = do_HEAD = _answer

    def address_string(self) -> str:
        return "unix"

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


@pytest.fixture
def scripted_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEngine]:
    """The engine that DOCKER_HOST names during the test."""
    with ScriptedEngine(tmp_path / "engine.sock") as engine:
        thread = threading.Thread(target=engine.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("DOCKER_HOST", engine.address)
        monkeypatch.delenv("DOCKER_CONTEXT", raising=False)
        yield engine
        engine.ends.set()
        engine.shutdown()
        thread.join()
