"""How a measure goes over time in each of the largest groups, side by side."""

from agents.models.offline.choosing import grouping, value_names
from agents.models.offline.figures import Figures
from agents.models.offline.intent import Intent, Task
from agents.models.offline.intents.trend import WORDS, period_word, values_of
from agents.models.offline.question import Question
from agents.models.offline.script import Script

_COMPUTE = """
data = pd.DataFrame({"when": dates(df[date]), "group": GROUPS, "value": VALUES}).dropna()
largest = data.groupby("group", observed=True)["value"].agg(how).nlargest(5).index
period = suitable_period(data["when"], period)
table = pd.DataFrame({
    name: per_period(part["when"], part["value"], how, period)
    for name, part in data.groupby("group", observed=True) if name in largest
})
if how in ("sum", "count"):
    table = table.fillna(0)
is_open = how in ("sum", "count") and len(table) > 3 and ends_early(data["when"], table.index[-1])
full = table[:-1] if is_open else table
steps = np.asarray(full.index.astype("int64"), dtype=float)
fits = {}
for name in largest:
    known = full[name].notna().to_numpy()
    if known.sum() > 2 and full[name].nunique() > 1:
        fits[name] = stats.linregress(steps[known], full[name].dropna())
table = table[list(largest)].rename_axis(date)
"""
_CHART = """
fig, ax = plt.subplots(figsize=(9, 4.5))
for name in table.columns:
    marker = "o" if len(full) <= 40 else None
    ax.plot(full.index.to_timestamp(), full[name].to_numpy(), marker=marker, label=str(name))
ax.set(title=title, xlabel=date, ylabel=value_label)
ax.legend(title=group)
fig.autofmt_xdate()
fig.tight_layout()
"""
_SHOW = """
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    period=period,
    periods=len(table),
    groups=int(data["group"].nunique()),
    shown=len(largest),
    first_period=str(full.index[0]),
    last_period=str(full.index[-1]),
    open_period=str(table.index[-1]) if is_open else "",
    listed=[
        {
            "name": str(name)[:60],
            "first": short(full[name].iloc[0]),
            "last": short(full[name].iloc[-1]),
            "slope": rough(fits[name].slope) if name in fits else None,
            "chance": chance(fits[name].pvalue) if name in fits else "p = ?",
        }
        for name in largest
    ],
)
"""
_TITLE = ("{what} by {date} and {group} ({word})", "按 {group} 看 {what} 随 {date} 的变化（{word}）")
_VALUE = ("{what} ({word})", "{what}（{word}）")
_HEAD = (
    "The {word} of {what:q} from {first_period} to {last_period}, one value for each {period}, for the {shown} "
    "largest of {groups} groups of {group:q}:",
    "{what:q} 的{word}，从 {first_period} 到 {last_period}，每{period}一个值；{group:q} 的 {groups} 组中最大的 "
    "{shown} 组：",
)
_LINE = (
    "{name:q}: from {first} to {last}; a change of {slope} for each {period} on average ({chance})",
    "{name:q}：从 {first} 到 {last}；平均每{period}变化 {slope}（{chance}）",
)
_OPEN = (
    "The last period, {open_period}, is not complete in the data and is left out of the chart and of these figures.",
    "最后一个时段 {open_period} 的数据不完整，没有画入图中，也没有计入以上数字。",
)


def _fit(question: Question) -> Task | None:
    """Never by its own words: a trend with groups becomes one."""
    return None


def _script(task: Task) -> Script:
    word = WORDS[task.aggregate][task.language == "zh"]
    what = task.measure.name if task.measures else task.question.table.file
    names = value_names(task.group, task.language)
    return Script(
        name="over_time_by_group",
        values={
            "date": task.date.name if task.date else "",
            "group": task.group.name,
            **({"names": names} if names else {}),
            **({"measure": task.measure.name} if task.measures else {}),
            "how": task.aggregate,
            "period": task.period,
            "title": task.phrase(_TITLE, what=what, word=word),
            "value_label": task.phrase(_VALUE, what=what, word=word),
        },
        compute=_COMPUTE.replace("VALUES", values_of(task)).replace("GROUPS", grouping(task.group, task.language)),
        chart=_CHART,
        show=_SHOW,
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    what = task.measure.name if task.measures else task.question.table.file
    words = {"word": WORDS[task.aggregate][task.language == "zh"], "what": what, "period": period_word(figures, task)}
    lines = task.phrase_each(_LINE, figures.rows("listed"), period=words["period"])
    told = [f"{task.phrase(_HEAD, figures, **words)}\n{lines}"]
    return [*told, task.phrase(_OPEN, figures)] if figures.text("open_period") else told


TREND_BY_GROUP = Intent(
    name="trend_by_group",
    title=("a trend over time in each group", "各组随时间的趋势"),
    triggers=(),
    fit=_fit,
    script=_script,
    answer=_answer,
)
