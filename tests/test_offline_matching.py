"""Which question is asked of which columns, over tables of different kinds, in English and Chinese."""

from pathlib import Path

import pandas as pd
import pytest

from agents.models.offline.guidance import examples, is_about_itself
from agents.models.offline.intent import Task
from agents.models.offline.known_table import KnownTable
from agents.models.offline.matcher import Asked, understand
from agents.models.offline.roles import known_tables
from tests.offline_tables import TABLES, traffic, traffic_dictionary, written

ACCIDENTS, FINE, URBAN = "accidents", "traffic_fine_amount", "urban_area"
TRAFFIC = (
    ("Which factors contribute most to how often accidents happen?", "drivers", ACCIDENTS),
    ("Which factors contribute most to accidents?", "drivers", ACCIDENTS),
    ("Which areas are at the highest risk of accidents?", "risk", ACCIDENTS, URBAN),
    ("How do traffic fines influence the number of accidents?", "relation", FINE, ACCIDENTS),
    ("What amount of fine would be best for reducing accidents?", "lever", FINE, ACCIDENTS),
    ("what fine would be best", "lever", FINE, ACCIDENTS),
    ("Do higher fines go with lower speeds or fewer accidents?", "relation", FINE, "average_speed", ACCIDENTS),
    ("do higher fines go with lower speeds?", "relation", FINE, "average_speed"),
    ("compare accidents in cities and in the countryside", "compare", ACCIDENTS, URBAN),
    ("accidents in towns versus villages", "compare", ACCIDENTS, URBAN),
    ("average speed by rain", "compare", "average_speed", "rain_intensity"),
    ("accidents by time of day", "compare", ACCIDENTS, "time_of_day"),
    ("How do accidents develop over time?", "trend", ACCIDENTS, "time_of_day"),
    ("distribution of pavement quality", "distribution", "pavement_quality"),
    ("show me a histogram of the trafic density", "distribution", "traffic_density"),
    ("what is the median vehicle count?", "distribution", "vehicle_count"),
    ("total accidents", "distribution", ACCIDENTS),
    ("Give me an overview", "overview"),
    ("What is in this table?", "overview"),
    ("这份数据讲了什么？", "overview"),
    ("帮我分析一下这份数据", "overview"),
    ("给我看看数据", "rows"),
    ("What time of day is the most dangerous?", "trend", ACCIDENTS, "time_of_day"),
    ("事故最多的时段是几点？", "trend", ACCIDENTS, "time_of_day"),
    ("What happens if we raise the fine?", "relation", FINE, ACCIDENTS),
    ("红绿灯有用吗？", "relation", "traffic_lights", ACCIDENTS),
    ("Should we improve pavement or add traffic lights to reduce accidents?", "drivers", ACCIDENTS),
    ("summarise accidents by urban area", "compare", ACCIDENTS, URBAN),
    ("Are accidents more common in towns?", "compare", ACCIDENTS, URBAN),
    ("城区的平均事故数是多少？", "compare", ACCIDENTS, URBAN),
    ("车速最快的前5行", "top", "average_speed"),
    ("描述一下车速", "distribution", "average_speed"),
    ("事故和哪些变量相关？", "correlation", ACCIDENTS),
    ("罚款多少合适？", "lever", FINE, ACCIDENTS),
    ("accidents with density above 8", "distribution", ACCIDENTS),
    ("how many rows are there", "overview"),
    ("which columns are there?", "overview"),
    ("are any values missing?", "missing"),
    ("find outliers", "outliers"),
    ("outliers in average speed", "outliers", "average_speed"),
    ("correlation matrix", "correlation"),
    ("What correlates with accidents?", "correlation", ACCIDENTS),
    ("correlation between rain and accidents", "relation", "rain_intensity", ACCIDENTS),
    ("how does speed depend on traffic density", "relation", "traffic_density", "average_speed"),
    ("pivot accidents by urban area and time of day", "pivot", ACCIDENTS, URBAN, "time_of_day"),
    ("clean up the data", "clean"),
    ("How dangerous is rain?", "relation", "rain_intensity", ACCIDENTS),
    ("Is there a link between speed and accidents?", "relation", "average_speed", ACCIDENTS),
    ("What is the average number of accidents per hour of the day?", "compare", ACCIDENTS, "time_of_day"),
    ("每小时的平均事故数是多少？", "compare", ACCIDENTS, "time_of_day"),
    ("Which hour of the day has the most accidents?", "trend", ACCIDENTS, "time_of_day"),
    ("Where are accidents most frequent?", "risk", ACCIDENTS, URBAN),
    ("show the first 10 rows", "rows"),
    ("10 highest vehicle counts", "top", "vehicle_count"),
    ("哪些因素对事故发生频率的影响最大？", "drivers", ACCIDENTS),
    ("哪些区域的事故风险最高？", "risk", ACCIDENTS, URBAN),
    ("交通罚款如何影响事故数量？", "relation", FINE, ACCIDENTS),
    ("罚款定为多少最有利于减少事故？", "lever", FINE, ACCIDENTS),
    ("罚款越高，车速是否越低、事故是否越少？", "relation", FINE, "average_speed", ACCIDENTS),
    ("按城市和农村比较事故数", "compare", ACCIDENTS, URBAN),
    ("城区和乡村的平均车速有什么差别", "compare", "average_speed", URBAN),
    ("路面状况的分布", "distribution", "pavement_quality"),
    ("红绿灯和事故有关系吗", "relation", "traffic_lights", ACCIDENTS),
    ("数据概览", "overview"),
    ("这个表里有什么", "overview"),
    ("有缺失值吗", "missing"),
    ("有没有异常值", "outliers"),
    ("各列之间的相关性", "correlation"),
    ("事故数随时间的变化", "trend", ACCIDENTS, "time_of_day"),
    ("清理数据", "clean"),
)  # fmt: skip
OTHERS = (
    ("sales", "销售额的趋势", "trend", "销售额", "销售日期"),
    ("sales", "What was our best month?", "trend", "销售额", "销售日期"),
    ("sales", "Which store grew the most?", "trend_by_group", "销售额", "门店", "销售日期"),
    ("sales", "how many orders are from members", "distribution", "是否会员"),
    ("sales", "Average order value", "distribution", "销售额"),
    ("sales", "各门店占比", "distribution", "门店"),
    ("sales", "每个门店的销售额占比", "top", "销售额", "门店"),
    ("sales", "北京店和上海店的销售额差多少", "compare", "销售额", "门店"),
    ("sales", "show me the 10 largest orders", "top", "销售额", "订单编号"),
    ("sales", "lowest 5 orders by sales", "top", "销售额"),
    ("survey", "各部门每季度的工资", "compare", "salary", "Department"),
    ("survey", "which department leaves most often", "crosstab", "Department", "would_leave"),
    ("survey", "what share of respondents would leave in each department", "crosstab", "Department", "would_leave"),
    ("sales", "按月的销售额", "trend", "销售额", "销售日期"),
    ("sales", "各门店每月销售额", "trend_by_group", "销售额", "门店", "销售日期"),
    ("sales", "每个月的订单数", "trend", "销售日期"),
    ("sales", "未来6个月销售额预测", "forecast", "销售额", "销售日期"),
    ("sales", "forecast sales for the next 3 months", "forecast", "销售额", "销售日期"),
    ("sales", "按门店比较销售额", "compare", "销售额", "门店"),
    ("sales", "sales by store", "compare", "销售额", "门店"),
    ("sales", "orders by store", "distribution", "门店"),
    ("sales", "销售额最高的3个门店", "top", "销售额", "门店"),
    ("sales", "哪个产品类别卖得最好", "top", "销售额", "产品类别"),
    ("sales", "各产品类别的平均销售额", "compare", "销售额", "产品类别"),
    ("sales", "按门店和产品类别做透视表", "pivot", "销售额", "门店", "产品类别"),
    ("sales", "total quantity by store and product category", "pivot", "数量", "门店", "产品类别"),
    ("sales", "会员和非会员的销售额有差异吗", "compare", "销售额", "是否会员"),
    ("sales", "总销售额是多少", "distribution", "销售额"),
    ("sales", "有多少条记录", "overview"),
    ("sales", "销售额和数量的关系", "relation", "销售额", "数量"),
    ("survey", "What drives satisfaction?", "drivers", "satisfaction"),
    ("survey", "why would people leave?", "drivers", "would_leave"),
    ("survey", "Compare salary of men and women", "compare", "salary", "Gender"),
    ("survey", "average age by department", "compare", "age", "Department"),
    ("survey", "How is department related to gender?", "crosstab", "Department", "Gender"),
    ("survey", "how many respondents per department", "distribution", "Department"),
    ("survey", "satisfaction by remote work", "compare", "satisfaction", "remote work"),
    ("survey", "top 5 salaries", "top", "salary"),
    ("survey", "difference in satisfaction between departments", "compare", "satisfaction", "Department"),
    ("survey", "which department has the lowest satisfaction", "top", "satisfaction", "Department"),
    ("survey", "youngest employees", "top", "age"),
    ("survey", "满意度和工资的关系", "relation", "satisfaction", "salary"),
    ("survey", "男女的工资差别", "compare", "salary", "Gender"),
    ("web_log", "requests per hour", "trend", "timestamp"),
    ("web_log", "bytes over time", "trend", "bytes", "timestamp"),
    ("web_log", "response time by path", "compare", "response_ms", "path"),
    ("web_log", "which page is slowest?", "top", "response_ms", "path"),
    ("web_log", "status by path", "crosstab", "path", "status"),
    ("web_log", "how many requests per status", "distribution", "status"),
    ("prices", "average price per city", "compare", "Price (EUR)", "City"),
    ("prices", "price vs living area", "relation", "Living Area", "Price (EUR)"),
    ("prices", "10 most expensive flats", "top", "Price (EUR)"),
    ("prices", "which city is cheapest", "top", "Price (EUR)", "City"),
    ("prices", "median price", "distribution", "Price (EUR)"),
    ("prices", "price by year built", "trend", "Price (EUR)", "year_built"),
    ("prices", "are there duplicates?", "overview"),
    ("prices", "remove duplicates", "clean"),
    ("identifiers", "customers by country", "distribution", "country"),
    ("pairs", "relation of x and y", "relation", "x", "y"),
    ("pairs", "distribution of `y`", "distribution", "y"),
)  # fmt: skip
REFUSED = (
    ("identifiers", "correlation"),
    ("identifiers", "trend"),
    ("identifiers", "outliers"),
    ("identifiers", "what drives churn?"),
    ("pairs", "forecast y for next month"),
    ("pairs", "trend of y"),
)
NOT_UNDERSTOOD = (
    "今天天气怎么样？", "春天来了吗",
    "Write a poem about the sea", "What is the capital of France?", "asdf", "讲个笑话", "???",
)  # fmt: skip


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, KnownTable]:
    folder = tmp_path_factory.mktemp("tables")
    found = {name: known_tables([written(name, make(), folder).profile])[0] for name, make in TABLES.items()}
    return found | {"traffic": known_tables([traffic().profile], traffic_dictionary())[0]}


