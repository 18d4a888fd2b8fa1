"""Servers of models on this machine, looked for on the ports they usually take; nothing beyond 127.0.0.1 is asked."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

USUAL_PORTS: Mapping[str, int] = {"Ollama": 11434, "LM Studio": 1234, "vLLM": 8000, "llama.cpp": 8080}
_OWNERS = {"library": "Ollama", "organization_owner": "LM Studio", "vllm": "vLLM", "llamacpp": "llama.cpp"}
_HOST = "127.0.0.1"
_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class LocalServer:
    """``models`` are those that can be talked to; none when nothing is loaded."""

    name: str
    base_url: str
    models: tuple[str, ...]


def local_servers(ports: Mapping[str, int] = USUAL_PORTS, seconds: float = 0.7) -> tuple[LocalServer, ...]:
    """Those that list their models within ``seconds`` altogether, in the order of ``ports``."""
    deadline = time.monotonic() + seconds
    probes = [_Probe(name, port, seconds) for name, port in ports.items()]
    for probe in probes:
        probe.thread.join(max(0.0, deadline - time.monotonic()))
        probe.close()
    return tuple(probe.found for probe in probes if probe.found)


class _Probe:
    """One port, asked on a thread of its own."""

    def __init__(self, name: str, port: int, seconds: float) -> None:
        self.found: LocalServer | None = None
        self._name = name
        self._port = port
        self._connection = http.client.HTTPConnection(_HOST, port, timeout=seconds)
        self.thread = threading.Thread(target=self._ask, name=f"look-for-{port}", daemon=True)
        self.thread.start()

    def close(self) -> None:
        """End it, even in the midst of an answer that never ends."""
        connected = self._connection.sock
        if self.thread.is_alive() and connected is not None:
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def _ask(self) -> None:
        try:
            self._connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
            response = self._connection.getresponse()
            listed = json.loads(response.read(_MOST_BYTES)) if response.status == http.HTTPStatus.OK else None
        except (OSError, ValueError, AttributeError, RecursionError, http.client.HTTPException):
            return  # nobody there, or somebody who speaks of something else, or time is up
        finally:
            self._connection.close()
        self.found = _server(self._name, self._port, listed)


def _server(name: str, port: int, listed: Any) -> LocalServer | None:
    data = listed.get("data") if isinstance(listed, dict) and listed.get("object") == "list" else None
    if not isinstance(data, list):
        return None
    entries = [entry for entry in data if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    owners = {_OWNERS.get(str(entry.get("owned_by"))) for entry in entries} - {None}
    owner = owners.pop() if len(owners) == 1 else None
    models = tuple(entry["id"] for entry in entries if "embed" not in entry["id"].lower())
    return LocalServer(owner or name, f"http://{_HOST}:{port}/v1", models)
