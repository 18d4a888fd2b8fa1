"""How two groupings go together: counts, shares, and a test of independence."""

from agents.models.offline.choosing import grouping, value_names
from agents.models.offline.figures import Figures
from agents.models.offline.intent import Intent, Task
from agents.models.offline.question import Question
from agents.models.offline.script import Script

_COMPUTE = """
data = pd.DataFrame({"first": FIRST, "second": SECOND}).dropna()
counts = pd.crosstab(data["first"], data["second"])
counts = counts.loc[counts.sum(axis=1).nlargest(20).index, counts.sum().nlargest(12).index]
shares = (100 * counts.div(counts.sum(axis=1), axis=0)).round(1)
possible = min(counts.shape) > 1
test = stats.chi2_contingency(counts, correction=False) if possible else None
strength = np.sqrt(test.statistic / counts.to_numpy().sum() / (min(counts.shape) - 1)) if possible else np.nan
table = counts.rename_axis(index=first, columns=None)
"""
_CHART = """
ax = shares.plot.barh(stacked=True, figsize=(8, max(3, 0.4 * len(shares) + 1.5)), colormap="tab20")
ax.set(title=title, xlabel=share_label, ylabel=first)
ax.legend(title=second, bbox_to_anchor=(1.02, 1), loc="upper left")
ax.figure.tight_layout()
"""
_SHOW = """
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    strength=rough(strength),
    strongest=1,
    chance=chance(test.pvalue) if possible else "",
    together=int(possible and test.pvalue < 0.05),
    small_cells=int((test.expected_freq < 5).sum()) if possible else 0,
    listed=[
        {
            "name": str(name)[:60],
            "n": int(counts.loc[name].sum()),
            "common": str(row.idxmax())[:60],
            "percent": short(row.max()),
        }
        for name, row in shares.head(8).iterrows()
    ],
)
"""
_TITLE = ("Shares of {second} in each {first}", "各 {first} 中 {second} 的占比")
_SHARE = ("share in %", "占比（%）")
_TOGETHER = (
    "{first:q} and {second:q} go together: their values are not spread independently (chi-squared test, {chance}; "
    "strength {strength}, where {strongest} is the most possible).",
    "{first:q} 与 {second:q} 有关联：两者的取值并非相互独立（卡方检验，{chance}；强度 {strength}，"
    "最大为 {strongest}）。",
)
_APART = (
    "Between {first:q} and {second:q} there is no clear connection (chi-squared test, {chance}; strength {strength}, "
    "where {strongest} is the most possible).",
    "{first:q} 与 {second:q} 之间没有明显关联（卡方检验，{chance}；强度 {strength}，最大为 {strongest}）。",
)
_LINE = (
    "{name:q} ({n} rows): most often {common:q}, {percent}%",
    "{name:q}（{n} 行）：最常见的是 {common:q}，占 {percent}%",
)
_SMALL = (
    "{small_cells} combinations are too rare for the test to be exact.",
    "有 {small_cells} 种组合过少，检验结果只是近似。",
)


def _fit(question: Question) -> Task | None:
    groups = tuple(column for column in question.columns if column.is_group)
    return Task(intent="crosstab", question=question, groups=groups[:2]) if len(groups) > 1 else None


def _script(task: Task) -> Script:
    first, second = task.groups
    names = {"names": value_names(first, task.language), "other_names": value_names(second, task.language)}
    compute = _COMPUTE.replace("FIRST", grouping(first, task.language, "first"))
    return Script(
        name="two_groupings",
        values={
            "first": first.name,
            "second": second.name,
            **{variable: labels for variable, labels in names.items() if labels},
            "title": task.phrase(_TITLE, first=first.name, second=second.name),
            "share_label": task.phrase(_SHARE),
        },
        compute=compute.replace("SECOND", grouping(second, task.language, "second", "other_names")),
        chart=_CHART,
        show=_SHOW,
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    first, second = (column.name for column in task.groups)
    head = task.phrase(_TOGETHER if figures.is_set("together") else _APART, figures, first=first, second=second)
    small = [task.phrase(_SMALL, figures)] if figures.is_set("small_cells") else []
    return [f"{head}\n{task.phrase_each(_LINE, figures.rows('listed'))}", *small]


CROSSTAB = Intent(
    name="crosstab",
    title=("how two groupings go together", "两个分类之间的关联"),
    triggers=((4, r"\bcross.?tab\w*|\bcontingency\b|列联表|交叉表"),),
    fit=_fit,
    script=_script,
    answer=_answer,
)
