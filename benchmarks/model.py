"""What the app adds to a model's server, against a bare client; how long prompts are, and how much of them stays."""

import json
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

import openai

from agents.chat_messages import ChatMessage
from agents.compaction import tokens_in
from agents.events import TextWritten
from analysis.analysis import Analysis, ModelChoice
from analysis.sample import SAMPLE_DICTIONARY, SAMPLE_FILE, STARTER_QUESTIONS
from sandbox.sandbox import Sandbox
from settings import Settings

_PIECES, _REPEATS, _TURNS = 400, 7, 10
_CODE = "traffic_accidents.groupby('urban_area')['accidents'].agg(['count', 'mean']).round(2)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFigures:
    """Milliseconds are medians; tokens are estimated, for no vendor's tokenizer is at hand."""

    first_token_added_ms: float
    each_token_added_ms: float
    first_prompt_tokens: int
    same_prompt_share: float
    """Of all tokens of ten turns' requests after the first, those with which the request before began as well."""

    def lines(self) -> list[str]:
        return [
            f"added before the first token: {self.first_token_added_ms:.1f} ms (aim: 30)",
            f"added to each token: {self.each_token_added_ms:.3f} ms (aim: 0.2)",
            f"prompt of the first question on the sample: about {self.first_prompt_tokens:,} tokens",
            f"prompt identical to the request before, over {_TURNS} turns: {self.same_prompt_share:.1%} (aim: 95%)",
        ]


def as_json(figures: ModelFigures) -> str:
    return json.dumps(asdict(figures))


def measure(sandbox: Sandbox) -> ModelFigures:
    """Takes a minute or so; the sandbox is closed in the end."""
    with _server() as server:
        bare = [_bare_client(server.url) for _ in range(_REPEATS + 1)][1:]
        choice = ModelChoice(model="o3-mini", effort="medium", base_url=server.url)
        with closing(Analysis(sandbox=sandbox, choice=choice, settings=Settings())) as analysis:
            analysis.set_dictionary(SAMPLE_DICTIONARY["en"].read_text(encoding="utf-8"))
            analysis.add_file(SAMPLE_FILE.name, SAMPLE_FILE)
            _ask(analysis)
            first = server.requests[-1]
            app = [_ask(analysis) for _ in range(_REPEATS)]
            analysis.new_chat()
            analysis.add_file(SAMPLE_FILE.name, SAMPLE_FILE)
            server.requests.clear()
            server.calls_first = True
            for question in range(_TURNS):
                _ask(analysis, f"{STARTER_QUESTIONS['en'][question % len(STARTER_QUESTIONS['en'])]}")
    return ModelFigures(
        first_token_added_ms=(_median(app, 0) - _median(bare, 0)) * 1_000,
        each_token_added_ms=(_median(app, 1) - _median(bare, 1)) * 1_000 / _PIECES,
        first_prompt_tokens=_tokens(first),
        same_prompt_share=_same_share(server.requests),
    )


def _bare_client(url: str) -> tuple[float, float]:
    """Seconds to the first piece of text, and from there to the last."""
    client = openai.OpenAI(api_key="none", base_url=url, max_retries=0)
    begun = time.perf_counter()
    stream = client.chat.completions.create(
        model="o3-mini", messages=[{"role": "user", "content": "Hello"}], stream=True
    )
    times = [time.perf_counter() for chunk in stream if chunk.choices and chunk.choices[0].delta.content]
    client.close()
    return times[0] - begun, times[-1] - times[0]


def _ask(
    analysis: Analysis, question: str = "Which areas are at the highest risk of accidents?"
) -> tuple[float, float]:
    begun = time.perf_counter()
    run = analysis.ask(question)
    times = [
        time.perf_counter() for event in run.events(max(len(analysis.record) - 1, 0)) if isinstance(event, TextWritten)
    ]
    run.wait()
    return times[0] - begun, times[-1] - times[0]


def _median(measured: list[tuple[float, float]], which: int) -> float:
    return statistics.median(pair[which] for pair in measured)


def _tokens(request: dict[str, Any]) -> int:
    return tokens_in([ChatMessage(role="user", text=_prompt(request))])


def _same_share(requests: list[dict[str, Any]]) -> float:
    prompts = [_prompt(request) for request in requests]
    same = [_same_beginning(before, after) for before, after in pairwise(prompts)]
    return sum(same) / sum(len(prompt) for prompt in prompts[1:])


def _same_beginning(before: str, after: str) -> int:
    """In characters."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(before), len(after)))


def _prompt(request: dict[str, Any]) -> str:
    """In the order in which servers cache: tools, then messages."""
    messages = [json.dumps(message, ensure_ascii=False) for message in request["messages"]]
    return "\n".join([json.dumps(request.get("tools", []), ensure_ascii=False), *messages])


class _Server:
    """Text in many pieces for each request; with ``calls_first`` a question's first reply is code."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[dict[str, Any]] = []
        self.calls_first = False

    def reply(self, body: dict[str, Any]) -> bytes:
        self.requests.append(body)
        is_new = body["messages"][-1]["role"] == "user"
        if self.calls_first and is_new:
            function = {"name": "execute_python_code", "arguments": json.dumps({"python_code": _CODE})}
            call = {"index": 0, "id": f"call_{len(self.requests)}", "type": "function", "function": function}
            return _event({"tool_calls": [call]}) + b"data: [DONE]\n\n"
        count = 60 if self.calls_first else _PIECES
        return b"".join(_event({"content": f"word{number} "}) for number in range(count)) + b"data: [DONE]\n\n"


def _event(delta: dict[str, Any]) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return b"data: " + json.dumps({"id": "c", "model": "m", "choices": [choice]}).encode() + b"\n\n"


@contextmanager
def _server() -> Iterator[_Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = told.reply(body)
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told = _Server(f"http://127.0.0.1:{server.server_address[1]}/v1")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
