"""A chat with the offline analyst whose code really runs, in an interpreter with the packages of the image."""

import itertools
import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agents.chat_messages import ChatMessages
from agents.events import TextWritten
from agents.models.language_model import ModelReply, ModelRequest
from agents.models.offline.model import OfflineLanguageModel
from agents.stop_signal import StopSignal
from sandbox.sandbox import FileProfile
from tests.inside_fixtures import sandbox_python

TOOLS = ({"type": "function", "function": {"name": "execute_python_code", "parameters": {}}},)
_LOOP = """
import ast, contextlib, io, json, sys, traceback, warnings
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

warnings.filterwarnings("error")
warnings.filterwarnings("ignore", message="Glyph")
spaces = {}
for line in sys.stdin:
    order = json.loads(line)
    space, done = spaces.setdefault(order["chat"], {"__name__": "__main__"}), {"error": "", "table": None}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            tree = ast.parse(order["code"])
            last = tree.body.pop()
            exec(compile(tree, "cell", "exec"), space)
            table = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
            rows = table.reset_index().to_json(orient="records", date_format="iso", default_handler=str)
            done["table"] = json.loads(rows)
        except Exception:
            done["error"] = traceback.format_exc(limit=-2)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    done["charts"] = [
        [ax.get_title() or figure.get_suptitle(), ax.get_xlabel(), ax.get_ylabel()]
        for figure in figures for ax in figure.axes if ax.get_visible()
    ]
    for figure in figures:
        figure.canvas.draw()
    plt.close("all")
    print(json.dumps(done | {"printed": printed.getvalue()}), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one piece of code did; ``charts`` holds title and axis labels of each pair of axes."""

    printed: str
    error: str
    table: Any
    charts: Any


class CodeRunner:
    """Runs code in a process of its own; each chat has its own variables."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sandbox_python(), "-c", _LOOP],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, code: str, chat: int) -> Ran:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"code": code, "chat": chat}) + "\n")
        self._process.stdin.flush()
        return Ran(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()


@dataclass(frozen=True, slots=True)
class Answered:
    """One question: all that was said, the last words, and each piece of code with what it did."""

    said: tuple[str, ...]
    codes: tuple[str, ...]
    ran: tuple[Ran, ...]

    @property
    def text(self) -> str:
        return self.said[-1]

    @property
    def figures(self) -> dict[str, Any]:
        """The figures that the last code printed."""
        lines = (line.partition(": ") for line in self.ran[-1].printed.splitlines())
        return {name: json.loads(value) for name, _, value in lines}

    @property
    def listed(self) -> dict[str, dict[str, Any]]:
        """The printed list by the names in it."""
        return {row["name"]: row for row in self.figures["listed"]}

    @property
    def table(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.ran[-1].table
        return rows


@dataclass
class OfflineChat:
    """Asks one question after the other, as an agent does."""

    runner: CodeRunner
    files: Sequence[FileProfile]
    dictionary: str = ""
    outputs: Path | None = None
    breaks: int = 0
    """How many of the next pieces of code fail."""
    messages: ChatMessages = field(default_factory=ChatMessages)
    number: int = field(default_factory=itertools.count().__next__)
    """Which variables of the runner are its own."""

    def ask(self, question: str) -> Answered:
        said: list[str] = []
        codes: list[str] = []
        ran: list[Ran] = []
        self.messages.add_context("What was told about files\n\nin two paragraphs.")
        self.messages.add_question(question)
        while True:
            reply = self.reply()
            said.append(reply.text)
            calls = self.messages.add_reply(reply.text, reply.calls)
            if not calls:
                return Answered(tuple(said), tuple(codes), tuple(ran))
            code = json.loads(calls[0].arguments)["python_code"]
            codes.append(code)
            ran.append(self._run(code))
            self.messages.add_result(calls[0].id, ran[-1].printed + ran[-1].error)

    def reply(self, tools: Sequence[dict[str, Any]] = TOOLS) -> ModelReply:
        model = OfflineLanguageModel(lambda: self.files, lambda: self.dictionary)
        request = ModelRequest(model="offline", effort=None, prompt="", messages=self.messages.snapshot(), tools=tools)
        *pieces, reply = model.stream(request, StopSignal())
        assert isinstance(reply, ModelReply)
        assert "".join(piece.text for piece in pieces if isinstance(piece, TextWritten)) == reply.text
        return reply

    def _run(self, code: str) -> Ran:
        if self.breaks:
            self.breaks -= 1
            code = f"raise MemoryError('broken on purpose')\n{code}"
        if self.outputs:
            code = code.replace("/outputs", str(self.outputs))
        return self.runner.run(code, self.number)


@pytest.fixture(scope="module")
def runner() -> Iterator[CodeRunner]:
    runner = CodeRunner()
    yield runner
    runner.close()
