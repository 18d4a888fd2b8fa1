"""What a table holds: its size, its columns, how each is filled; and its first rows."""

import re

from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Task
from agents.models.offline.known_table import Role
from agents.models.offline.question import Question
from agents.models.offline.question_words import RANKS
from agents.models.offline.script import Script

_COMPUTE = """
table = pd.DataFrame({
    "type": df.dtypes.astype(str),
    "missing": df.isna().sum(),
    "distinct": df.nunique(),
})
measures = df.select_dtypes("number").drop(columns=identifiers + years, errors="ignore")
times = df.select_dtypes(["datetime", "datetimetz"])
texts = df.select_dtypes(exclude=["number", "datetime", "datetimetz", "timedelta"])
table["mean"] = measures.mean().round(4)
table["minimum"] = measures.min()
table["maximum"] = measures.max()
table["common"] = texts.apply(lambda column: column.value_counts().index[0] if column.notna().any() else None)
table = table.dropna(axis=1, how="all").rename_axis(column_label)
"""
_CHART = """
shown = [name for name in measures.columns if measures[name].notna().any()][:9]
if shown:
    rows = -(-len(shown) // 3)
    fig, axes = plt.subplots(rows, 3, figsize=(9, 2.6 * rows), squeeze=False)
    for ax, name in zip(axes.flat, shown):
        ax.hist(measures[name].dropna().astype(float), bins=20, color="#4c78a8")
        ax.set(title=str(name), ylabel=rows_label)
    for ax in axes.flat[len(shown):]:
        ax.set_visible(False)
    fig.suptitle(title)
    fig.tight_layout()
"""
_SHOW = """
spans = [(name, str(times[name].min()), str(times[name].max())) for name in times.columns]
spans += [(name, str(df[name].min()), str(df[name].max())) for name in years]
tell(
    rows=len(df),
    columns=len(df.columns),
    number_columns=df.select_dtypes("number").shape[1],
    text_columns=len(texts.columns),
    date_columns=len(times.columns),
    missing_cells=int(table["missing"].sum()),
    columns_with_missing=int((table["missing"] > 0).sum()),
    duplicate_rows=int(df.duplicated().sum()),
    measures=[
        {
            "name": str(name)[:60],
            "low": exact(measures[name].min()),
            "high": exact(measures[name].max()),
            "mean": short(measures[name].mean()),
        }
        for name in measures.columns[:12]
    ],
    categories=[
        {
            "name": str(name)[:60],
            "values": int(table.loc[name, "distinct"]),
            "common": str(table.loc[name].get("common"))[:40],
        }
        for name in texts.columns[:8]
    ],
    spans=[
        {"name": str(name)[:60], "first": first.removesuffix(" 00:00:00"), "last": last.removesuffix(" 00:00:00")}
        for name, first, last in spans[:4]
    ],
)
"""
_TITLE = ("How the values of {file} are distributed", "{file} 各数值列的分布")
_ROWS, _COLUMN = ("rows", "行数"), ("column", "列")
_HEAD = (
    "The table {file:q} has {rows} rows and {columns} columns: {number_columns} with numbers, {text_columns} with "
    "text or yes/no, {date_columns} with dates.",
    "表 {file:q} 共有 {rows} 行、{columns} 列：数值列 {number_columns} 个，文本或是非列 {text_columns} 个，日期列 "
    "{date_columns} 个。",
)
_MEASURE = ("{name:q}: {low} to {high}, average {mean}", "{name:q}：{low} 至 {high}，平均 {mean}")
_CATEGORY = (
    "{name:q}: {values} different values, most often {common:q}",
    "{name:q}：{values} 种不同的值，最常见的是 {common:q}",
)
_SPAN = ("{name:q}: {first} to {last}", "{name:q}：{first} 至 {last}")
_MISSING = (
    "{missing_cells} cells are missing, in {columns_with_missing} columns; ",
    "共有 {missing_cells} 个单元格缺失，涉及 {columns_with_missing} 列；",
)
_COMPLETE = ("No cell is missing; ", "没有缺失的单元格；")
_REPEATED = ("{duplicate_rows} rows repeat an earlier row.", "{duplicate_rows} 行与前面的行完全重复。")
_NO_REPEATED = ("no row repeats another.", "没有重复的行。")

_REPEATS = re.compile(r"\bduplicat\w*|重复", re.IGNORECASE)

