"""What a page keeps apart and what it never shows: other people's work, keys, and tricks in text from outside."""

import re
import threading

import pytest

import ui.current
from analysis.sample import SAMPLE_FILE
from sandbox.sandbox import ExecutionResult, OutputFile
from tests.fake_sandbox import chart
from tests.page_fixtures import DATA, Box, OpenPage, Page, opening_pages
from tests.scripted_model import asks, says

open_page = pytest.fixture(opening_pages)
EVIL = "Costs $5 to $9, ~5% ![x](https://evil.example/?q=1) <img src=https://evil.example> [f](sandbox:/mnt/data/a.csv)"


def everything_on(page: Page) -> str:
    """All that the server sent for this page, as text."""
    return str([element.proto for element in page.app.main] + [element.proto for element in page.app.sidebar])


def test_two_pages_see_nothing_of_each_other(open_page: OpenPage) -> None:
    first = open_page(says("Private answer.")).upload(DATA).ask("Private question?")
    second = open_page()
    assert second.texts[0].startswith("Upload a table")
    assert second.analysis is not first.analysis
    assert second.box is not first.box
    assert second.box.files == {}
    assert "Private" not in everything_on(second)


def test_a_reload_in_the_same_browser_shows_the_same_chat(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.current, "browser_key", lambda: "browser")
    before = open_page(says("Still here.")).upload(DATA).ask("Will you stay?")
    after = open_page(chat=before.app.query_params["chat"])
    assert after.analysis is before.analysis
    assert "Still here." in after.texts


def test_a_question_that_another_page_was_faster_with_stays_in_the_box(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.current, "browser_key", lambda: "browser")
    go_on = threading.Event()
    first = open_page(says("a", go_on, "b"))
    second = open_page(chat=first.app.query_params["chat"])
    first.begin("First?")
    second.begin("Second?")
    assert second.errors == ["A question is still being answered. Wait for its end, or stop it."]
    assert second.app.chat_input[0].value == "Second?"
    go_on.set()
    first.wait()


@pytest.mark.parametrize("browser", ["another browser", None])
def test_the_address_of_a_chat_opens_nothing_elsewhere(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, browser: str | None
) -> None:
    monkeypatch.setattr(ui.current, "browser_key", lambda: "browser")
    owner = open_page(says("Private answer.")).upload(DATA).ask("Private question?")
    monkeypatch.setattr(ui.current, "browser_key", lambda: browser)
    other = open_page(chat=owner.app.query_params["chat"])
    assert other.analysis is not owner.analysis
    assert "Private" not in everything_on(other)
    assert other.app.query_params["chat"] != owner.app.query_params["chat"]
    assert other.errors == ["The earlier chat of this page is no longer there. Add your files again to go on."]


def test_hostile_text_of_the_model_loads_nothing(open_page: OpenPage) -> None:
    page = open_page(says(EVIL)).ask("Costs $5?")
    shown = next(text for text in page.texts if text.startswith("Costs"))
    assert shown == r"Costs \$5 to \$9, \~5% [external image removed]  f"
    assert [text.value for text in page.app.text] == ["Costs $5?"]


def test_printed_text_is_shown_as_it_is(open_page: OpenPage) -> None:
    printed = ExecutionResult(stdout=f"{EVIL}\x1b[31m\n")
    page = open_page(asks("1"), says("Done."), box=Box(printed)).ask("Print")
    assert EVIL in page.codes
    assert not any("evil" in text for text in page.texts)


def test_names_from_outside_show_letter_by_letter(open_page: OpenPage) -> None:
    name = "![x](https:a)$5_b.csv"
    made = ExecutionResult(files=(OutputFile(name="__a__.txt", kind="file", content=b"1"),))
    page = open_page(asks("1"), says("Done."), box=Box(made)).upload((name, b"a\n1\n", "text/csv")).ask("Go")
    assert r"\!\[x\]\(https\:a\)\$5\_b\.csv" in page.labels[0]
    assert r"\_\_a\_\_\.txt" in [button.label for button in page.app.download_button]


def test_no_html_but_the_style_of_the_page_is_ever_drawn(open_page: OpenPage) -> None:
    page = open_page(asks("1"), says("<script>1</script>"), box=Box(ExecutionResult(charts=(chart(),)))).ask("Go")
    (style,) = page.app.get("html")
    assert re.fullmatch(r"<style>[^<]*</style>", style.proto.body)
    assert not any(element.proto.allow_html for element in page.app.markdown)


def test_what_is_no_png_is_not_shown_as_one(open_page: OpenPage) -> None:
    fake = OutputFile(name="chart.png", kind="chart", content=b"<svg onload=alert(1)>")
    page = open_page(asks("1"), says("Done."), box=Box(ExecutionResult(charts=(fake,)))).ask("Go")
    assert len(page.app.image) == 0
    assert any(text.startswith("This chart is not a PNG picture") for text in page.texts)


def test_a_typed_key_goes_to_the_model_and_nowhere_else(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    page = open_page()
    page.app.selectbox(key="model").set_value("o3-mini")
    page.look()
    assert [info.value.partition(",")[0] for info in page.app.info] == ["To ask questions"]
    assert page.app.text_input(key="api_key").proto.type == page.app.text_input(key="api_key").proto.PASSWORD
    page.app.text_input(key="api_key").set_value("sk-canary")
    page.app.text_input(key="base_url").set_value("http://localhost:1/v1")
    page.look()
    assert list(page.app.info) == []
    assert (page.analysis.choice.api_key, page.analysis.choice.base_url) == ("sk-canary", "http://localhost:1/v1")
    assert "canary" not in repr(page.analysis.choice)
    reloaded = open_page()
    assert "canary" not in everything_on(reloaded)
    assert reloaded.analysis.choice.api_key == ""


def test_a_key_from_the_settings_is_not_asked_for_and_goes_to_no_typed_address(open_page: OpenPage) -> None:
    page = open_page()
    assert list(page.app.text_input) == []
    assert page.analysis.choice.api_key == "sk-canary"
    assert "canary" not in everything_on(page)


def test_the_sample_file_is_read_from_the_project(open_page: OpenPage) -> None:
    page = open_page().press("Try the sample data")
    assert page.box.files[SAMPLE_FILE.name] == SAMPLE_FILE.read_bytes()
