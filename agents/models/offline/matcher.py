"""Decides which kind of question is asked, of which table, and what a follow-up takes over from the question before."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.models.offline.columns import Match, Mention
from agents.models.offline.doubts import doubt, left_over, no_column
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.intents import INTENTS
from agents.models.offline.known_table import KnownTable, Role
from agents.models.offline.question import Question, read_question

CLEAR = 2
"""The weight of words from which on they alone tell what is asked."""
_LONGEST_FOLLOW_UP = 60
_FOLLOWS = re.compile(
    r"^\W*(?:and|also|same|now|then|instead|but|again|what about|how about|ok(?:ay)?,?)\b"
    r"|\b(?:the same|instead|as well)\b"
    r"|\bas an? (?:table|chart|plot|graph)\b|^(?:by|per|for) "
    r"|呢[？?。]?$|^(?:那么?|同样|再|换成|也|改为|改成|如果|还有|然后)|一样|用表格|列成表|画成?图",
    re.IGNORECASE,
)
_BY_NAME: Mapping[str, Intent] = {intent.name: intent for intent in INTENTS}
_DATES = {Role.DATE, Role.YEAR}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was understood; ``meaning`` is None when it was not."""

    question: Question
    meaning: Task | Refusal | None


def intent_of(task: Task) -> Intent:
    return _BY_NAME[task.intent]


def understand(texts: Sequence[str], tables: Sequence[KnownTable]) -> Asked:
    """The last of the questions, each of which may build on the one before; neither may be empty."""
    first = len(texts) - 1
    while first > 0 and _may_follow(texts[first]):
        first -= 1
    asked = _understand(texts[first], tables, None)
    for text in texts[first + 1 :]:
        asked = _understand(text, tables, asked)
    return asked


def _may_follow(text: str) -> bool:
    return len(text) <= _LONGEST_FOLLOW_UP and bool(_FOLLOWS.search(text))


def _understand(text: str, tables: Sequence[KnownTable], before: Asked | None) -> Asked:
    if before and isinstance(before.meaning, Task) and _may_follow(text):
        question = read_question(text, before.question.table)
        meaning = _follow_up(question, before.meaning)
        if meaning:
            return _asked(meaning.question if isinstance(meaning, Task) else question, meaning, is_clear=True)
    question = max((read_question(text, table) for table in reversed(tables)), key=_fits_table)
    weights = _weights(question)
    is_clear = bool(question.mentions) or max(weights.values()) >= CLEAR
    return _asked(question, _meaning(question, weights), is_clear=is_clear)


def _asked(question: Question, meaning: Task | Refusal | None, *, is_clear: bool) -> Asked:
    """With what stands against the answer, if anything does; ``is_clear``: it is a question about data."""
    if isinstance(meaning, Task):
        return Asked(question, doubt(question, meaning) or meaning)
    if meaning is None and is_clear and (words := left_over(question)):
        return Asked(question, no_column(question, words))
    return Asked(question, meaning)


def _fits_table(question: Question) -> tuple[bool, int, int]:
    """How well a question fits its table: by the file's or variable's name, then by the columns found in it."""
    names = (question.table.file.rpartition(".")[0], question.table.variable)
    is_named = any(len(name) > 2 and name.lower() in question.text.lower() for name in names)
    return is_named, len(question.mentions), sum(mention.end - mention.start for mention in question.mentions)


def _weights(question: Question) -> dict[str, float]:
    """For each kind of question the weight of its words; names of columns are no such words."""
    found: dict[str, float] = {}
    for intent in INTENTS:
        weights = [weight for weight, pattern in intent.triggers if re.search(pattern, question.rest, re.IGNORECASE)]
        found[intent.name] = sum(weights)
    return found


def _meaning(question: Question, weights: Mapping[str, float]) -> Task | Refusal | None:
    refused: Refusal | None = None
    likely = sorted((i for i in INTENTS if weights[i.name] > 0), key=lambda intent: -weights[intent.name])
    for intent in likely:
        if weights[intent.name] < CLEAR and all(mention.match is Match.WEAK for mention in question.mentions):
            break
        meaning = intent.fit(question)
        if isinstance(meaning, Task) or (meaning and not question.grouped):
            return meaning
        refused = refused or meaning
    if refused:
        return refused
    if all(mention.match is Match.WEAK for mention in question.mentions) or left_over(question):
        return None
    return _BY_NAME["relation" if len(question.mentions) > 1 else "distribution"].fit(question)


def _follow_up(question: Question, before: Task) -> Task | Refusal | None:
    """The question before with what this one changes; None when this one changes nothing that is understood."""
    weights = _weights(question)
    changes = question.mentions or question.period or question.count or question.narrowings or not question.with_chart
    if not changes and not max(weights.values()) and not re.search(r"\b(?:chart|plot|graph)\b|图", question.text):
        return None
    weights[before.intent] += 1.5
    if question.period and question.table.of(*_DATES):
        weights["trend"] += CLEAR
    elif question.by:
        weights["compare"] += CLEAR
    return _meaning(_merged(question, before.question), weights)


def _merged(question: Question, before: Question) -> Question:
    """The columns that ``question`` names in the place of those of the same part in the question before."""
    replaced = {_part(question, mention) for mention in question.mentions}
    replaced |= {"by"} if question.period else set()
    kept = [mention for mention in before.mentions if _part(before, mention) not in replaced]
    kept = [mention for mention in kept if mention.column not in question.columns]
    return replace(
        question,
        mentions=(*question.mentions, *kept) if question.by else (*kept, *question.mentions),
        by=question.by | {mention.column.name for mention in kept if mention.column.name in before.by},
        period=question.period or (None if question.by else before.period),
        aggregate=question.aggregate or before.aggregate,
        count=question.count or before.count,
        lowest=question.lowest or before.lowest,
        horizon=question.horizon or before.horizon,
        narrowings=question.narrowings or before.narrowings,
    )


def _part(question: Question, mention: Mention) -> str:
    """The part that a column plays in a question: groups by it, or is measured."""
    if mention.column.name in question.by or not mention.column.is_number:
        return "by"
    return "measure"
