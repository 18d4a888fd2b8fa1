"""Compares a measure between groups: means with intervals, medians, totals, and a test of the difference."""

from dataclasses import replace

from agents.models.offline.choosing import grouping, in_order, value_names
from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Role
from agents.models.offline.question import Question
from agents.models.offline.question_words import DATE_PARTS
from agents.models.offline.routing import by_groups, by_part
from agents.models.offline.script import Script

MOST_TOLD = 8

_COMPUTE = """
data = pd.DataFrame({"group": GROUPS, "value": numbers(df[outcome])})
left_out = int(data.isna().any(axis=1).sum())
data = data.dropna()

by_group = data.groupby("group", observed=True)["value"]
table = by_group.agg(n="count", mean="mean", median="median", std="std", total="sum")
half = stats.t.ppf(0.975, table["n"] - 1) * table["std"] / np.sqrt(table["n"])
table["low"], table["high"] = table["mean"] - half, table["mean"] + half
if not keep_order:
    table = table.sort_values(measured, ascending=False)

table = table.rename_axis(group)

parts = [part.to_numpy() for _, part in by_group if len(part) > 1 and part.std() > 0]
high, low = table["mean"].idxmax(), table["mean"].idxmin()
test, p, between = "", np.nan, (np.nan, np.nan)
if len(table) == len(parts) == 2:
    found = stats.ttest_ind(by_group.get_group(high), by_group.get_group(low), equal_var=False)
    test, p, between = "Welch t-test", found.pvalue, tuple(found.confidence_interval(0.95))
elif len(parts) > 2:
    test, p = "Kruskal-Wallis test", stats.kruskal(*parts).pvalue
"""
_CHART = """
shown = table.head(20)
fig, ax = plt.subplots(figsize=(8, 4.5))
error = None if measured != "mean" else (shown["high"] - shown["mean"]).fillna(0)
ax.bar(shown.index.astype(str), shown[measured], yerr=error, capsize=4, color="#4c78a8")
ax.set(title=title, xlabel=group, ylabel=value_label)
if len(shown) > 6:
    ax.tick_params(axis="x", rotation=45)
fig.tight_layout()
"""
_SHOW = """
said = short if measured == "mean" else exact
most, least = table[measured].idxmax(), table[measured].idxmin()
tell(
    rows=len(data),
    left_out=left_out,
    groups=len(table),
    alike=len(table) - len({str(name).strip().casefold() for name in table.index}),
    listed=[
        {
            "name": str(name)[:60],
            "n": int(row["n"]),
            "mean": short(row["mean"]),
            "median": exact(row["median"]),
            "total": exact(row["total"]),
        }
        for name, row in table.head(20).iterrows()
    ],
    most=str(most),
    most_value=said(table.loc[most, measured]),
    least=str(least),
    least_value=said(table.loc[least, measured]),
    times=rough(table.loc[most, measured] / table.loc[least, measured]) if table.loc[least, measured] > 0 else None,
    difference=short(table["mean"].max() - table["mean"].min()),
    confidence_percent=95,
    difference_low=short(between[0]),
    difference_high=short(between[1]),
    test=test,
    chance=chance(p),
    differs=int(p < 0.05),
)
"""
_MEASURED = {"sum": "total", "mean": "mean", "median": "median"}
_WORDS = {"total": ("total", "合计"), "mean": ("average", "平均值"), "median": ("median", "中位数")}
_TITLE = ("{measure} by {group}: {word}", "按 {group} 比较 {measure} 的{word}")
_VALUE = ("{measure} ({word})", "{measure}（{word}）")
_HEAD = (
    "By {group:q}, {measure:q} is highest in {most:q} ({word} {most_value}) and lowest in {least:q} ({word} "
    "{least_value}){times}.",
    "按 {group:q} 比较，{measure:q} 最高的是 {most:q}（{word} {most_value}），最低的是 {least:q}（{word} "
    "{least_value}）{times}。",
)
_ONE_GROUP = (
    "All {rows} rows with a value belong to the one group {most:q}; there the {word} of {measure:q} is {most_value}.",
    "全部 {rows} 行有值的数据都属于同一组 {most:q}，其中 {measure:q} 的{word}为 {most_value}。",
)
_TIMES = ("; that is {times} times as much", "，前者是后者的 {times} 倍")
_LINE = (
    "{name:q}: average {mean}, median {median}, total {total}, {n} rows",
    "{name:q}：平均 {mean}，中位数 {median}，合计 {total}，共 {n} 行",
)
_MORE = ("All {groups} groups are in the table.", "全部 {groups} 组见表格。")
_INTERVAL = (
    "The averages differ by {difference} ({confidence_percent}% interval {difference_low} to {difference_high}). ",
    "平均值相差 {difference}（{confidence_percent}% 区间为 {difference_low} 至 {difference_high}）。",
)
_DIFFERS = (
    "Row by row, the groups differ by more than chance would explain ({test}, {chance}).",
    "按单行数值看，各组差异很难用偶然解释（{test}，{chance}）。",
)
_MAY_BE_CHANCE = (
    "Row by row, the difference between the groups may well be chance ({test}, {chance}).",
    "按单行数值看，各组差异很可能只是偶然（{test}，{chance}）。",
)
_NO_TEST = ("The groups are too small or too uniform for a test.", "各组数据太少或没有变化，无法做检验。")


