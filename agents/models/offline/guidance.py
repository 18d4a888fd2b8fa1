"""What the analyst says of itself: that it is no language model, what it understands, and examples for the table."""

import re
from collections.abc import Iterator, Sequence

from agents.models.offline.choosing import default_outcome
from agents.models.offline.intent import Refusal
from agents.models.offline.intents import INTENTS
from agents.models.offline.known_table import KnownTable, Role
from agents.models.offline.sentences import Pair, fill
from wording import Language

MOST_EXAMPLES = 3
_ABOUT_ITSELF = re.compile(
    r"^\W*(?:hi|hello|hey|help|good (?:morning|day|evening)|thanks?(?: you)?)\W*$|\bwh(?:o|at) are you\b"
    r"|\bwhat (?:can|do) you (?:do|know|answer|understand)\b|\bwhat can i ask\b|\bare you an?\b"
    r"|\bwhich model are you\b|\blanguage model\b"
    r"|^\W*(?:你好|您好|帮助|谢谢|嗨)\W*$|你是谁|你会什么|[你您]能(?:做|干|回答|帮)|^\W*怎么用|语言模型|什么模型",
    re.IGNORECASE,
)
INTRODUCTION: Pair = (
    "I am the analyst built into this app, not a language model: I answer a fixed set of questions with fixed Python, "
    "which you can read above. With a key, or a local model server, any question can be asked.",
    "我是本应用内置的分析程序，不是语言模型：我用固定的 Python 代码回答一组固定的问题，代码可在上方查看。填写密钥或启"
    "动本地模型服务后，可以提任意问题。",
)
_NOT_UNDERSTOOD: Pair = (
    "I did not understand this question. I am the analyst built into this app, not a language model, and know only "
    "certain questions.",
    "我没有理解这个问题。我是本应用内置的分析程序，不是语言模型，只懂一组固定的问题。",
)
_UNDERSTOOD: Pair = ("I understand: {titles}.", "我能回答：{titles}。")
_EXAMPLES: Pair = ("For example, about {file:q}:", "例如，关于 {file:q}：")
_LANGUAGES: Pair = (
    "Ask in English or Chinese, and name columns as they are called.",
    "可用中文或英文提问，列名请照原样写。",
)
NO_TABLE: Pair = (
    "There is no table with rows yet. Add a file with a table, then ask about it.",
    "还没有含数据行的表。请先添加一个包含表格的文件，然后提问。",
)
_COMPARE: Pair = ("Compare {measure} by {group}", "按 {group} 比较 {measure}")
_DRIVERS: Pair = ("Which factors influence {measure} most?", "哪些因素对 {measure} 影响最大？")
_TREND: Pair = ("How does {measure} change over time?", "{measure} 随时间的趋势如何？")
_RELATION: Pair = ("How does {measure} relate to {other}?", "{measure} 与 {other} 有什么关系？")
_DISTRIBUTION: Pair = ("Show the distribution of {measure}", "{measure} 的分布如何？")
_COUNTS: Pair = ("How often does each value of {group} occur?", "{group} 的分布如何？")
_OVERVIEW: Pair = ("Give me an overview of the table", "数据概览")
_MISSING: Pair = ("Which values are missing?", "有哪些缺失值？")
_CLEAN: Pair = ("Clean up the table", "清理数据")


def is_about_itself(text: str) -> bool:
    """Whether a person greets or asks what this is."""
    return bool(_ABOUT_ITSELF.search(text))


def introduction(table: KnownTable | None, language: Language) -> str:
    """What it is, what it understands, and examples."""
    return "\n\n".join([fill(INTRODUCTION, language), *_abilities(table, language)])


def declined(refusal: Refusal | None, table: KnownTable, language: Language) -> str:
    """Why there is no answer: what this table lacks, or that the question was not understood."""
    told = fill(refusal.reason, language, None, **refusal.values) if refusal else fill(_NOT_UNDERSTOOD, language)
    is_understood = refusal is not None and not refusal.is_doubt
    return "\n\n".join([told, *_abilities(table, language)[is_understood:]])


def examples(table: KnownTable, language: Language) -> list[str]:
    """Questions about this table that are understood."""
    return [*_examples(table, language)][:MOST_EXAMPLES]


def _abilities(table: KnownTable | None, language: Language) -> Sequence[str]:
    titles = ("、" if language == "zh" else "; ").join(intent.title[language == "zh"] for intent in reversed(INTENTS))
    told = [fill(_UNDERSTOOD, language, titles=titles) + " " + fill(_LANGUAGES, language)]
    if table is None:
        return [*told, fill(NO_TABLE, language)]
    lines = "\n".join(f"- {example}" for example in examples(table, language))
    return [*told, f"{fill(_EXAMPLES, language, file=table.file)}\n{lines}"]


def _examples(table: KnownTable, language: Language) -> Iterator[str]:
    measure = default_outcome(table)
    group = next((column for column in table.groups if column != measure), None)
    if measure:
        others = [column for column in table.of(Role.MEASURE) if column != measure]
        if group:
            yield fill(_COMPARE, language, measure=measure.name, group=group.name)
        if table.of(Role.DATE, Role.YEAR):
            yield fill(_TREND, language, measure=measure.name)
        if len(others) > 1:
            yield fill(_DRIVERS, language, measure=measure.name)
        if others:
            yield fill(_RELATION, language, measure=others[0].name, other=measure.name)
        yield fill(_DISTRIBUTION, language, measure=measure.name)
    elif group:
        yield fill(_COUNTS, language, group=group.name)
    for pair in (_OVERVIEW, _MISSING, _CLEAN):
        yield fill(pair, language)
