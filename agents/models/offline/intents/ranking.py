"""The top n: groups by the total or average of a measure, or single rows by a value."""

from collections.abc import Callable

from agents.models.offline.choosing import aggregate_of, group_of, outcome_of, value_names
from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.routing import counted, over_time
from agents.models.offline.script import Script

_GROUPS_COMPUTE = """
data = pd.DataFrame({"group": GROUPS, "value": numbers(df[measure])}).dropna()
all_groups = data.groupby("group", observed=True)["value"].agg(["count", how]).set_axis(["n", "value"], axis=1)
table = all_groups.sort_values("value", ascending=lowest, kind="stable").head(count).rename_axis(group)
if how == "sum" and (data["value"] >= 0).all() and data["value"].sum() > 0:
    table["share"] = (100 * table["value"] / data["value"].sum()).round(1)
"""
_GROUPS_SHOW = """
said = short if how == "mean" else exact
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    groups=len(all_groups),
    alike=len(all_groups) - len({str(name).strip().casefold() for name in all_groups.index}),
    shown=len(table),
    share=short(round(table["share"].sum(), 1)) if "share" in table else None,
    listed=[
        {"name": str(name)[:60], "value": said(row["value"]), "n": int(row["n"])}
        for name, row in table.head(20).iterrows()
    ],
)
"""
_ROWS_COMPUTE = """
values = numbers(df[measure])
order = values.dropna().sort_values(ascending=lowest, kind="stable").head(count).index
first = [name for name in (label, measure) if name is not None]
table = df.loc[order, first + [name for name in df.columns if name not in first]]
"""
_ROWS_SHOW = """
tell(
    rows=int(values.notna().sum()),
    left_out=int(values.isna().sum()),
    shown=len(table),
    listed=[
        {
            "name": str(table.loc[row, label] if label is not None else row)[:60].removesuffix(" 00:00:00"),
            "value": exact(values[row]),
        }
        for row in order[:20]
    ],
)
"""
_CHART = """
shown = table.head(30)
fig, ax = plt.subplots(figsize=(8, max(2.5, 0.4 * len(shown) + 1)))
ax.barh(range(len(shown)), VALUES.astype(float), color="#4c78a8")
ax.set_yticks(range(len(shown)), NAMES.astype(str))
ax.invert_yaxis()
ax.set(title=title, xlabel=value_label, ylabel=name_label)
fig.tight_layout()
"""
_NEARLY_ALL = 0.95
"""Of the rows; what so many of them have for themselves tells them apart."""
_HOW = {"sum": ("total", "合计"), "mean": ("average", "平均"), "median": ("median", "中位数"), "value": ("value", "值")}
_TITLE = {
    False: ("Top {count} by {measure} ({word})", "按 {measure} 的{word}排名前 {count}"),
    True: ("Lowest {count} by {measure} ({word})", "按 {measure} 的{word}排名后 {count}"),
}
_VALUE = ("{measure} ({word})", "{measure}（{word}）")
_ROW = ("row", "行")
_HEAD = {
    False: (
        "By the {word} of {measure:q}, the first of {groups} groups of {group:q} is {best:q} with **{value}**:",
        "按 {measure:q} 的{word}，{group:q} 的 {groups} 组中排第一的是 {best:q}，为 **{value}**：",
    ),
    True: (
        "By the {word} of {measure:q}, the lowest of {groups} groups of {group:q} is {best:q} with **{value}**:",
        "按 {measure:q} 的{word}，{group:q} 的 {groups} 组中最低的是 {best:q}，为 **{value}**：",
    ),
}
_LINE = ("{name:q}: {value} ({n} rows)", "{name:q}：{value}（{n} 行）")
_SHARE = ("Together these {shown} make up {share}% of the total.", "这 {shown} 组合计占总数的 {share}%。")
_ROWS_HEAD = {
    False: (
        "The largest {measure:q} is **{value}** ({best:q}); the {shown} highest rows:",
        "{measure:q} 最大的是 **{value}**（{best:q}）；最高的 {shown} 行：",
    ),
    True: (
        "The smallest {measure:q} is **{value}** ({best:q}); the {shown} lowest rows:",
        "{measure:q} 最小的是 **{value}**（{best:q}）；最低的 {shown} 行：",
    ),
}
_ROWS_LINE = ("{name:q}: {value}", "{name:q}：{value}")
_NO_MEASURE = Refusal(
    (
        "This table has no numbers to rank by. Ask how often each value of a column occurs.",
        "这张表没有可用于排名的数值列。可以问某一列各个值出现的次数。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    if not question.mentions:
        return None
    cycles = [column for column in question.columns if column.role in {Role.CYCLE, Role.YEAR}]
    if cycles:
        return over_time(question, cycles[0])
    measure, groups, assumed = _parts(question)
    parts = [column for column in question.columns if column.role in {Role.CATEGORY, Role.FLAG}]
    if measure is None or (assumed and len(parts) > 1):
        parts = [column for column in groups if column not in parts] + parts
        return counted(question, sorted(parts, key=_not_by(question)), assumed=()) if parts else _NO_MEASURE
    return Task(
        intent="top",
        question=question,
        measures=(measure,),
        groups=groups,
        aggregate=aggregate_of(question, measure),
        count=question.count or 10,
        assumed=assumed,
    )


def _not_by(question: Question) -> Callable[[Column], bool]:
    return lambda column: column not in question.grouped


def _parts(question: Question) -> tuple[Column | None, tuple[Column, ...], tuple[str, ...]]:
    """The measure, the groups (none: single rows are ranked) and what was assumed."""
    columns = question.columns
    group = next((column for column in columns if column.role in {Role.CATEGORY, Role.TEXT, Role.ID}), None)
    measures = [column for column in columns if column.is_number and column.role is not Role.FLAG]
    if group is None and len(measures) > 1 and question.grouped:
        group = next((column for column in measures if column not in question.grouped), None)
    if group is None and not measures:
        group, _ = group_of(question)
    groups = (group,) if group else ()
    if question.aggregate == "count" and not [column for column in measures if column not in groups]:
        return None, groups, ()
    measure, assumed = outcome_of(question, without=groups)
    return measure, groups, assumed


def _is_rows(task: Task) -> bool:
    return not task.groups or task.group.distinct == task.question.table.rows


def _label(task: Task) -> Column | None:
    if task.groups:
        return task.group
    table = task.question.table
    telling = table.of(Role.ID, Role.TEXT, Role.DATE)
    unique = [column for column in telling if (column.distinct or 0) >= _NEARLY_ALL * table.rows]
    return next((column for column in unique if "name" in column.keys), next(iter(unique), None))


def _script(task: Task) -> Script:
    word = _word(task)
    label = _label(task)
    texts: dict[str, object] = {
        "title": task.phrase(_TITLE[task.question.lowest], count=task.count, word=word),
        "value_label": task.phrase(_VALUE, word=word),
        "name_label": label.name if label else task.phrase(_ROW),
    }
    if _is_rows(task):
        values = {"measure": task.measure.name, "label": label.name if label else None}
        shared = {"count": task.count, "lowest": task.question.lowest}
        said = "shown[label]" if label else "shown.index"
        chart = _CHART.replace("NAMES", said).replace("VALUES", "shown[measure]")
        return Script(
            name="top_rows", values=values | shared | texts, compute=_ROWS_COMPUTE, chart=chart, show=_ROWS_SHOW
        )
    names = value_names(task.group, task.language)
    return Script(
        name="top_groups",
        values={
            "group": task.group.name,
            **({"names": names} if names else {}),
            "measure": task.measure.name,
            "how": task.aggregate,
            "count": task.count,
            "lowest": task.question.lowest,
            **texts,
        },
        compute=_GROUPS_COMPUTE.replace("GROUPS", "numbers(df[group]).map(names)" if names else "df[group]"),
        chart=_CHART.replace("NAMES", "shown.index").replace("VALUES", 'shown["value"]'),
        show=_GROUPS_SHOW,
        headings=headings(("n", "share"), task.language) | {"value": task.measure.name},
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    listed = figures.rows("listed")
    if not listed:
        return [task.phrase(_NO_MEASURE.reason)]
    first = {"best": listed[0].text("name"), "value": listed[0].text("value")}
    if _is_rows(task):
        head = task.phrase(_ROWS_HEAD[task.question.lowest], figures, **first)
        return [f"{head}\n{task.phrase_each(_ROWS_LINE, listed)}"]
    head = task.phrase(_HEAD[task.question.lowest], figures, word=_word(task), **first)
    share = [task.phrase(_SHARE, figures)] if figures.number("share") > 0 else []
    return [f"{head}\n{task.phrase_each(_LINE, listed)}", *share]


def _word(task: Task) -> str:
    return _HOW["value" if _is_rows(task) else task.aggregate][task.language == "zh"]


TOP = Intent(
    name="top",
    title=("the top or bottom of a list", "排名前几或后几"),
    triggers=(
        (
            3,
            r"\btop\b|\bbottom\b|\brank\w*|\bleading\b"
            r"|\b(?:highest|lowest|largest|smallest|biggest|best|worst) \d+\b"
            r"|\b\d+ (?:most|least|best|worst|highest|lowest|largest|smallest)\b",
        ),
        (
            3,
            r"前\s*[\d一二三四五六七八九十两]+|后\s*\d+|排名|排行|排序|倒数|最\S{1,2}的?\s*[\d一二三四五六七八九十两]+\s*[个名种家款]",
        ),
        (
            2,
            r"占比|比例|\bshare\b|\bproportions?\b|\bpercentage\b"
            r"|\b(?:which|who)\b.{0,40}\b(?:most|least|highest|lowest|largest|smallest|best|worst|fewest)\b|\bbest.?sell\w*",
        ),
        (2, r"(?:哪|什么).{0,12}(?:最|卖得)|最(?:高|低|大|小|多|少|贵|便宜|好|差)的"),
        (2, r"\b(?:young|old|slow|fast|long|short|heavi|rich|poor|new|cheap)est\b|\bmost expensive\b"),
        (1, r"\b(?:highest|lowest|largest|smallest|most|least|best|worst|cheapest)\b"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