_ROWS_COMPUTE = """
table = df.sample(min(count, len(df)), random_state=0).sort_index() if at_random else df.head(count)
"""
_ROWS_SHOW = """
tell(rows=len(df), shown=len(table), columns=len(df.columns))
"""
_ROWS_HEAD = (
    "Here are {shown} of the {rows} rows, with all {columns} columns.",
    "下面是 {rows} 行中的 {shown} 行，包含全部 {columns} 列。",
)


def _fit(question: Question) -> Task | None:
    about_rows = _REPEATS.search(question.text) or all(column.role is Role.ID for column in question.columns)
    return Task(intent="overview", question=question) if about_rows else None


def _script(task: Task) -> Script:
    names = ("type", "missing", "distinct", "mean", "minimum", "maximum", "common")
    return Script(
        name="overview",
        values={
            "identifiers": [column.name for column in task.question.table.of(Role.ID)],
            "years": [column.name for column in task.question.table.of(Role.YEAR)],
            "title": task.phrase(_TITLE, file=task.question.table.file),
            "rows_label": task.phrase(_ROWS),
            "column_label": task.phrase(_COLUMN),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(names, task.language),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    lists = (("spans", _SPAN), ("measures", _MEASURE), ("categories", _CATEGORY))
    told = "\n".join(task.phrase_each(pair, figures.rows(name)) for name, pair in lists if figures.rows(name))
    missing = task.phrase(_MISSING if figures.is_set("missing_cells") else _COMPLETE, figures)
    repeated = task.phrase(_REPEATED, figures) if figures.is_set("duplicate_rows") else task.phrase(_NO_REPEATED)
    head = task.phrase(_HEAD, figures, file=task.question.table.file)
    gaps = missing + repeated
    return [gaps, head, told] if _REPEATS.search(task.question.text) else [head, told, gaps]


def _fit_rows(question: Question) -> Task | None:
    if question.columns and RANKS.search(question.text):
        return None
    return Task(intent="rows", question=question, count=question.count or 5)


def _rows_script(task: Task) -> Script:
    at_random = any(word in task.question.text.lower() for word in ("random", "随机", "抽"))
    values = {"count": task.count, "at_random": at_random}
    return Script(name="some_rows", values=values, compute=_ROWS_COMPUTE, chart="", show=_ROWS_SHOW)


def _rows_answer(task: Task, figures: Figures) -> list[str]:
    return [task.phrase(_ROWS_HEAD, figures)]


OVERVIEW = Intent(
    name="overview",
    title=("an overview of the table", "数据概览"),
    triggers=(
        (
            3,
            r"\boverview\b|\bsummar\w+|\bdescribe\b|\bprofile\b|\bexplore\b|概览|概况|总览|概述|总结|汇总一下|描述一下|介绍"
            r"|\banaly[sz]e (?:the|this|my) (?:data|table|file)\b|分析一?下?.{0,6}(?:数据|表|文件)",
        ),
        (
            3,
            r"what(?:'s| is| does)?.{0,12}\b(?:in|inside|contain|hold)\b"
            r"|what .{0,20}about\b.{0,8}(?:data|table|file)|tell me about",
        ),
        (
            3,
            r"(?:讲|说的?|关于|记录|反映|包含)了?(?:些|的是)?(?:什么|哪些)|(?:有哪些|有什么|哪些|什么)(?:列|字段|内容|数据)|(?:数据|表|文件).{0,4}(?:是什么|有什么|内容|长什么样)|多少(?:行|列)|几(?:行|列)",
        ),
        (4, _REPEATS.pattern),
        (
            3,
            r"how many (?:rows|columns|records|entries|lines)"
            r"|(?:which|what|list)\b.{0,12}\b(?:columns|fields|variables)\b",
        ),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)

ROWS = Intent(
    name="rows",
    title=("some rows as they are", "查看若干行"),
    triggers=(
        (4, r"\b(?:first|some|sample|random|example)\b.{0,12}\b(?:rows|lines|records|entries)\b|\bhead\b|\bpreview\b"),
        (
            4,
            r"\bshow (?:me )?(?:the |some |my )?data\b|看看.{0,4}数据"
            r"|前\s*\S{0,3}\s*行|看几行|几行数据|随机.{0,4}行|预览|样例",
        ),
    ),
    fit=_fit_rows,
    script=_rows_script,
    answer=_rows_answer,
)
