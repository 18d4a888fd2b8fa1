"""What a question names that its table does not have: then it is left open, and no other question is answered."""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.models.offline import question_words
from agents.models.offline.columns import Match, find_mentions
from agents.models.offline.intent import Refusal, Task, listed
from agents.models.offline.intents import INTENTS
from agents.models.offline.question import Question, without
from agents.models.offline.stems import HAN, is_han, stem, tokens
from agents.models.offline.vocabulary import COMMON, CONCEPTS_OF, COUNTS_AND_TIMES, ROW_NOUNS, STOP, WEAK, concepts

MOST_COLUMNS = 12
_ONLY_NAMED = frozenset(("relation", "lever", "compare", "top", "pivot", "crosstab", "trend_by_group"))
"""What is calculated from few columns, so that one that is not named may stand in for one that is not there."""
_WHOLE_TABLE = frozenset(("overview", "rows", "missing", "clean"))
"""What is told of a table as a whole, whatever else the question says."""
_STANDS_FOR_COLUMN = re.compile(
    r"(?=\b(?:by|per|for|in|of|from|among|between|across|versus|vs|than) "
    r"(?:(?:the|a|an|all|each|every|different) )?([a-z]{3,}))"
)
_HAN_GROUP = re.compile(
    rf"(?:按照?|依照?|根据|每个|各个?|不同的?)([{HAN}]{{2,6}}?)(?:[来做的]|进行)?"
    rf"(?=比较|对比|分组|统计|汇总|分析|排[名序]|画|看|[^{HAN}]|$)"
)
_HAN_OWNER = re.compile(rf"([{HAN}]{{2,8}})的(?=\s)")
_HAN_COMMON = re.compile(
    "统计|汇总|查看|展示|给出|请问?|帮我|给我|看看|一下|告诉|显示|列出|计算|求|画出?|分析|全部|所有|整体|总体|我们|我|你|这些?|那些?|最近|目前|现在|"
    "大小|高低|多少|顺序|[升降]序|关系|影响|情况|数据|表格?|文件|列|图|什么|哪[些个]?|怎么样?|如何|是|有|对|在|和|与|的|不同|"
    "各个?|每个?|按照?|平均|最[高低大小多少好差]|更|比较|吗|呢|了|从|到|"
    "之间|季度|星期|周末?|小时|时段|[年月]度|[年月]份?|[日天每]|增长|趋势|变化|分布|总|行"
)
_NO_COLUMN = (
    "{file:q} has no column for {words}, so I leave this open rather than answer another question. Its columns are "
    "{columns}.",
    "{file:q} 中没有与 {words} 对应的列，为避免答非所问，这里不作回答。它的列有 {columns}。",
)
_NO_CONDITION = (
    "I cannot keep to the rows that “{words}” stands for, and figures of all rows would answer another question. Ask "
    "without that condition, or name a value of a column, a year, or a limit such as “above 5”.",
    "我不会按“{words}”筛选，而用全部数据计算就成了另一个问题。请去掉这个条件，或指明某列的取值、年份或界限（如“大于 5"
    "”）。",
)


def doubt(question: Question, task: Task) -> Refusal | None:
    """Why ``task`` would not answer this very question; None when it does."""
    if question.not_done:
        first, last = question.text.find(question.not_done[0]), question.text.rfind(question.not_done[-1])
        said = question.text[first : last + len(question.not_done[-1])]
        return Refusal(_NO_CONDITION, {"words": said}, is_doubt=True)
    if task.intent in _WHOLE_TABLE and not (question.mentions or question.aggregate):
        return None
    unknown = unknown_words(question)
    if not unknown or not (task.assumed or _fills_in(task) or _stands_for_column(question, unknown)):
        return None
    return no_column(question, unknown)


def no_column(question: Question, words: Sequence[str]) -> Refusal:
    """That ``words`` stand for no column, and which columns there are."""
    names = [column.name for column in question.table.columns]
    columns = listed(names[:MOST_COLUMNS], question.language) + (" …" if len(names) > MOST_COLUMNS else "")
    said = [question.text[at : at + len(word)] for word in words for at in [question.text.lower().find(word)]]
    values = {"file": question.table.file, "words": listed(said, question.language), "columns": columns}
    return Refusal(_NO_COLUMN, values, is_doubt=True)


def unknown_words(question: Question) -> tuple[str, ...]:
    """Words of a question that told nothing; of Chinese ones those that stand where a column is named."""
    return _without_columns(_unknown(question), question)


def left_over(question: Question) -> tuple[str, ...]:
    """All words that told nothing, for a question that does not say what to do with a column."""
    parts = _HAN_COMMON.split(_without_known(question.rest))
    return unknown_words(question) + _without_columns(
        (run for part in parts for run in re.findall(f"[{HAN}]{{2,}}", part)), question
    )


def _without_columns(words: Iterable[str], question: Question) -> tuple[str, ...]:
    return tuple(word for word in dict.fromkeys(words) if not find_mentions(word, question.table))


def _unknown(question: Question) -> Iterator[str]:
    known = STOP | WEAK | COMMON | ROW_NOUNS
    rest = question.rest.lower()
    periods = question_words.PERIOD_NAMES
    yield from (
        word
        for word in question_words.BY_WHAT.findall(rest)
        if word not in periods and not {word, stem(word)} & (STOP | COMMON | WEAK)
    )
    yield from _unknown_han(question)
    words = re.findall(r"[a-z]{2,}" if is_han(rest) else r"[a-z]{4,}", rest := _without_known(rest))
    yield from (word for word in words if not {word, stem(word)} & known)
    for token in tokens(rest, [phrase for phrase in CONCEPTS_OF if is_han(phrase) and len(phrase) > 1]):
        if is_han(token.text) and token.text not in ROW_NOUNS and not concepts(token.text) & COUNTS_AND_TIMES:
            yield token.text


def _unknown_han(question: Question) -> Iterator[str]:
    """Words to group by, whose something is, and before a single character that was taken for a column."""
    rest = _without(question.rest, question_words.SAYS_HOW)
    runs = [run for pattern in (_HAN_GROUP, _HAN_OWNER) for run in pattern.findall(rest)]
    weak = [mention for mention in question.mentions if mention.match is Match.WEAK]
    runs += [run for mention in weak for run in re.findall(f"[{HAN}]{{2,}}$", rest[: mention.start])]
    for run in runs:
        yield from (part for part in _HAN_COMMON.split(run) if len(part) > 1 and part not in ROW_NOUNS)


def _without_known(rest: str) -> str:
    """Without the words that say what to do, over which period and in which way."""
    return _without(
        rest, [*(pattern for intent in INTENTS for _, pattern in intent.triggers), *question_words.SAYS_HOW]
    )


def _without(rest: str, patterns: Iterable[str]) -> str:
    return without(rest, [m.span() for pattern in patterns for m in re.finditer(pattern, rest, re.IGNORECASE)])


def _fills_in(task: Task) -> bool:
    """Whether it takes a column that the question does not name surely."""
    sure = [mention.column.name for mention in task.question.mentions if mention.match is not Match.WEAK]
    return not sure or (task.intent in _ONLY_NAMED and any(column.name not in sure for column in task.columns))


def _stands_for_column(question: Question, unknown: tuple[str, ...]) -> bool:
    """Whether one of the words stands where a column, or a value of one, is named."""
    named = _STANDS_FOR_COLUMN.findall(question.rest.lower())
    return any(word in named or is_han(word) or question.language == "zh" for word in unknown)
