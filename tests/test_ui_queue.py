"""Who has to wait for a sandbox sees their place in the queue, with a question and with a file."""

import io
import threading
from pathlib import Path

import pytest

from analysis.analysis import Analysis, ModelChoice
from settings import Settings
from tests.fake_sandbox import FakeSandbox
from tests.page_fixtures import DATA, Box, OpenPage, opening_pages
from tests.scripted_model import asks, says
from ui import queue_view
from wording import Sentence

open_page = pytest.fixture(opening_pages)
TEMPLATE = "All sandboxes ({count}) are in use. Yours is number {position} in the queue."
QUEUE = Sentence(TEMPLATE, {"count": 8, "position": 2})
TOLD = "All sandboxes (8) are in use. Yours is number 2 in the queue."


def test_who_waits_for_a_sandbox_is_told_the_place_in_the_queue(open_page: OpenPage) -> None:
    held = threading.Event()
    page = open_page(asks("1"), says("One."), box=Box(held=held)).begin("Rows?")
    assert page.box.began.wait(10)
    page.box.waiting = QUEUE
    page.look()
    assert [text for text in page.texts if TOLD in text.replace("\\", "")]
    page.box.waiting = None
    held.set()
    page.wait()
    assert not [text for text in page.texts if TOLD in text.replace("\\", "")]


def test_who_waits_with_a_file_is_told_so_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    box, is_told = FakeSandbox(), threading.Event()
    box.waiting = QUEUE
    analysis = Analysis(sandbox=box, choice=ModelChoice(model="offline"), settings=Settings())
    monkeypatch.setattr(queue_view, "draw_waiting", lambda reason: is_told.set() if reason == QUEUE else None)
    done: list[bool] = []
    queue_view.telling_queue(analysis, lambda _: done.append(is_told.wait(10)))
    assert done == [True]
    analysis.close()


def test_a_page_that_is_loaded_again_tells_of_the_file_that_waits_and_shows_it_once_it_is_there(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    is_waiting, may_go_on = threading.Event(), threading.Event()
    put_file = page.box.put_file

    def wait_and_put(name: str, source: Path) -> str:
        is_waiting.set()
        assert may_go_on.wait(20)
        return put_file(name, source)

    monkeypatch.setattr(page.box, "put_file", wait_and_put)
    page.box.waiting = QUEUE
    adding = threading.Thread(target=page.analysis.add_file, args=("data.csv", io.BytesIO(DATA[1])))
    adding.start()
    assert is_waiting.wait(20)
    page.look()
    assert [text for text in page.texts if TOLD in text.replace("\\", "")]
    page.box.waiting = None
    may_go_on.set()
    adding.join()
    page.look()
    assert not [text for text in page.texts if TOLD in text.replace("\\", "")]
    assert [file.name for file in page.analysis.files] == ["data.csv"]
    assert any("data.csv" in label.replace("\\", "") for label in page.labels)
