"""Which columns and calculation a question means when it leaves them open; every choice is told in the answer."""

from collections.abc import Collection

from agents.models.offline.known_table import Column, KnownTable, Part, Role
from agents.models.offline.question import Question
from agents.models.offline.question_words import WEEKDAYS, WEEKEND, Aggregate
from agents.models.offline.roles import flag_words
from agents.models.offline.sentences import fill
from agents.models.offline.vocabulary import ADDITIVE, BAD_OUTCOMES, CONCEPT_NAMES, GOOD_OUTCOMES, MONEY
from wording import Language

_NO_MEASURE = ("You named no measure, so I took {column:q}.", "问题中没有指明指标，我取了 {column:q}。")
_NO_GROUP = ("You named no column to group by, so I took {column:q}.", "问题中没有指明分组的列，我取了 {column:q}。")


def default_outcome(table: KnownTable, without: Collection[Column] = ()) -> Column | None:
    """The measure that a table is most likely about."""
    measures = [column for column in table.of(Role.MEASURE) if column not in without]
    for wanted in (BAD_OUTCOMES & ADDITIVE, MONEY, GOOD_OUTCOMES, BAD_OUTCOMES, ADDITIVE):
        for column in measures:
            if column.keys & wanted:
                return column
    return measures[-1] if measures else None


def outcome_of(question: Question, without: Collection[Column] = ()) -> tuple[Column | None, tuple[str, ...]]:
    """The number that the question is about, and what was assumed to find it."""
    for column in question.columns:
        if column.is_number and column.role not in {Role.CYCLE, Role.YEAR} and column not in without:
            return column, ()
    chosen = default_outcome(question.table, without)
    return (chosen, (fill(_NO_MEASURE, question.language, column=chosen.name),)) if chosen else (None, ())


def group_of(question: Question, without: Collection[Column] = ()) -> tuple[Column | None, tuple[str, ...]]:
    """The column that the question groups by, and what was assumed to find it."""
    named = [column for column in question.columns if column not in without]
    for column in (*question.grouped, *(column for column in named if column.is_group)):
        if column not in without:
            return column, ()
    chosen = next((column for column in question.table.groups if column not in without), None)
    return (chosen, (fill(_NO_GROUP, question.language, column=chosen.name),)) if chosen else (None, ())


def aggregate_of(question: Question, column: Column, default: Aggregate | None = None) -> Aggregate:
    """How to bring many values of a measure together: as asked, or its sum where sums mean something."""
    if question.aggregate in {"mean", "sum", "median"}:
        return question.aggregate
    return default or ("sum" if column.keys & ADDITIVE else "mean")


def is_bad(column: Column) -> bool:
    """Whether one wants this outcome small, as far as its name tells."""
    return bool(column.keys & BAD_OUTCOMES)


def value_names(column: Column, language: Language) -> dict[int, str]:
    """What all values of a 0/1 or coded column are called, from the dictionary or the column's name; else nothing."""
    labels = {int(value): label for value, label in column.labels.items() if value.isdigit()}
    own = {
        int(value): CONCEPT_NAMES[key][language]
        for value, keys in flag_words(column).items()
        for key in sorted(keys & CONCEPT_NAMES.keys())
        if value.isdigit()
    }
    is_own_language = (language == "zh") == any(not label.isascii() for label in labels.values())
    best = own if len(own) > 1 and not (labels and is_own_language) else labels
    return best if len(best) >= (column.distinct or 2) else {}


def grouping(column: Column, language: Language, variable: str = "group", names: str = "names") -> str:
    """A Python expression for the groups of a column, given the variables that hold its name and its values' names."""
    if column.part:
        when = f"dates(df[{variable}]).dt"
        if column.part in ("year", "hour"):
            return f"{when}.{column.part}.astype('Int64')" + (".astype('string')" if column.part == "year" else "")
        return _weekdays(column.part, when, language)
    if column.role is Role.CYCLE and not column.has_few:
        return f"np.floor(df[{variable}]).astype('Int64')"
    if column.role is Role.MEASURE and not column.has_few:
        return f"ranges(df[{variable}])"
    return f"numbers(df[{variable}]).map({names})" if value_names(column, language) else f"df[{variable}]"


def _weekdays(part: Part, when: str, language: Language) -> str:
    """The days in the order of the week."""
    if part == "weekday":
        days = WEEKDAYS[language]
        codes = f"{when}.day_of_week.fillna(-1).astype(int), {list(days)!r}, ordered=True"
        return f"pd.Series(pd.Categorical.from_codes({codes}), index=df.index)"
    working, weekend = WEEKEND[language]
    return f"({when}.day_of_week > 4).map({{True: {weekend!r}, False: {working!r}}}).where({when}.day_of_week.notna())"


def in_order(column: Column) -> bool:
    """Whether its groups have an order of their own, as ranges and hours have."""
    return column.part in ("year", "weekday", "hour") or (column.is_number and column.role is not Role.FLAG)
