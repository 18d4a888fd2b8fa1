"""An analysis is found again only by the browser that began it, and leaves when nobody has used it for long."""

import threading
from pathlib import Path
from unittest.mock import Mock

import pytest

from analysis.analysis import Analysis, ModelChoice
from analysis.chat_store import ChatStore, KeptChat
from analysis.record import PythonRestarted, QuestionAsked
from settings import Settings
from tests.fake_sandbox import FakeSandbox
from tests.scripted_model import ScriptedModel, says
from ui.sessions import Sessions


class Clock:
    """Time that passes when the test says so, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def an_analysis(model: ScriptedModel | None = None, place: KeptChat | None = None) -> tuple[Analysis, FakeSandbox]:
    sandbox = FakeSandbox()
    choice = ModelChoice(model="m")
    return Analysis(
        sandbox=sandbox, choice=choice, settings=Settings(), language_model=model or ScriptedModel(), place=place
    ), sandbox


def begun(sessions: Sessions, analysis: Analysis, browser: str | None = "browser") -> str:
    return sessions.begin(browser, lambda chat: analysis)[0]


def not_on_disk(chat: KeptChat | None) -> Analysis:
    raise AssertionError


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(idle_minutes=1, clock=clock)


def test_the_same_browser_finds_its_analysis_again(sessions: Sessions) -> None:
    analysis, _ = an_analysis()
    name = begun(sessions, analysis)
    assert sessions.find(name, "browser", not_on_disk) is analysis


@pytest.mark.parametrize("browser", ["another", "", None])
def test_another_browser_finds_nothing(sessions: Sessions, browser: str | None) -> None:
    name = begun(sessions, an_analysis()[0])
    assert sessions.find(name, browser, not_on_disk) is None


def test_without_a_browser_nobody_finds_it(sessions: Sessions) -> None:
    name = begun(sessions, an_analysis()[0], None)
    assert sessions.find(name, None, not_on_disk) is None
    assert sessions.use(name)


def test_names_are_long_and_never_the_same(sessions: Sessions) -> None:
    names = {begun(sessions, an_analysis()[0]) for _ in range(20)}
    assert len(names) == 20
    assert all(len(name) >= 22 for name in names)


def test_an_idle_sandbox_is_given_back_once_and_the_record_says_so(sessions: Sessions, clock: Clock) -> None:
    analysis, sandbox = an_analysis()
    name = begun(sessions, analysis)
    clock.now = 59
    sessions.tidy()
    assert sandbox.restarts == 0
    clock.now = 61
    sessions.tidy()
    sessions.tidy()
    assert sandbox.restarts == 1
    assert [type(entry) for entry in analysis.record.since()] == [PythonRestarted]
    assert sessions.find(name, "browser", not_on_disk) is analysis


def test_a_used_one_is_left_alone(sessions: Sessions, clock: Clock) -> None:
    analysis, sandbox = an_analysis()
    name = begun(sessions, analysis)
    clock.now = 50
    assert sessions.use(name)
    clock.now = 100
    sessions.tidy()
    assert sandbox.restarts == 0


def test_a_chat_that_nobody_comes_back_to_is_closed_and_forgotten(sessions: Sessions, clock: Clock) -> None:
    analysis, sandbox = an_analysis()
    name = begun(sessions, analysis)
    clock.now = 13 * 60
    sessions.tidy()
    assert sandbox.closed
    assert sessions.find(name, "browser", not_on_disk) is None
    assert not sessions.use(name)


def test_one_that_cannot_leave_keeps_no_other_from_leaving_and_is_tried_again(
    sessions: Sessions, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (broken, first), (analysis, second) = an_analysis(), an_analysis()
    begun(sessions, broken)
    begun(sessions, analysis)
    clock.now = 61
    with monkeypatch.context() as patched:
        patched.setattr(first, "restart", Mock(side_effect=OSError("The engine is gone.")))
        sessions.tidy()
    assert (first.restarts, second.restarts) == (0, 1)
    assert "could not be given back: The engine is gone." in caplog.text
    sessions.tidy()
    assert (first.restarts, second.restarts) == (1, 1)


def test_while_a_chat_leaves_others_come_from_disk(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = Sessions(idle_minutes=1, clock=clock, chats=ChatStore(tmp_path, days=7))
    (leaving, sandbox), go_on, began = an_analysis(), threading.Event(), threading.Event()
    begun(sessions, leaving, None)
    kept = ChatStore(tmp_path, days=7).begin("another", "browser")
    assert kept
    kept.write(QuestionAsked("Why?"))
    kept.close()

    def restart() -> None:
        began.set()
        assert go_on.wait(10)

    monkeypatch.setattr(sandbox, "restart", restart)
    clock.now = 61
    tidying = threading.Thread(target=sessions.tidy)
    tidying.start()
    assert began.wait(10)
    found = sessions.find("another", "browser", lambda chat: an_analysis(place=chat)[0])
    go_on.set()
    tidying.join()
    assert found
    sessions.close()


def test_a_running_question_is_never_cut_and_counts_as_use(sessions: Sessions, clock: Clock) -> None:
    go_on = threading.Event()
    analysis, sandbox = an_analysis(ScriptedModel(says("a", go_on, "b")))
    begun(sessions, analysis)
    run = analysis.ask("Why?")
    clock.now = 24 * 3600
    sessions.tidy()
    go_on.set()
    assert run.wait(10)
    sessions.tidy()
    assert not sandbox.closed
    assert sandbox.restarts == 0


def test_the_end_of_the_process_closes_all(sessions: Sessions) -> None:
    sandboxes = []
    for _ in range(3):
        analysis, sandbox = an_analysis()
        begun(sessions, analysis)
        sandboxes.append(sandbox)
    sessions.close()
    sessions.close()
    assert all(sandbox.closed for sandbox in sandboxes)
