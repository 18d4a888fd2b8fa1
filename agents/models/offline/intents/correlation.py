"""Which numbers of the table go together: every pair, the strongest first, and a map of all."""

from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Column
from agents.models.offline.question import Question
from agents.models.offline.script import Script

MOST_COLUMNS = 30

_COMPUTE = """
data = pd.DataFrame({name: numbers(df[name]) for name in columns})
data = data.loc[:, data.nunique() > 1]
pearson, spearman = data.corr(), data.corr(method="spearman")
first, second = np.triu_indices(len(data.columns), k=1)
table = pd.DataFrame({
    "first": data.columns[first],
    "second": data.columns[second],
    "pearson": pearson.to_numpy()[first, second],
    "spearman": spearman.to_numpy()[first, second],
    "n": (data.notna().astype(int).T @ data.notna().astype(int)).to_numpy()[first, second],
})
if target is not None:
    table = table[(table["first"] == target) | (table["second"] == target)]
table = table.dropna().sort_values("spearman", key=abs, ascending=False).round(3).reset_index(drop=True)
"""
_CHART = """
size = max(5, 0.55 * len(data.columns) + 2)
fig, ax = plt.subplots(figsize=(size + 1, size))
image = ax.imshow(spearman, vmin=-1, vmax=1, cmap="RdBu_r")
ax.set_xticks(range(len(data.columns)), data.columns, rotation=45, ha="right")
ax.set_yticks(range(len(data.columns)), data.columns)
if len(data.columns) <= 12:
    for (row, column), value in np.ndenumerate(spearman.to_numpy()):
        ax.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8)
ax.set(title=title)
fig.colorbar(image, label=scale_label)
fig.tight_layout()
"""
_SHOW = """
tell(
    rows=len(df),
    columns=len(data.columns),
    pairs=len(table),
    listed=[
        {"first": str(row["first"])[:60], "second": str(row["second"])[:60], "spearman": rough(row["spearman"]),
         "pearson": rough(row["pearson"]), "n": int(row["n"])}
        for _, row in table.head(8).iterrows()
    ],
)
"""
_TITLE = ("Rank correlation of the number columns", "数值列之间的秩相关")
_SCALE = ("rank correlation", "秩相关系数")
_HEAD = (
    "Among {columns} number columns ({rows} rows), {first:q} and {second:q} go together most: rank correlation **"
    "{spearman}**. The strongest pairs:",
    "在 {columns} 个数值列（{rows} 行）中，关系最强的是 {first:q} 与 {second:q}：秩相关 **{spearman}**。最强的几对：",
)
_TARGET_HEAD = (
    "With {target:q}, {other:q} goes together most: rank correlation **{spearman}**. In order of strength:",
    "与 {target:q} 关系最强的是 {other:q}：秩相关 **{spearman}**。按强弱排列：",
)
_LINE = (
    "{first:q} and {second:q}: rank correlation {spearman}, correlation {pearson} ({n} rows)",
    "{first:q} 与 {second:q}：秩相关 {spearman}，相关系数 {pearson}（{n} 行）",
)
_NONE = (
    "No two number columns vary together here: each has one single value or too few rows.",
    "没有两个数值列可以一起分析：它们只有一个取值，或者行数太少。",
)
_TOO_FEW = Refusal(
    (
        "A correlation needs at least two columns with numbers that are no identifiers; this table does not have them.",
        "相关分析至少需要两个数值列（编号不算），这张表没有。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    numbers = question.table.numbers
    if len(numbers) < 2:
        return _TOO_FEW
    named = [column for column in question.columns if column.is_number]
    if len(named) == 2:
        return None
    return Task(intent="correlation", question=question, measures=tuple(named))


def _columns(task: Task) -> list[Column]:
    named = list(task.measures)
    if len(named) > 2:
        return named
    return (named + [column for column in task.question.table.numbers if column not in named])[:MOST_COLUMNS]


def _target(task: Task) -> str | None:
    return task.measure.name if len(task.measures) == 1 else None


def _script(task: Task) -> Script:
    return Script(
        name="correlations",
        values={
            "columns": [column.name for column in _columns(task)],
            "target": _target(task),
            "title": task.phrase(_TITLE),
            "scale_label": task.phrase(_SCALE),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(("first", "second", "pearson", "spearman", "n"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    listed, target = figures.rows("listed"), _target(task)
    if not listed:
        return [task.phrase(_NONE)]
    first, second = listed[0].text("first"), listed[0].text("second")
    values = {"first": first, "second": second, "spearman": listed[0].text("spearman")}
    head = task.phrase(_HEAD, figures, **values)
    if target:
        head = task.phrase(_TARGET_HEAD, figures, target=target, other=second if first == target else first, **values)
    return [f"{head}\n{task.phrase_each(_LINE, listed)}"]


CORRELATION = Intent(
    name="correlation",
    title=("which numbers go together", "数值列之间的相关性"),
    triggers=(
        (6, r"(?:哪些|什么)(?:变量|列|指标|字段).{0,4}(?:相关|有关)"),
        (4, r"\bcorrelat\w*|\bheat.?map\b|相关性|相关系数|相关矩阵|相关分析|热力图"),
        (2, r"\bwhich\b.{0,20}\bgo(?:es)? together\b|互相关|两两"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
