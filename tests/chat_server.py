"""A model's server on 127.0.0.1, for both APIs, with replies written beforehand; it refuses what a vendor would.

In a test::

    with ChatServer(calls("print(1)"), says("One.")) as server:
        ...  # point the client at server.url
        assert server.requests[1]["messages"][-1]["role"] == "tool"

Leaving the block fails when a request came that no reply was written for, or when a reply is left over.
As a command: ``python -m tests.chat_server --port 8190 --script FILE``, see ``read_script``.
"""

import argparse
import json
import select
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests import chat_rules, responses_rules

CODE_TOOL = "execute_python_code"
CODE_PARAMETER = "python_code"
_DONE = b"data: [DONE]\n\n"
_RULES = {"/v1/chat/completions": chat_rules.problem_of, "/v1/responses": responses_rules.problem_of}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the server answers: parts sent one after the other; at an event among them it waits until that is set."""

    parts: Sequence[bytes | threading.Event]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/event-stream"})
    gate: threading.Event | None = None
    """Nothing is sent, not even the headers, before this is set."""
    broken: bool = False
    """The connection ends before the reply is whole."""


Body = dict[str, Any]


def says(
    *pieces: str | threading.Event, usage: tuple[int, int] = (10, 5), gate: threading.Event | None = None
) -> Reply:
    """Text in these pieces; an event among them holds the stream."""
    parts = [piece if isinstance(piece, threading.Event) else chunk({"content": piece}) for piece in pieces]
    return Reply(parts=[chunk({"role": "assistant", "content": ""}), *parts, *ending("stop", usage)], gate=gate)


def calls(
    *wanted: str | tuple[str, Mapping[str, Any] | str], text: str = "", usage: tuple[int, int] = (10, 5)
) -> Reply:
    """Tool calls, their arguments split in pieces; a bare string is Python for the code tool."""
    parts = [chunk({"role": "assistant", "content": text})]
    for index, one in enumerate(wanted):
        name, arguments = (CODE_TOOL, {CODE_PARAMETER: one}) if isinstance(one, str) else one
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        function = {"name": name, "arguments": ""}
        parts.append(
            chunk({"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": function}]})
        )
        for start in range(0, len(written), 20):
            piece = {"index": index, "function": {"arguments": written[start : start + 20]}}
            parts.append(chunk({"tool_calls": [piece]}))
    return Reply(parts=[*parts, *ending("tool_calls", usage)])


def streams(body: bytes, *, broken: bool = False) -> Reply:
    """This exact body of a stream."""
    return Reply(parts=[body], broken=broken)


def fails(status: int, body: object = b"", **headers: str) -> Reply:
    """An HTTP error; a body that is not bytes is sent as JSON. ``retry_after="2"`` becomes the header Retry-After."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = "text/html" if isinstance(body, bytes) else "application/json"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(parts=[content], status=status, headers={"Content-Type": kind, **named})


def refuses(message: str, *, status: int = 400, code: str | None = None, param: str | None = None) -> Reply:
    """An error in the vendor's usual form."""
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": param}
    return fails(status, {"error": error})


def answers(message: Mapping[str, Any], finish: str = "stop") -> Reply:
    """A whole completion as JSON, from a server that does not stream."""
    body = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    return Reply(parts=[json.dumps(body).encode()], headers={"Content-Type": "application/json"})


