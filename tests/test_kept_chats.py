"""A chat goes on where it stood when the app was ended: answers, files, dictionary, model, and what the model knows."""

import io
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from agents.events import CallStarted, ChartMade, Failed, Finished
from analysis.analysis import Analysis, ModelChoice
from analysis.chat_store import ChatStore, KeptChat
from analysis.record import FileAdded, FileRemoved, PythonRestarted, QuestionAsked
from analysis.replay import LostCell
from sandbox.sandbox import ExecutionResult, ReadingChoices
from settings import Settings
from tests.fake_sandbox import PNG, FakeSandbox, chart
from tests.scripted_model import Scripted, ScriptedModel, asks, says
from ui.sessions import Sessions

LONG = 30
CSV = b"a\n1\n2\n"


class App:
    """The app of one process over a folder of kept chats."""

    def __init__(self, folder: Path, replies: tuple[Scripted, ...], sandbox: FakeSandbox, settings: Settings) -> None:
        self.folder = folder
        self.sandbox = sandbox
        self.model = ScriptedModel(*replies)
        self.settings = settings
        self.now = 0.0
        self.sessions = Sessions(idle_minutes=1, clock=lambda: self.now, chats=ChatStore(folder, days=7))
        self.place: KeptChat | None = None

    def make(self, place: KeptChat | None) -> Analysis:
        self.place = place
        return Analysis(
            sandbox=self.sandbox,
            choice=ModelChoice(model="o3-mini", api_key="sk-CANARY"),
            settings=self.settings,
            language_model=self.model,
            place=place,
        )

    def begin(self) -> tuple[str, Analysis]:
        return self.sessions.begin("browser", self.make)

    def find(self, name: str, browser: str = "browser") -> Analysis | None:
        return self.sessions.find(name, browser, self.make)


