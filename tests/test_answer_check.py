"""Figures of an answer against what the code printed: right ones are found, wrong ones that come close are not."""

from collections.abc import Sequence

import pytest

from agents.events import CallFinished, CallStarted, OutputWritten, TableMade, ValueShown
from analysis.answer_check import AnswerCheck, check_answer
from analysis.record import Entry, FileAdded, QuestionAsked
from sandbox.sandbox import Cell, ColumnProfile, FileProfile, OutputTable, OutputText, TableProfile
from wording import Sentence

PRINTED = """\
accidents    12.345
share        0.123
rate         41.7%
total        1,234,567
rows         8760
corr        -0.8512
p_value      3.2e-12
population   123456789
phone        13800138000
2024-03-05 17:00:00   57
year 2023
hours        17
"""
FILE = FileProfile(
    name="accidents_2019.csv",
    size=400_000,
    tables=(
        TableProfile(
            variable="df",
            rows=8760,
            columns=(
                ColumnProfile(
                    name="average_speed", type="number", missing=21, distinct=990, minimum=8.5, maximum=118.25
                ),
                ColumnProfile(name="accidents", type="integer", missing=0, minimum=0, maximum=64),
                ColumnProfile(name="PM2.5 (2021)", type="number", missing=3),
                ColumnProfile(name="城市", type="text", missing=0, distinct=4),
            ),
            recipe="df = pd.read_csv('/data/accidents_2019.csv')",
            sample=((61.5, 3, 12, "北京"),),
        ),
    ),
)


def ran(*outputs: Entry, question: str = "What matters?") -> list[Entry]:
    """A question for which code ran and gave these outputs."""
    return [
        FileAdded(FILE),
        QuestionAsked(question),
        CallStarted("1", "execute_python_code", "print(df)"),
        *outputs,
        CallFinished(call_id="1", ok=True),
    ]


def printed(text: str) -> OutputWritten:
    return OutputWritten("1", OutputText("stdout", text))


def table(columns: Sequence[str], *rows: tuple[Cell, ...], row_count: int | None = None) -> TableMade:
    return TableMade("1", OutputTable(columns=tuple(columns), rows=rows, row_count=row_count or len(rows)))


def check(answer: str, output: str = PRINTED) -> AnswerCheck:
    return check_answer(answer, ran(printed(output)))


