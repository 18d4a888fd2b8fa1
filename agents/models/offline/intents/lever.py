"""Which value of something one can set goes with the best outcome, with the other columns held constant."""

import re

from agents.models.offline.choosing import default_outcome, is_bad
from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.routing import by_groups
from agents.models.offline.script import Script
from agents.models.offline.sentences import fill

MOST_CONTROLS = 20

_COMPUTE = """
controls = [name for name in controls if numbers(df[name]).notna().mean() > 0.8]
held = {f"with {name}": numbers(df[name]) for name in controls}
data = pd.DataFrame({"x": numbers(df[lever]), "y": numbers(df[outcome])} | held).dropna()
others = data.drop(columns=["x", "y"])
others = others.loc[:, others.std() > 0]
others = (others - others.mean()) / others.std()

linked = others.corrwith(data["x"], method="spearman").abs()
linked = list(linked[linked >= 0.1].sort_values(ascending=False).index)
free = others.drop(columns=linked)

few = data["x"].nunique() <= 30
grid = np.sort(data["x"].unique()) if few else np.linspace(*data["x"].quantile([0.02, 0.98]), 46)
knots = np.unique(data["x"].quantile([0.05, 0.35, 0.65, 0.95]))


def curve(x):
    \"\"\"The terms of a smooth curve: straight at both ends, bent in between.\"\"\"
    x, low, high = np.asarray(x, dtype=float), knots[0], knots[-1]
    scale = (high - low) or 1.0
    bends = [np.clip(x - k, 0, None) ** 3 / scale**3 for k in knots]
    if len(knots) < 4:
        return np.column_stack([np.ones_like(x), x])
    last = (bends[-2] - bends[-1]) / (knots[-1] - knots[-2])
    smooth = [(bends[i] - bends[-1]) / (knots[-1] - knots[i]) - last for i in range(len(knots) - 2)]
    return np.column_stack([np.ones_like(x), x, *smooth])


def fitted(held):
    \"\"\"The expected outcome along the grid with the columns of ``held`` at their averages.\"\"\"
    model = sm.OLS(data["y"].to_numpy(), np.column_stack([curve(data["x"]), held])).fit(cov_type="HC1")
    return model, np.column_stack([curve(grid), np.zeros((len(grid), held.shape[1]))])


model, at = fitted(free)
expected = at @ model.params
half = 1.96 * np.sqrt(np.einsum("ij,jk,ik->i", at, model.cov_params(), at).clip(0))
best, worst = (expected.argmin(), expected.argmax()) if smaller_is_better else (expected.argmax(), expected.argmin())

apart = at - at[best]
gap = apart @ model.params
gap_half = 1.96 * np.sqrt(np.einsum("ij,jk,ik->i", apart, model.cov_params(), apart).clip(0))
as_good = np.abs(gap) <= gap_half
all_model, all_at = fitted(others)
gap_if_all_held = (all_at[best] - all_at[worst]) @ all_model.params
gain = np.abs(expected - expected[worst]) / (np.ptp(expected) or 1.0)
near = np.flatnonzero(gain >= 0.9)
table = pd.DataFrame({"mean": expected, "low": expected - half, "high": expected + half}, index=grid).rename_axis(lever)
"""
_CHART = """
fig, ax = plt.subplots(figsize=(8, 4.5))
ax.plot(grid, expected, color="#4c78a8", label=expected_label)
ax.fill_between(grid, expected - half, expected + half, alpha=0.2, color="#4c78a8")
if not few:
    means = data.groupby(pd.qcut(data["x"], 10, duplicates="drop"), observed=True)[["x", "y"]].mean()
    ax.scatter(means["x"], means["y"], color="#f58518", label=raw_label)
ax.axvline(grid[best], color="#e45756", linestyle="--", label=best_label)
ax.set(title=title, xlabel=lever, ylabel=outcome)
ax.legend()
fig.tight_layout()
"""
_SHOW = """
good = grid[as_good]
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    others=free.shape[1],
    linked=[name.removeprefix("with ")[:60] for name in linked[:4]],
    difference=rough(expected[best] - expected[worst]),
    difference_if_all_held=rough(gap_if_all_held),
    lowest_seen=short(grid[0]),
    highest_seen=short(grid[-1]),
    best=short(grid[best]),
    best_value=short(expected[best]),
    best_low=short(expected[best] - half[best]),
    best_high=short(expected[best] + half[best]),
    confidence_percent=95,
    worst=short(grid[worst]),
    worst_value=short(expected[worst]),
    change_percent=rough(round(100 * (expected[best] / expected[worst] - 1), 1)) if expected[worst] > 0 else None,
    clear=int(not as_good[worst]),
    at_edge=int(best in (0, len(grid) - 1)),
    as_good_from=short(good.min()),
    as_good_to=short(good.max()),
    most_gain_percent=90,
    most_gain_at=short(grid[near[np.abs(grid[near] - grid[worst]).argmin()]]),
)
"""
_TITLE = (
    "Expected {outcome} by {lever}, other columns held constant",
    "不同 {lever} 下 {outcome} 的预期值（其他列不变）",
)
_EXPECTED, _RAW, _BEST = ("expected", "预期值"), ("mean of each tenth", "十等分各段均值"), ("best", "最佳")
_HEAD = {
    True: (
        "Within what was observed ({lowest_seen} to {highest_seen}), the smallest {outcome:q} goes with {lever:q} of "
        "about **{best}**: {best_value} on average ({confidence_percent}% interval {best_low} to {best_high}), "
        "against {worst_value} at {worst}{change}.",
        "在已观察到的范围内（{lowest_seen} 至 {highest_seen}），{lever:q} 约为 **{best}** 时 {outcome:q} 最低：平均 "
        "{best_value}（{confidence_percent}% 区间 {best_low} 至 {best_high}），而在 {worst} 时为 {worst_value}"
        "{change}。",
    ),
    False: (
        "Within what was observed ({lowest_seen} to {highest_seen}), the largest {outcome:q} goes with {lever:q} of "
        "about **{best}**: {best_value} on average ({confidence_percent}% interval {best_low} to {best_high}), "
        "against {worst_value} at {worst}{change}.",
        "在已观察到的范围内（{lowest_seen} 至 {highest_seen}），{lever:q} 约为 **{best}** 时 {outcome:q} 最高：平均 "
        "{best_value}（{confidence_percent}% 区间 {best_low} 至 {best_high}），而在 {worst} 时为 {worst_value}"
        "{change}。",
    ),
}
_CHANGE = (" ({change_percent}%)", "（变化 {change_percent}%）")
_UNCLEAR = (
    "No value of {lever:q} is clearly best for {outcome:q}: within {lowest_seen} to {highest_seen} the differences "
    "are no larger than chance would make them (best {best_value} at {best}, worst {worst_value} at {worst}).",
    "没有哪个 {lever:q} 的取值对 {outcome:q} 明显最好：在 {lowest_seen} 至 {highest_seen} 之间，差异不超过偶然波动（"
    "最好 {best} 时为 {best_value}，最差 {worst} 时为 {worst_value}）。",
)
_EDGE = (
    "This is the edge of what was observed, so the data cannot tell whether going further would be better still.",
    "这已经是观察范围的边缘，数据无法说明再进一步是否会更好。",
)
_AS_GOOD = (
    "Anything from {as_good_from} to {as_good_to} is about as good: the data does not tell them apart.",
    "从 {as_good_from} 到 {as_good_to} 都差不多：数据无法区分。",
)
_MOST_GAIN = (
    "{most_gain_percent}% of the improvement is reached at {most_gain_at}.",
    "达到 {most_gain_at} 时已取得 {most_gain_percent}% 的改善。",
)
_HELD = (
    "{others} other number columns are held constant; {rows} rows were used.",
    "计算时保持其余 {others} 个数值列不变，共使用 {rows} 行。",
)
_LINKED = (
    "Not held constant, because the effect may go through it: {names}, which goes along with {lever:q}. Held constant "
    "as well, best and worst differ by {difference_if_all_held} instead of {difference}.",
    "没有保持不变的列：{names}，它随 {lever:q} 一起变化，影响可能正是通过它发生的。若也保持不变，最好与最差相差 "
    "{difference_if_all_held}，而不是 {difference}。",
)
_GOAL = {
    True: ("I took a small {outcome:q} as good.", "我把 {outcome:q} 越低视为越好。"),
    False: ("I took a large {outcome:q} as good.", "我把 {outcome:q} 越高视为越好。"),
}
_FEWER = re.compile(
    r"\breduc\w*|\bfewe[rs]t?\b|\bminimi[sz]\w*|\blower\w*|\blowest\b|\bless\b|\bleast\b|减少|降低|最少|最低|更少|更低",
    re.I,
)
_MORE = re.compile(
    r"\bincreas\w*|\bmaximi[sz]\w*|\bmore\b|\bhighest\b|\bmost\b|\braise\b|\bboost\b|提高|增加|最多|最高|更多|最大化",
    re.I,
)
_NO_OUTCOME = Refusal(
    (
        "To say what is best I need a number that should become large or small. Name such a column as well.",
        "要判断最佳值，需要一个希望变大或变小的数值列。请同时指明这一列。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    numbers = [c for c in question.columns if c.is_number]
    categories = [c for c in question.columns if c.role is Role.CATEGORY]
    if not numbers or (categories and len(numbers) < 2):
        return by_groups(question, categories[:1]) if categories else None
    table = question.table
    outside = [c for c in table.columns if c not in numbers]
    outcome = default_outcome(table, outside) if len(numbers) > 1 else default_outcome(table, numbers)
    lever = next((c for c in numbers if c != outcome), None)
    if outcome is None or lever is None:
        return _NO_OUTCOME
    return Task(intent="lever", question=question, measures=(lever, outcome), assumed=_goal_told(question, outcome))


def _smaller_is_better(question: Question, outcome: Column) -> bool:
    if _FEWER.search(question.text):
        return True
    return is_bad(outcome) if not _MORE.search(question.text) else False


def _goal_told(question: Question, outcome: Column) -> tuple[str, ...]:
    if _FEWER.search(question.text) or _MORE.search(question.text):
        return ()
    return (fill(_GOAL[is_bad(outcome)], question.language, outcome=outcome.name),)


def _script(task: Task) -> Script:
    lever, outcome = (column.name for column in task.measures)
    controls = [column.name for column in task.question.table.numbers if column not in task.measures]
    return Script(
        name="best_value",
        values={
            "lever": lever,
            "outcome": outcome,
            "controls": controls[:MOST_CONTROLS],
            "smaller_is_better": _smaller_is_better(task.question, task.measures[1]),
            "title": task.phrase(_TITLE, lever=lever, outcome=outcome),
            "expected_label": task.phrase(_EXPECTED),
            "raw_label": task.phrase(_RAW),
            "best_label": task.phrase(_BEST),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(("mean", "low", "high"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    names = {"lever": task.measures[0].name, "outcome": task.measures[1].name}
    held = task.phrase(_HELD, figures)
    linked = figures.texts("linked")
    if linked:
        held += "\n\n" + task.phrase(_LINKED, figures, names=task.listed(linked), **names)
    if not figures.is_set("clear"):
        return [task.phrase(_UNCLEAR, figures, **names), held]
    change = task.phrase(_CHANGE, figures) if figures.has("change_percent") else ""
    smaller = _smaller_is_better(task.question, task.measures[1])
    told = [task.phrase(_HEAD[smaller], figures, change=change, **names)]
    details = [task.phrase(_EDGE)] if figures.is_set("at_edge") else []
    if figures.number("as_good_from") < figures.number("as_good_to"):
        details.append(task.phrase(_AS_GOOD, figures))
    if figures.number("most_gain_at") != figures.number("best"):
        details.append(task.phrase(_MOST_GAIN, figures))
    return [*told, task.join(*details), held]


LEVER = Intent(
    name="lever",
    title=("which value of something you can set would be best", "某个可调变量的最佳取值"),
    triggers=(
        (
            5,
            r"\boptim\w+|\bideal\b"
            r"|\b(?:what|which)\b.{0,40}\b(?:would|should|could) be (?:the )?(?:best|set|right)\b"
            r"|\bbest (?:value|level|amount|setting)\b",
        ),
        (
            4,
            r"\bwould be best\b|\bmaximi[sz]\w*|\bminimi[sz]\w*"
            r"|\bhow (?:high|much|large|long) should\b|\bbest\b.{0,20}\bfor\b",
        ),
        (5, r"最优|最佳|最合适|最有利|定为多少|应该?(?:是|为|定|设)多少|多少(?:最好|最?合适|最有利|为宜)|设为多少"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
