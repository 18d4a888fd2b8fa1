"""A socket in front of the real engine's on which calls can be refused, cut, left hanging or answered by a test."""

import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.docker_address import engine_address

_REQUEST = re.compile(rb"([A-Z]+) (?:/v[\d.]+)?(/\S*) HTTP/1\.1\r\n")
_PIECE = 1 << 16


class EngineProxy:
    """Hands everything on until it is told otherwise. ``address`` is for DOCKER_HOST."""

    def __init__(self, path: Path, engine: str) -> None:
        self.address = f"unix://{path}"
        self._path, self._engine = path, engine.removeprefix("unix://")
        self._lines: set[_Line] = set()
        self.flows = threading.Event()
        self.flows.set()
        self._answers: list[tuple[str, str, bytes]] = []
        self._listener = self._listen()

    def _listen(self) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._path))
        listener.listen(64)
        threading.Thread(target=self._accept, args=(listener,), name="engine proxy", daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self._lines = {line for line in self._lines if line.is_open}
            self._lines.add(_Line(self, client, self._engine))

    def refuse(self) -> None:
        """As an engine that has ended: what is open breaks off, and nobody listens."""
        self._path.unlink()
        _end(self._listener)
        self.cut()

    def come_back(self) -> None:
        """After ``refuse``."""
        self._listener = self._listen()

    def cut(self) -> None:
        """Break off what is open."""
        for line in tuple(self._lines):
            line.cut()

    def hang(self) -> None:
        """As an engine that is halted: it can be connected to, and nothing moves."""
        self.flows.clear()

    def go_on(self) -> None:
        """After ``hang``, and without the answers of the test's own."""
        self._answers.clear()
        self.flows.set()

    def answer(self, method: str, path: str, status: int, said: Any) -> None:
        """From now on, in place of the engine; ``path`` is a regular expression for its beginning."""
        body = json.dumps(said).encode()
        head = f"HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self._answers.append((method, path, f"{head}Connection: close\r\n\r\n".encode() + body))

    def hang_at(self, method: str, path: str) -> None:
        """Hand such a call on to nobody and never answer it."""
        self._answers.append((method, path, b""))

    def instead(self, data: bytes) -> bytes | None:
        """The test's own answer to a request that begins here; None when there is none."""
        if found := _REQUEST.match(data):
            method, path = found[1].decode(), found[2].decode()
            for wanted, pattern, answer in self._answers:
                if method == wanted and re.match(pattern, path):
                    return answer
        return None

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        self.go_on()
        _end(self._listener)
        self.cut()


class _Line:
    """One connection of a client, handed on in two threads."""

    def __init__(self, proxy: EngineProxy, client: socket.socket, engine: str) -> None:
        self._proxy = proxy
        self._client, self._engine = client, socket.socket(socket.AF_UNIX)
        self._engine.connect(engine)
        self._directions = [
            threading.Thread(target=target, name="engine proxy", daemon=True) for target in (self._up, self._down)
        ]
        for each in self._directions:
            each.start()

    @property
    def is_open(self) -> bool:
        return any(each.is_alive() for each in self._directions)

    def cut(self) -> None:
        _end(self._client)
        _end(self._engine)

    def _up(self) -> None:
        is_answered = False
        with contextlib.suppress(OSError):
            while data := self._client.recv(_PIECE):
                self._proxy.flows.wait()
                if (answer := self._proxy.instead(data)) is not None:
                    is_answered = True
                    self._client.sendall(answer)
                if not is_answered:
                    self._engine.sendall(data)
            self._engine.shutdown(socket.SHUT_WR)

    def _down(self) -> None:
        """The engine is the one that ends a connection, also one that its client has left."""
        with contextlib.suppress(OSError):
            while data := self._engine.recv(_PIECE):
                self._proxy.flows.wait()
                self._client.sendall(data)
        self.cut()


def _end(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@pytest.fixture
def engine_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EngineProxy]:
    """The engine that DOCKER_HOST names during the test."""
    proxy = EngineProxy(tmp_path / "proxy.sock", engine_address()[0])
    monkeypatch.setenv("DOCKER_HOST", proxy.address)
    monkeypatch.delenv("DOCKER_CONTEXT", raising=False)
    yield proxy
    proxy.close()