def texts(answer: str, output: str = PRINTED) -> tuple[list[str], list[str]]:
    result = check(answer, output)
    return [figure.text for figure in result.found], [figure.text for figure in result.missing]


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("There are 12.345 on average.", "12.345"),
        ("There are 12.3 on average.", "12.3"),
        ("There are 12.35 on average.", "12.35"),
        ("There are 12.34 on average.", "12.34"),
        ("There are 12 on average.", "12"),
        ("It is 12.3%.", "12.3%"),
        ("It is 12 %.", "12 %"),
        ("It is 41.7%.", "41.7%"),
        ("It is 0.417 of all.", "0.417"),
        ("It is 42 percent.", "42 percent"),
        ("1,234,567 in all.", "1,234,567"),
        ("1234567 in all.", "1234567"),
        ("1.23 million in all.", "1.23 million"),
        ("1.2M in all.", "1.2M"),
        ("1,235K in all.", "1,235K"),
        ("$1.2M in all.", "1.2M"),
        ("0.12bn people", "0.12bn"),
        ("1.2 × 10^6 in all", "1.2 × 10^6"),
        ("1.23e6 in all", "1.23e6"),
        ("The correlation is -0.85.", "-0.85"),
        ("The correlation is −0.851.", "−0.851"),
        ("A negative correlation of 0.85.", "0.85"),
        ("It fell by 0.85 points.", "0.85"),
        ("about 1,230,000 in all", "1,230,000"),
        ("roughly 1.2 million", "1.2 million"),
        ("over 8,700 rows", "8,700"),
        ("more than 8,000 rows", "8,000"),
        ("nearly 9,000 rows", "9,000"),
        ("1,200,000+ in all", "1,200,000"),
        ("p = 3.2e-12", "3.2e-12"),
        ("8,760 rows", "8,760"),
        ("**8,760** rows", "8,760"),
        ("Call 13800138000.", "13800138000"),
        ("a maximum of 118.25", "118.25"),
        ("21 values of average_speed are missing", "21"),
    ],
)
def test_a_right_figure_is_found(answer: str, figure: str) -> None:
    assert texts(answer) == ([figure], [])


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("平均为12.3起", "12.3"),
        ("占12.3％", "12.3％"),
        ("占百分之十二点三", "百分之十二点三"),
        ("占百分之12.3", "百分之12.3"),
        ("约占四成", "四成"),
        ("共123万", "123万"),
        ("共１２３．５万", "１２３．５万"),
        ("共123.5万元", "123.5万"),
        ("人口约1.23亿", "1.23亿"),
        ("人口1.2亿", "1.2亿"),
        ("人口一点二亿", "一点二亿"),
        ("人口1亿2346万", "1亿2346万"),
        ("共1,234,567起", "1,234,567"),
        ("相关系数为−0.85", "−0.85"),
        ("呈负相关，系数为-0.85", "-0.85"),
        ("下降了0.85", "0.85"),
        ("共8760行", "8760"),
        ("超过8700行", "8700"),
        ("8700多行", "8700"),
        ("近9000行", "9000"),
        ("8800行左右", "8800"),
        ("占比42个百分点", "42个百分点"),
    ],
)
def test_a_right_figure_is_found_in_chinese(answer: str, figure: str) -> None:
    assert texts(answer) == ([figure], [])


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("There are 12.4 on average.", "12.4"),
        ("There are 12.2 on average.", "12.2"),
        ("There are 12.346 on average.", "12.346"),
        ("There are 12.3450001 on average.", "12.3450001"),
        ("There are 13 on average.", "13"),
        ("It is 12.4%.", "12.4%"),
        ("It is 1.23%.", "1.23%"),
        ("It is 41.8%.", "41.8%"),
        ("It is 0.41 of all.", "0.41"),
        ("1,234,568 in all.", "1,234,568"),
        ("1,243,567 in all.", "1,243,567"),
        ("1,200,000 in all.", "1,200,000"),
        ("1.3 million in all.", "1.3 million"),
        ("1.2 billion in all.", "1.2 billion"),
        ("about 1.4 million in all.", "1.4 million"),
        ("over 8,800 rows", "8,800"),
        ("nearly 8,000 rows", "8,000"),
        ("The correlation is 0.85.", "0.85"),
        ("The correlation is -0.86.", "-0.86"),
        ("It rose by -12.3%.", "-12.3%"),
        ("8,761 rows", "8,761"),
        ("Call 13800138001.", "13800138001"),
        ("a maximum of 118.3 or so, exactly 118.35", "118.35"),
        ("22 values of average_speed are missing", "22"),
        ("In 2024 there were 2,024 accidents.", "2,024"),
        ("a difference of 29.4 points", "29.4"),
        ("a ratio of 3.39", "3.39"),
        ("3.4 times as many", "3.4"),
    ],
)
def test_a_wrong_figure_close_to_a_right_one_is_missing(answer: str, figure: str) -> None:
    assert figure in texts(answer)[1]


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("平均为12.4起", "12.4"),
        ("占12.4％", "12.4％"),
        ("占百分之十三", "百分之十三"),
        ("约占九成", "九成"),
        ("共124万", "124万"),
        ("人口1.3亿", "1.3亿"),
        ("人口1.23万", "1.23万"),
        ("人口1亿2347万", "1亿2347万"),
        ("相关系数为0.85", "0.85"),
        ("共8761行", "8761"),
        ("超过8800行", "8800"),
        ("增加了3.4倍", "3.4"),
    ],
)
def test_a_wrong_figure_close_to_a_right_one_is_missing_in_chinese(answer: str, figure: str) -> None:
    assert texts(answer) == ([], [figure])


