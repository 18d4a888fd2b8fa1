"""The page as a person uses it, with a scripted model and a sandbox that runs nothing; all that is between is real."""

import threading

import pytest

from agents.events import ApprovalAsked, CodeWritten, Waiting
from agents.models.language_model import ModelError
from analysis.analysis import Analysis
from analysis.sample import STARTER_QUESTIONS
from sandbox.sandbox import ExecutionResult, OutputFigure, OutputFile, OutputTable
from tests.fake_sandbox import chart
from tests.page_fixtures import DATA, Box, OpenPage, Page, opening_pages
from tests.scripted_model import asks, fails, says
from ui.chat import draw_chat
from wording import Sentence

open_page = pytest.fixture(opening_pages)
PLOT = ExecutionResult(stdout="2 rows\n", charts=(chart(),), duration_s=0.25)


def test_the_first_screen_says_what_to_do(open_page: OpenPage) -> None:
    page = open_page()
    assert [title.value for title in page.app.title] == ["Ask your data"]
    assert len(page.app.file_uploader) == 1
    assert page.has("Try the sample data")
    assert [page.has(question) for question in STARTER_QUESTIONS["en"]] == [True] * 5
    assert not page.app.chat_input[0].disabled


def test_from_upload_to_chart(open_page: OpenPage) -> None:
    page = open_page(asks("df.plot()", text="I look."), says("A rising ", "line."), box=Box(PLOT)).upload(DATA)
    assert page.labels == ["**data\\.csv** · 2 rows, 1 column"]
    assert page.codes[0] == "df = ..."
    page.ask("Plot a")
    assert [text.value for text in page.app.text] == ["Plot a"]
    assert page.labels[1:] == ["Python code · done in 0.2 s"]
    assert page.codes[1:3] == ["df.plot()", "2 rows"]
    assert len(page.app.image) == 1
    assert [text for text in page.texts if text in ("I look.", "A rising line.")] == ["I look.", "A rising line."]
    assert [button.label for button in page.app.download_button] == ["chart\\_1\\.png", "Download all (2)"]


def test_a_follow_up_comes_below_and_reruns_change_nothing(open_page: OpenPage) -> None:
    page = open_page(asks("1"), says("One."), asks("2"), says("Two."), box=Box(PLOT, PLOT))
    page.upload(DATA).ask("First?").ask("Second?")
    before = (page.texts, page.codes, page.labels, len(page.app.image))
    assert [text.value for text in page.app.text] == ["First?", "Second?"]
    assert before[3] == 2
    for _ in range(3):
        page.look()
    assert (page.texts, page.codes, page.labels, len(page.app.image)) == before
    assert "One." in [message.text for message in page.model.requests[-1].messages]


def test_a_file_is_taken_in_once_and_the_box_is_empty_again(open_page: OpenPage) -> None:
    page = open_page().upload(DATA).look().look()
    assert page.box.puts == ["data.csv"]
    assert page.app.file_uploader[0].value == []
    page.upload(("data.csv", b"a\n3\n", "text/csv"))
    assert page.box.puts == ["data.csv", "data.csv"]


def test_several_files_come_at_once_and_one_goes(open_page: OpenPage) -> None:
    page = open_page(says("Two."), says("One.")).upload(DATA, ("b.csv", b"b\n1\n", "text/csv")).ask("Which files?")
    assert sorted(page.box.files) == ["b.csv", "data.csv"]
    page.app.button(key="remove-0").click()
    page.look()
    assert list(page.box.files) == ["b.csv"]
    assert [file.name for file in page.analysis.files] == ["b.csv"]
    page.ask("Which files?")
    assert "'/data/data.csv' was removed" in page.model.requests[1].messages[-1].text


def test_the_same_question_twice_draws_both_answers(open_page: OpenPage) -> None:
    result = ExecutionResult(
        charts=(chart(),),
        tables=(OutputTable(columns=("a",), rows=((1,),), row_count=9),),
        figures=(OutputFigure(name="figure_1", json='{"data": [{"type": "bar", "y": [1]}]}'),),
        files=(OutputFile(name="out.xlsx", kind="file", content=b"x" * 1500),),
    )
    page = open_page(*(asks("x"), says("Same.")) * 2, box=Box(result, result)).upload(DATA)
    page.ask("Again?").ask("Again?")
    assert page.texts.count("Same.") == 2
    assert len(page.app.image) == 2
    assert len(page.app.get("plotly_chart")) == 2
    assert page.texts.count("Rows: the first 1 of 9") == 2
    labels = [button.label.replace("\\", "") for button in page.app.download_button]
    assert len(set(labels)) == len(labels) == 9
    assert {"chart_1.png", "table.csv", "table-2.csv", "out.xlsx", "out-2.xlsx"} <= set(labels)


