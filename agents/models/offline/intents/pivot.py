"""A measure by two groupings at once: a table with one grouping down and the other across."""

from agents.models.offline.choosing import aggregate_of, grouping, outcome_of, value_names
from agents.models.offline.figures import Figures
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Role
from agents.models.offline.question import Question
from agents.models.offline.script import Script

_COMPUTE = """
data = pd.DataFrame({"down": DOWN, "across": ACROSS, "value": numbers(df[measure])}).dropna()
table = data.pivot_table(index="down", columns="across", values="value", aggfunc=how, observed=True)
counts = data.pivot_table(index="down", columns="across", values="value", aggfunc="count", observed=True)
if not table.index.is_monotonic_increasing:
    table = table.sort_index()
counts = counts.reindex(index=table.index, columns=table.columns)
table = table.rename_axis(index=down, columns=None)
cells = table.stack().dropna()
"""
_CHART = """
shown = table.iloc[:25, :15]
fig, ax = plt.subplots(figsize=(max(6, 0.8 * shown.shape[1] + 3), max(3, 0.4 * len(shown) + 2)))
image = ax.imshow(shown, cmap="YlGnBu", aspect="auto")
ax.set_xticks(range(shown.shape[1]), [str(name) for name in shown.columns], rotation=45, ha="right")
ax.set_yticks(range(len(shown)), [str(name) for name in shown.index])
if shown.size <= 80:
    middle = np.nanmean(shown.to_numpy(dtype=float))
    for (row, column), value in np.ndenumerate(shown.to_numpy(dtype=float)):
        if np.isfinite(value):
            color = "white" if value > middle else "black"
            text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
            ax.text(column, row, text, ha="center", va="center", color=color)
ax.set(title=title, xlabel=across, ylabel=down)
fig.colorbar(image, label=value_label)
fig.tight_layout()
"""
_SHOW = """
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    down_groups=len(table),
    across_groups=table.shape[1],
    empty=int(table.isna().sum().sum()),
    highest=[str(name)[:60] for name in cells.idxmax()],
    highest_value=exact(cells.max()),
    highest_rows=int(counts.loc[cells.idxmax()]),
    lowest=[str(name)[:60] for name in cells.idxmin()],
    lowest_value=exact(cells.min()),
    lowest_rows=int(counts.loc[cells.idxmin()]),
)
"""
_WORDS = {"sum": ("total", "合计"), "mean": ("average", "平均"), "median": ("median", "中位数")}
_TITLE = ("{measure} ({word}) by {down} and {across}", "按 {down} 和 {across} 汇总 {measure}（{word}）")
_VALUE = ("{measure} ({word})", "{measure}（{word}）")
_HEAD = (
    "The table shows the {word} of {measure:q} for {down_groups} values of {down:q} and {across_groups} of {across:q}.",
    "表中是 {measure:q} 的{word}：{down:q} 有 {down_groups} 个取值，{across:q} 有 {across_groups} 个取值。",
)
_EXTREMES = (
    "Highest: {highest_down:q} with {highest_across:q}, {highest_value} ({highest_rows} rows). Lowest: "
    "{lowest_down:q} with {lowest_across:q}, {lowest_value} ({lowest_rows} rows).",
    "最高：{highest_down:q} 与 {highest_across:q}，{highest_value}（{highest_rows} 行）。最低：{lowest_down:q} 与 "
    "{lowest_across:q}，{lowest_value}（{lowest_rows} 行）。",
)
_EMPTY = ("{empty} combinations do not occur.", "有 {empty} 种组合没有数据。")
_TOO_FEW = Refusal(
    (
        "A pivot table needs two columns to group by and one number; this table does not have them.",
        "透视表需要两个分组列和一个数值列，这张表没有。",
    )
)


def _fit(question: Question) -> Task | Refusal:
    numbers = [c for c in question.columns if c.is_number and c not in question.grouped]
    named = [c for c in question.columns if c in question.grouped or c.is_group]
    groups = [c for c in named if c.role not in {Role.DATE} and c not in numbers[:1]]
    groups += [c for c in question.table.groups if c not in groups and c not in numbers]
    measure, assumed = outcome_of(question, without=groups[:2])
    if len(groups) < 2 or measure is None:
        return _TOO_FEW
    aggregate = aggregate_of(question, measure)
    return Task(
        intent="pivot", question=question, measures=(measure,), groups=tuple(groups[:2]), aggregate=aggregate,
        assumed=assumed,
    )  # fmt: skip


def _script(task: Task) -> Script:
    down, across = task.groups
    word = _WORDS.get(task.aggregate, _WORDS["mean"])[task.language == "zh"]
    labels = {"names": value_names(down, task.language), "other_names": value_names(across, task.language)}
    compute = _COMPUTE.replace("DOWN", grouping(down, task.language, "down"))
    return Script(
        name="pivot",
        values={
            "down": down.name,
            "across": across.name,
            **{variable: names for variable, names in labels.items() if names},
            "measure": task.measure.name,
            "how": task.aggregate,
            "title": task.phrase(_TITLE, down=down.name, across=across.name, word=word),
            "value_label": task.phrase(_VALUE, word=word),
        },
        compute=compute.replace("ACROSS", grouping(across, task.language, "across", "other_names")),
        chart=_CHART,
        show=_SHOW,
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    down, across = (column.name for column in task.groups)
    word = _WORDS.get(task.aggregate, _WORDS["mean"])[task.language == "zh"]
    ends = {
        f"{end}_{side}": figures.texts(end)[at]
        for end in ("highest", "lowest")
        for at, side in enumerate(("down", "across"))
    }
    told = [task.phrase(_HEAD, figures, down=down, across=across, word=word), task.phrase(_EXTREMES, figures, **ends)]
    return [*told, task.phrase(_EMPTY, figures)] if figures.is_set("empty") else told


PIVOT = Intent(
    name="pivot",
    title=("a pivot table", "透视表"),
    triggers=((6, r"\bpivot\w*|\bmatrix of\b|透视表?|二维表"),),
    fit=_fit,
    script=_script,
    answer=_answer,
)