@pytest.mark.parametrize(
    "answer",
    [
        "1. Speed\n2. Rain\n3) Light\n(4) Night",
        "## 3. Results\n**4.** More",
        "First, see Figure 9, Table 7 and Step 8.",
        "Two columns matter; the 5 main factors are below, with 9 charts and 7 findings.",
        "The 6 most influential factors, rounded to 3 decimals.",
        "The top 20 cities and the first 100 rows, a top-15 list.",
        "A 95% confidence interval; at the 99% confidence level, a 90% CI.",
        "Significance level of 5%; p < 0.05, p-value below 0.001; alpha = 0.01.",
        "Points beyond 1.5 × IQR; 5-fold cross-validation.",
        "I used `head(99)` and ``x = 98``:\n```python\nx = 97\n```\nand ~~~\n96\n~~~",
        "See [the chart](chart_95.png) or https://example.org/94, file data_93.csv, 2022.xlsx",
        "gpt-4o, o3-mini, Python 3.11, pandas 3.1.1, version 2.7, PM2.5, R2, the 2nd and 21st",
        "accidents_2019.csv has PM2.5 (2021)",
        "Accidents peaked on 2024-03-05 at 17:00, that is 5 March 2024, 5 pm.",
        "March 5, 2024; Mar 5; 2024/3/5; March 2024; 2024年3月5日17时; 3月5日; 2024年3月",
        "In 2023 and 2024 it was the same.",
        "About one third or 2/3, support 24/7.",
        "| # | City |\n|---|---|\n| 97 | Urban |",
        "A 77-day rolling average, a 24-hour cycle, per 100,000 people, for every 66 km/h.",
        "A 1-unit increase, 99 trees [3].",
        "There was more in the evening, and that is all.",
    ],
)
def test_what_says_nothing_of_the_data_is_left_out(answer: str) -> None:
    assert texts(answer) == ([], [])


@pytest.mark.parametrize(
    "answer",
    [
        "1、速度\n2、降雨\n（3）夜间\n4. 灯光",
        "一、结论\n二、建议",
        "第1步，第二，第9名；图7、表8、步骤6",
        "共有两列、3个因素、5种类型、9项建议，保留3位小数、小数点后2位",
        "前10名，最后5行，前20个城市",
        "95%置信区间，置信水平为99%，在95%的置信水平下",
        "p值小于0.05，显著性水平为5%",
        "三分之一的城市；万一；千万不要；一成不变",
        "2023年与2024年相比",
        "77天移动平均，每增加66辆，几十万人，5折交叉验证",
    ],
)
def test_what_says_nothing_of_the_data_is_left_out_in_chinese(answer: str) -> None:
    assert texts(answer) == ([], [])


@pytest.mark.parametrize(
    ("answer", "figure"),
    [
        ("It peaked on 2024-03-06.", "2024-03-06"),
        ("It peaked on March 6, 2024.", "March 6, 2024"),
        ("It peaked in 2022.", "2022"),
        ("2022年最高", "2022年"),
        ("It peaked at 18:00.", "18:00"),
        ("It peaked at 6 pm.", "6 pm"),
        ("高峰在18时", "18时"),
        ("It peaked at 7:00.", "7:00"),
        ("It peaked on 5 May 2024.", "5 May 2024"),
        ("It peaked on 24-03-2024.", "24-03-2024"),
    ],
)
def test_a_date_or_time_that_the_results_do_not_know_is_missing(answer: str, figure: str) -> None:
    assert texts(answer) == ([], [figure])