def names(task: Task) -> list[str]:
    """The columns of a task; of those that merely may explain the outcome only the outcome."""
    columns = task.columns if task.intent not in {"drivers", "risk", "outliers"} else task.measures[:1] + task.groups
    if task.intent == "drivers" or (task.intent == "outliers" and not task.question.mentions):
        columns = columns[:1] if task.intent == "drivers" else ()
    return [column.name for column in columns]


def check(asked: Asked, intent: str, columns: tuple[str, ...]) -> None:
    assert isinstance(asked.meaning, Task)
    assert (asked.meaning.intent, names(asked.meaning)) == (intent, list(columns))


@pytest.mark.parametrize("asked", TRAFFIC, ids=lambda asked: asked[0])
def test_a_question_about_the_sample_is_understood(known: dict[str, KnownTable], asked: tuple[str, ...]) -> None:
    question, intent, *columns = asked
    check(understand([question], [known["traffic"]]), intent, tuple(columns))


@pytest.mark.parametrize("asked", OTHERS, ids=lambda asked: f"{asked[0]}: {asked[1]}")
def test_a_question_about_any_table_is_understood(known: dict[str, KnownTable], asked: tuple[str, ...]) -> None:
    table, question, intent, *columns = asked
    check(understand([question], [known[table]]), intent, tuple(columns))


