"""Where an outcome is highest: places, and what the worst of them have in common."""

import re

from agents.models.offline.choosing import default_outcome, is_bad, outcome_of, value_names
from agents.models.offline.figures import Figures, quoted
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.intents.relation import RELATION
from agents.models.offline.known_table import Role
from agents.models.offline.question import Question
from agents.models.offline.routing import by_groups, over_time
from agents.models.offline.script import Script
from agents.models.offline.vocabulary import PLACES

MOST_TOLD = 5
_DANGER = re.compile(r"\b(?:risk|danger|unsafe)|风险|危险|隐患", re.IGNORECASE)
"""Asks for what one wants small, whichever other column is named."""

_COMPUTE = """
y = numbers(df[outcome])
data = pd.DataFrame({"y": y})
for name in places:
    data[name] = numbers(df[name]).map(names[name]) if name in names else df[name].astype(str)
strength = pd.Series({name: abs(numbers(df[name]).corr(y, method="spearman")) for name in candidates}, dtype=float)
described = []
for name in strength.dropna().sort_values(ascending=False).index:
    alike = [abs(numbers(df[name]).corr(numbers(df[other]), method="spearman")) > 0.8 for other in described]
    if len(described) < (2 if places else 3) and not any(alike):
        described.append(name)
for name in described:
    place = numbers(df[name]).rank(pct=True)
    data[name] = pd.cut(place, [0, 1 / 3, 2 / 3, 1], labels=[f"{name}: {word}" for word in words])
data = data.dropna()

by_kind = data.groupby(places + described, observed=True)["y"]
table = by_kind.agg(n="count", mean="mean", total="sum", std="std")
half = stats.t.ppf(0.975, table["n"] - 1) * table["std"] / np.sqrt(table["n"])
table["low"], table["high"] = table["mean"] - half, table["mean"] + half
enough = max(10, 0.003 * len(data))
table = table[table["n"] >= enough].drop(columns="std").sort_values("mean", ascending=False)
by_place = pd.DataFrame()
if places:
    by_place = data.groupby(places[0])["y"].agg(n="count", mean="mean").sort_values("mean", ascending=False)
label = [", ".join(map(str, kind)) if isinstance(kind, tuple) else str(kind) for kind in table.index]
"""
_CHART = """
shown = table.head(12)[::-1]
fig, ax = plt.subplots(figsize=(9, max(3, 0.4 * len(shown) + 1.5)))
ax.barh(label[:12][::-1], shown["mean"], xerr=(shown["high"] - shown["mean"]).fillna(0), capsize=3, color="#e45756")
ax.axvline(data["y"].mean(), color="black", linestyle="--", label=overall_label)
ax.set(title=title, xlabel=value_label)
ax.legend()
fig.tight_layout()
"""
_SHOW = """
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    kinds=len(table),
    overall=short(data["y"].mean()),
    described=[name[:60] for name in described],
    times=rough(table["mean"].iloc[0] / data["y"].mean()) if data["y"].mean() > 0 else None,
    confidence_percent=95,
    lowest=label[-1][:150],
    lowest_value=short(table["mean"].iloc[-1]),
    listed=[
        {"name": name[:150], "n": int(row["n"])} | {key: short(row[key]) for key in ("mean", "low", "high")}
        for name, (_, row) in zip(label[:5], table.head(5).iterrows())
    ],
    places=[
        {"name": str(name)[:60], "mean": short(row["mean"]), "n": int(row["n"])}
        for name, row in by_place.head(6).iterrows()
    ],
)
"""
_TITLE = ("Highest averages of {measure}", "{measure} 平均值最高的情形")
_VALUE = ("average {measure}", "平均 {measure}")
_OVERALL = ("all rows", "全部数据平均")
_THIRDS = (("low", "middle", "high"), ("低", "中", "高"))
_HEAD = (
    "**On average {measure:q} is highest for {best}**: {mean} in {n} rows, against {overall} over all rows{times}.",
    "**{measure:q} 平均值最高的情形是 {best}**：{n} 行的平均值为 {mean}，全部数据平均为 {overall}{times}。",
)
_TIMES = (" ({times} times as much)", "（{times} 倍）")
_LINE = (
    "{name:q}: {mean} on average ({confidence_percent}% interval {low} to {high}, {n} rows)",
    "{name:q}：平均 {mean}（{confidence_percent}% 区间 {low} 至 {high}，{n} 行）",
)
_LISTED = ("The highest of {kinds} kinds of place:", "{kinds} 种情形中最高的是：")
_BY_PLACE = ("By {place:q} alone:", "只看 {place:q}：")
_PLACE = ("{name:q}: {mean} on average ({n} rows)", "{name:q}：平均 {mean}（{n} 行）")
_LOWEST = ("The lowest is {lowest:q} with {lowest_value}.", "最低的是 {lowest:q}，为 {lowest_value}。")
_THIRDS_TOLD = (
    "Low, middle and high each stand for a third of the rows. The columns that describe the places besides were those "
    "most closely related to {measure:q}: {described}.",
    "低、中、高各代表三分之一的数据。用来描述这些地点的其他列，是与 {measure:q} 关系最密切的：{described}。",
)
_NO_KINDS = ("There are too few rows to tell kinds of place apart.", "数据太少，无法区分不同的情形。")
_NO_OUTCOME = Refusal(
    (
        "To see where something is highest I need a number to measure it by, and this table has none.",
        "要找出哪里最高，需要一个数值列，这张表没有。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    times = [column for column in question.columns if column.role in {Role.CYCLE, Role.DATE, Role.YEAR}]
    if times:
        return over_time(question, times[0])
    places = [column for column in question.columns if column.is_group and column.role is not Role.MEASURE]
    places = places or [c for c in question.table.groups if c.keys & PLACES]
    wide = [column for column in places if column.role is Role.CATEGORY and (column.distinct or 0) > 3]
    outcome, assumed = outcome_of(question, without=places)
    if outcome is None:
        return _NO_OUTCOME
    if not assumed and _DANGER.search(question.text) and not is_bad(outcome):
        worse = default_outcome(question.table, without=(outcome,))
        if worse and is_bad(worse):
            return RELATION.fit(question)
    if wide:
        return by_groups(question, wide[:1])
    return Task(
        intent="risk",
        question=question,
        measures=(outcome, *(c for c in question.table.of(Role.MEASURE) if c not in (outcome, *places))),
        groups=tuple(places[:2]),
        assumed=assumed,
    )


def _script(task: Task) -> Script:
    named = {column.name: value_names(column, task.language) for column in task.groups}
    return Script(
        name="highest_risk",
        values={
            "outcome": task.measure.name,
            "places": [column.name for column in task.groups],
            "names": {name: labels for name, labels in named.items() if labels},
            "candidates": [column.name for column in task.measures[1:]],
            "words": list(_THIRDS[task.language == "zh"]),
            "title": task.phrase(_TITLE),
            "value_label": task.phrase(_VALUE),
            "overall_label": task.phrase(_OVERALL),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(("n", "mean", "total", "low", "high"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    listed = figures.rows("listed")
    if not listed:
        return [task.phrase(_NO_KINDS)]
    first = {place: listed[0].text(place) for place in ("mean", "n")}
    times = task.phrase(_TIMES, figures) if figures.number("times") > 1 else ""
    percent = figures.text("confidence_percent")
    told = [task.phrase(_HEAD, figures, best=quoted(listed[0].text("name")), times=times, **first)]
    lines = task.phrase_each(_LINE, listed[:MOST_TOLD], confidence_percent=percent)
    told += [f"{task.phrase(_LISTED, figures)}\n{lines}", task.phrase(_LOWEST, figures)]
    places = figures.rows("places")
    if places and task.groups:
        told += [f"{task.phrase(_BY_PLACE, place=task.group.name)}\n{task.phrase_each(_PLACE, places)}"]
    described = figures.texts("described")
    return [*told, task.phrase(_THIRDS_TOLD, described=task.listed(described))] if described else told


RISK = Intent(
    name="risk",
    title=("where something is highest: areas at risk", "哪里最高：高风险区域"),
    triggers=(
        (5, r"\brisk\w*|\bdanger\w*|\bhot.?spots?\b|\bworst (?:areas?|places?|regions?)\b|\bunsafe\b"),
        (5, r"风险|危险|高发|隐患"),
        (2, r"\bwhere\b|哪里|何处|什么地方"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