class Apps:
    """One after the other: each begins with what lies on disk at that moment, as if the one before had been killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[App] = []

    def __call__(self, *replies: Scripted, sandbox: FakeSandbox | None = None, **settings: object) -> App:
        folder = self.folder / str(len(self.started))
        if self.started:
            shutil.copytree(self.started[-1].folder, folder)
        self.started.append(App(folder, replies, sandbox or FakeSandbox(), Settings(**settings)))  # type: ignore[arg-type]
        return self.started[-1]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apps]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    apps = Apps(tmp_path / "apps")
    yield apps
    for app in apps.started:
        app.sessions.close()


def ask(analysis: Analysis, question: str) -> object:
    """How the question ended."""
    return list(analysis.ask(question).events())[-1]


def found(app: App, name: str) -> Analysis:
    analysis = app.find(name)
    assert analysis
    return analysis


def worked(app: App) -> tuple[str, Analysis]:
    """A chat with a file, a dictionary, and an answer with code and a chart."""
    name, analysis = app.begin()
    analysis.add_file("../sales.csv", io.BytesIO(CSV))
    analysis.set_dictionary("a: number of things")
    assert isinstance(ask(analysis, "Plot a"), Finished)
    return name, analysis


def plotting() -> FakeSandbox:
    return FakeSandbox(ExecutionResult(stdout="drawn\n", charts=(chart(),)))


def test_answers_files_and_downloads_are_there_again(start: Apps) -> None:
    first = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, before = worked(first)
    entries, outputs = before.record.since(), before.outputs_zip()
    second = start()
    after = found(second, name)
    assert after.record.since() == (*entries, PythonRestarted(by_person=False))
    assert after.outputs_zip() == outputs
    assert [entry.chart.content for entry in after.record.since() if isinstance(entry, ChartMade)] == [PNG]
    assert (after.files, after.dictionary) == (before.files, "a: number of things")
    assert second.sandbox.files == {before.files[0].name: CSV}
    assert after.record.is_begun
    assert found(second, name) is after


def test_the_model_goes_on_in_the_same_words_and_hears_only_that_python_is_new(start: Apps) -> None:
    first = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, _ = worked(first)
    second = start(says("Still rising."))
    ask(found(second, name), "And now?")
    said = second.model.requests[0].messages
    assert said[: len(first.model.requests[-1].messages)] == first.model.requests[-1].messages
    assert said[-2].text == "Rising."
    assert said[-1].text.startswith("(Python was restarted: variables and imports are gone")
    assert said[-1].text.endswith("tables are loaded again.)\n\nAnd now?")


def test_the_earlier_code_can_be_run_again(start: Apps) -> None:
    first = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, _ = worked(first)
    second = start()
    analysis = found(second, name)
    assert analysis.lost_cells == (LostCell("x = 1"),)
    assert analysis.replay().wait(LONG)
    assert second.sandbox.codes == ["x = 1"]
    assert not analysis.lost_cells


def test_a_question_that_was_running_ends_in_a_sentence_and_the_next_one_can_be_asked(start: Apps) -> None:
    first = start()
    name, _ = first.begin()
    assert first.place
    first.place.write(QuestionAsked("Why?"))
    second = start(says("Because."))
    analysis = found(second, name)
    (_, end) = analysis.record.since()
    assert isinstance(end, Failed)
    assert str(end.reason).startswith("The app ended while it was working on this.")
    assert isinstance(ask(analysis, "Why?"), Finished)


def test_a_call_that_was_running_is_closed_for_the_model(start: Apps) -> None:
    first = start(asks("x = 1"), says("Never said."), sandbox=FakeSandbox(held=threading.Event()))
    name, before = first.begin()
    assert any(isinstance(entry, CallStarted) for entry in before.ask("Run it").events())
    second = start(says("Again."))
    after = found(second, name)
    assert [type(entry) for entry in after.record.since()][-2:] == [Failed, PythonRestarted]
    ask(after, "And?")
    said = second.model.requests[0].messages
    assert [message.role for message in said] == ["user", "assistant", "tool", "user"]
    assert said[2].text == "This was cut off before it finished."


def test_files_go_and_change_as_they_did_and_the_model_hears_of_it_once(start: Apps) -> None:
    first = start(says("Yes."))
    name, before = first.begin()
    before.add_file("old.csv", io.BytesIO(CSV))
    before.add_file("kept.csv", io.BytesIO(b"b\n1\n"))
    ask(before, "First?")
    before.remove_file("old.csv")
    choices = ReadingChoices(delimiter=";")
    before.read_again("kept.csv", choices)
    second = start(says("Yes."), says("Yes."))
    after = found(second, name)
    assert [(file.name, file.choices) for file in after.files] == [("kept.csv", choices)]
    assert list(second.sandbox.files) == ["kept.csv"]
    ask(after, "Second?")
    told = second.model.requests[0].messages[-1].text
    assert "'/data/old.csv' was removed" in told
    assert "is another one or read differently" in told
    ask(after, "Third?")
    assert second.model.requests[1].messages[-1].text == "Third?"
    assert after.add_file("kept.csv", io.BytesIO(b"b\n1\n")) == after.files[0]


def test_a_copy_that_is_lost_is_a_file_that_was_removed(start: Apps) -> None:
    first = start()
    name, before = first.begin()
    file = before.add_file("sales.csv", io.BytesIO(CSV))
    second = start()
    next(second.folder.glob("*/files/*")).write_bytes(b"short")
    after = found(second, name)
    assert after.files == ()
    assert after.record.since() == (FileAdded(file.profile), FileRemoved("sales.csv"))


def test_the_chosen_model_comes_back_without_its_key(start: Apps) -> None:
    first = start()
    name, before = first.begin()
    before.choose(ModelChoice(model="m", effort="high", api_key="sk-TYPED", base_url="http://typed/v1"))
    assert b"sk-" not in next(first.folder.glob("*/chat.jsonl")).read_bytes()
    after = found(start(), name)
    assert (after.choice.model, after.choice.effort, after.choice.base_url) == ("m", "high", "http://typed/v1")


def test_a_key_of_the_settings_never_goes_to_an_address_that_was_typed_in(start: Apps) -> None:
    first = start()
    name, before = first.begin()
    before.choose(ModelChoice(model="m", base_url="http://typed/v1"))
    after = found(start(openai_api_key="sk-CANARY"), name)
    assert (after.choice.model, after.choice.base_url, after.choice.api_key) == ("m", "", "sk-CANARY")


def test_a_new_chat_forgets_the_old_one_on_disk_too(start: Apps) -> None:
    first = start(asks("x = 1"), says("Secret."), sandbox=plotting())
    name, analysis = worked(first)
    analysis.new_chat()
    assert list(first.folder.glob("*/files/*")) == []
    assert b"Secret" not in next(first.folder.glob("*/chat.jsonl")).read_bytes()
    analysis.add_file("new.csv", io.BytesIO(CSV))
    after = found(start(), name)
    assert [file.name for file in after.files] == ["new.csv"]
    assert (after.dictionary, after.record.is_begun) == ("", False)


def test_another_browser_finds_nothing_after_the_restart(start: Apps) -> None:
    first = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, _ = worked(first)
    second = start()
    assert second.find(name, "another") is None
    assert second.find(name, "") is None
    assert second.place is None
    assert second.find(name)


def test_a_chat_that_left_memory_is_opened_from_disk(start: Apps) -> None:
    app = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, before = worked(app)
    app.now = 13 * 60
    app.sessions.tidy()
    assert app.sandbox.closed
    app.sandbox = FakeSandbox()
    after = found(app, name)
    assert after is not before
    assert [file.name for file in after.files] == ["../sales.csv"]


def test_a_chat_that_cannot_be_brought_back_once_is_brought_back_the_next_time(start: Apps) -> None:
    first = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, _ = worked(first)
    second = start()
    with pytest.raises(MemoryError):
        second.sessions.find(name, "browser", Mock(side_effect=MemoryError()))
    assert found(second, name)


def test_two_restarts_tell_the_restart_once(start: Apps) -> None:
    first = start(asks("x = 1"), says("Rising."), sandbox=plotting())
    name, _ = worked(first)
    second = start()
    found(second, name)
    third = start(says("Yes."))
    analysis = found(third, name)
    assert sum(isinstance(entry, PythonRestarted) for entry in analysis.record.since()) == 1
    ask(analysis, "And now?")
    assert third.model.requests[0].messages[-1].text.count("Python was restarted") == 1
