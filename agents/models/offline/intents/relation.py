"""How one number goes with one or two others: correlation, slope, and the slope with other columns held constant."""

import re
from collections.abc import Sequence

from agents.models.offline.choosing import default_outcome
from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.routing import by_groups, over_time
from agents.models.offline.script import Script

MOST_CONTROLS = 20
HARDLY = 0.05
"""A rank correlation that is not worth a word, however many rows there are."""
_CAUSE_LAST = re.compile(
    r"\bdepend\w*|\b(?:influenced|affected|impacted|driven) by\b|\bvs\b|\bversus\b|\bagainst\b|取决于|受.{1,12}影响",
    re.IGNORECASE,
)

_COMPUTE = """
results = []
for outcome in outcomes:
    pair = pd.DataFrame({"x": numbers(df[factor]), "y": numbers(df[outcome])}).dropna()
    varies = len(pair) > 2 and pair["x"].nunique() > 1 and pair["y"].nunique() > 1
    line = stats.linregress(pair["x"], pair["y"]) if varies else None
    rank = stats.spearmanr(pair["x"], pair["y"]) if varies else None
    half = stats.t.ppf(0.975, len(pair) - 2) * line.stderr if varies else np.nan

    others = pd.DataFrame({name: numbers(df[name]) for name in controls if name not in (factor, outcome)})
    others = others.loc[:, others.notna().mean() > 0.8]
    full = pd.concat([pair, others], axis=1).dropna()
    goes_along = others.corrwith(numbers(df[factor]), method="spearman").abs().sort_values(ascending=False)
    adjusted = None
    if varies and others.shape[1] and len(full) > 5 * full.shape[1]:
        adjusted = sm.OLS(full["y"], sm.add_constant(full.drop(columns="y"))).fit(cov_type="HC1")
    results.append({
        "outcome": outcome,
        "n": len(pair),
        "pearson": rough(line.rvalue) if varies else None,
        "spearman": rough(rank.statistic) if varies else None,
        "chance": chance(rank.pvalue) if varies else "",
        "slope": rough(line.slope) if varies else None,
        "slope_low": rough(line.slope - half) if varies else None,
        "slope_high": rough(line.slope + half) if varies else None,
        "adjusted_slope": rough(adjusted.params["x"]) if adjusted is not None else None,
        "adjusted_low": rough(adjusted.conf_int().loc["x", 0]) if adjusted is not None else None,
        "adjusted_high": rough(adjusted.conf_int().loc["x", 1]) if adjusted is not None else None,
        "adjusted_chance": chance(adjusted.pvalues["x"]) if adjusted is not None else "",
        "others": others.shape[1],
        "along": [str(name)[:60] for name in goes_along[goes_along >= 0.1].index[:3]],
        "clear": int(rank.pvalue < 0.05) if varies else 0,
        "adjusted_clear": int(adjusted.pvalues["x"] < 0.05) if adjusted is not None else 0,
    })
table = pd.DataFrame(results).set_index("outcome")[["n", "pearson", "spearman", "slope", "adjusted_slope"]]
"""
_CHART = """
fig, axes = plt.subplots(1, len(outcomes), figsize=(7 * len(outcomes), 4.5), squeeze=False)
for ax, outcome in zip(axes.flat, outcomes):
    pair = pd.DataFrame({"x": numbers(df[factor]), "y": numbers(df[outcome])}).dropna()
    points = pair.sample(min(len(pair), 2000), random_state=0)
    ax.scatter(points["x"], points["y"], s=8, alpha=0.3, color="#4c78a8", label=points_label)
    if pair["x"].nunique() > 10:
        means = pair.groupby(pd.qcut(pair["x"], 10, duplicates="drop"), observed=True).mean()
        ax.plot(means["x"], means["y"], marker="o", color="#e45756", label=means_label)
    ax.set(title=titles[outcome], xlabel=factor, ylabel=outcome)
    ax.legend()
fig.tight_layout()
"""
_SHOW = """
tell(rows=len(df), confidence_percent=95, results=results)
"""
_TITLE = ("{outcome} against {factor}", "{outcome} 与 {factor} 的关系")
_POINTS, _MEANS = ("rows", "各行"), ("mean of each tenth", "十等分各段均值")
_STRENGTHS = (
    (0.3, ("a weak", "较弱的")),
    (0.5, ("a moderate", "中等的")),
)
_STRONG = ("a strong", "较强的")
_YES, _NO, _HARDLY = ("**Yes.** ", "**是的。**"), ("**No.** ", "**不是。**"), ("**Hardly.** ", "**几乎没有。**")
_MORE, _LESS = ("higher", "越高"), ("lower", "越低")
_CLEAR = (
    "Higher {factor:q} goes with {direction} {outcome:q}: {strength} relation (correlation {pearson}, rank "
    "correlation {spearman}, {chance}, {n} rows). One unit more of {factor:q} goes with a change of {slope} in "
    "{outcome:q} ({confidence_percent}% interval {slope_low} to {slope_high}).",
    "{factor:q} 越高，{outcome:q} {direction}：两者有{strength}关系（相关系数 {pearson}，秩相关 {spearman}，{chance}，"
    "{n} 行）。{factor:q} 每增加一个单位，{outcome:q} 平均变化 {slope}（{confidence_percent}% 区间 {slope_low} 至 "
    "{slope_high}）。",
)
_UNCLEAR = (
    "Between {factor:q} and {outcome:q} there is no clear relation (correlation {pearson}, rank correlation "
    "{spearman}, {chance}, {n} rows).",
    "{factor:q} 与 {outcome:q} 之间没有明显的关系（相关系数 {pearson}，秩相关 {spearman}，{chance}，{n} 行）。",
)
_ADJUSTED = (
    "With {others} other number columns held constant it is {adjusted_slope} a unit (interval {adjusted_low} to "
    "{adjusted_high}, {adjusted_chance}){verdict}.",
    "在其余 {others} 个数值列保持不变时，每单位变化为 {adjusted_slope}（区间 {adjusted_low} 至 {adjusted_high}，"
    "{adjusted_chance}）{verdict}。",
)
_REMAINS = (", so the relation remains", "，关系依然存在")
_VANISHES = (
    ", so the relation either goes through those columns or comes from them",
    "，因此这一关系要么通过这些列起作用，要么来自这些列",
)
_ALONG = (" (most of all {names})", "（主要是 {names}）")
_APPEARS = (", so a relation shows only then", "，这时才显出关系")
_TURNS = (", so its direction turns: the others matter here", "，方向发生了反转：其他因素在这里很重要")
_CONSTANT = (
    "{factor:q} or {outcome:q} has one single value, so nothing can be said about their relation.",
    "{factor:q} 或 {outcome:q} 只有一个取值，无法判断两者的关系。",
)
_NO_PAIR = Refusal(
    (
        "A relation needs two columns with numbers or groups, and this table does not have them.",
        "分析关系需要两个数值列或分组列，这张表没有。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    columns = question.columns
    if not columns:
        return None
    numbers = [column for column in columns if column.is_number]
    others = [column for column in columns if not column.is_number]
    if others and (len(numbers) < 2 or others[0].role is Role.DATE):
        return _with_groups(question, numbers, others)
    times = [column for column in numbers if column.role in {Role.CYCLE, Role.YEAR}]
    if times and len(numbers) == 2:
        return over_time(question, times[0])
    if len(numbers) > 1:
        return _task(question, _factor_first(numbers, question))
    outcome = default_outcome(question.table, without=numbers)
    return _task(question, [*numbers, outcome]) if outcome else _NO_PAIR


def _with_groups(question: Question, numbers: Sequence[Column], others: Sequence[Column]) -> Task | Refusal:
    if numbers or others[0].role is Role.DATE:
        return by_groups(question, others[:2])
    if len(others) > 1:
        return Task(intent="crosstab", question=question, groups=tuple(others[:2]))
    return by_groups(question, others)


def _factor_first(numbers: Sequence[Column], question: Question) -> list[Column]:
    """The named columns with the cause first: "how does y depend on x" names it last."""
    if _CAUSE_LAST.search(question.text):
        return [numbers[-1], *numbers[:-1]]
    return list(numbers)


def _task(question: Question, numbers: Sequence[Column]) -> Task | Refusal:
    """The first is the factor, up to two more are its outcomes; a yes/no factor makes groups to compare."""
    flags = [column for column in numbers if column.role is Role.FLAG]
    if flags and len(numbers) == 2:
        return by_groups(question, flags[:1])
    return Task(intent="relation", question=question, measures=tuple(numbers[:3]))


def _script(task: Task) -> Script:
    factor, outcomes = task.measure.name, [column.name for column in task.measures[1:]]
    controls = [column.name for column in task.question.table.numbers if column not in task.measures]
    return Script(
        name="relation",
        values={
            "factor": factor,
            "outcomes": outcomes,
            "controls": controls[:MOST_CONTROLS],
            "titles": {name: task.phrase(_TITLE, outcome=name, factor=factor) for name in outcomes},
            "points_label": task.phrase(_POINTS),
            "means_label": task.phrase(_MEANS),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(("outcome", "n", "pearson", "spearman", "slope", "adjusted_slope"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    percent = figures.text("confidence_percent")
    return [_told(task, row, percent) for row in figures.rows("results")]


def _told(task: Task, row: Figures, percent: str) -> str:
    names = {"factor": task.measure.name, "outcome": row.text("outcome"), "confidence_percent": percent}
    rank, slope = row.number("spearman"), row.number("slope")
    if not row.has("spearman"):
        return task.phrase(_CONSTANT, row, **names)
    if not _is_clear(row):
        told = task.phrase(_UNCLEAR, row, **names)
    else:
        direction = task.phrase(_MORE if rank > 0 else _LESS)
        strength = task.phrase(next((pair for most, pair in _STRENGTHS if abs(rank) < most), _STRONG))
        told = task.phrase(_CLEAR, row, direction=direction, strength=strength, **names)
    verdict = _expected(task, row)
    if not row.has("adjusted_slope"):
        return verdict + told
    return task.join(verdict + told, task.phrase(_ADJUSTED, row, verdict=_remains(task, row, slope), **names))


def _expected(task: Task, row: Figures) -> str:
    """Yes or no, when the question itself supposes a direction, as in "do higher x go with lower y"."""
    directions = task.question.directions
    if task.measure.name not in directions or row.text("outcome") not in directions:
        return ""
    if not _is_clear(row):
        return task.phrase(_HARDLY)
    wanted = directions[task.measure.name] * directions[row.text("outcome")]
    return task.phrase(_YES if row.number("spearman") * wanted > 0 else _NO)


def _remains(task: Task, row: Figures, slope: float) -> str:
    if not row.is_set("adjusted_clear"):
        along = task.listed(row.texts("along"))
        vanishes = task.phrase(_VANISHES) + (task.phrase(_ALONG, names=along) if along else "")
        return vanishes if _is_clear(row) else ""
    if not _is_clear(row):
        return task.phrase(_APPEARS)
    return task.phrase(_TURNS if row.number("adjusted_slope") * slope < 0 else _REMAINS)


def _is_clear(row: Figures) -> bool:
    return row.is_set("clear") and abs(row.number("spearman")) >= HARDLY


RELATION = Intent(
    name="relation",
    title=("how two columns go together", "两列之间的关系"),
    triggers=(
        (
            3,
            r"\brelat\w+|\blink(?:s|ed)?\b|\bconnect\w+|\bcorrelat\w+ (?:between|of|with)\b"
            r"|\bgo(?:es)? (?:together )?with\b|\bdepend\w*|\bassociat\w+|\bscatter\w*|\bvs\b|\bversus\b|\bagainst\b",
        ),
        (3, r"\b(?:influenc|affect|impact)\w*|\beffects?\b|\b(?:do|does) (?:higher|lower|more|less|fewer)\b"),
        (
            3,
            r"\b(?:what|how)\b.{0,20}\bif (?:we|you|i|one)\b|有用吗|有效吗|有没有用"
            r"|\b(?:do|does)\b.{0,40}\b(?:help|work|matter)\b|如果.{0,6}(?:提高|增加|降低|减少|上调|下调)",
        ),
        (3, r"关系|关联|相关(?!因素)|影响|取决于|越.{1,8}越|散点"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
