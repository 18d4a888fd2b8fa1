"""Decides which kind of question is meant once it is clear that a measure is looked at by groups."""

from collections.abc import Sequence

from agents.models.offline.choosing import aggregate_of, group_of, outcome_of
from agents.models.offline.intent import Refusal, Task
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.question_words import Aggregate
from agents.models.offline.vocabulary import ADDITIVE

MANY_GROUPS = 30
NO_GROUP = Refusal(
    (
        "This table has no column that parts its rows into groups, so there is nothing to compare.",
        "这张表没有可以用来分组的列，因此无法比较。",
    )
)


def by_groups(question: Question, groups: Sequence[Column]) -> Task | Refusal:
    """A comparison, a trend when a date is among the groups, a pivot for two, a ranking for very many."""
    dates = [column for column in groups if column.role in {Role.DATE, Role.YEAR}]
    groups = [column for column in groups if column not in dates]
    if dates:
        return over_time(question, dates[0], groups)
    assumed: tuple[str, ...] = ()
    unmeasured = [column for column in groups if column.role is not Role.MEASURE]
    if unmeasured and not any(column.role is Role.MEASURE and column not in groups for column in question.columns):
        groups = unmeasured  # what is counted in few steps is measured here, as nothing else is
    if not groups:
        group, assumed = group_of(question)
        if group is None:
            return NO_GROUP
        groups = [group]
    beside = [column for column in question.columns if column.role is Role.CATEGORY and column not in groups]
    if beside and not any(column.is_number for column in question.columns):
        return counted(question, [groups[0], beside[0]], assumed)
    outcome, told = outcome_of(question, without=groups)
    if outcome is None or (told and question.aggregate == "count"):
        return counted(question, groups, assumed)
    has_total = len(groups) > 1 or groups[0].role not in {Role.FLAG, Role.MEASURE, Role.CYCLE}
    return Task(
        intent=_kind(groups),
        question=question,
        measures=(outcome,),
        groups=tuple(groups[:2]),
        aggregate=aggregate_of(question, outcome, "sum" if has_total and outcome.keys & ADDITIVE else "mean"),
        count=question.count or 10,
        assumed=assumed + told,
    )


def by_part(question: Question, date: Column) -> Task | Refusal:
    """A comparison of years, weekdays or weekends; of the number of rows when no measure is meant."""
    outcome, assumed = outcome_of(question)
    if outcome is None or (assumed and question.aggregate == "count"):
        return counted(question, (date,))
    return Task(
        intent="compare",
        question=question,
        measures=(outcome,),
        groups=(date,),
        aggregate=aggregate_of(question, outcome, "sum" if date.part == "year" else "mean"),
        assumed=assumed,
    )


def over_time(question: Question, date: Column, groups: Sequence[Column] = ()) -> Task:
    """The trend of the measure, or of the number of rows; by group where one is named."""
    is_cycle = date.role is Role.CYCLE
    measure, assumed = outcome_of(question, without=(date, *groups))
    counts_rows = measure is None or bool(assumed and question.aggregate == "count")
    default: Aggregate | None = "mean" if is_cycle else None
    return Task(
        intent="trend_by_group" if groups and not is_cycle else "trend",
        question=question,
        measures=(measure,) if measure and not counts_rows else (),
        groups=() if is_cycle else tuple(groups[:1]),
        date=date,
        aggregate="count" if measure is None or counts_rows else aggregate_of(question, measure, default),
        period=question.period,
        assumed=() if counts_rows else assumed,
    )


def counted(question: Question, groups: Sequence[Column], assumed: tuple[str, ...] = ()) -> Task | Refusal:
    """The number of rows in each group, or of each pair of two."""
    if len(groups) > 1:
        return Task(intent="crosstab", question=question, groups=tuple(groups[:2]), assumed=assumed)
    if groups:
        return Task(intent="distribution", question=question, groups=tuple(groups), aggregate="count", assumed=assumed)
    return NO_GROUP


def _kind(groups: Sequence[Column]) -> str:
    if len(groups) > 1:
        return "pivot"
    few = groups[0].is_number or (groups[0].distinct or 0) <= MANY_GROUPS
    return "compare" if few and groups[0].role not in {Role.TEXT, Role.ID} else "top"
