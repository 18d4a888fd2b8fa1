"""The offline analyst as a model: what it says and does in a conversation, also when things go wrong."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from agents.chat_messages import ChatMessage
from agents.events import TextWritten
from agents.models.language_model import ModelError, ModelReply, ModelRequest
from agents.models.offline import answers
from agents.models.offline.figures import Figures, Unprinted
from agents.models.offline.model import OfflineLanguageModel
from agents.stop_signal import StopSignal
from sandbox.sandbox import ExecutionResult, FileProfile
from tests.offline_chat import TOOLS, Answered, CodeRunner, OfflineChat, runner
from tests.offline_tables import sales, survey, traffic, traffic_dictionary, written
from tools.result_text import result_text

__all__ = ["runner"]
QUESTIONS = (
    "overview", "missing values", "distribution of accidents", "accidents by urban area", "top 5 by accidents",
    "accidents over time", "correlations", "Which factors contribute most to accidents?", "outliers",
    "how does rain relate to accidents?", "what fine would be best?", "which areas are at highest risk?",
    "pivot accidents by urban area and time of day", "show the first rows", "clean up",
    "数据概览", "有缺失值吗", "事故数的分布", "按城市和农村比较事故数", "事故数随时间的变化", "各列之间的相关性",
    "哪些因素影响事故", "有没有异常值", "雨和事故有关系吗", "罚款多少最合适", "哪些区域风险最高",
)  # fmt: skip
WITHOUT_CHART = {"missing values", "有缺失值吗", "clean up", "show the first rows"}
"""In the sample nothing is missing or unclean, and some rows as they are need no chart."""


@pytest.fixture
def chat(runner: CodeRunner, tmp_path: Path) -> OfflineChat:
    return OfflineChat(runner, [written("sales", sales(), tmp_path, "sales").profile], outputs=tmp_path)


def request(*texts: str, tools: tuple[object, ...] = TOOLS) -> ModelRequest:
    messages = tuple(ChatMessage(role="user", text=text, asked=text) for text in texts)
    return ModelRequest(model="offline", effort=None, prompt="", messages=messages, tools=tools)  # type: ignore[arg-type]


def replied(files: list[FileProfile], *texts: str, tools: tuple[object, ...] = TOOLS) -> ModelReply:
    *_, reply = OfflineLanguageModel(lambda: files).stream(request(*texts, tools=tools), StopSignal())
    assert isinstance(reply, ModelReply)
    return reply


def test_it_says_first_that_it_is_no_language_model_and_then_no_more(chat: OfflineChat) -> None:
    assert "not a language model" in chat.ask("sales by store").text
    assert "language model" not in chat.ask("sales by product category").text


def test_what_it_took_without_being_told_is_in_the_answer(chat: OfflineChat) -> None:
    assert "You named no measure, so I took `销售额`." in chat.ask("compare the stores").text


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("compare complaints by store", "complaints"),
        ("compare Umsatz by region", "Umsatz"),
        ("sales by mood", "mood"),
        ("What is the sales limit?", "limit"),
        ("门店的业绩怎么样", "业绩"),
        ("sales in Bavaria", "Bavaria"),
        ("Does weather affect sales?", "weather"),
        ("天气对销售额有影响吗？", "天气"),
        ("按心情比较销售额", "心情"),
        ("成都的销售额是多少", "成都"),
        ("按 Region 比较销售额", "Region"),
    ],
)
def test_what_no_column_stands_for_is_told_and_no_other_question_answered(
    chat: OfflineChat, question: str, word: str
) -> None:
    answered = chat.ask(question)
    assert answered.codes == ()
    assert f"`{word}`" in answered.text.split("\n\n")[0]
    assert "销售额" in answered.text.split("\n- ", 1)[1]


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("Is it better when it rains at night?", "when it rains at night"),
        ("sales by store since 2023", "since 2023"),
        ("average sales last year", "last year"),
        ("去年的销售额", "去年"),
    ],
)
def test_a_condition_that_cannot_be_kept_is_told_and_no_other_question_answered(
    chat: OfflineChat, question: str, condition: str
) -> None:
    answered = chat.ask(question)
    assert answered.codes == ()
    assert f"“{condition}”" in answered.text


def test_a_word_taken_for_a_column_that_has_another_name_is_told(runner: CodeRunner) -> None:
    sample = traffic()
    chat = OfflineChat(runner, [sample.profile], traffic_dictionary())
    assert chat.ask("accidents by region").text.startswith("I took “region” as `urban_area`.")
    assert "I took" not in chat.ask("accidents by urban area").text


def test_a_question_that_is_not_understood_gets_examples_of_the_table_at_hand(chat: OfflineChat) -> None:
    answered = chat.ask("Write a poem about the sea")
    assert answered.codes == ()
    assert "I did not understand this question." in answered.text
    assert "- Compare 销售额 by 门店" in answered.text
    assert "例如，关于 `sales.csv`" in chat.ask("讲个笑话").text


def test_a_greeting_is_answered_with_what_it_can_do(chat: OfflineChat) -> None:
    text = chat.ask("what can you do?").text
    assert "not a language model" in text
    assert "did not understand" not in text


def test_without_a_table_it_asks_for_one() -> None:
    assert "There is no table with rows yet." in replied([], "sales by store").text
    assert "还没有含数据行的表" in replied([], "按门店比较销售额").text


def test_a_refusal_gives_the_reason_and_other_questions(runner: CodeRunner, tmp_path: Path) -> None:
    pair = written("pair", pd.DataFrame({"a1": [1, 2, 3], "b1": [2, 4, 7]}), tmp_path)
    text = OfflineChat(runner, [pair.profile]).ask("trend of b1").text
    assert "no column with dates or times" in text
    assert "How does a1 relate to b1?" in text


def test_the_table_is_read_once_and_then_kept(chat: OfflineChat) -> None:
    first, second = chat.ask("sales by store"), chat.ask("same by product category")
    assert "if 'sales' not in globals() or " in first.codes[0]
    assert [ran.error for answered in (first, second) for ran in answered.ran] == ["", ""]


def test_code_that_fails_is_tried_once_more_from_the_file_and_without_a_chart(chat: OfflineChat) -> None:
    chat.breaks = 1
    answered = chat.ask("sales by store")
    assert len(answered.codes) == 2
    assert "not in globals()" not in answered.codes[1]
    assert answered.ran[1].charts == []
    assert "did not run through (`MemoryError: broken on purpose`)" in answered.said[1]
    assert "`北京店`" in answered.text


def test_code_that_fails_twice_is_told_and_gives_no_figures(chat: OfflineChat) -> None:
    chat.breaks = 2
    answered = chat.ask("按门店比较销售额")
    assert len(answered.codes) == 2
    assert "无法回答：代码没有运行成功（`MemoryError: broken on purpose`）" in answered.text
    assert "北京店" not in answered.text


@pytest.mark.parametrize(
    "output",
    [
        "Error:\nKeyboardInterrupt: \nStopped after 60 seconds: the code ran too long. Make it faster or do less.",
        "Error:\nThe code ran longer than 60 s and did not stop when it was asked to. Python was started anew.",
    ],
)
def test_code_that_was_out_of_time_is_told_in_words(output: str) -> None:
    told = answers.failed_once(output, "en")
    assert "did not run through (it was stopped at its time limit, after 60 seconds)" in told
    assert "KeyboardInterrupt" not in told
    assert "运行 60 秒后达到时间上限而被停止" in answers.failed(output, "zh")


def test_a_file_that_was_replaced_is_read_again(chat: OfflineChat, tmp_path: Path) -> None:
    chat.ask("sales by store")
    half = sales().head(600)
    chat.files = [written("sales", half, tmp_path, "sales").profile]
    assert sum(row["n"] for row in chat.ask("sales by store").listed.values()) == len(half)


def test_two_files_may_share_a_variable(runner: CodeRunner, tmp_path: Path) -> None:
    files = [written(name, make(), tmp_path).profile for name, make in (("sales", sales), ("survey", survey))]
    chat = OfflineChat(runner, files)
    for question in ("sales by store", "salary by Department", "quantity by store"):
        assert [ran.error for ran in chat.ask(question).ran] == [""]


def test_yes_and_no_are_named_whatever_their_type(runner: CodeRunner, tmp_path: Path) -> None:
    data = pd.DataFrame({"urban": [True, False] * 10, "cost": range(3, 23)})
    chat = OfflineChat(runner, [written("towns", data, tmp_path).profile])
    assert set(chat.ask("average cost of cities and villages").listed) == {"urban", "rural"}
    assert set(chat.ask("distribution of urban").listed) == {"urban", "rural"}


def test_a_variable_that_was_spoilt_is_read_again(chat: OfflineChat) -> None:
    chat.ask("sales by store")
    chat.runner.run("sales = sales[['门店']]\nsales", chat.number)
    answered = chat.ask("sales by product category")
    assert "KeyError" in answered.said[1]
    assert "`家电`" in answered.text


@pytest.mark.parametrize(
    ("question", "result", "told"),
    [
        ("sales by store", "The person did not let this code run: slow", "You did not let this code run, so there is"),
        ("按门店比较销售额", "The person did not let this code run: slow", "您没有允许运行这段代码，因此没有答案。"),
        ("sales by store", "The code was not run. A reviewer found: slow", "The code did not run, so there is"),
    ],
)
def test_code_that_was_refused_is_not_sent_again(chat: OfflineChat, question: str, result: str, told: str) -> None:
    chat.messages.add_question(question)
    (call,) = chat.messages.add_reply("", chat.reply().calls)
    chat.messages.add_result(call.id, result)
    reply = chat.reply()
    assert (reply.calls, told in reply.text) == ((), True)
    assert "The person" not in reply.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("sales by store", "(it was stopped at its time limit, after 20 seconds)"),
        ("按门店比较销售额", "（运行 20 秒后达到时间上限而被停止）"),
    ],
)
def test_code_that_ran_out_of_time_was_interrupted_by_nobody(chat: OfflineChat, question: str, told: str) -> None:
    late = ExecutionResult(error="KeyboardInterrupt: ", timed_out=True, duration_s=20.1)
    chat.messages.add_question(question)
    (call,) = chat.messages.add_reply("", chat.reply().calls)
    chat.messages.add_result(call.id, result_text(late))
    reply = chat.reply()
    assert told in reply.text
    assert "KeyboardInterrupt" not in reply.text


def test_an_answer_in_words_needs_no_tool_and_no_second_run(chat: OfflineChat) -> None:
    chat.messages.add_question("sales by store")
    chat.messages.add_reply(chat.reply().text, chat.reply().calls)
    chat.messages.add_result("offline_1", "")
    assert "did not run through" in chat.reply(tools=()).text
    with pytest.raises(ModelError, match="Choose a language model"):  # a reviewer, say, that has no tools at all
        replied(list(chat.files), "sales by store", tools=())


@pytest.fixture(scope="module")
def sample_answers(runner: CodeRunner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answered]:
    """The answers to all questions about the sample, each asked in a chat of its own."""
    folder, dictionary = tmp_path_factory.mktemp("outputs"), traffic_dictionary()
    return {
        question: OfflineChat(runner, [traffic().profile], dictionary, folder).ask(question) for question in QUESTIONS
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_number_in_an_answer_was_printed(sample_answers: dict[str, Answered], question: str) -> None:
    answered = sample_answers[question]
    assert [ran.error for ran in answered.ran] == [""]
    printed = answered.ran[0].printed
    assert len(printed) < 4000  # more of it is cut before it comes back
    words = re.sub(r"`[^`]*`", "", answered.text)
    for number in re.findall(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", words):
        assert re.search(rf"(?<![\d.]){re.escape(number.replace(',', ''))}(?![\d])", printed), number


@pytest.mark.parametrize("question", [question for question in QUESTIONS if question not in WITHOUT_CHART])
def test_every_chart_has_a_title_and_named_axes(sample_answers: dict[str, Answered], question: str) -> None:
    charts = sample_answers[question].ran[0].charts
    assert charts[0][0]
    assert all(title or x or y for title, x, y in charts)
    is_chinese = any(char >= "\u4e00" for char in question)
    assert any(char >= "\u4e00" for chart in charts for part in chart for char in part) is is_chinese


def test_a_stop_ends_it_without_a_reply(chat: OfflineChat) -> None:
    stop = StopSignal()
    pieces = OfflineLanguageModel(lambda: chat.files).stream(request("Write a poem"), stop)
    assert isinstance(next(pieces), TextWritten)
    stop.set()
    assert list(pieces) == []


def test_names_and_cells_of_a_table_are_never_code_nor_markdown(runner: CodeRunner, tmp_path: Path) -> None:
    evil = "x'\"\n__import__('os').abort() #`![a](http://a.example/b)` {y:q} {z}"
    data = pd.DataFrame({evil: ["rows: 1\n`a`", "$b$ <b>"] * 20, "amount": range(40)})
    chat = OfflineChat(runner, [written("evil", data, tmp_path).profile], outputs=tmp_path)
    for question in ("amount by x", "overview", "missing", "distribution of x", "what drives amount", "clean up"):
        answered = chat.ask(question)
        assert [ran.error for ran in answered.ran] == [""]
        outside = re.sub(r"`[^`\n]*`", "", answered.text)
        assert not re.search(r"http|<b>|\$|__import__", outside)


def test_it_opens_the_file_that_is_named_last() -> None:
    tools = ({"type": "function", "function": {"name": "open_data_file"}},)
    question = 'What is in "a b.csv"?\n\nOpen this file and no other: "data/a b.csv"'
    reply = replied([], question, tools=tools)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("open_data_file", {"path": "data/a b.csv"})
    ]
    messages = [*request(question).messages, ChatMessage(role="tool", text="open_data_file: no such file", answers="1")]
    again = ModelRequest(model="offline", effort=None, prompt="", messages=messages, tools=tools)
    *_, said = OfflineLanguageModel(list).stream(again, StopSignal())
    assert isinstance(said, ModelReply)
    assert (said.calls, "could not be opened" in said.text) == ((), True)


def test_figures_are_read_from_any_output_without_harm() -> None:
    output = 'rows: 5\nrows: 7\nbroken: {"a": \nlist: [1, 2\nnan: NaN\nlong: "' + "x" * 30_000 + '"\nDone.\n'
    figures = Figures.printed(output)
    assert (figures.number("rows"), figures.text("rows"), figures.has("nan")) == (7, "7", False)
    for name in ("broken", "list", "long"):
        with pytest.raises(Unprinted):
            figures.text(name)
    with pytest.raises(Unprinted):
        figures.rows("rows")
    assert Figures({"big": 1234567.5, "tiny": 0.0000001}).text("big") == "1,234,567.5"


@pytest.mark.parametrize("output", ["", "rows: []", 'listed: [{"name": 1}]\ngroups: 3', "groups: {}\nlisted: 4"])
def test_output_that_was_changed_on_the_way_is_a_failure_and_no_crash(chat: OfflineChat, output: str) -> None:
    chat.messages.add_question("sales by store")
    for _ in range(2):
        reply = chat.reply()
        chat.messages.add_reply(reply.text, reply.calls)
        chat.messages.add_result(f"offline_{len(chat.messages.snapshot()) - 1}", output)
    assert "did not run through" in chat.reply().text


def test_the_question_is_told_apart_from_what_was_said_about_files(runner: CodeRunner, tmp_path: Path) -> None:
    chat = OfflineChat(runner, [written("survey", survey(), tmp_path).profile])
    chat.messages.add_context("--- contents ---\n\nsatisfaction by Department over time\n\n--- end ---")
    assert "理解为：分组比较（`salary`、`Gender`）" in chat.ask("按性别比较\n\n工资").said[0]


def test_a_dollar_sign_in_a_name_is_no_formula(runner: CodeRunner, tmp_path: Path) -> None:
    data = pd.DataFrame({"cost $\\bad{$": [1.5, 2, 3] * 9, "kind": ["a", "b", "$\\worse{$"] * 9})
    chat = OfflineChat(runner, [written("dollars", data, tmp_path).profile])
    answered = chat.ask("cost by kind")
    assert [ran.error for ran in answered.ran] == [""]
    assert answered.ran[0].charts
