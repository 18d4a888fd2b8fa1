"""A line into the future: straight trend plus season, with an interval, and how well it would have done before."""

from agents.models.offline.choosing import aggregate_of, outcome_of
from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.intents.trend import period_word, values_of
from agents.models.offline.known_table import Role
from agents.models.offline.question import Question
from agents.models.offline.question_words import Period
from agents.models.offline.script import Script

_COMPUTE = """
when, values = dates(df[date]), VALUES
used = when.notna() & values.notna()
when, values = when[used], values[used]
period = suitable_period(when, period)
series = per_period(when, values, how, period)
if how in ("sum", "count") and len(series) > 3 and ends_early(when, series.index[-1]):
    series = series[:-1]
season = {"hour": 24, "day": 7, "month": 12, "quarter": 4}.get(period, 1)
season = season if len(series) >= 2 * season + 2 else 1
ahead = ahead or int(np.clip(len(series) // 4, 3, 12))
enough = len(series) >= 6


def design(periods):
    \"\"\"Constant, steps since the beginning, and which part of the season it is.\"\"\"
    steps = np.asarray(periods.astype("int64"), dtype=float)
    parts = np.eye(season)[steps.astype(int) % season][:, 1:]
    return np.column_stack([np.ones(len(steps)), steps - float(series.index.astype("int64")[0]), parts])


future = pd.period_range(series.index[-1] + 1, periods=ahead, freq=series.index.freq)
table = pd.DataFrame(index=future.rename(date))
error = usual = np.nan
if enough:
    model = sm.OLS(series.to_numpy(), design(series.index)).fit()
    expected = model.get_prediction(design(future)).summary_frame(alpha=0.05)
    table["forecast"] = expected["mean"].to_numpy()
    table["low"], table["high"] = expected["obs_ci_lower"].to_numpy(), expected["obs_ci_upper"].to_numpy()
    if (series >= 0).all():
        table = table.clip(lower=0)
    held = min(ahead, len(series) // 4)
    known, unseen = series[:-held], series[-held:]
    before = sm.OLS(known.to_numpy(), design(known.index)).fit()
    error = np.abs(unseen - before.predict(design(unseen.index))).mean()
    usual = np.abs(unseen - known.iloc[-1]).mean()
"""
_CHART = """
if enough:
    fig, ax = plt.subplots(figsize=(8, 4.5))
    ax.plot(series.index.to_timestamp(), series.to_numpy(), color="#4c78a8", label=known_label)
    at = future.to_timestamp()
    ax.plot(at, table["forecast"].to_numpy(), color="#e45756", marker="o", label=forecast_label)
    low, high = table["low"].to_numpy(), table["high"].to_numpy()
    ax.fill_between(at, low, high, alpha=0.2, color="#e45756", label=interval_label)
    ax.set(title=title, xlabel=date, ylabel=value_label)
    ax.legend()
    fig.autofmt_xdate()
    fig.tight_layout()
"""
_SHOW = """
tell(
    rows=int(used.sum()),
    left_out=int((~used).sum()),
    periods=len(series),
    enough=int(enough),
    period=period,
    ahead=ahead,
    seasonal=int(season > 1),
    last_known=str(series.index[-1]),
    last_value=short(series.iloc[-1]),
    confidence_percent=95,
    error=short(error),
    usual_error=short(usual),
    listed=[
        {"name": str(when), "forecast": short(row["forecast"]), "low": short(row["low"]), "high": short(row["high"])}
        for when, row in table.head(12).iterrows()
    ] if enough else [],
)
"""
_WORDS = {
    "sum": ("total", "合计"),
    "mean": ("average", "平均"),
    "median": ("median", "中位数"),
    "count": ("number of rows", "行数"),
}
_TITLE = ("Forecast of {what} ({word})", "{what} 的预测（{word}）")
_VALUE = ("{what} ({word})", "{what}（{word}）")
_KNOWN, _FORECAST = ("known", "已有数据"), ("forecast", "预测")
_INTERVAL = ("95% interval", "95% 区间")
_HEAD = (
    "If trend and season go on as in the {periods} known periods (one for each {period}), the {word} of {what:q} is "
    "expected to be **{forecast}** in {name} ({confidence_percent}% interval {low} to {high}); the last known value "
    "was {last_value} in {last_known}.",
    "如果已有 {periods} 个时段（每段一{period}）的趋势和季节性延续下去，{name} {what:q} 的{word}预计为 **{forecast}**"
    "（{confidence_percent}% 区间 {low} 至 {high}）；最近一个已知值是 {last_known} 的 {last_value}。",
)
_LINE = ("{name}: {forecast} ({low} to {high})", "{name}：{forecast}（{low} 至 {high}）")
_SEASON = ("The forecast holds a straight trend and a season.", "预测包含线性趋势和季节性。")
_NO_SEASON = (
    "The forecast is a straight line: there are too few periods to see a season.",
    "预测只是一条直线：时段太少，看不出季节性。",
)
_ERROR = (
    "Tried on the last known periods, it was wrong by {error} on average (repeating the last value: {usual_error}).",
    "用最近的已知时段检验，平均误差为 {error}（若直接沿用最后一个值，误差为 {usual_error}）。",
)
_TOO_SHORT = (
    "A forecast needs more history: there are {periods} periods (one for each {period}), too few to see a trend.",
    "预测需要更长的历史：目前只有 {periods} 个时段（每段一{period}），看不出趋势。",
)
_NO_DATE = Refusal(
    (
        "This table has no column with dates, so there is nothing to continue into the future.",
        "这张表没有日期列，无法预测未来。",
    )
)
_SMALLER: dict[Period, tuple[Period, int]] = {"year": ("month", 12), "quarter": ("month", 3), "week": ("day", 7)}
"""A stretch to look ahead, in the periods that it is forecast by."""


