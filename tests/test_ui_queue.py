"""Who has to wait for a sandbox sees their place in the queue, with a question and with a file."""

import threading

import pytest

from analysis.analysis import Analysis, ModelChoice
from settings import Settings
from tests.fake_sandbox import FakeSandbox
from tests.page_fixtures import Box, OpenPage, opening_pages
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