def test_a_failed_question_says_what_to_do_and_is_asked_again_with_one_click(open_page: OpenPage) -> None:
    error = ModelError("The key is wrong. Check OPENAI_API_KEY, then ask again.")
    page = open_page(fails(error, "I "), says("Now it works.")).ask("Why?")
    assert page.errors == ["The key is wrong. Check OPENAI_API_KEY, then ask again."]
    page.press("Ask again").wait()
    assert "Now it works." in page.texts
    assert [text.value for text in page.app.text] == ["Why?", "Why?"]
    assert not page.has("Ask again")


def test_failed_code_is_shown_with_its_error_and_the_answer_goes_on(open_page: OpenPage) -> None:
    failed = ExecutionResult(error="KeyError: 'b'", duration_s=0.1, notices=(Sentence("Output was cut."),))
    page = open_page(asks("df['b']"), says("There is no b."), box=Box(failed)).upload(DATA).ask("Sum of b?")
    assert page.labels[1:] == ["Python code · failed after 0.1 s"]
    assert page.codes[1:3] == ["df['b']", "KeyError: 'b'"]
    assert ":material/info: Output was cut\\." in page.texts
    assert "There is no b." in page.texts


def test_while_an_answer_is_on_its_way_it_can_be_seen_and_stopped(open_page: OpenPage) -> None:
    page = open_page(says("Half ", threading.Event(), "whole."), says("Next.")).upload(DATA).begin("Why?")
    assert page.app.chat_input[0].disabled
    assert page.app.chat_input[0].placeholder == "You can ask the next question after this answer"
    assert page.app.button(key="restart").disabled
    assert page.app.button(key="remove-0").disabled
    page.press("Stop").wait()
    assert [info.value for info in page.app.info] == ["Stopped. Ask again, or ask something else."]
    assert "Half" in page.texts
    assert "Next." in page.ask("And now?").texts


def test_an_answer_that_ends_while_the_page_is_drawn_opens_the_sidebar(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw_after_the_end(analysis: Analysis) -> None:
        if analysis.run:
            analysis.run.stop()
            assert analysis.run.wait(20)
        draw_chat(analysis)

    page = open_page(says("Half ", threading.Event(), "whole.")).upload(DATA)
    monkeypatch.setattr("ui.main_area.draw_chat", draw_after_the_end)
    page.begin("Why?")
    assert not page.app.button(key="restart").disabled
    assert not page.app.chat_input[0].disabled


def test_code_is_seen_while_it_is_written(open_page: OpenPage) -> None:
    code = [CodeWritten(0, "python", "x = 1\n"), CodeWritten(1, "find_columns", "{")]
    page = open_page([*code, threading.Event(), *says("One.")]).begin("x?")
    assert page.analysis.run
    assert next(event for event in page.analysis.run.events() if isinstance(event, CodeWritten))
    page.look()
    assert (page.labels, page.codes[:-1]) == (["Python code · being written…"], ["x = 1"])
    page.press("Stop").wait()
    assert (page.labels, page.codes[:-1]) == ([], [])


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "The model's server failed. Trying again in 4 s."), ("zh", "模型服务出错。4 秒后重试。")],
)
def test_when_it_is_tried_again_is_told(open_page: OpenPage, lang: str, told: str) -> None:
    waiting = Waiting(Sentence("The model's server failed."), 4)
    page = open_page([waiting, threading.Event(), *says("One.")])
    page.app.button_group(key="lang").set_value(lang)
    page.begin("x?")
    assert page.analysis.run
    assert next(event for event in page.analysis.run.events() if event == waiting)
    assert any(text.replace("\\", "").endswith(told) for text in page.look().texts)
    page.analysis.run.stop()
    assert not any(told in text.replace("\\", "") for text in page.wait().texts)


def test_a_second_stop_kills_the_code(open_page: OpenPage) -> None:
    page = open_page(asks("while True: pass"), box=Box(held=threading.Event(), needed=2)).begin("Loop")
    assert page.box.began.wait(10)
    page.look()
    assert page.labels == ["Python code · running…"]
    page.press("Stop")
    assert not page.has("Stop")
    page.press("Stop at once").wait()
    assert page.box.interrupts == 2
    assert page.labels == ["Python code · stopped"]


def test_a_new_chat_begins_with_nothing(open_page: OpenPage) -> None:
    page = open_page(says("One.")).upload(DATA).ask("First?").press("Delete and begin anew")
    assert page.box.files == {}
    assert page.texts[0].startswith("Upload a table")
    assert list(page.app.text) == []


