"""The page under test with fakes at its two borders: the model, and the sandbox with its image."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import analysis.model_choice
import sandbox.backends
import sandbox.image
from analysis.analysis import Analysis
from analysis.model_lists import ModelLists
from sandbox.image import ImageState
from sandbox.sandbox import ExecutionResult, OutputText, SandboxError
from tests.fake_sandbox import FakeSandbox
from tests.scripted_model import Scripted, ScriptedModel
from ui.sessions import Sessions

PAGE = str(Path(__file__).parent.parent / "streamlit_app.py")
Upload = tuple[str, bytes, str]
DATA: Upload = ("data.csv", b"a\n1\n2\n", "text/csv")


class Box(FakeSandbox):
    """Also notes each file that came in and when a cell begins; ``needed`` interrupts end a held cell."""

    def __init__(
        self, *results: ExecutionResult | SandboxError, held: threading.Event | None = None, needed: int = 1
    ) -> None:
        super().__init__(*results, held=held)
        self.needed = needed
        self.puts: list[str] = []
        self.began = threading.Event()
        self.problems: list[SandboxError] = []
        """What the next files that come in fail with."""

    def put_file(self, name: str, source: Path) -> str:
        if self.problems:
            raise self.problems.pop(0)
        self.puts.append(name)
        return super().put_file(name, source)

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        self.began.set()
        yield from super().execute(code, timeout)

    def interrupt(self) -> None:
        if self.interrupts + 1 < self.needed:
            self.interrupts += 1
        else:
            super().interrupt()


class Page:
    """One open page. ``box`` is its sandbox, ``model`` answers on all pages."""

    def __init__(self, model: ScriptedModel, box: Box, **address: str) -> None:
        self.model = model
        self.box = box
        self.addresses: list[tuple[str, str]] = []
        """Key and base URL of each client that was made."""
        self.app = AppTest.from_file(PAGE, default_timeout=30)
        for name, value in address.items():
            self.app.query_params[name] = value
        self.look()

    @property
    def analysis(self) -> Analysis:
        found: Analysis = self.app.session_state["analysis"]
        return found

    def look(self) -> "Page":
        """Run the script again; nothing on the page may have failed."""
        self.app.run()
        assert not self.app.exception
        return self

    def upload(self, *files: Upload) -> "Page":
        """Name, content and type of each file."""
        self.app.file_uploader[0].set_value(list(files))
        return self.look()

    def ask(self, question: str) -> "Page":
        """Ask and wait for the end of the answer."""
        self.begin(question)
        return self.wait()

    def begin(self, question: str) -> "Page":
        self.app.chat_input[0].set_value(question)
        return self.look()

    def wait(self) -> "Page":
        assert self.analysis.run
        assert self.analysis.run.wait(20)
        return self.look()

    def press(self, label: str) -> "Page":
        next(button for button in self.app.button if button.label.replace("\\", "") == label).click()
        return self.look()

    def has(self, label: str) -> bool:
        return any(button.label.replace("\\", "") == label for button in self.app.button)

    @property
    def texts(self) -> list[str]:
        """Everything that went through Markdown."""
        return [element.value for element in (*self.app.markdown, *self.app.caption)]

    @property
    def codes(self) -> list[str]:
        return [code.value for code in self.app.code]

    @property
    def errors(self) -> list[str]:
        return [error.value.replace("\\", "") for error in self.app.error]

    @property
    def labels(self) -> list[str]:
        return [block.label for block in self.app.expander]


OpenPage = Callable[..., Page]


def opening_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenPage]:
    """A fixture: ``open_page(*replies, box=Box(...), lang="zh")`` opens a page with a model of its own."""
    pages: list[Page] = []
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setattr("ui.local_models.local_servers", lambda: ())
    monkeypatch.setattr(Sessions, "start", lambda self: self)
    monkeypatch.setattr(analysis.model_choice, "MODEL_LISTS", ModelLists())
    monkeypatch.setenv("SANDBOX", "docker")
    if not os.environ.get("CHATS_FOLDER"):
        monkeypatch.setenv("KEEP_CHATS_DAYS", "0")
    monkeypatch.setattr(sandbox.image, "image_state", lambda base_image="": ImageState.CURRENT)

    def opened(*replies: Scripted, box: Box | None = None, **address: str) -> Page:
        model, box = ScriptedModel(*replies), box or Box()
        addresses: list[tuple[str, str]] = []

        def client(key: str, url: str, **_: object) -> ScriptedModel:
            addresses.append((key, url))
            return model

        monkeypatch.setattr(analysis.model_choice, "OpenAILanguageModel", client)
        monkeypatch.setattr(sandbox.backends, "new_sandbox", lambda *_: box)
        pages.append(Page(model, box, **address))
        pages[-1].addresses = addresses
        return pages[-1]

    yield opened
    for page in pages:
        if "analysis" in page.app.session_state:
            page.analysis.close()
    st.cache_resource.clear()
    assert [page.model.left for page in pages] == [0] * len(pages)