def _fit(question: Question) -> Task | Refusal | None:
    parted = question.date_part or next(
        (replace(each.column, part="year") for each in question.narrowings if len(each.years) > 1), None
    )
    if parted:
        return by_part(question, parted)
    if not question.mentions:
        return None
    numbers = [column for column in question.columns if column.is_number and column not in question.grouped]
    plain = tuple(column for column in question.columns if column.role in {Role.CATEGORY, Role.FLAG})
    groups = question.grouped or plain or tuple(column for column in numbers[1:] if column.is_group)
    if not groups and len(numbers) > 1:
        return None
    return by_groups(question, groups)


def _script(task: Task) -> Script:
    measured = _MEASURED.get(task.aggregate, "mean")
    word = _WORDS[measured][task.language == "zh"]
    names = value_names(task.group, task.language)
    return Script(
        name="compare_groups",
        values={
            "outcome": task.measure.name,
            "group": task.group.name,
            **({"names": names} if names else {}),
            "measured": measured,
            "keep_order": in_order(task.group),
            "title": task.phrase(_TITLE, word=word),
            "value_label": task.phrase(_VALUE, word=word),
        },
        compute=_COMPUTE.replace("GROUPS", grouping(task.group, task.language)),
        chart=_CHART,
        show=_SHOW,
        headings=headings(("n", "mean", "median", "std", "total", "low", "high"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    word = _WORDS[_MEASURED.get(task.aggregate, "mean")][task.language == "zh"]
    if figures.number("groups") < 2:
        return [task.phrase(_ONE_GROUP, figures, word=word)]
    times = task.phrase(_TIMES, figures) if figures.number("times") > 1 else ""
    head = task.phrase(_HEAD, figures, word=word, times=times)
    lines = task.phrase_each(_LINE, figures.rows("listed")[:MOST_TOLD])
    more = [task.phrase(_MORE, figures)] if figures.number("groups") > MOST_TOLD else []
    return [head, lines, *more, _test(task, figures)]


def _test(task: Task, figures: Figures) -> str:
    if not figures.text("test"):
        return task.phrase(_NO_TEST)
    interval = task.phrase(_INTERVAL, figures) if figures.has("difference_low") else ""
    return interval + task.phrase(_DIFFERS if figures.is_set("differs") else _MAY_BE_CHANCE, figures)


COMPARE = Intent(
    name="compare",
    title=("a comparison between groups", "分组比较"),
    triggers=(
        (2, r"\bcompar\w*|\bdiffer\w*|比较|对比|相比|差异|区别|差别"),
        (5, "|".join(DATE_PARTS.values())),
        (1, r"\b(?:by|per|across|for each|for every|between)\b|[按各每]|不同|分别"),
        (1, r"\b(?:average|mean|median|total|sum)\b|平均|中位数|合计|总"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