@pytest.mark.parametrize(
    ("answer", "output", "expected"),
    [
        ("between 3–5 per day", "low 3.1 high 4.8", (["3", "5"], [])),
        ("10–20% of all", "0.1  0.2", (["10", "20%"], [])),
        ("10 to 20 percent", "10.2%  31%", (["10"], ["20 percent"])),
        ("3-5万起", "31000 48000", (["3", "5万"], [])),
        ("95% CI [1.2, 3.4]", "1.21 3.38", (["1.2", "3.4"], [])),
        (
            "| Urban | 1,200 | 45% |\n|---|---:|---:|\n| Rural | 900 | 55% |",
            "1200 900 0.45",
            (["1,200", "45%", "900"], ["55%"]),
        ),
        ("95% confidence interval: 12% to 15%", "0.12 0.16", (["12%"], ["15%"])),
        ("95%置信区间为12%–15%", "0.12 0.16", (["12%"], ["15%"])),
        ("confidence interval 0.74 to 0.89", "0.741 0.88", (["0.74"], ["0.89"])),
        ("周末12起，目前13起，代表14起，提前15分钟", "12 14", (["12", "14"], ["13", "15"])),
        ("95% of all", "0.94", ([], ["95%"])),
        ("The total is\n42.", "41", ([], ["42"])),
        ("urban (12) and rural (19)", "12\n18", (["12"], ["19"])),
        ("0 missing and 0.00", "missing 0, p 0.0004", (["0", "0.00"], [])),
        ("id 1234567890123456789", "1234567890123456789", (["1234567890123456789"], [])),
        ("id 1234567890123456788", "1234567890123456789", ([], ["1234567890123456788"])),
        ("call 555-123-4568", "555-123-4567", (["555", "123"], ["4568"])),
        ("It fell 12%, while fines rose 29%.", "-0.12 -0.29", (["12%"], ["29%"])),
        ("p < 10⁻¹¹ and p ≈ 3.2×10^-12", "3.2e-12", (["10⁻¹¹", "3.2×10^-12"], [])),
        ("p < 10⁻¹³", "3.2e-12", ([], ["10⁻¹³"])),
        ("less than 5% of all", "0.043", (["5%"], [])),
        ("2024 accidents", "2023.7", (["2024"], [])),
    ],
)
def test_answers_as_models_write_them(answer: str, output: str, expected: tuple[list[str], list[str]]) -> None:
    assert texts(answer, output) == expected


def test_tables_shown_values_and_split_pieces_are_results() -> None:
    outputs: list[Entry] = [
        printed("mean 12.3"),
        printed("45\n"),
        ValueShown("1", "np.float64(0.6543)"),
        table(["year", "2021"], ("Urban", 17.891), ("Rural", "2.5%"), row_count=4321),
    ]
    check = check_answer("12.345, 0.65, 17.9, 2.5%, 4,321 rows; 2021 and 12.5.", ran(*outputs))
    assert [figure.text for figure in check.found] == ["12.345", "0.65", "17.9", "2.5%", "4,321"]
    assert [figure.text for figure in check.missing] == ["12.5"]


def test_the_question_and_the_dictionary_are_sources() -> None:
    entries = ran(printed("ok"), question="Which days had more than 77 accidents at 88 km/h?")
    check = check_answer(
        "Days with more than 77 accidents at 88 km/h on the scale from 0 to 999.", entries, "density: 0-999"
    )
    assert check.missing == ()


def test_code_is_no_source_and_neither_are_earlier_questions_once_code_ran() -> None:
    earlier: list[Entry] = [
        QuestionAsked("before"),
        CallStarted("0", "execute_python_code", ""),
        OutputWritten("0", OutputText("stdout", "555")),
    ]
    entries: list[Entry] = [
        *earlier,
        QuestionAsked("now"),
        CallStarted("1", "execute_python_code", "x = 444"),
        printed("ok"),
    ]
    assert [figure.text for figure in check_answer("555 or 444", entries).missing] == ["555", "444"]


def test_an_answer_without_code_may_sum_up_earlier_results() -> None:
    entries = [*ran(printed("555")), QuestionAsked("Sum it up.")]
    check = check_answer("The total is 555.", entries)
    assert ([figure.text for figure in check.found], check.code_ran) == (["555"], False)
    assert check.sentences == (Sentence("No code ran on the data for this answer."),)


def test_a_figure_written_twice_counts_once_and_is_wrong_when_it_is_wrong_once() -> None:
    found = check("12.3% here, 12.3% there")
    assert (len(found.found), found.missing) == (1, ())
    assert texts("It fell by 0.85; it rose by 0.85.") == ([], ["0.85"])


def test_a_figure_knows_its_place() -> None:
    answer = "高达 １２．４％ 以上"
    [figure] = check(answer).missing
    assert answer[figure.start : figure.start + len(figure.text)] == "１２．４％"


