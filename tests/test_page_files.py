"""What the page tells of files and of Python between questions: news of an action, and questions that fit."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agents.models.offline.intent import Task
from agents.models.offline.matcher import understand
from agents.models.offline.roles import known_tables
from analysis.sample import SAMPLE_FILE, STARTER_QUESTIONS
from analysis.starter_questions import starter_questions
from sandbox.sandbox import ColumnProfile, FileProfile, ReadingChoices, SandboxState, SandboxStatus, TableProfile
from tests.fake_sandbox import small_table
from tests.page_fixtures import DATA, Box, OpenPage, opening_pages
from tests.scripted_model import says
from wording import Language

open_page = pytest.fixture(opening_pages)


def test_a_sandbox_that_was_given_back_starts_with_the_next_question(open_page: OpenPage) -> None:
    class Resting(Box):
        @property
        def status(self) -> SandboxStatus:
            return SandboxStatus(state=SandboxState.NOT_STARTED)

    page = open_page(says("One."), box=Resting())
    assert "Starts with the first file or question" in page.texts
    assert "Starts afresh with the next question" in page.ask("First?").texts


def test_what_is_done_to_files_during_a_chat_stands_where_it_happened(open_page: OpenPage) -> None:
    page = open_page(says("One.")).upload(DATA).ask("First?").upload(("b.csv", b"b\n1\n", "text/csv"))
    assert [toast.value for toast in page.app.toast] == ["b\\.csv was added\\."]
    page.app.button(key="FormSubmitter:choices-0-Read again").click()
    page.look().app.button(key="remove-1").click()
    told = [text for text in page.look().texts if text.startswith((":material/attach_file", ":material/tune:"))]
    assert told == [
        ":material/attach_file: b\\.csv was added.",
        ":material/tune: data\\.csv was read again.",
        ":material/attach_file_off: b\\.csv was removed.",
    ]


def test_questions_that_fit_a_file_of_ones_own_are_one_click_away(open_page: OpenPage) -> None:
    page = open_page(says("Even.")).upload(DATA)
    assert not page.has(STARTER_QUESTIONS["en"][0])
    page.press("Show the distribution of a").wait()
    assert [text.value for text in page.app.text] == ["Show the distribution of a"]
    assert not page.has("Show the distribution of a")


def test_a_person_reads_a_file_differently_and_sees_what_the_model_was_sent(open_page: OpenPage) -> None:
    page = open_page(says("Two.")).upload(DATA)
    page.app.selectbox(key="delimiter-0-en").set_value(";")
    page.app.button(key="FormSubmitter:choices-0-Read again").click()
    page.look()
    assert [toast.value.replace("\\", "") for toast in page.app.toast] == [
        "data.csv reads as it did before: your choice does not fit it, or it was read so already."
    ]
    assert not [each for each in page.app.text_input if (each.key or "").startswith("sheet-")]
    assert page.box.choices["data.csv"] == ReadingChoices(delimiter=";")
    assert [file.choices.delimiter for file in page.analysis.files] == [";"]
    page.ask("Rows?")
    page.look()
    page.app.button(key="sent").click()
    page.look()
    assert any(code.startswith("[developer]") and "Rows?" in code for code in page.codes)


def test_a_choice_that_changes_how_a_file_is_read_is_told_with_its_sheets_to_choose_from(open_page: OpenPage) -> None:
    page = open_page().upload(DATA)
    tables = (replace(small_table(), variable="one", recipe="one = ..."), replace(small_table(), variable="two"))
    page.box.profiles["data.csv"] = FileProfile(name="data.csv", size=6, tables=tables)
    page.app.button(key="FormSubmitter:choices-0-Read again").click()
    page.look()
    assert [toast.value.replace("\\", "") for toast in page.app.toast] == [
        "data.csv was read again as you chose. See “How it is read”."
    ]
    assert [each.key for each in page.app.text_input if (each.key or "").startswith("sheet-")] == ["sheet-0"]


def profile(name: str, *columns: ColumnProfile) -> FileProfile:
    table = TableProfile(variable="t", rows=100, columns=columns, recipe="t = ...")
    return FileProfile(name=name, size=9, tables=(table,))


CITY = ColumnProfile(name="Stadt", type="text", missing=0, distinct=3, top=(("Wien", 60), ("Graz", 40)))
DAY = ColumnProfile(name="Datum", type="date", missing=0, distinct=100)
PRICE = ColumnProfile(name="Preis", type="number", missing=0, distinct=90, minimum=0.5, maximum=9.5)
TRIPS = profile("trips.csv", DAY, CITY, PRICE)
SAMPLE = FileProfile(name=SAMPLE_FILE.name, size=9)


@pytest.mark.parametrize(
    ("language", "questions"),
    [
        ("en", ("Compare Preis by Stadt", "How does Preis change over time?", "Show the distribution of Preis")),
        ("zh", ("按 Stadt 比较 Preis", "Preis 随时间的趋势如何？", "Preis 的分布如何？")),
    ],
)
def test_the_last_table_gets_questions_that_are_understood(language: Language, questions: tuple[str, ...]) -> None:
    files = [SAMPLE, TRIPS]
    assert starter_questions(files, "", language) == questions
    assert all(isinstance(understand([each], known_tables(files)).meaning, Task) for each in questions)


@pytest.mark.parametrize(
    ("files", "questions"),
    [
        ((), STARTER_QUESTIONS["en"]),
        ((SAMPLE,), STARTER_QUESTIONS["en"]),
        ((FileProfile(name="notes.txt", size=9),), ()),
        (
            (profile("a.csv", replace(PRICE, name="x" * 300)),),
            ("Give me an overview of the table", "Which values are missing?"),
        ),
    ],
)
def test_what_is_asked_without_a_table_of_ones_own(files: Sequence[FileProfile], questions: tuple[str, ...]) -> None:
    assert starter_questions(files, "", "en") == questions
