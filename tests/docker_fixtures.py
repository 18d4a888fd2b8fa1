"""What tests of the Docker side share: the image, and an engine that says only what a test makes it say."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer
from typing import Any

import pytest

from sandbox.image import build_image


@pytest.fixture(scope="session")
def sandbox_image() -> None:
    """The current image, built if need be."""
    for _ in build_image():
        pass


class ScriptedEngine(ThreadingMixIn, UnixStreamServer):
    """Speaks HTTP on a socket as Docker does.

    ``answers`` maps a method and the end of a path to a status and JSON; a tuple is a stream of several.
    """

    daemon_threads = True

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), _Handler)
        self.address = f"unix://{path}"
        self.answers: dict[tuple[str, str], tuple[int, Any]] = {("GET", "/version"): (200, {"ApiVersion": "1.41"})}
        self.requests: list[tuple[str, str]] = []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedEngine

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        self.server.requests.append((self.command, self.path))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = (
            said for (method, end), said in self.server.answers.items() if method == self.command and path.endswith(end)
        )
        status, said = next(found, (404, {"message": f"page not found: {path}"}))
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
        engine.shutdown()
        thread.join()