@pytest.mark.parametrize("asked", REFUSED, ids=lambda asked: asked[1])
def test_what_a_table_does_not_hold_is_refused_with_the_reason(
    known: dict[str, KnownTable], asked: tuple[str, str]
) -> None:
    found = understand([asked[1]], [known[asked[0]]])
    assert found.meaning is not None
    assert not isinstance(found.meaning, Task)


@pytest.mark.parametrize("question", NOT_UNDERSTOOD)
def test_other_questions_are_not_understood(known: dict[str, KnownTable], question: str) -> None:
    assert understand([question], [known["sales"]]).meaning is None


def test_at_least_eighty_questions_are_held() -> None:
    assert len(TRAFFIC) + len(OTHERS) >= 80


@pytest.mark.parametrize("table", [*TABLES, "traffic"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_example_that_is_offered_is_understood(known: dict[str, KnownTable], table: str, language: str) -> None:
    offered = examples(known[table], "zh" if language == "zh" else "en")
    assert len(offered) == 3
    assert all(isinstance(understand([question], [known[table]]).meaning, Task) for question in offered)


@pytest.mark.parametrize(
    "text", ["Hello", "what can you do?", "Are you a language model?", "你好", "你能做什么？", "帮助"]
)
def test_questions_about_the_analyst_are_recognised(text: str) -> None:
    assert is_about_itself(text)


@pytest.mark.parametrize(
    "text",
    ["help me compare sales by store", "what do you think drives sales?", "which model sells best", "各门店的销售额"],
)
def test_questions_about_data_are_not_about_the_analyst(text: str) -> None:
    assert not is_about_itself(text)


FOLLOW_UPS = (
    ("compare sales by store", "same by product category", "compare", "销售额", "产品类别"),
    ("compare sales by store", "and by month", "trend", "销售额", "销售日期"),
    ("trend of sales", "by week", "trend", "销售额", "销售日期"),
    ("distribution of sales", "and quantity?", "distribution", "数量"),
    ("按门店比较销售额", "按产品类别呢", "compare", "销售额", "产品类别"),
    ("按门店比较销售额", "数量呢？", "compare", "数量", "门店"),
    ("销售额的趋势", "按季度呢", "trend", "销售额", "销售日期"),
    ("销售额最高的3个门店", "前2个呢", "top", "销售额", "门店"),
)


@pytest.mark.parametrize("asked", FOLLOW_UPS, ids=lambda asked: f"{asked[0]} / {asked[1]}")
def test_a_follow_up_keeps_what_it_does_not_change(known: dict[str, KnownTable], asked: tuple[str, ...]) -> None:
    first, second, intent, *columns = asked
    check(understand([first, second], [known["sales"]]), intent, tuple(columns))


def test_a_follow_up_can_ask_for_the_table_alone(known: dict[str, KnownTable]) -> None:
    found = understand(["compare sales by store", "as a table"], [known["sales"]])
    check(found, "compare", ("销售额", "门店"))
    assert not found.question.with_chart


def test_a_new_question_owes_nothing_to_the_last(known: dict[str, KnownTable]) -> None:
    found = understand(["compare sales by store", "distribution of quantity"], [known["sales"]])
    check(found, "distribution", ("数量",))


def test_the_table_is_chosen_by_its_columns_or_its_name(known: dict[str, KnownTable]) -> None:
    tables = [known["sales"], known["survey"], known["prices"]]
    assert understand(["average salary by department"], tables).question.table is known["survey"]
    assert understand(["overview of sales.csv"], tables).question.table is known["sales"]
    assert understand(["overview"], tables).question.table is known["prices"]
    assert understand(["average Living Area"], [known["prices"], known["traffic"]]).question.table is known["prices"]


def test_conditions_that_can_be_kept_are_kept_and_others_are_told(known: dict[str, KnownTable]) -> None:
    year = understand(["2023年的销售额趋势"], [known["sales"]]).question
    assert [narrowing.code() for narrowing in year.narrowings] == [
        "df = df[dates(df['销售日期']).dt.year.isin([2023])]"
    ]
    assert year.not_done == ()
    shops = understand(["only 北京店 and 上海店 sales by month"], [known["sales"]]).question
    assert [(each.column.name, each.values) for each in shops.narrowings] == [("门店", ("北京店", "上海店"))]
    since = understand(["sales by store since 2023"], [known["sales"]]).question
    assert (since.narrowings, since.not_done) == ((), ("since", "2023"))
    other = understand(["sales by store where quantity is above 3"], [known["sales"]]).question
    assert ([each.told() for each in other.narrowings], other.not_done) == (["`数量` > 3"], ())
    unknown = understand(["sales by store where the boss is ill"], [known["sales"]]).question
    assert (unknown.narrowings, unknown.not_done) == ((), ("where",))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("上海店的销售额是多少？", ["`门店` = `上海店`"]),
        ("北京店家电的销售额", ["`门店` = `北京店`", "`产品类别` = `家电`"]),
        ("北京店和上海店的销售额对比", []),
        ("哪个门店的销售额最高", []),
        ("2024年3月的销售额", ["`销售日期` = 2024-03"]),
        ("sales in march 2023 and april 2023", ["`销售日期` = 2023-03, 2023-04"]),
        ("sales in may", ["`销售日期` = *-05"]),
        ("未来三个月的销售额预测", []),
        ("how many orders had sales over 1,000", ["`销售额` > 1,000"]),
        ("销售额不超过1.2万的订单有多少", ["`销售额` <= 12,000"]),
        ("销售额超过一千的有多少天", ["`销售额` > 1,000"]),
        ("sales of at least 2k and quantity below 4", ["`销售额` >= 2,000", "`数量` < 4"]),
        ("sales over 2023", ["`销售日期` = 2023"]),
        ("sales more than 5% up", []),
    ],
)
def test_values_months_and_limits_are_conditions(known: dict[str, KnownTable], question: str, told: list[str]) -> None:
    assert sorted(each.told() for each in understand([question], [known["sales"]]).question.narrowings) == sorted(told)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("compare sales in 2022 and 2023", "year"),
        ("which day of the week sells best", "weekday"),
        ("星期几销量最高", "weekday"),
        ("周末和工作日的销售额有区别吗", "weekend"),
        ("are sales higher on weekends", "weekend"),
    ],
)
def test_parts_of_a_date_are_groups_to_compare(known: dict[str, KnownTable], question: str, part: str) -> None:
    meaning = understand([question], [known["sales"]]).meaning
    assert isinstance(meaning, Task)
    assert (meaning.intent, meaning.group.name, meaning.group.part) == ("compare", "销售日期", part)


def test_a_table_of_thousands_of_columns_is_matched(tmp_path: Path) -> None:
    wide = pd.DataFrame([[1] * 6000], columns=[f"col_{number}" for number in range(6000)])
    table = known_tables([written("wide", wide, tmp_path).profile])[0]
    check(understand(["sum of col_5123"], [table]), "distribution", ("col_5123",))
