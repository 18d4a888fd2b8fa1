"""Looks the figures of an answer up in what the code really printed or returned; asks no model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from analysis.claims import data_claims, own_statements
from analysis.dates_in_text import Moment, take_out_moments
from analysis.evidence import gather
from analysis.figures import plain, read_numbers
from analysis.left_out import without_code, without_conventions
from analysis.record import Entry
from analysis.results import Results
from analysis.tolerance import bounds
from wording import Sentence

_NAMED = 8
"""How many missing figures a sentence names."""
_YEARS = range(1600, 2200)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, date or time where it stands in the answer, as it is written there."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """Which figures of an answer are in the results; a figure that is written twice counts once."""

    found: tuple[Figure, ...] = ()
    missing: tuple[Figure, ...] = ()
    code_ran: bool = False
    claims: bool = False
    """The answer says something of the data, in figures or in words."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What a face says under the answer; nothing under small talk."""
        told = []
        if self.missing:
            told.append(self._missing_sentence())
        elif self.code_ran and len(self.found) == 1:
            told.append(Sentence("The one figure is found in the results."))
        elif self.code_ran and self.found:
            told.append(Sentence("All {count} figures are found in the results.", {"count": len(self.found)}))
        if self.claims and not self.code_ran:
            told.append(Sentence("No code ran on the data for this answer."))
        return tuple(told)

    def _missing_sentence(self) -> Sentence:
        named = [figure.text for figure in self.missing[:_NAMED]] + ["…"] * (len(self.missing) > _NAMED)
        values: dict[str, str | int] = {
            "missing": len(self.missing),
            "count": len(self.found) + len(self.missing),
            "figures": ", ".join(named),
        }
        if values["count"] == 1:
            return Sentence("The one figure is not in the results: {figures}.", values)
        if values["missing"] == 1:
            return Sentence("One of {count} figures is not in the results: {figures}.", values)
        return Sentence("{missing} of {count} figures are not in the results: {figures}.", values)


def check_answer(answer: str, entries: Sequence[Entry], dictionary: str = "") -> AnswerCheck:
    """Check the answer to the last question of a record.

    A figure may come from what the code of that question printed, showed or returned, from the question itself, from
    the description of the files, and from ``dictionary``, which is the meaning of the columns as free text.
    Differences and ratios that nothing printed are not worked out.
    """
    evidence = gather(entries, dictionary)
    if not evidence.code_ran and not evidence.files:
        return AnswerCheck()
    text = plain(without_code(answer, (*evidence.columns, *evidence.files)))
    if not evidence.code_ran:
        text = own_statements(text)
    found, missing = _look_up(text, answer, evidence.results)
    claims = bool(found or missing) or any(data_claims(text, evidence.columns))
    return AnswerCheck(found, missing, evidence.code_ran, claims)


def _look_up(text: str, answer: str, results: Results) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """``text`` is the answer with blanks for what needs no check, sign for sign."""
    moments, rest = take_out_moments(text)
    unknown = ((moment.start, moment.end, False) for moment in moments if not _knows(results, moment))
    verdicts: dict[str, tuple[Figure, bool]] = {}
    for start, end, verdict in sorted([*unknown, *_number_verdicts(without_conventions(rest), results)]):
        written = answer[start:end]
        first, so_far = verdicts.get(plain(written).lower(), (Figure(written, start), True))
        verdicts[plain(written).lower()] = (first, so_far and verdict)
    found = tuple(figure for figure, verdict in verdicts.values() if verdict)
    return found, tuple(figure for figure, verdict in verdicts.values() if not verdict)


def _number_verdicts(text: str, results: Results) -> Iterator[tuple[int, int, bool]]:
    for number in read_numbers(text):
        value = number.readings[0].value
        is_year = number.bare and len(number.text) == 4 and value in _YEARS
        if not (is_year and results.knows_year(int(value))):
            yield number.start, number.end, any(results.between(low, high) for low, high in bounds(text, number))


def _knows(results: Results, moment: Moment) -> bool:
    """Dates and times that the results know are no figures of the answer."""
    if results.says(moment.spellings()):
        return True
    if moment.hour is not None:
        hours = Decimal(moment.hour) + Decimal(moment.minute or 0) / 60
        return results.between(hours, hours)
    if moment.year is None or moment.day is not None:
        return False
    month = Decimal(moment.month or 0)
    return results.knows_year(moment.year) and (not month or results.between(month, month))
