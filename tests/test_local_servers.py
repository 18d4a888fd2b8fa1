"""Servers of models on this machine are found quickly, and whatever else listens there does no harm."""

import http.server
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from agents.models.local_servers import USUAL_PORTS, LocalServer, local_servers
from agents.models.profiles import server_profile
from tests.test_openai_errors import free_port


@contextmanager
def answering(content: bytes, status: int = 200) -> Iterator[int]:
    """A server that says this for every path; its port."""
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.send_header("Location", "http://198.51.100.1/v1/models")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        assert set(paths) <= {"/v1/models"}


def models(*names: str, owner: str = "") -> bytes:
    entries = [{"id": name, "object": "model", "owned_by": owner} for name in names]
    return json.dumps({"object": "list", "data": entries}).encode()


def test_each_server_is_found_with_the_models_that_can_be_talked_to() -> None:
    with ExitStack() as stack:
        ports = {
            "Ollama": stack.enter_context(answering(models("qwen3:8b", "nomic-embed-text", owner="library"))),
            "LM Studio": free_port(),
            "vLLM": stack.enter_context(answering(models("Qwen/Qwen3-8B", owner="vllm"))),
            "llama.cpp": stack.enter_context(answering(models("m.gguf"))),
        }
        found = local_servers(ports, seconds=10)
    assert found == (
        LocalServer("Ollama", f"http://127.0.0.1:{ports['Ollama']}/v1", ("qwen3:8b",)),
        LocalServer("vLLM", f"http://127.0.0.1:{ports['vLLM']}/v1", ("Qwen/Qwen3-8B",)),
        LocalServer("llama.cpp", f"http://127.0.0.1:{ports['llama.cpp']}/v1", ("m.gguf",)),
    )


def test_a_server_on_anothers_port_is_named_by_what_it_says() -> None:
    with answering(models("m.gguf", owner="llamacpp")) as port:
        (found,) = local_servers({"vLLM": port}, seconds=10)
    assert found.name == "llama.cpp"


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"<html>Jenkins</html>", 200),
        (b'{"object": "list"}', 200),
        (b"[1]", 200),
        (b"\xff\xfe", 200),
        (b"[" * 100_000, 200),
        (models("m"), 401),
        (models("m"), 302),
    ],
)
def test_whatever_else_listens_there_is_no_server_of_models(content: bytes, status: int) -> None:
    with answering(content, status) as port:
        assert local_servers({"vLLM": port}, seconds=10) == ()


def test_a_server_without_any_model_is_found_all_the_same() -> None:
    with answering(models()) as port:
        assert [server.models for server in local_servers({"Ollama": port}, seconds=10)] == [()]


def test_a_port_that_never_answers_does_not_hold_up_the_rest() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, answering(models("m")) as port:
        places = {"Ollama": port, "vLLM": silent.getsockname()[1]}
        assert [server.name for server in local_servers(places, seconds=1)] == ["Ollama"]
        connection, _ = silent.accept()
        with connection:
            connection.settimeout(10)
            while connection.recv(4_096):
                pass  # until the client has hung up


def test_the_usual_ports_are_those_that_the_profiles_know() -> None:
    assert [server_profile(f"http://127.0.0.1:{port}/v1").name for port in USUAL_PORTS.values()] == list(USUAL_PORTS)
