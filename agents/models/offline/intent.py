"""What a kind of question consists of: the words that trigger it, the columns it needs, its code and its wording."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.models.offline.figures import Figures, quoted
from agents.models.offline.known_table import Column
from agents.models.offline.narrowing import Narrowing
from agents.models.offline.question import Question
from agents.models.offline.question_words import Aggregate, Period
from agents.models.offline.script import Script
from agents.models.offline.sentences import Pair, fill, fill_each
from wording import Language


def listed(names: Iterable[str], language: Language) -> str:
    """Names of the table as a list in a sentence."""
    return ("、" if language == "zh" else ", ").join(map(quoted, names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question understood: what ``intent`` does with which columns."""

    intent: str
    question: Question
    measures: tuple[Column, ...] = ()
    groups: tuple[Column, ...] = ()
    date: Column | None = None
    aggregate: Aggregate = "mean"
    period: Period | None = None
    count: int = 10
    assumed: tuple[str, ...] = ()
    """What was taken without being said, as sentences in the language of the question."""

    @property
    def language(self) -> Language:
        return self.question.language

    @property
    def measure(self) -> Column:
        return self.measures[0]

    @property
    def group(self) -> Column:
        return self.groups[0]

    @property
    def narrowings(self) -> tuple[Narrowing, ...]:
        """The rows to keep; a forecast needs all of the past, whatever year it is asked for."""
        return () if self.intent == "forecast" else self.question.narrowings

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.measures + self.groups + ((self.date,) if self.date else ())

    def phrase(self, pair: Pair, figures: Figures | None = None, **values: object) -> str:
        """The sentence in the language of the question; ``measure``, ``group`` and ``date`` are this task's columns."""
        return fill(pair, self.language, figures, **(self._names() | values))

    def phrase_each(self, pair: Pair, rows: list[Figures], **values: object) -> str:
        """One line for each row."""
        return fill_each(pair, self.language, rows, **(self._names() | values))

    def listed(self, names: Iterable[str]) -> str:
        """Names of the table as a list in a sentence."""
        return listed(names, self.language)

    def join(self, *sentences: str) -> str:
        """The sentences as one paragraph."""
        return ("" if self.language == "zh" else " ").join(sentence for sentence in sentences if sentence)

    def _names(self) -> dict[str, object]:
        firsts = {"measure": self.measures[:1], "group": self.groups[:1], "date": (self.date,) if self.date else ()}
        return {place: columns[0].name for place, columns in firsts.items() if columns}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question that was understood cannot be answered from this table, and what can be asked instead."""

    reason: Pair
    values: Mapping[str, str] = field(default_factory=dict)
    is_doubt: bool = False
    """Whether it is the question that was not understood wholly, rather than the table that lacks something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One kind of question. Triggers are weighted patterns; the weights of those found are added."""

    name: str
    title: Pair
    """What it is called when the analyst lists what it understands."""
    triggers: Sequence[tuple[int, str]]
    fit: Callable[[Question], Task | Refusal | None]
    """None when the words do not suffice for it."""
    script: Callable[[Task], Script]
    answer: Callable[[Task, Figures], list[str]]
    """The paragraphs of the answer, from what was really printed; raises ``Unprinted``."""
