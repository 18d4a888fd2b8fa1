"""How the values of one column are spread: a number's quantiles and histogram, a category's counts; single figures."""

from agents.models.offline.choosing import aggregate_of, grouping, outcome_of, value_names
from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.routing import over_time
from agents.models.offline.script import Script

_NUMBER_COMPUTE = """
values = numbers(df[column]).dropna()
quantiles = values.quantile([0.25, 0.75])
figures = {
    "n": len(values),
    "missing": len(df) - len(values),
    "total": values.sum(),
    "mean": values.mean(),
    "median": values.median(),
    "std": values.std(),
    "minimum": values.min(),
    "maximum": values.max(),
}
table = pd.Series(figures).rename(figure_names).rename_axis("figure").to_frame("value")
"""
_NUMBER_CHART = """
fig, ax = plt.subplots(figsize=(8, 4.5))
ax.hist(values, bins=min(40, max(5, values.nunique())), color="#4c78a8")
ax.axvline(values.mean(), color="#e45756", label=f"{mean_label}: {values.mean():.4g}")
ax.axvline(values.median(), color="#f58518", linestyle="--", label=f"{median_label}: {values.median():.4g}")
ax.set(title=title, xlabel=column, ylabel=rows_label)
ax.legend()
fig.tight_layout()
"""
_NUMBER_SHOW = """
tell(
    rows=len(df),
    **{name: short(value) if name in ("mean", "std") else exact(value) for name, value in figures.items()},
    quarter=exact(quantiles[0.25]),
    three_quarters=exact(quantiles[0.75]),
    skew=rough(values.skew()) if values.nunique() > 2 else 0,
)
"""
_COUNT_COMPUTE = """
values = GROUPS.dropna()
table = values.value_counts().rename_axis(column).to_frame("n")
table["share"] = (100 * table["n"] / max(len(values), 1)).round(1)
"""
_COUNT_CHART = """
shown = table.head(20)[::-1]
fig, ax = plt.subplots(figsize=(8, max(2.5, 0.35 * len(shown) + 1)))
ax.barh(shown.index.astype(str), shown["n"], color="#4c78a8")
ax.set(title=title, xlabel=rows_label, ylabel=column)
fig.tight_layout()
"""
_COUNT_SHOW = """
tell(
    rows=len(df),
    n=len(values),
    missing=len(df) - len(values),
    distinct=len(table),
    listed=[
        {"name": str(name)[:60], "n": int(row["n"]), "percent": short(row["share"])}
        for name, row in table.head(10).iterrows()
    ],
)
"""
_TITLE = ("Distribution of {name}", "{name} 的分布")
_ROWS, _MEAN, _MEDIAN = ("rows", "行数"), ("mean", "均值"), ("median", "中位数")
_ASKED = {
    "mean": ("The average of {measure:q} is **{mean}**.", "{measure:q} 的平均值是 **{mean}**。"),
    "sum": ("The total of {measure:q} is **{total}**.", "{measure:q} 的合计是 **{total}**。"),
    "median": ("The median of {measure:q} is **{median}**.", "{measure:q} 的中位数是 **{median}**。"),
    "min": ("The smallest value of {measure:q} is **{minimum}**.", "{measure:q} 的最小值是 **{minimum}**。"),
    "max": ("The largest value of {measure:q} is **{maximum}**.", "{measure:q} 的最大值是 **{maximum}**。"),
    "count": ("{n} rows have a value of {measure:q}.", "有 {n} 行填写了 {measure:q}。"),
}
_NUMBER_HEAD = (
    "{measure:q} goes from {minimum} to {maximum}; the average is {mean}, the median {median}. The middle half of the "
    "values lies between {quarter} and {three_quarters}, the standard deviation is {std}.",
    "{measure:q} 的取值从 {minimum} 到 {maximum}，平均 {mean}，中位数 {median}；中间一半的值在 {quarter} 到 "
    "{three_quarters} 之间，标准差为 {std}。",
)
_FILLED = ("{n} of {rows} rows have a value; {missing} have none.", "{rows} 行中有 {n} 行有值，{missing} 行缺失。")
_ALL_FILLED = ("All {rows} rows have a value.", "全部 {rows} 行都有值。")
_SKEWED = {
    True: (
        "A few large values pull the average above the median: the median says more about a usual row.",
        "少数较大的值把平均值拉到中位数之上：中位数更能代表一般情况。",
    ),
    False: (
        "A few small values pull the average below the median: the median says more about a usual row.",
        "少数较小的值把平均值拉到中位数之下：中位数更能代表一般情况。",
    ),
}
_COUNT_HEAD = (
    "{group:q} has {distinct} different values in {n} rows ({missing} rows have none). The most frequent:",
    "{group:q} 在 {n} 行中有 {distinct} 种不同的值（{missing} 行缺失）。最常见的是：",
)
_LINE = ("{name:q}: {n} rows ({percent}%)", "{name:q}：{n} 行（{percent}%）")
_NO_COLUMN = Refusal(
    (
        "This table has no column whose distribution I could show. Ask for an overview.",
        "这张表没有可以展示分布的列。可以先看数据概览。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    named = next(iter(question.columns), None)
    if named and named.role is Role.ID and question.aggregate:
        named = None  # what a row is called
    if named is None:
        if not question.aggregate:
            return None
        if question.aggregate == "count":
            return Task(intent="overview", question=question)
        named, assumed = outcome_of(question)
        return _task(question, named, assumed) if named else _NO_COLUMN
    if question.aggregate == "count" and any(narrowing.limit for narrowing in question.narrowings):
        return Task(intent="overview", question=question)
    parts = [column for column in question.columns if column.role in {Role.CATEGORY, Role.FLAG} and column != named]
    is_part = named.role in {Role.CATEGORY, Role.FLAG, Role.TEXT}
    is_measured = is_part and any(column.role is Role.MEASURE for column in question.columns)
    if parts or is_measured or (len(question.columns) > 1 and question.grouped):
        return None
    if named.role is Role.DATE:
        return over_time(question, named)
    return _task(question, named, ())


def _task(question: Question, column: Column, assumed: tuple[str, ...]) -> Task:
    as_number = column.is_number and column.role is not Role.FLAG
    if as_number and not (column.has_few and question.aggregate == "count"):
        return Task(
            intent="distribution", question=question, measures=(column,), assumed=assumed,
            aggregate=aggregate_of(question, column) if question.narrowings else question.aggregate or "median",
        )  # fmt: skip
    return Task(intent="distribution", question=question, groups=(column,), aggregate="count", assumed=assumed)


def _script(task: Task) -> Script:
    return _number_script(task) if task.measures else _count_script(task)


def _number_script(task: Task) -> Script:
    names = ("n", "missing", "total", "mean", "median", "std", "minimum", "maximum")
    return Script(
        name="distribution",
        values={
            "column": task.measure.name,
            "title": task.phrase(_TITLE, name=task.measure.name),
            "rows_label": task.phrase(_ROWS),
            "mean_label": task.phrase(_MEAN),
            "median_label": task.phrase(_MEDIAN),
            "figure_names": headings(names, task.language),
        },
        compute=_NUMBER_COMPUTE,
        chart=_NUMBER_CHART,
        show=_NUMBER_SHOW,
        headings=headings(("figure", "value"), task.language),
    )


def _count_script(task: Task) -> Script:
    names = value_names(task.group, task.language)
    return Script(
        name="distribution",
        values={
            "column": task.group.name,
            **({"names": names} if names else {}),
            "title": task.phrase(_TITLE, name=task.group.name),
            "rows_label": task.phrase(_ROWS),
        },
        compute=_COUNT_COMPUTE.replace("GROUPS", grouping(task.group, task.language, "column")),
        chart=_COUNT_CHART,
        show=_COUNT_SHOW,
        headings=headings(("n", "share"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    if not task.measures:
        return [f"{task.phrase(_COUNT_HEAD, figures)}\n{task.phrase_each(_LINE, figures.rows('listed'))}"]
    asked = [task.phrase(_ASKED[task.aggregate], figures)] if task.question.aggregate or task.narrowings else []
    filled = _FILLED if figures.is_set("missing") else _ALL_FILLED
    skew = figures.number("skew")
    skewed = [task.phrase(_SKEWED[skew > 0])] if abs(skew) > 1 else []
    return [*asked, task.phrase(_NUMBER_HEAD, figures), task.phrase(filled, figures), *skewed]


DISTRIBUTION = Intent(
    name="distribution",
    title=("the distribution, average, total or extremes of a column", "某一列的分布、平均值、合计或最值"),
    triggers=(
        (
            3,
            r"\bdistribut\w+|\bhistogram\b|\bspread\b|\bfrequenc(?:y|ies)\b|\bhow (?:often|common)\b"
            r"|分布|直方图|频数|频次|占比|比例|百分比|构成|\bshare\b|\bproportions?\b|\bpercentage\b|\bbreak ?down\b",
        ),
        (
            2,
            r"\b(?:average|mean|median|total|sum|minimum|maximum|min|max|range)\b|平均|中位数|合计|总和|总额|总计|总共|最大值|最小值|范围",
        ),
        (2, r"\bhow (?:many|much)\b|\bnumber of\b|\bcount\b|多少|几个|数量"),
        (1, r"\b(?:highest|largest|lowest|smallest)\b|最高|最低|最大|最小"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
