"""How a measure, or the number of rows, goes over time: by periods of a date, or round a cycle such as the day."""

from collections.abc import Sequence

from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.question_words import PERIOD_WORDS
from agents.models.offline.routing import over_time
from agents.models.offline.script import Script
from agents.models.offline.sentences import Pair

_COMPUTE = """
when, values = dates(df[date]), VALUES
used = when.notna() & values.notna()
when, values = when[used], values[used]
period = suitable_period(when, period)
series = per_period(when, values, how, period)
is_open = how in ("sum", "count") and len(series) > 3 and ends_early(when, series.index[-1])
full = series[:-1] if is_open else series
steps = series.index.astype("int64") - series.index.astype("int64")[0]
fit = stats.linregress(steps[: len(full)], full) if full.nunique() > 1 and len(full) > 2 else None
table = series.rename(measure).rename_axis(date).to_frame()
if fit is not None:
    table["fit"] = fit.intercept + fit.slope * steps
"""
_CHART = """
fig, ax = plt.subplots(figsize=(8, 4.5))
at = full.index.to_timestamp()
ax.plot(at, full.to_numpy(), marker="o" if len(full) <= 60 else None, color="#4c78a8", label=value_label)
if fit is not None:
    ax.plot(at, table["fit"].to_numpy()[: len(full)], linestyle="--", color="#e45756", label=fit_label)
ax.set(title=title, xlabel=date, ylabel=value_label)
ax.legend()
fig.autofmt_xdate()
fig.tight_layout()
"""
_SHOW = """
half = stats.t.ppf(0.975, len(full) - 2) * fit.stderr if fit is not None else np.nan
tell(
    rows=int(used.sum()),
    left_out=int((~used).sum()),
    period=period,
    periods=len(series),
    first_period=str(full.index[0]),
    first_value=short(full.iloc[0]),
    last_period=str(full.index[-1]),
    last_value=short(full.iloc[-1]),
    change_percent=rough(round(100 * (full.iloc[-1] / full.iloc[0] - 1), 1)) if full.iloc[0] > 0 else None,
    open_period=str(series.index[-1]) if len(full) < len(series) else "",
    highest_period=str(full.idxmax()),
    highest_value=short(full.max()),
    lowest_period=str(full.idxmin()),
    lowest_value=short(full.min()),
    slope=rough(fit.slope) if fit is not None else None,
    confidence_percent=95,
    slope_low=rough(fit.slope - half) if fit is not None else None,
    slope_high=rough(fit.slope + half) if fit is not None else None,
    chance=chance(fit.pvalue) if fit is not None else "",
    rises=int(fit is not None and fit.pvalue < 0.05 and fit.slope > 0),
    falls=int(fit is not None and fit.pvalue < 0.05 and fit.slope < 0),
)
"""
_CYCLE_COMPUTE = """
data = pd.DataFrame({"time": np.floor(numbers(df[date])), "value": VALUES}).dropna()
by_time = data.groupby("time")["value"]
table = by_time.agg(n="count", mean="mean", total="sum")
half = stats.t.ppf(0.975, table["n"] - 1) * by_time.std() / np.sqrt(table["n"])
table["low"], table["high"] = table["mean"] - half, table["mean"] + half
table.index = table.index.astype(int).rename(date)
shown = "total" if how in ("sum", "count") else "mean"
"""
_CYCLE_CHART = """
fig, ax = plt.subplots(figsize=(8, 4.5))
ax.plot(table.index, table[shown], marker="o", color="#4c78a8")
if shown == "mean":
    ax.fill_between(table.index, table["low"], table["high"], alpha=0.2, color="#4c78a8")
ax.set(title=title, xlabel=date, ylabel=value_label)
fig.tight_layout()
"""
_CYCLE_SHOW = """
tell(
    rows=len(data),
    left_out=len(df) - len(data),
    periods=len(table),
    highest_period=str(table[shown].idxmax()),
    highest_value=short(table[shown].max()),
    lowest_period=str(table[shown].idxmin()),
    lowest_value=short(table[shown].min()),
    overall=short(table[shown].mean()),
)
"""
WORDS = {
    "sum": ("total", "合计"),
    "mean": ("average", "平均"),
    "median": ("median", "中位数"),
    "count": ("number of rows", "行数"),
}
_TITLE = ("{what} by {date} ({word})", "{what} 随 {date} 的变化（{word}）")
_VALUE = ("{what} ({word})", "{what}（{word}）")
_FIT = ("straight-line trend", "线性趋势")
_RISES = (
    "The {word} of {what:q} **rises** over time: by {slope} a {period} on average ({confidence_percent}% interval "
    "{slope_low} to {slope_high}, {chance}).",
    "{what:q} 的{word}随时间**上升**：平均每{period}增加 {slope}（{confidence_percent}% 区间 {slope_low} 至 "
    "{slope_high}，{chance}）。",
)
_FALLS = (
    "The {word} of {what:q} **falls** over time: by {slope} a {period} on average ({confidence_percent}% interval "
    "{slope_low} to {slope_high}, {chance}).",
    "{what:q} 的{word}随时间**下降**：平均每{period}变化 {slope}（{confidence_percent}% 区间 {slope_low} 至 "
    "{slope_high}，{chance}）。",
)
_LEVEL = (
    "The {word} of {what:q} shows **no clear straight trend** over time.",
    "{what:q} 的{word}随时间**没有明显的线性趋势**。",
)
_ENDS = (
    "It goes from {first_value} in {first_period} to {last_value} in {last_period}{change}, over {periods} periods "
    "(one for each {period}).",
    "从 {first_period} 的 {first_value} 到 {last_period} 的 {last_value}{change}，共 {periods} 个时段"
    "（每段一{period}）。",
)
_CHANGE = (" ({change_percent}%)", "（{change_percent}%）")
_EXTREMES = (
    "The highest {word} is {highest_value} in {highest_period}, the lowest {lowest_value} in {lowest_period}.",
    "{word}最高为 {highest_period} 的 {highest_value}，最低为 {lowest_period} 的 {lowest_value}。",
)
_OPEN = (
    "The last period, {open_period}, is not complete in the data and is left out of the chart and of these figures.",
    "最后一个时段 {open_period} 的数据不完整，没有画入图中，也没有计入以上数字。",
)
_CYCLE = (
    "Over {date:q}, the {word} of {what:q} is highest at {highest_period} ({highest_value}) and lowest at "
    "{lowest_period} ({lowest_value}); over all {periods} values of {date:q} it is {overall} on average.",
    "按 {date:q} 看，{what:q} 的{word}在 {highest_period} 时最高（{highest_value}），在 {lowest_period} 时最低（"
    "{lowest_value}）；{date:q} 的 {periods} 个取值平均为 {overall}。",
)
_NO_DATE = Refusal(
    (
        "This table has no column with dates or times, so a trend over time cannot be drawn from it.",
        "这张表没有日期或时间列，因此看不出随时间的趋势。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    named = [column for column in question.columns if column.role in {Role.DATE, Role.YEAR, Role.CYCLE}]
    date = time_column(question, named)
    if date is None:
        return _NO_DATE
    groups = tuple(column for column in question.columns if column.is_group and column.role is not Role.MEASURE)
    groups = tuple(column for column in groups if column != date)
    return over_time(question, date, groups)


def time_column(question: Question, named: Sequence[Column]) -> Column | None:
    """The date that the question names, else the table's; a cycle such as the hour only where there is no date."""
    real = question.table.of(Role.DATE, Role.YEAR)
    if named and (named[0].role is not Role.CYCLE or not (real and question.period)):
        return named[0]
    return next(iter(real or question.table.of(Role.CYCLE)), None)


def _script(task: Task) -> Script:
    word, what = WORDS[task.aggregate][task.language == "zh"], _what(task)
    is_cycle = task.date is not None and task.date.role is Role.CYCLE
    measure = task.measure.name if task.measures else word
    return Script(
        name="over_time",
        values={
            "date": task.date.name if task.date else "",
            "measure": measure,
            "how": task.aggregate,
            **({} if is_cycle else {"period": task.period, "fit_label": task.phrase(_FIT)}),
            "title": task.phrase(_TITLE, what=what, word=word),
            "value_label": task.phrase(_VALUE, what=what, word=word),
        },
        compute=(_CYCLE_COMPUTE if is_cycle else _COMPUTE).replace("VALUES", values_of(task)),
        chart=_CYCLE_CHART if is_cycle else _CHART,
        show=_CYCLE_SHOW if is_cycle else _SHOW,
        headings=headings(("n", "mean", "total", "low", "high") if is_cycle else ("fit",), task.language),
    )


def values_of(task: Task) -> str:
    """A Python expression for the values to bring together by period."""
    return "numbers(df[measure])" if task.measures else "pd.Series(1.0, index=df.index)"


def _what(task: Task) -> str:
    return task.measure.name if task.measures else task.question.table.file


def _answer(task: Task, figures: Figures) -> list[str]:
    words = {"word": WORDS[task.aggregate][task.language == "zh"], "what": _what(task)}
    if task.date and task.date.role is Role.CYCLE:
        return [task.phrase(_CYCLE, figures, **words)]
    words["period"] = period_word(figures, task)
    change = task.phrase(_CHANGE, figures) if figures.has("change_percent") else ""
    told = [task.phrase(_direction(figures), figures, **words)]
    told += [task.join(task.phrase(_ENDS, figures, change=change, **words), task.phrase(_EXTREMES, figures, **words))]
    return [*told, task.phrase(_OPEN, figures)] if figures.text("open_period") else told


def _direction(figures: Figures) -> Pair:
    return _RISES if figures.is_set("rises") else _FALLS if figures.is_set("falls") else _LEVEL


def period_word(figures: Figures, task: Task) -> str:
    """What one period is called; as printed when it is none of ours."""
    period = figures.text("period")
    return PERIOD_WORDS.get(period, (period, period))[task.language == "zh"]


TREND = Intent(
    name="trend",
    title=("a trend over time", "随时间的趋势"),
    triggers=(
        (4, r"\btrends?\b|\bover (?:the )?time\b|\btime series\b|\bdevelop(?:ed|ment)?\b|\bevol\w+|\bseasonal\w*"),
        (
            3,
            r"\b(?:by|per|each|every) (?:hour|day|week|month|quarter|year)\b"
            r"|\b(?:hourly|daily|weekly|monthly|quarterly|yearly)\b"
            r"|\b(?:best|worst|busiest|quietest|strongest|weakest|peak) (?:hour|day|week|month|quarter|year)\b"
            r"|最[好差忙旺高低]的?(?:小时|月|天|日|周|季度|年)",
        ),
        (
            2,
            r"\bover the (?:years|months|weeks|days)\b|\bchang\w+\b|\bgrow\w*|\bwhen\b"
            r"|\b(?:which|what) (?:hour|month|day|year|time)\b",
        ),
        (4, r"\bgrew\b|\bgrow\w*.{0,12}\b(?:most|fastest)\b|增长最|涨得最"),
        (4, r"趋势|随时间|走势|时间序列|季节性"),
        (
            3,
            r"[按每逐]个?(?:小时|天|日|周|星期|月|季|年)|月度|季度|年度|变化|增长|什么时候|何时|哪个?(?:小时|月|天|年|时段)",
        ),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