def test_a_restart_of_python_is_part_of_the_chat(open_page: OpenPage) -> None:
    page = open_page(says("One.")).upload(DATA).ask("First?").press("Restart Python")
    assert page.box.restarts == 1
    assert any("files that code had left in the sandbox are gone. The files you added" in text for text in page.texts)
    assert [toast.value for toast in page.app.toast] == [
        "Python was restarted\\: variables and files of the code are gone\\, the files you added are still there\\."
    ]
    assert not page.look().app.toast


def test_an_answer_is_marked_by_what_the_code_gave(open_page: OpenPage) -> None:
    box = Box(ExecutionResult(stdout="12 7"), ExecutionResult(stdout="12 7"))
    page = open_page(asks("1"), says("12 and 7."), asks("2"), says("12, 7 and 99."), box=box).upload(DATA)
    page.ask("First?").ask("Second?")
    assert ":material/fact_check: All 2 figures are found in the results\\." in page.texts
    assert any("99" in text for text in page.texts if text.startswith(":material/warning:"))
    assert page.look().texts.count(":material/fact_check: All 2 figures are found in the results\\.") == 1


def test_tokens_and_money_stand_below_each_answer_and_in_the_sidebar(open_page: OpenPage) -> None:
    page = open_page(says("One."), says("Two.")).ask("First?").ask("Second?")
    each = ":material/toll: 10 tokens in \\(0 cached\\)\\, 5 out \\(0 reasoning\\)\\: \\<\\$0\\.0001\\."
    assert page.texts.count(each) == 2
    assert "20 tokens in" in page.app.sidebar.caption[-3].value


def test_a_question_beyond_the_spend_limit_stays_in_the_input(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPEND_LIMIT_USD", "0.00001")
    page = open_page(says("One.")).ask("First?").begin("Second?")
    assert page.errors[0].startswith("This chat has cost <$0.0001 and its limit is <$0.0001.")
    assert page.app.chat_input[0].value == "Second?"


def test_a_price_table_that_cannot_be_read_is_told_instead_of_the_page(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_PRICES", "/none.toml")
    assert open_page().errors == ["The price table /none.toml cannot be read. Correct MODEL_PRICES, or leave it empty."]


@pytest.fixture
def approving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPROVE_CODE", "yes")


def until_code_waits(page: Page, question: str) -> None:
    page.begin(question)
    entries = page.analysis.record.follow(0)
    next(entry for entry in entries if isinstance(entry, ApprovalAsked))
    page.look()


@pytest.mark.usefixtures("approving")
def test_code_waits_for_the_person_who_may_change_it(open_page: OpenPage) -> None:
    page = open_page(asks("rows = 1"), says("Done."), box=Box(PLOT))
    until_code_waits(page, "Rows?")
    assert page.look().labels == ["Python code · waits for you"]
    area = next(each for each in page.app.text_area if each.key != "dictionary")
    assert area.value == "rows = 1"
    assert page.box.codes == []
    assert ":shimmer[The code waits for you…]" in page.texts
    area.set_value("rows = 2")
    page.press("Run").wait()
    assert page.box.codes == ["rows = 2"]
    assert "rows = 2" in page.codes
    assert ":material/edit: You changed this code before it ran." in page.texts
    assert not page.has("Run")
    assert page.labels == ["Python code · done in 0.2 s"]


@pytest.mark.usefixtures("approving")
def test_refused_code_does_not_run_and_the_model_reads_why(open_page: OpenPage) -> None:
    page = open_page(asks("rows = 1"), says("Then not."), box=Box())
    until_code_waits(page, "Rows?")
    next(each for each in page.app.text_input if (each.key or "").startswith("refuse-")).set_value("Wrong column")
    page.press("Refuse").wait()
    assert page.box.codes == []
    assert page.labels == ["Python code · refused"]
    assert "Wrong column" in page.model.requests[-1].messages[-1].text
    assert "Then not." in page.texts


@pytest.mark.usefixtures("approving")
def test_a_question_whose_code_waits_can_be_stopped(open_page: OpenPage) -> None:
    page = open_page(asks("rows = 1"), box=Box())
    until_code_waits(page, "Rows?")
    page.press("Stop").wait()
    assert page.box.codes == []
    assert page.labels == ["Python code · stopped"]
    assert not page.has("Run")


def test_what_a_reviewer_said_stands_with_the_code(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEW_CODE", "yes")
    replies = (asks("fake()"), says("REJECT: It makes data up."), asks("real()"), says("OK"), says("Two."))
    page = open_page(*replies, box=Box(PLOT)).ask("Rows?")
    assert page.labels == ["Python code · sent back before it ran", "Python code · done in 0.2 s"]
    told = [text for text in page.texts if text.startswith(":material/rate_review:")]
    assert ["It makes data up" in told[0], "let it pass" in told[1]] == [True, True]
    assert page.box.codes == ["real()"]
