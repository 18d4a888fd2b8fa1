"""Values far from the rest, by the usual fences of one and a half times the middle half's width."""

from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Role
from agents.models.offline.question import Question
from agents.models.offline.script import Script

MOST_COLUMNS = 40

_COMPUTE = """
data = pd.DataFrame({name: numbers(df[name]) for name in columns})
q1, q3 = data.quantile(0.25), data.quantile(0.75)
width = q3 - q1
lower, upper = q1 - factor * width, q3 + factor * width
usable = width > 0
table = pd.DataFrame({
    "n": data.notna().sum(),
    "lower": lower,
    "upper": upper,
    "below": (data < lower).sum(),
    "above": (data > upper).sum(),
    "minimum": data.min(),
    "maximum": data.max(),
})[usable]
table.insert(0, "outliers", table["below"] + table["above"])
table["share"] = (100 * table["outliers"] / table["n"]).round(2)
table = table.sort_values("share", ascending=False, kind="stable")
is_far = (data[table.index] < lower[table.index]) | (data[table.index] > upper[table.index])
"""
_CHART = """
shown = list(table.index[:9])
if shown:
    rows = -(-len(shown) // 3)
    fig, axes = plt.subplots(rows, min(3, len(shown)), figsize=(3.2 * min(3, len(shown)), 2.8 * rows), squeeze=False)
    for ax, name in zip(axes.flat, shown):
        ax.boxplot(data[name].dropna(), whis=factor, flierprops={"markersize": 3, "alpha": 0.4})
        ax.set(title=str(name), xticks=[], ylabel=value_label)
    for ax in axes.flat[len(shown):]:
        ax.set_visible(False)
    fig.suptitle(title)
    fig.tight_layout()
"""
_SHOW = """
extremes = []
if len(table) == 1:
    name = table.index[0]
    middle = data[name].median()
    far = data[name][is_far[name]]
    extremes = [exact(value) for value in far.loc[(far - middle).abs().sort_values(ascending=False).index][:5]]
tell(
    rows=len(df),
    columns=len(table),
    skipped=[str(name)[:60] for name in usable.index[~usable]][:10],
    affected=int((table["outliers"] > 0).sum()),
    rows_with_outliers=int(is_far.any(axis=1).sum()),
    factor=factor,
    extremes=extremes,
    listed=[
        {
            "name": str(name)[:60],
            "outliers": int(row["outliers"]),
            "percent": short(row["share"]),
            "lower": exact(row["lower"]),
            "upper": exact(row["upper"]),
            "below": int(row["below"]),
            "above": int(row["above"]),
        }
        for name, row in table.head(10).iterrows()
    ],
)
"""
_TITLE = ("Box plots: points are outliers", "箱线图：单独的点为异常值")
_VALUE = ("value", "值")
_HEAD = (
    "{rows_with_outliers} of {rows} rows hold at least one outlier, in {affected} of {columns} number columns. An "
    "outlier is a value more than {factor} times the width of the middle half away from it.",
    "{rows} 行中有 {rows_with_outliers} 行至少含一个异常值，涉及 {columns} 个数值列中的 {affected} 列。这里的异常值指"
    "超出四分位距 {factor} 倍范围的值。",
)
_NONE = (
    "There are no outliers: in {columns} number columns no value of the {rows} rows is more than {factor} times the "
    "width of the middle half away from it.",
    "没有发现异常值：{rows} 行、{columns} 个数值列中，没有值超出四分位距 {factor} 倍的范围。",
)
_LINE = (
    "{name:q}: {outliers} outliers ({percent}%), {below} below {lower} and {above} above {upper}",
    "{name:q}：{outliers} 个异常值（{percent}%），其中低于 {lower} 的有 {below} 个，高于 {upper} 的有 {above} 个",
)
_EXTREMES = ("The farthest: {values}.", "最极端的值：{values}。")
_SKIPPED = (
    "Left out, because at least half of their values are the same: {names}.",
    "以下列因至少一半的值相同而未检查：{names}。",
)
_CAUTION = (
    "An outlier is not an error by itself: look at the rows before you leave any out.",
    "异常值本身不一定是错误：剔除之前请先查看这些行。",
)
_NO_NUMBERS = Refusal(
    ("This table has no number columns, so there are no outliers to find.", "这张表没有数值列，无法查找异常值。")
)


def _fit(question: Question) -> Task | Refusal:
    named = tuple(column for column in question.columns if column.is_number and column.role is not Role.FLAG)
    columns = named or question.table.of(Role.MEASURE)
    return Task(intent="outliers", question=question, measures=columns[:MOST_COLUMNS]) if columns else _NO_NUMBERS


def _script(task: Task) -> Script:
    names = ("outliers", "n", "lower", "upper", "below", "above", "minimum", "maximum", "share")
    return Script(
        name="outliers",
        values={
            "columns": [column.name for column in task.measures],
            "factor": 1.5,
            "title": task.phrase(_TITLE),
            "value_label": task.phrase(_VALUE),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(names, task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    listed = [row for row in figures.rows("listed") if row.number("outliers") > 0]
    skipped = figures.texts("skipped")
    told = [task.phrase(_SKIPPED, names=task.listed(skipped))] if skipped else []
    if not listed:
        return [task.phrase(_NONE, figures), *told]
    head = f"{task.phrase(_HEAD, figures)}\n{task.phrase_each(_LINE, listed)}"
    extremes = figures.texts("extremes")
    far = [task.phrase(_EXTREMES, values=", ".join(extremes))] if extremes else []
    return [head, *far, *told, task.phrase(_CAUTION)]


OUTLIERS = Intent(
    name="outliers",
    title=("outliers", "异常值"),
    triggers=(
        (5, r"\boutliers?\b|\banomal\w+|\bunusual\b|\bextreme (?:values|rows)\b|\bstrange values\b|\bbox.?plots?\b"),
        (5, r"异常|离群|极端值|箱线图"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
