"""The answer check as an entry of the record: made once, when the answer ends, for every face to show."""

from collections.abc import Iterator, Sequence

from analysis.answer_check import check_answer
from analysis.record import AnswerChecked, Entry


def checked(answer: str, entries: Sequence[Entry], dictionary: str) -> Iterator[AnswerChecked]:
    """One entry about the answer to the last question of ``entries``; none where there is nothing to say."""
    check = check_answer(answer, entries, dictionary)
    if check.sentences:
        yield AnswerChecked(
            found=len(check.found),
            missing=tuple(figure.text for figure in check.missing),
            code_ran=check.code_ran,
            sentences=check.sentences,
        )
