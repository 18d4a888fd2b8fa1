"""The figures in the answers, from code that really ran, against figures calculated here in another way."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.offline_chat import Answered, CodeRunner, OfflineChat, runner
from tests.offline_tables import TABLES, SmallTable, traffic, traffic_dictionary, written

__all__ = ["runner"]
Ask = Callable[[str, str], Answered]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SmallTable]:
    folder = tmp_path_factory.mktemp("tables")
    return {name: written(name, make(), folder) for name, make in TABLES.items()} | {"traffic": traffic()}


@pytest.fixture
def ask(runner: CodeRunner, tables: dict[str, SmallTable], tmp_path: Path) -> Ask:
    def asked(table: str, question: str) -> Answered:
        dictionary = traffic_dictionary() if table == "traffic" else ""
        answered = OfflineChat(runner, [tables[table].profile], dictionary, tmp_path).ask(question)
        assert [ran.error for ran in answered.ran] == [""]
        return answered

    return asked


def is_labelled(answered: Answered) -> bool:
    """Whether there is a chart, with a title, and a name on at least one axis of each pair that is no colour scale."""
    charts = answered.ran[-1].charts
    return bool(charts) and bool(charts[0][0]) and any(x or y for _, x, y in charts)


def test_a_comparison_of_two_groups(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("traffic", "按城市和农村比较事故数")
    groups = tables["traffic"].data.groupby("urban_area")["accidents"]
    town, country = answered.listed["城市"], answered.listed["农村"]
    assert (town["n"], country["n"]) == (groups.size()[1], groups.size()[0])
    assert (town["total"], country["total"]) == (groups.sum()[1], groups.sum()[0])
    assert town["mean"] == pytest.approx(groups.mean()[1], rel=1e-3)
    difference = groups.mean()[1] - groups.mean()[0]
    error = math.sqrt(sum(groups.var()[group] / groups.size()[group] for group in (0, 1)))
    assert answered.figures["difference"] == pytest.approx(difference, rel=1e-3)
    assert answered.figures["difference_low"] == pytest.approx(difference - 1.96 * error, rel=1e-3)
    assert f"合计 {int(groups.sum()[1]):,}" in answered.text
    assert "最高的是 `城市`" in answered.text
    assert is_labelled(answered)


def test_a_comparison_of_more_groups_leaves_out_what_has_no_value(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("prices", "average price per city")
    means = tables["prices"].data.groupby("City")["Price (EUR)"].mean()
    assert {name: row["mean"] for name, row in answered.listed.items()} == {
        name: round(mean) for name, mean in means.items()
    }
    missing = int(tables["prices"].data["Price (EUR)"].isna().sum())
    assert f"{missing} rows without a value in these columns were left out." in answered.text
    assert "Groups that differ only in capitals or blanks are counted apart (1)" in answered.text


def test_a_comparison_by_ranges_keeps_a_common_lowest_value_apart(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("traffic", "accidents by rain intensity")
    data = tables["traffic"].data
    dry = data[data["rain_intensity"] == 0]["accidents"]
    assert answered.listed["0"]["n"] == len(dry)
    assert answered.listed["0"]["mean"] == pytest.approx(dry.mean(), rel=1e-3)
    assert sum(row["n"] for row in answered.listed.values()) == len(data)


def test_drivers_are_those_that_the_data_was_made_from(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("traffic", "Which factors contribute most to accidents?")
    assert next(iter(answered.listed)) == "traffic_density"
    assert answered.listed["traffic_lights"]["effect"] < 0 < answered.listed["rain_intensity"]["effect"]
    data = tables["traffic"].data
    rank = data["rain_intensity"].rank().corr(data["accidents"].rank())
    assert answered.listed["rain_intensity"]["spearman"] == pytest.approx(rank, rel=5e-3)
    factors = data.drop(columns="accidents").astype(float)
    scaled = (factors - factors.mean()) / factors.std().where(factors.nunique() > 2, 1)
    design = np.column_stack([np.ones(len(scaled)), scaled])
    effects, *_ = np.linalg.lstsq(design, data["accidents"].to_numpy(dtype=float), rcond=None)
    for name, effect in zip(factors.columns, effects[1:], strict=True):
        assert answered.listed[name]["effect"] == pytest.approx(effect, rel=5e-3, abs=1e-4)
    assert answered.figures["explained_percent"] > 25
    assert "not what causes it" in answered.text
    assert answered.table[0]["p"] == "<0.001"
    assert is_labelled(answered)


def test_drivers_of_a_yes_or_no(ask: Ask) -> None:
    answered = ask("survey", "why would people leave?")
    assert next(iter(answered.listed)) == "satisfaction"
    assert answered.listed["satisfaction"]["direction"] == "down"
    assert "The outcome is taken as `yes` or not." in answered.text


def test_no_driver_is_made_up(ask: Ask) -> None:
    answered = ask("sales", "哪些因素影响销售额")
    assert "没有哪一列与 `销售额` 有明显关联" in answered.text


def test_a_relation_with_the_others_held_constant(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("traffic", "Do higher fines go with lower speeds or fewer accidents?")
    data = tables["traffic"].data.astype(float)
    speed, accidents = answered.figures["results"]
    assert speed["pearson"] == pytest.approx(data["traffic_fine_amount"].corr(data["average_speed"]), rel=5e-3)
    slope = np.polyfit(data["traffic_fine_amount"], data["accidents"], 1)[0]
    assert accidents["slope"] == pytest.approx(slope, rel=5e-3)
    others = data.drop(columns=["accidents", "average_speed", "traffic_fine_amount"])
    design = np.column_stack([np.ones(len(data)), data["traffic_fine_amount"], others])
    adjusted = np.linalg.lstsq(design, data["accidents"].to_numpy(), rcond=None)[0][1]
    assert accidents["adjusted_slope"] == pytest.approx(adjusted, rel=5e-3)
    assert answered.text.count("**Yes.**") == 2
    assert is_labelled(answered)


def test_a_direction_that_is_wrong_is_denied(ask: Ask) -> None:
    assert "**No.** " in ask("traffic", "do higher fines go with higher speeds?").text
    assert "**几乎没有。**" in ask("traffic", "罚款越高，路面状况是否越低？").text


def test_the_best_value_of_a_lever_levels_off_where_the_data_was_made_to(ask: Ask) -> None:
    answered = ask("traffic", "What amount of fine would be best for reducing accidents?")
    figures = answered.figures
    assert (figures["lowest_seen"], figures["highest_seen"]) == (50, 500)
    assert 200 <= figures["most_gain_at"] <= 300
    assert figures["worst"] == 50
    assert figures["linked"] == ["average_speed"]
    assert "Not held constant, because the effect may go through it: `average_speed`" in answered.text
    assert is_labelled(answered)


def test_areas_at_risk(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("traffic", "Which areas are at the highest risk of accidents?")
    means = tables["traffic"].data.groupby("urban_area")["accidents"].mean()
    places = {row["name"]: row["mean"] for row in answered.figures["places"]}
    assert places == {"rural": pytest.approx(means[0], rel=1e-3), "urban": pytest.approx(means[1], rel=1e-3)}
    worst = answered.figures["listed"][0]
    assert worst["name"].startswith("urban, traffic_density: high")
    assert worst["mean"] > max(means)
    assert is_labelled(answered)


def test_an_overview(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["prices"].data
    figures = ask("prices", "overview").figures
    assert (figures["rows"], figures["columns"]) == data.shape
    assert figures["missing_cells"] == int(data.isna().sum().sum())
    assert figures["duplicate_rows"] == int(data.duplicated().sum())
    assert {"name": "year_built", "first": str(data["year_built"].min()), "last": str(data["year_built"].max())} in (
        figures["spans"]
    )


def test_missing_values(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["prices"].data
    answered = ask("prices", "missing values")
    assert answered.listed["Price (EUR)"]["missing"] == int(data["Price (EUR)"].isna().sum())
    assert answered.listed["Living Area"]["percent"] == round(100 * data["Living Area"].isna().mean(), 1)
    assert is_labelled(answered)
    assert "没有缺失值" in ask("sales", "有缺失值吗").text


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("what is the average salary?", "mean"),
        ("median salary", "median"),
        ("total salary", "total"),
        ("range of the salary", "maximum"),
    ],
)
def test_a_single_figure_of_a_column(ask: Ask, tables: dict[str, SmallTable], question: str, figure: str) -> None:
    salary = tables["survey"].data["salary"]
    expected = {"mean": salary.mean(), "median": salary.median(), "total": salary.sum(), "maximum": salary.max()}
    answered = ask("survey", question)
    assert answered.figures[figure] == pytest.approx(expected[figure], rel=1e-3)
    assert f"{answered.figures[figure]:,}" in answered.text


def test_counts_of_a_category(ask: Ask, tables: dict[str, SmallTable]) -> None:
    counts = tables["web_log"].data["status"].value_counts()
    answered = ask("web_log", "how many requests per status")
    assert {int(name): row["n"] for name, row in answered.listed.items()} == counts.to_dict()
    assert is_labelled(answered)


def test_the_top_of_groups_and_of_rows(ask: Ask, tables: dict[str, SmallTable]) -> None:
    totals = tables["sales"].data.groupby("门店")["销售额"].sum().nlargest(2)
    answered = ask("sales", "销售额最高的2个门店")
    assert [row["name"] for row in answered.figures["listed"]] == list(totals.index)
    assert [row["value"] for row in answered.figures["listed"]] == [round(total, 2) for total in totals]
    dearest = tables["prices"].data["Price (EUR)"].nlargest(3)
    answered = ask("prices", "3 most expensive flats")
    assert [row["value"] for row in answered.figures["listed"]] == [int(price) for price in dearest]
    cheapest = ask("prices", "which city is cheapest").figures["listed"][0]["name"]
    assert cheapest.strip() == str(tables["prices"].data.groupby("City")["Price (EUR)"].mean().idxmin()).strip()


def test_a_trend_leaves_out_the_unfinished_last_period(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["sales"].data
    months = data.groupby(data["销售日期"].dt.to_period("M"))["销售额"].sum()[:-1]
    answered = ask("sales", "按月的销售额趋势")
    figures = answered.figures
    assert figures["open_period"] == "2024-06"
    assert (figures["last_period"], figures["last_value"]) == ("2024-05", round(months.iloc[-1]))
    assert (figures["highest_period"], figures["lowest_period"]) == (str(months.idxmax()), str(months.idxmin()))
    slope = np.polyfit(np.arange(len(months)), months.to_numpy(), 1)[0]
    assert figures["slope"] == pytest.approx(slope, rel=5e-3)
    assert "**上升**" in answered.text
    assert is_labelled(answered)


def test_a_trend_counts_rows_where_rows_are_asked_for(ask: Ask, tables: dict[str, SmallTable]) -> None:
    hours = tables["web_log"].data["timestamp"].dt.to_period("h").value_counts()
    figures = ask("web_log", "requests per hour").figures
    assert (figures["periods"], figures["highest_value"]) == (72, int(hours.max()))


def test_a_trend_in_each_group(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["sales"].data
    months = data.groupby([data["销售日期"].dt.to_period("M"), "门店"])["销售额"].sum().unstack()
    answered = ask("sales", "各门店每月销售额")
    assert {name: row["first"] for name, row in answered.listed.items()} == {
        name: round(value) for name, value in months.iloc[0].items()
    }
    assert is_labelled(answered)


def test_a_cycle_is_followed_round_the_day(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["traffic"].data
    hours = data.groupby(np.floor(data["time_of_day"]))["accidents"].mean()
    figures = ask("traffic", "accidents over time").figures
    assert (figures["highest_period"], figures["periods"]) == (f"{hours.idxmax():.0f}", 24)
    assert figures["highest_value"] == pytest.approx(hours.max(), rel=1e-3)


def test_a_forecast_goes_on_with_trend_and_season(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["sales"].data
    months = data.groupby(data["销售日期"].dt.to_period("M"))["销售额"].sum()[:-1]
    answered = ask("sales", "未来6个月销售额预测")
    listed = answered.figures["listed"]
    assert [row["name"] for row in listed] == [f"2024-{month:02d}" for month in range(6, 12)]
    steps = np.arange(len(months))
    season = np.eye(12)[[(period.month - 1) % 12 for period in months.index]]
    fit, *_ = np.linalg.lstsq(np.column_stack([steps, season]), months.to_numpy(), rcond=None)
    expected = [fit[0] * (len(months) + ahead) + fit[1 + (5 + ahead) % 12] for ahead in range(6)]
    assert [row["forecast"] for row in listed] == pytest.approx(expected, rel=1e-3)
    assert all(row["low"] < row["forecast"] < row["high"] for row in listed)
    assert answered.figures["error"] < answered.figures["usual_error"]
    assert is_labelled(answered)


def test_a_forecast_is_not_made_from_too_little(ask: Ask) -> None:
    answered = ask("sales", "2024年销售额未来1年预测")
    assert answered.figures["enough"] == 1
    assert "只计算" not in answered.text


def test_correlations(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["survey"].data
    answered = ask("survey", "correlations")
    first = answered.figures["listed"][0]
    assert {first["first"], first["second"]} == {"salary", "satisfaction"}
    assert first["pearson"] == pytest.approx(data["salary"].corr(data["satisfaction"]), abs=1e-3)
    ranks = data["salary"].rank().corr(data["satisfaction"].rank())
    assert first["spearman"] == pytest.approx(ranks, abs=1e-3)
    assert is_labelled(answered)


def test_outliers_by_the_usual_fences(ask: Ask, tables: dict[str, SmallTable]) -> None:
    prices = tables["prices"].data["Price (EUR)"]
    low, high = prices.quantile(0.25), prices.quantile(0.75)
    above, below = prices > high + 1.5 * (high - low), prices < low - 1.5 * (high - low)
    answered = ask("prices", "outliers in price")
    row = answered.listed["Price (EUR)"]
    assert (row["above"], row["below"], row["outliers"]) == (above.sum(), below.sum(), (above | below).sum())
    assert answered.figures["extremes"][:2] == [12_500_000, 9_900_000]
    assert is_labelled(answered)


def test_two_groupings(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["survey"].data
    counts = pd.crosstab(data["Department"], data["Gender"])
    expected = counts.sum(axis=1).to_numpy()[:, None] * counts.sum().to_numpy()[None, :] / len(data)
    strength = math.sqrt(((counts.to_numpy() - expected) ** 2 / expected).sum() / len(data))
    answered = ask("survey", "How is department related to gender?")
    assert answered.figures["strength"] == pytest.approx(strength, rel=5e-3)
    assert {row["Department"]: row["male"] for row in answered.table} == counts["male"].to_dict()
    assert is_labelled(answered)


def test_a_pivot_table(ask: Ask, tables: dict[str, SmallTable]) -> None:
    sums = tables["sales"].data.pivot_table(index="门店", columns="产品类别", values="销售额", aggfunc="sum")
    answered = ask("sales", "按门店和产品类别做透视表")
    assert {row["门店"]: row["家电"] for row in answered.table} == pytest.approx(sums["家电"].to_dict())
    assert answered.figures["highest_value"] == round(sums.max().max(), 2)
    assert is_labelled(answered)


def test_a_clean_up_changes_only_what_is_safe(ask: Ask, tables: dict[str, SmallTable], tmp_path: Path) -> None:
    data = tables["prices"].data
    answered = ask("prices", "clean up the data")
    clean = pd.read_csv(tmp_path / "prices_clean.csv")
    assert sorted(clean["City"].unique()) == ["Berlin", "Hamburg", "Munich"]
    assert len(clean) == len(data) - 5 == answered.figures["rows_left"]
    assert clean["Price (EUR)"].isna().sum() == data.drop_duplicates()["Price (EUR)"].isna().sum()
    done = {row["step"]: row["changed"] for row in answered.figures["done"]}
    assert done["repeated rows removed"] == 5
    assert done["spellings that differed in case"] == (data["City"] == "berlin ").sum()


def test_only_the_rows_of_a_year_are_counted(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["sales"].data
    totals = data[data["销售日期"].dt.year == 2023].groupby("门店")["销售额"].sum()
    answered = ask("sales", "sales in 2023 by store")
    assert {name: row["total"] for name, row in answered.listed.items()} == totals.round(2).to_dict()
    assert "Only rows with `销售日期` = 2023 are counted." in answered.text


def test_the_table_alone_comes_without_a_chart(ask: Ask) -> None:
    assert ask("survey", "average salary by department as a table").ran[-1].charts == []


@pytest.mark.parametrize(
    ("question", "part", "names"),
    [
        ("compare sales in 2022 and 2023", lambda dates: dates.dt.year, {2022: "2022", 2023: "2023"}),
        ("星期几的销售额最高", lambda dates: dates.dt.day_of_week, {0: "周一", 6: "周日"}),
        (
            "are sales higher on weekends",
            lambda dates: dates.dt.day_of_week > 4,
            {False: "working day", True: "weekend"},
        ),
    ],
)
def test_a_comparison_of_parts_of_a_date(
    ask: Ask, tables: dict[str, SmallTable], question: str, part: Callable[..., Any], names: dict[Any, str]
) -> None:
    answered = ask("sales", question)
    data = tables["sales"].data
    groups = data.groupby(part(pd.to_datetime(data["销售日期"])))["销售额"]
    for value, name in names.items():
        assert answered.listed[name]["n"] == groups.size()[value]
        assert answered.listed[name]["total"] == pytest.approx(groups.sum()[value], abs=0.01)
    assert "no column" not in answered.text
    assert "not use" not in answered.text
    assert is_labelled(answered)


def test_rows_are_counted_by_the_day_of_the_week(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("sales", "how many orders on each day of the week")
    days = pd.to_datetime(tables["sales"].data["销售日期"]).dt.day_name().value_counts()
    assert {name: row["n"] for name, row in answered.listed.items()} == days.to_dict()


def test_rows_within_a_limit_are_counted(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("sales", "how many orders had sales over 1,000")
    count = (tables["sales"].data["销售额"] > 1_000).sum()
    assert f"has {count:,} rows" in answered.text
    assert "Only rows with `销售额` > 1,000 are counted." in answered.text


def test_rows_of_a_value_in_a_month_are_added_up(ask: Ask, tables: dict[str, SmallTable]) -> None:
    answered = ask("sales", "上海店2023年3月的销售额是多少？")
    data = tables["sales"].data
    dates = pd.to_datetime(data["销售日期"])
    kept = data[(data["门店"] == "上海店") & (dates.dt.year == 2023) & (dates.dt.month == 3)]["销售额"]
    assert f"`销售额` 的合计是 **{kept.sum():,.2f}**".rstrip("0*") in answered.text


def test_conditions_that_no_row_meets_are_told(
    runner: CodeRunner, tables: dict[str, SmallTable], tmp_path: Path
) -> None:
    answered = OfflineChat(runner, [tables["sales"].profile], "", tmp_path).ask("销售额超过九百万的有多少天")
    assert answered.text == "符合条件的有 **0 行**：没有 `销售额` > 9,000,000 的行。"


def test_repeated_rows_are_told_first_when_they_are_asked_for(ask: Ask) -> None:
    answered = ask("prices", "are there duplicate rows?")
    assert "row" in answered.text.split("\n\n")[0]
    assert "repeat" in answered.text.split("\n\n")[0]


def test_a_measure_may_have_any_name(runner: CodeRunner, tmp_path: Path) -> None:
    data = pd.DataFrame({"code": ["NA", "NO", "NO"] * 4, "n": [5, 7, 1] * 4, "share": [1, 2, 3] * 4})
    chat = OfflineChat(runner, [written("codes", data, tmp_path).profile], "", tmp_path)
    for measure, total in (("n", 32), ("share", 20)):
        answered = chat.ask(f"top codes by total {measure}")
        assert answered.ran[-1].error == ""
        assert f"is `NO` with **{total}**" in answered.text
        assert answered.ran[-1].table is not None
        assert answered.ran[-1].table[0][measure] == total


def test_the_average_per_hour_of_the_day_is_given_for_each_hour(ask: Ask, tables: dict[str, SmallTable]) -> None:
    data = tables["traffic"].data
    means = data.groupby(data["time_of_day"].astype(int))["accidents"].mean()
    for question in ("What is the average number of accidents per hour of the day?", "每小时的平均事故数是多少？"):
        found = {
            row["time_of_day"]: row["mean" if "What" in question else "均值"] for row in ask("traffic", question).table
        }
        assert found == pytest.approx(means.to_dict())


def test_the_hour_of_the_day_is_taken_from_a_time(ask: Ask, tables: dict[str, SmallTable]) -> None:
    counts = tables["web_log"].data["timestamp"].dt.hour.value_counts()
    answered = ask("web_log", "number of requests per hour of the day")
    assert {row["timestamp"]: row["rows"] for row in answered.table} == counts.to_dict()
