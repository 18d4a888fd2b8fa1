"""Decides which kind of question is meant once it is clear that a measure is looked at by groups."""

from collections.abc import Sequence

from agents.models.offline.choosing import aggregate_of, group_of, outcome_of
from agents.models.offline.intent import Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.vocabulary import ADDITIVE

MANY_GROUPS = 30
NO_GROUP = Refusal(
    (
        "This table has no column that parts its rows into groups, so there is nothing to compare.",
        "这张表没有可以用来分组的列，因此无法比较。",
    )
)
_TIMES = {Role.DATE, Role.YEAR}


def by_groups(question: Question, groups: Sequence[Column]) -> Task | Refusal:
    """A comparison, a trend when a date is among the groups, a pivot for two, a ranking for very many."""
    dates = [column for column in groups if column.role in _TIMES]
    groups = [column for column in groups if column.role not in _TIMES]
    assumed: tuple[str, ...] = ()
    if not groups and not dates:
        group, assumed = group_of(question)
        if group is None:
            return NO_GROUP
        groups = [group]
    outcome, told = outcome_of(question, without=groups)
    if outcome is None or (told and question.aggregate == "count"):
        return counted(question, groups, dates, assumed)
    if dates:
        return Task(
            intent="trend", question=question, measures=(outcome,), groups=tuple(groups[:1]), date=dates[0],
            aggregate=aggregate_of(question, outcome), period=question.period, assumed=assumed + told,
        )  # fmt: skip
    total = len(groups) > 1 or groups[0].role not in {Role.FLAG, Role.MEASURE, Role.CYCLE}
    return Task(
        intent=_kind(groups),
        question=question,
        measures=(outcome,),
        groups=tuple(groups[:2]),
        aggregate=aggregate_of(question, outcome, "sum" if total and outcome.keys & ADDITIVE else "mean"),
        count=question.count or 10,
        assumed=assumed + told,
    )


def counted(
    question: Question, groups: Sequence[Column], dates: Sequence[Column] = (), assumed: tuple[str, ...] = ()
) -> Task | Refusal:
    """The number of rows in each group, or in each period."""
    if dates:
        return Task(
            intent="trend", question=question, groups=tuple(groups[:1]), date=dates[0], aggregate="count",
            period=question.period, assumed=assumed,
        )  # fmt: skip
    if len(groups) > 1:
        return Task(intent="relation", question=question, groups=tuple(groups[:2]), assumed=assumed)
    if groups:
        return Task(intent="distribution", question=question, groups=tuple(groups), aggregate="count", assumed=assumed)
    return NO_GROUP


def _kind(groups: Sequence[Column]) -> str:
    if len(groups) > 1:
        return "pivot"
    few = groups[0].is_number or (groups[0].distinct or 0) <= MANY_GROUPS
    return "compare" if few and groups[0].role not in {Role.TEXT, Role.ID} else "top"