def _fit(question: Question) -> Task | Refusal:
    named = [column for column in question.columns if column.role in {Role.DATE, Role.YEAR}]
    date = next(iter(named or question.table.of(Role.DATE, Role.YEAR)), None)
    if date is None:
        return _NO_DATE
    measure, assumed = outcome_of(question, without=(date,))
    period, count = question.period, question.horizon or (1 if question.looks_ahead else 0)
    if question.looks_ahead and period in _SMALLER and date.role is Role.DATE:
        period, times = _SMALLER[period]
        count *= times
    counts_rows = measure is None or (assumed and question.aggregate == "count")
    return Task(
        intent="forecast",
        question=question,
        measures=(measure,) if measure and not counts_rows else (),
        date=date,
        aggregate="count" if measure is None or counts_rows else aggregate_of(question, measure),
        period=period,
        count=count,
        assumed=() if counts_rows else assumed,
    )


def _script(task: Task) -> Script:
    word = _WORDS[task.aggregate][task.language == "zh"]
    what = task.measure.name if task.measures else task.question.table.file
    return Script(
        name="forecast",
        values={
            "date": task.date.name if task.date else "",
            **({"measure": task.measure.name} if task.measures else {}),
            "how": task.aggregate,
            "period": task.period,
            "ahead": min(task.count, 60),
            "title": task.phrase(_TITLE, what=what, word=word),
            "value_label": task.phrase(_VALUE, what=what, word=word),
            "known_label": task.phrase(_KNOWN),
            "forecast_label": task.phrase(_FORECAST),
            "interval_label": task.phrase(_INTERVAL),
        },
        compute=_COMPUTE.replace("VALUES", values_of(task)),
        chart=_CHART,
        show=_SHOW,
        headings=headings(("forecast", "low", "high"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    words = {
        "word": _WORDS[task.aggregate][task.language == "zh"],
        "what": task.measure.name if task.measures else task.question.table.file,
        "period": period_word(figures, task),
    }
    listed = figures.rows("listed")
    if not figures.is_set("enough") or not listed:
        return [task.phrase(_TOO_SHORT, figures, **words)]
    first = {place: listed[0].text(place) for place in ("name", "forecast", "low", "high")}
    head = task.phrase(_HEAD, figures, **words, **first)
    lines = task.phrase_each(_LINE, listed)
    return [
        head,
        lines,
        task.phrase(_SEASON if figures.is_set("seasonal") else _NO_SEASON),
        task.phrase(_ERROR, figures),
    ]


FORECAST = Intent(
    name="forecast",
    title=("a forecast", "预测"),
    triggers=(
        (
            6,
            r"\bforecast\w*|\bpredict\w*\b(?=.*\b(?:next|future|coming)\b)|\bprojection\b"
            r"|\bextrapolat\w+|\bnext \w* ?(?:day|week|month|quarter|year)s?\b",
        ),
        (6, r"预测|预估|预计|未来|接下来|下个?(?:月|周|季度|年)|明年"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
