"""Where values are missing, and where a text only looks like a value."""

from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Task
from agents.models.offline.question import Question
from agents.models.offline.script import Script

_COMPUTE = """
placeholders = ["", "-", "--", "?", "n/a", "na", "null", "none", "nan", "unknown", "未知", "无", "缺失"]
texts = df.select_dtypes(exclude=["number", "datetime", "datetimetz", "timedelta", "bool"])
blank = texts.apply(lambda column: column.dropna().astype(str).str.strip().str.lower().isin(placeholders).sum())
table = pd.DataFrame({"missing": df.isna().sum()})
table["percent"] = (100 * table["missing"] / max(len(df), 1)).round(1)
table["blank"] = blank.reindex(df.columns).fillna(0).astype(int)
table = table.sort_values("missing", ascending=False).rename_axis(column_label)
"""
_CHART = """
shown = table[table["missing"] > 0].head(25)[::-1]
if len(shown):
    fig, ax = plt.subplots(figsize=(8, max(2.5, 0.35 * len(shown) + 1)))
    ax.barh(shown.index.astype(str), shown["percent"], color="#4c78a8")
    ax.set(title=title, xlabel=percent_label, xlim=(0, 100))
    fig.tight_layout()
"""
_SHOW = """
tell(
    rows=len(df),
    columns=len(df.columns),
    missing_cells=int(table["missing"].sum()),
    affected=int((table["missing"] > 0).sum()),
    complete_rows=int(df.notna().all(axis=1).sum()),
    complete_percent=short(round(100 * df.notna().all(axis=1).mean(), 1)) if len(df) else None,
    listed=[
        {"name": str(name), "missing": int(row["missing"]), "percent": short(row["percent"])}
        for name, row in table[table["missing"] > 0].head(10).iterrows()
    ],
    blanks=[{"name": str(name), "blank": int(n)} for name, n in table["blank"].items() if n][:10],
)
"""
_NONE = (
    "No cell is missing: all {rows} rows are complete in all {columns} columns.",
    "没有缺失值：全部 {rows} 行在 {columns} 列中都是完整的。",
)
_HEAD = (
    "{missing_cells} cells are missing, in {affected} of {columns} columns. {complete_rows} of {rows} rows ("
    "{complete_percent}%) are complete.",
    "共有 {missing_cells} 个单元格缺失，涉及 {columns} 列中的 {affected} 列。{rows} 行中有 {complete_rows} 行（"
    "{complete_percent}%）是完整的。",
)
_LINE = ("{name:q}: {missing} missing ({percent}%)", "{name:q}：缺失 {missing} 个（{percent}%）")
_BLANK_HEAD = (
    "Some texts only look filled (blank, or a placeholder such as N/A):",
    "有些文本看似有值，其实是空白或占位符（如 N/A）：",
)
_BLANK_LINE = ("{name:q}: {blank} cells", "{name:q}：{blank} 个单元格")
_TITLE = ("Missing values by column", "各列缺失值")
_COLUMN = ("column", "列")
_PERCENT = ("missing in % of the rows", "缺失比例（%）")


def _fit(question: Question) -> Task:
    return Task(intent="missing", question=question)


def _script(task: Task) -> Script:
    return Script(
        name="missing_values",
        values={
            "title": task.phrase(_TITLE),
            "percent_label": task.phrase(_PERCENT),
            "column_label": task.phrase(_COLUMN),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(("missing", "percent", "blank"), task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    missing, blanks = figures.rows("listed"), figures.rows("blanks")
    told = [task.phrase(_HEAD, figures), task.phrase_each(_LINE, missing)] if missing else [task.phrase(_NONE, figures)]
    return [*told, f"{task.phrase(_BLANK_HEAD)}\n{task.phrase_each(_BLANK_LINE, blanks)}"] if blanks else told


MISSING = Intent(
    name="missing",
    title=("missing values", "缺失值"),
    triggers=(
        (4, r"\bmissing\b|\bnulls?\b|\bnans?\b|\bblanks?\b|\bempty (?:cells|values)\b|\bincomplete\b|\bcompleteness\b"),
        (4, r"缺失|空值|缺值|空白|完整性|漏填|为空"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
