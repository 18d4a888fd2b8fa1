"""A cleaned copy of the table: only what is safe is changed, nothing is filled in, and every change is counted."""

from pathlib import PurePath

from agents.models.offline.figures import Figures
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Task
from agents.models.offline.question import Question
from agents.models.offline.script import Script

_COMPUTE = r"""
clean = df.copy()
done = dict.fromkeys(step_names, 0)
placeholders = ["", "-", "--", "?", "n/a", "na", "null", "none", "nan"]
texts = [name for name in df.columns if df[name].notna().any() and df[name].dropna().map(type).eq(str).all()]
for name in texts:
    before = df[name].dropna()
    after = before.str.strip().str.replace(r"\s+", " ", regex=True)
    done["blanks"] += int((before != after).sum())

    empty = after.str.lower().isin(placeholders)
    done["placeholders"] += int(empty.sum())
    after = after[~empty]

    if after.nunique() <= 200:
        spellings = after.value_counts().index[::-1]
        usual = {word.casefold(): word for word in spellings}
        same = after.map(lambda word: usual[word.casefold()])
        done["spellings"] += int((same != after).sum())
        after = same

    plain = after.str.replace(r"(?<=\d)[, ](?=\d{3})", "", regex=True)
    as_numbers = pd.to_numeric(plain, errors="coerce")
    if len(after) and as_numbers.notna().all() and not plain.str.match(r"0\d").any():
        done["numbers"] += 1
        after = as_numbers
    clean[name] = after.reindex(df.index)

empty_columns = [name for name in clean.columns if clean[name].isna().all()]
clean = clean.drop(columns=empty_columns)
done["empty_columns"] = len(empty_columns)
done["empty_rows"] = int(clean.isna().all(axis=1).sum())
clean = clean.dropna(how="all")
done["duplicates"] = int(clean.duplicated().sum())
clean = clean.drop_duplicates()

if any(done.values()):
    clean.to_csv(Path("/outputs") / file_name, index=False)
table = pd.Series(done).rename(step_names).rename_axis("step").to_frame("changed")
"""
_CHART = """
if any(done.values()):
    fig, ax = plt.subplots(figsize=(8, 3.5))
    ax.barh(table.index[::-1], table["changed"][::-1], color="#4c78a8")
    ax.set(title=title, xlabel=count_label)
    fig.tight_layout()
"""
_SHOW = """
tell(
    rows=len(df),
    columns=len(df.columns),
    rows_left=len(clean),
    columns_left=len(clean.columns),
    missing_left=int(clean.isna().sum().sum()),
    done=[{"step": step_names[step], "changed": count} for step, count in done.items() if count],
)
"""
_STEPS = {
    "blanks": ("texts with needless blanks", "文本中多余的空格"),
    "placeholders": ("placeholders made empty", "占位符改为空值"),
    "spellings": ("spellings that differed in case", "统一大小写写法"),
    "numbers": ("text columns turned into numbers", "由文本转为数值的列"),
    "empty_columns": ("empty columns removed", "删除的空列"),
    "empty_rows": ("empty rows removed", "删除的空行"),
    "duplicates": ("repeated rows removed", "删除的重复行"),
}
_TITLE = ("What was cleaned in {file}", "{file} 的清理内容")
_COUNT = ("number of changes", "改动数")
_HEAD = (
    "The cleaned copy has {rows_left} of {rows} rows and {columns_left} of {columns} columns. It is offered as "
    "{file:q} and stays in the variable {variable:q}; the original is as it was.",
    "清理后的副本保留了 {rows} 行中的 {rows_left} 行、{columns} 列中的 {columns_left} 列。可下载 {file:q}，也保存在变"
    "量 {variable:q} 中；原始数据没有改动。",
)
_LINE = ("{step}: {changed}", "{step}：{changed}")
_NOTHING = (
    "There is nothing to clean in the {rows} rows and {columns} columns.",
    "{rows} 行、{columns} 列中没有需要清理的内容。",
)
_LEFT = (
    "I filled in no value: {missing_left} cells are still missing, because what belongs there only you can know.",
    "我没有填补任何值：仍有 {missing_left} 个单元格缺失，因为该填什么只有您知道。",
)


def _fit(question: Question) -> Task:
    return Task(intent="clean", question=question)


def _script(task: Task) -> Script:
    at = task.language == "zh"
    return Script(
        name="clean_up",
        values={
            "file_name": _file(task),
            "step_names": {step: pair[at] for step, pair in _STEPS.items()},
            "title": task.phrase(_TITLE, file=task.question.table.file),
            "count_label": task.phrase(_COUNT),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        headings=headings(("step", "changed"), task.language),
        keeps=("clean", _variable(task)),
    )


def _answer(task: Task, figures: Figures) -> list[str]:
    done = figures.rows("done")
    left = [task.phrase(_LEFT, figures)] if figures.is_set("missing_left") else []
    if not done:
        return [task.phrase(_NOTHING, figures), *left]
    head = task.phrase(_HEAD, figures, file=_file(task), variable=_variable(task))
    return [head, task.phrase_each(_LINE, done), *left]


def _file(task: Task) -> str:
    return f"{PurePath(task.question.table.file).stem}_clean.csv"


def _variable(task: Task) -> str:
    return f"{task.question.table.variable}_clean"


CLEAN = Intent(
    name="clean",
    title=("a cleaned copy of the table", "数据清理"),
    triggers=(
        (
            4,
            r"\bclean\w*\b|\btidy\b|\bdedup\w*|\b(?:remove|drop|delete)\b.{0,12}\bduplicate\w*"
            r"|\bnormali[sz]e\b|\bfix (?:the )?(?:data|table|file)\b",
        ),
        (4, r"清理|清洗|去重|删除?.{0,4}重复|整理|规范化|脏数据"),
    ),
    fit=_fit,
    script=_script,
    answer=_answer,
)