def test_the_sentences_count_the_figures() -> None:
    assert [str(sentence) for sentence in check("12.3 of 8760").sentences] == [
        "All 2 figures are found in the results."
    ]
    assert [str(sentence) for sentence in check("12.3").sentences] == ["The one figure is found in the results."]
    assert [str(sentence) for sentence in check("12.3, 99 and 98.5%").sentences] == [
        "2 of 3 figures are not in the results: 99, 98.5%."
    ]
    assert [str(sentence) for sentence in check("12.3 and 99").sentences] == [
        "One of 2 figures is not in the results: 99."
    ]
    assert [str(sentence) for sentence in check("99").sentences] == ["The one figure is not in the results: 99."]
    assert check("Done.").sentences == ()


def test_a_sentence_names_a_few_missing_figures() -> None:
    [sentence] = check(" ".join(str(number) for number in range(301, 321))).sentences
    assert str(sentence).endswith("301, 302, 303, 304, 305, 306, 307, 308, ….")


NO_CODE = (Sentence("No code ran on the data for this answer."),)


@pytest.mark.parametrize(
    "answer",
    [
        "Higher average speed goes with more accidents.",
        "The main driver of accidents is rain.",
        "average_speed is strongly correlated with accidents.",
        "城市的事故最多。",
        "As you can see, accidents are highest at night.",
        "Please note that accidents are highest at night.",
        "可以看出城市的事故最多。",
        "There are 8,760 rows.",
    ],
)
def test_a_claim_about_the_data_without_code_is_marked(answer: str) -> None:
    assert check_answer(answer, [FileAdded(FILE), QuestionAsked("?")]).sentences == NO_CODE


@pytest.mark.parametrize(
    "answer",
    [
        "Hello! How can I help you with your data?",
        "Hi, I can compare accidents by city and find the highest average speed. What would you like to know?",
        "I can help with:\n- the average of accidents by 城市\n- the 5 highest speeds\n\n1. outliers of accidents",
        "You could ask which factors drive accidents most.",
        "您好！我可以分析事故与城市的相关性，例如最高的10个城市。",
        "请问您想比较哪两列？",
        "A correlation tells how two columns move together.",
        "You're welcome.",
    ],
)
def test_small_talk_and_offers_are_not_marked(answer: str) -> None:
    assert check_answer(answer, [FileAdded(FILE), QuestionAsked("?")]).sentences == ()


def test_without_any_data_nothing_is_checked() -> None:
    assert check_answer("Paris has 2.1 million inhabitants.", [QuestionAsked("Paris?")]) == AnswerCheck()


def test_a_tool_that_only_reads_files_is_no_code() -> None:
    entries: list[Entry] = [
        FileAdded(FILE),
        QuestionAsked("?"),
        CallStarted("1", "read_file", "{}"),
        CallFinished(call_id="1", ok=True),
    ]
    assert not check_answer("8,760 rows", entries).code_ran


def test_code_that_failed_before_it_made_anything_did_not_run() -> None:
    entries: list[Entry] = [
        FileAdded(FILE),
        QuestionAsked("?"),
        CallStarted("1", "execute_python_code", ""),
        CallFinished(call_id="1", ok=False),
    ]
    assert not check_answer("8,760 rows", entries).code_ran


def test_a_hundred_thousand_printed_numbers_are_searched() -> None:
    lines = "\n".join(f"row{number} {number / 7:.5f} {-number}" for number in range(50_000))
    check = check_answer("7142.71429 and 7142.71428, -49999 and -50000", ran(printed(lines)))
    assert [figure.text for figure in check.found] == ["7142.71429", "-49999"]


@pytest.mark.parametrize(
    "piece", ["1.", "a", "9", "(", "`", "](", "95% ", "2024-", "一", "- 1. x\n", " ", "a.b", "3 a-", "\n", "1/", "前"]
)
def test_a_hostile_answer_is_checked_in_linear_time(piece: str) -> None:
    assert check(piece * (20_000 // len(piece))).code_ran
