"""The page after the app was ended: the address of a chat shows it again, and says what could not be brought back."""

from pathlib import Path

import pytest
import streamlit as st

import ui.current
from sandbox.sandbox import ExecutionResult
from tests.fake_sandbox import chart
from tests.page_fixtures import DATA, Box, OpenPage, opening_pages
from tests.scripted_model import asks, says


@pytest.fixture(autouse=True)
def kept_chats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHATS_FOLDER", str(tmp_path))
    monkeypatch.setattr(ui.current, "browser_key", lambda: "browser")
    return tmp_path


open_page = pytest.fixture(opening_pages)


def a_chat(open_page: OpenPage) -> str:
    """The address of a chat in an app that has ended."""
    drawn = ExecutionResult(stdout="2 rows", charts=(chart(),))
    page = open_page(asks("plot(x)"), says("Rising."), box=Box(drawn)).upload(DATA).ask("Plot a")
    page.analysis.close()
    st.cache_resource.clear()
    address: str = page.app.query_params["chat"]
    return address


def test_the_same_address_shows_the_same_chat(open_page: OpenPage) -> None:
    address = a_chat(open_page)
    page = open_page(says("Still rising."), chat=address)
    assert page.app.query_params["chat"] == address
    assert "Rising." in page.texts
    assert "plot(x)" in page.codes
    assert page.errors == []
    assert [file.name for file in page.analysis.files] == ["data.csv"]
    assert page.box.files == {"data.csv": DATA[1]}
    assert len(page.analysis.outputs) == 2
    assert page.has("Run the earlier code again")
    page.ask("And now?")
    assert "Still rising." in page.texts


def test_another_browser_is_shown_nothing(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    address = a_chat(open_page)
    monkeypatch.setattr(ui.current, "browser_key", lambda: "another")
    page = open_page(chat=address)
    assert page.errors == ["The earlier chat of this page is no longer there. Add your files again to go on."]
    assert "Rising." not in page.texts
    assert page.box.files == {}


def test_a_chat_that_cannot_be_read_is_begun_anew_with_one_sentence(open_page: OpenPage, kept_chats: Path) -> None:
    address = a_chat(open_page)
    (lines,) = kept_chats.glob("*/chat.jsonl")
    lines.write_bytes(lines.read_bytes() + b"{}\n")
    page = open_page(says("Hello."), chat=address)
    assert [error.split(":")[0] for error in page.errors] == ["The earlier chat of this page cannot be read"]
    assert page.app.query_params["chat"] != address
    page.ask("Hello?")
    assert "Hello." in page.texts


def test_after_a_new_chat_nothing_of_the_old_one_is_on_disk(open_page: OpenPage, kept_chats: Path) -> None:
    page = open_page(says("Secret.")).upload(DATA).ask("Tell me")
    assert b"Secret." in everything_in(kept_chats)
    page.press("Delete and begin anew")
    assert b"Secret." not in everything_in(kept_chats)
    assert DATA[1] not in everything_in(kept_chats)


def test_a_chat_stays_open_and_is_found_after_a_setting_was_changed(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(says("Rising.")).ask("Plot a")
    monkeypatch.setenv("IDLE_MINUTES", "5")
    monkeypatch.setenv("KEEP_CHATS_DAYS", "3")
    again = open_page(chat=page.app.query_params["chat"])
    assert again.errors == []
    assert again.analysis is page.look().analysis


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