def chunk(delta: Mapping[str, Any] | None, finish: str | None = None, **more: object) -> bytes:
    """One event of a stream."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return event({"id": "c1", "object": "chat.completion.chunk", "model": "m", "choices": choices, **more})


def event(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def ending(finish: str, usage: tuple[int, int]) -> list[bytes]:
    counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return [chunk({}, finish), chunk(None, usage=counted), _DONE]


class ChatServer:
    """Answers each request with the next reply; ``rule`` may refuse a request before a reply is used up."""

    def __init__(
        self,
        *replies: Reply,
        port: int = 0,
        repeat: bool = False,
        rule: Callable[[Body], Reply | None] | None = None,
        takes: Sequence[str] = tuple(_RULES),
        models: Sequence[str] = ("o3-mini", "gpt-4o"),
    ) -> None:
        """``takes``: the paths that exist; ``models``: what it says it offers."""
        self.requests: list[Body] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.problems: list[str] = []
        self.arrived = threading.Event()
        """Set once a request came."""
        self.hung_up = threading.Event()
        """Set once a client left before its reply was whole."""
        self._replies = list(replies)
        self._repeat = repeat
        self._takes = takes
        self.models = models
        self._rule = rule or (lambda body: None)
        self._lock = threading.Lock()
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"chat": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def left(self) -> int:
        """How many replies were not asked for."""
        return len(self._replies)

    def start(self) -> "ChatServer":
        self._thread.start()
        return self

    def add(self, *replies: Reply) -> None:
        with self._lock:
            self._replies.extend(replies)

    def answer(self, path: str, key: str, body: Any) -> Reply:
        """The reply for a request, which is recorded and checked."""
        with self._lock:
            if path not in self._takes:
                return refuses(f"Invalid URL (POST {path})", status=404)
            self.requests.append(body)
            self.paths.append(path)
            self.keys.append(key)
            self.arrived.set()
            ruled = self._rule(body) if isinstance(body, dict) else None
            if ruled:
                return ruled
            problem = _RULES[path](body)
            if problem:
                self.problems.append(problem)
                return refuses(problem)
            if not self._replies:
                self.problems.append("A request came that no reply was written for.")
                return refuses("No reply is written for this request.", status=500)
            reply = self._replies.pop(0)
            if self._repeat:
                self._replies.append(reply)
            return reply

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> "ChatServer":
        return self.start()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()
        if kind is None:
            assert not self.problems, self.problems
            assert self._repeat or self.left == 0, f"{self.left} replies were not asked for"


class _Handler(BaseHTTPRequestHandler):
    chat: ChatServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        models = [{"id": name, "object": "model"} for name in self.chat.models]
        found = self.path.endswith("/models")
        self._send(fails(200, {"object": "list", "data": models}) if found else refuses("Not found", status=404))

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(content)
        except ValueError:
            body = None
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        reply = self.chat.answer(self.path, key, body)
        try:
            self._send(reply)
        except (_HungUp, ConnectionError):
            self.chat.hung_up.set()

    def _send(self, reply: Reply) -> None:
        self.close_connection = True
        if reply.gate:
            self._wait(reply.gate)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.broken:
            self.send_header("Content-Length", "1000000")
        self.send_header("Connection", "close")
        self.end_headers()
        for part in reply.parts:
            if isinstance(part, threading.Event):
                self._wait(part)
            else:
                self.wfile.write(part)

    def _wait(self, gate: threading.Event) -> None:
        while not gate.wait(0.01):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if self.chat.closing.is_set() or (readable and self.connection.recv(1, socket.MSG_PEEK) == b""):
                raise _HungUp

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test that passes is silent."""


class _HungUp(Exception):
    """The client left, or the server is about to close."""


def read_script(path: Path) -> list[Reply]:
    """Replies from a JSON list such as ``[{"calls": ["print(1)"], "text": "I count."}, {"text": "One."}]``.

    A call is Python for the code tool, or ``{"name": ..., "arguments": {...}}``.
    """
    replies = []
    for entry in json.loads(path.read_text(encoding="utf-8")):
        wanted = [one if isinstance(one, str) else (one["name"], one["arguments"]) for one in entry.get("calls", ())]
        text = entry.get("text", "")
        pieces = [text[start : start + 12] for start in range(0, len(text), 12)]
        replies.append(calls(*wanted, text=text) if wanted else says(*pieces))
    return replies


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.chat_server")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--script", type=Path, required=True, help="a JSON list of replies")
    parser.add_argument("--repeat", action="store_true", help="begin again when all replies were given")
    wanted = parser.parse_args(arguments)
    server = ChatServer(*read_script(wanted.script), port=wanted.port, repeat=wanted.repeat).start()
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    try:
        server.closing.wait()
    except KeyboardInterrupt:
        server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
