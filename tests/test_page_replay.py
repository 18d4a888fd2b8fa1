"""Lost variables on the page: the offer to run earlier code again, how far it is, and how it ended."""

import threading

import pytest

from sandbox.sandbox import ExecutionResult, StateLoss
from tests.fake_sandbox import chart
from tests.page_fixtures import DATA, Box, OpenPage, Page, opening_pages
from tests.scripted_model import asks, says

open_page = pytest.fixture(opening_pages)
AGAIN = "Run the earlier code again"
PLOT = ExecutionResult(stdout="2 rows\n", charts=(chart(),))
KILLED = ExecutionResult(error="Killed", state_lost=StateLoss.MEMORY)


def told(page: Page) -> str:
    """All that went through Markdown, as it reads."""
    return "\n".join(page.texts).replace("\\", "")


def test_lost_variables_come_back_with_one_click_and_no_chart_comes_twice(open_page: OpenPage) -> None:
    replies = (asks("df.plot()"), says("Drawn."), asks("loop()"), says("Too much."), says("Yes."))
    page = open_page(*replies, box=Box(PLOT, KILLED))
    page.upload(DATA).ask("Plot a")
    assert not page.has(AGAIN)
    page.ask("Loop")
    assert "To run it again removes files that code has left in the sandbox" in told(page)
    for _ in range(2):
        assert page.has(AGAIN)
        assert ":material/history: Variables of earlier code are gone." in page.look().texts
    page.press(AGAIN).wait()
    assert page.box.codes == ["df.plot()", "loop()", "df.plot()"]
    assert not page.look().has(AGAIN)
    assert "The earlier code ran again: 1 of 1. Its variables and files are back; files that other code" in told(page)
    assert len(page.app.image) == 1
    page.ask("And now?")
    assert "All 1 succeeded: their variables, imports and files are back." in page.model.requests[-1].messages[-1].text


def test_a_sandbox_that_went_away_between_two_questions_is_offered_too(open_page: OpenPage) -> None:
    page = open_page(asks("x = 1"), says("Done.")).upload(DATA).ask("Set x")
    page.box.lost_variables = True
    page.app.button_group(key="lang").set_value("zh")
    assert "之前代码的变量已丢失。" in told(page.look())
    page.press("重新运行之前的代码").wait()
    assert page.box.codes == ["x = 1", "x = 1"]


def test_after_a_restart_that_the_person_wanted_nothing_is_offered(open_page: OpenPage) -> None:
    page = open_page(asks("x = 1"), says("Done.")).upload(DATA).ask("Set x").press("Restart Python")
    assert not page.has(AGAIN)


def test_a_replay_shows_how_far_it_is_and_can_be_stopped(open_page: OpenPage) -> None:
    go_on = threading.Event()
    go_on.set()
    page = open_page(asks("x = 1"), says("Done."), box=Box(held=go_on)).upload(DATA).ask("Set x")
    page.box.lost_variables = True
    page.box.began.clear()
    go_on.clear()
    page.look().press(AGAIN)
    assert page.box.began.wait(20)
    page.look()
    assert [bar.proto.text for bar in page.app.get("progress")] == ["0 of 1"]
    assert page.app.chat_input[0].disabled
    assert page.app.chat_input[0].placeholder == "You can ask once the earlier code has run"
    assert not page.has(AGAIN)
    page.press("Stop").wait()
    assert "Stopped at 1 of 1." in told(page)
    assert page.has(AGAIN)


def test_code_that_fails_the_second_time_is_shown_with_its_error(open_page: OpenPage) -> None:
    page = open_page(asks("x = 1"), says("Done."), box=Box(PLOT, ExecutionResult(error="NameError: x")))
    page.upload(DATA).ask("Set x")
    page.box.lost_variables = True
    page.look().press(AGAIN).wait()
    assert page.labels[-1] == "The code that failed"
    assert page.codes[-3:-1] == ["x = 1", "NameError: x"]
    assert "The earlier code ran again up to 1 of 1, which failed." in told(page)
