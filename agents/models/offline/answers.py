"""The words around a result: what is about to be done, the answer with all that was assumed, and an honest failure."""

import re

from agents.models.offline.columns import Match
from agents.models.offline.doubts import unknown_words
from agents.models.offline.figures import Figures, quoted
from agents.models.offline.guidance import INTRODUCTION
from agents.models.offline.intent import Task
from agents.models.offline.known_table import Role
from agents.models.offline.matcher import intent_of
from agents.models.offline.script import NONE_LEFT
from agents.models.offline.sentences import Pair, fill
from wording import Language

_LONGEST_REASON = 300
_MANY = 3
_WITH_CAUTION = {"drivers", "relation", "lever", "correlation", "risk", "crosstab"}
_BEGIN: Pair = ("Understood as: {title}{columns}.", "理解为：{title}{columns}。")
_OF: Pair = (", with {names}", "（{names}）")
_LEFT_OUT: Pair = (
    "{left_out} rows without a value in these columns were left out.",
    "这些列中有 {left_out} 行没有值，未计入。",
)
_GUESS: Pair = ("I took “{said}” as {column:q}.", "我把“{said}”理解为 {column:q}。")
_UNKNOWN_WORDS: Pair = ("I made no use of the words {words}.", "问题中的 {words} 没有用到。")
_UNUSED: Pair = ("You also named {names}, which this answer does not use.", "问题中还提到 {names}，本回答没有用到。")
_NARROWED: Pair = ("Only rows with {conditions} are counted.", "只计算了 {conditions} 的行。")
_ALIKE: Pair = (
    "Groups that differ only in capitals or blanks are counted apart ({alike}); ask for a clean-up to bring them "
    "together.",
    "只在大小写或空格上不同的组是分开计算的（{alike} 个）；可以先要求清理数据，把它们合并。",
)
_CAUTION: Pair = (
    "These figures show what goes together, not what causes it.",
    "这些数字说明的是关联，而不是因果。",
)
_AGAIN: Pair = (
    "That did not run through ({reason}). I read the file anew and try once more, without a chart.",
    "代码没有运行成功（{reason}）。我重新读取文件再试一次，不画图。",
)
_NONE_FIT: Pair = ("**0 rows** fit: none has {conditions}.", "符合条件的有 **0 行**：没有 {conditions} 的行。")
_FAILED: Pair = (
    "I could not answer this: the code did not run through ({reason}). No figure above counts. Ask for an overview to "
    "see how the columns are read, or name the columns differently.",
    "无法回答：代码没有运行成功（{reason}），上面的数字都不作数。可以先看数据概览，检查各列是如何读取的，或换一种方式指明列名。",
)
_NOT_RUN: Pair = (
    "The code did not run, so there is no answer ({reason}).",
    "代码没有运行，因此没有答案（{reason}）。",
)
_REFUSED: Pair = (
    "You did not let this code run, so there is no answer. Ask again, or ask for something else.",
    "您没有允许运行这段代码，因此没有答案。可以重新提问，或换一个问题。",
)
_OPENED: Pair = ("{path:q} is open.", "已打开 {path:q}。")
_NOT_OPENED: Pair = ("{path:q} could not be opened: {reason}", "无法打开 {path:q}：{reason}")
_NO_PATH: Pair = ("Name the file between quotation marks.", "请用引号写出文件名。")
_TIMED_OUT = re.compile(r"\b(?:Stopped after|ran longer than) (\d+(?:\.\d+)?) s")
_TIME_LIMIT: Pair = (
    "it was stopped at its time limit, after {seconds} seconds",
    "运行 {seconds} 秒后达到时间上限而被停止",
)
_UNKNOWN: Pair = ("no result was printed", "没有输出结果")


def beginning(task: Task) -> str:
    """What is about to be calculated, in one sentence."""
    asked = {column.name for column in task.question.columns}
    named = [column for column in task.columns if column.name in asked]
    named = named or (list(task.columns) if len(task.columns) < _MANY else [])
    names = task.listed(column.name for column in named[:6])
    columns = fill(_OF, task.language, names=names) if names else ""
    return fill(_BEGIN, task.language, title=intent_of(task).title[task.language == "zh"], columns=columns)


def answer(task: Task, output: str, *, is_first: bool) -> str:
    """The answer in words, from what was printed; raises ``Unprinted``."""
    figures = Figures.printed(output)
    notes = task.join(*task.assumed, *_notes(task, figures))
    paragraphs = [*_guesses(task), *intent_of(task).answer(task, figures), notes]
    if is_first:
        paragraphs.append(fill(INTRODUCTION, task.language))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph.strip())


def failed_once(output: str, language: Language) -> str:
    return fill(_AGAIN, language, reason=_reason(output, language))


def failed(output: str, language: Language) -> str:
    return fill(_FAILED, language, reason=_reason(output, language))


def none_fit(task: Task, output: str) -> str | None:
    """The answer when the conditions of the question keep no row; None when that is not why the code ended."""
    if NONE_LEFT not in output:
        return None
    return task.phrase(_NONE_FIT, conditions=_conditions(task))


def _conditions(task: Task) -> str:
    return "; ".join(narrowing.told() for narrowing in task.narrowings)


def not_run(output: str, language: Language) -> str:
    """Code that the person refused, who knows why, or a reviewer."""
    if output.startswith("The person "):
        return fill(_REFUSED, language)
    return fill(_NOT_RUN, language, reason=_reason(output, language))


def opened(path: str, result: str, language: Language) -> str:
    """What came of opening a file; the tool's own name stands before its refusals."""
    if not path:
        return fill(_NO_PATH, language)
    refused = result.startswith("open_data_file:")
    return fill(_NOT_OPENED if refused else _OPENED, language, path=path, reason=_reason(result, language))


def _guesses(task: Task) -> list[str]:
    """What words were taken as that are not those of the column; Chinese ones seldom are."""
    question = task.question
    if question.language == "zh":
        return []
    guessed = [m for m in question.mentions if m.match is not Match.NAME and m.column in task.columns]
    said = [task.phrase(_GUESS, said=question.text[m.start : m.end], column=m.column.name) for m in guessed]
    return [task.join(*said)] if said else []


def _notes(task: Task, figures: Figures) -> list[str]:
    notes = []
    used = {column.name for column in (*task.columns, *(each.column for each in task.narrowings))}
    unused = [c.name for c in task.question.columns if c.name not in used and c.role is not Role.ID]
    if unused:
        notes.append(task.phrase(_UNUSED, names=task.listed(unused)))
    if task.narrowings:
        notes.append(task.phrase(_NARROWED, conditions=_conditions(task)))
    if unknown := unknown_words(task.question):
        notes.append(task.phrase(_UNKNOWN_WORDS, words=task.listed(unknown)))
    if figures.has("left_out") and figures.is_set("left_out"):
        notes.append(task.phrase(_LEFT_OUT, figures))
    if figures.has("alike") and figures.is_set("alike"):
        notes.append(task.phrase(_ALIKE, figures))
    if task.intent in _WITH_CAUTION:
        notes.append(task.phrase(_CAUTION))
    return notes


def _reason(output: str, language: Language) -> str:
    """The line that names the error, shown as code; the time limit in words."""
    if stopped := _TIMED_OUT.search(output):
        return fill(_TIME_LIMIT, language, seconds=stopped[1])
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(?:Error|Exception|Interrupt)\b", line)]
    line = errors[-1] if errors else lines[-1] if lines else fill(_UNKNOWN, language)
    return quoted(line[:_LONGEST_REASON])
