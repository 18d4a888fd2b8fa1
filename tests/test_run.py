"""A run answers in a thread of its own, always ends exactly once, and can be followed and stopped from elsewhere."""

import threading
from collections.abc import Callable, Generator

import pytest

from agents.events import Failed, Finished, Stopped, TextWritten
from agents.models.language_model import ModelError
from agents.stop_signal import StopSignal
from analysis.record import Entry, QuestionAsked, Record, ends_run
from analysis.run import Run

LONG = 30
Answer = Callable[[StopSignal], Generator[Entry, None, None]]


def answering(*entries: Entry) -> Answer:
    def answer(stop: StopSignal) -> Generator[Entry, None, None]:
        yield from entries

    return answer


def failing(error: Exception, *entries: Entry) -> Answer:
    def answer(stop: StopSignal) -> Generator[Entry, None, None]:
        yield from entries
        raise error

    return answer


def waiting(started: threading.Event, stops_needed: int = 1) -> Answer:
    """Goes on until it was stopped so often."""

    def answer(stop: StopSignal) -> Generator[Entry, None, None]:
        stops = threading.Semaphore(0)
        with stop.calling(lambda: stops.release()):
            yield TextWritten("Let me see")
            started.set()
            for _ in range(stops_needed):
                stops.acquire()
        yield Stopped()

    return answer


def test_what_happens_is_recorded_after_the_question_and_can_be_followed() -> None:
    record = Record()
    run = Run(QuestionAsked("Rows?"), record, answering(TextWritten("3"), Finished("3")))
    expected = [QuestionAsked("Rows?"), TextWritten("3"), Finished("3")]
    assert list(run.events()) == expected
    assert list(record.since()) == expected
    assert run.is_over
    assert run.beginning == QuestionAsked("Rows?")


def test_a_run_is_followed_from_its_own_question_or_from_a_later_position_of_the_record() -> None:
    record = Record()
    assert Run(QuestionAsked("A?"), record, answering(Finished("a"))).wait(LONG)
    run = Run(QuestionAsked("B?"), record, answering(TextWritten("b"), Finished("b")))
    assert list(run.events()) == [QuestionAsked("B?"), TextWritten("b"), Finished("b")]
    assert list(run.events(4)) == [Finished("b")]


def test_the_question_is_in_the_record_before_anything_is_done() -> None:
    record, started = Record(), threading.Event()
    run = Run(QuestionAsked("Rows?"), record, waiting(started))
    assert record.since(0)[0] == QuestionAsked("Rows?")
    assert not run.is_over
    run.stop()
    assert run.wait(LONG)


def test_a_told_error_ends_the_run_with_its_sentence() -> None:
    record = Record()
    run = Run(QuestionAsked("Rows?"), record, failing(ModelError("No key. Enter one."), TextWritten("Well")))
    assert [str(entry.reason) for entry in run.events() if isinstance(entry, Failed)] == ["No key. Enter one."]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_of_ours_ends_the_run_in_words_and_its_traceback_goes_to_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logged: list[type[BaseException] | None] = []
    hooked = threading.Event()

    def hook(failure: threading.ExceptHookArgs) -> None:
        logged.append(failure.exc_type)
        hooked.set()

    monkeypatch.setattr(threading, "excepthook", hook)
    record = Record()
    run = Run(QuestionAsked("Rows?"), record, failing(ZeroDivisionError("ours")))
    end = list(run.events())[-1]
    assert isinstance(end, Failed)
    assert str(end.reason).startswith("Something went wrong in the app itself. Ask again;")
    assert "ours" not in str(end.reason)
    assert hooked.wait(LONG)
    assert logged == [ZeroDivisionError]


def test_an_answer_without_an_end_is_told_as_a_failure() -> None:
    run = Run(QuestionAsked("Rows?"), Record(), answering(TextWritten("3")))
    assert isinstance(list(run.events())[-1], Failed)


def test_nothing_is_recorded_after_the_end() -> None:
    record = Record()
    run = Run(QuestionAsked("Rows?"), record, answering(Finished("3"), TextWritten("late"), Stopped()))
    assert run.wait(LONG)
    assert [entry for entry in record.since() if ends_run(entry)] == [Finished("3")]
    assert record.since()[-1] == Finished("3")


def test_stop_ends_it() -> None:
    started = threading.Event()
    run = Run(QuestionAsked("Rows?"), Record(), waiting(started))
    assert started.wait(LONG)
    run.stop()
    assert list(run.events())[-1] == Stopped()


def test_a_second_stop_reaches_what_outlives_the_first() -> None:
    started = threading.Event()
    run = Run(QuestionAsked("Rows?"), Record(), waiting(started, stops_needed=2))
    assert started.wait(LONG)
    run.stop()
    assert not run.is_over
    run.stop()
    assert list(run.events())[-1] == Stopped()


def test_an_error_that_the_stop_caused_counts_as_stopped() -> None:
    def answer(stop: StopSignal) -> Generator[Entry, None, None]:
        yield TextWritten("Let me see")
        stopped = threading.Event()
        with stop.calling(stopped.set):
            stopped.wait()
        raise ModelError("The connection ended. Ask again.")

    run = Run(QuestionAsked("Rows?"), Record(), answer)
    run.stop()
    assert list(run.events())[-1] == Stopped()


def test_stopping_a_run_that_is_over_changes_nothing() -> None:
    record = Record()
    run = Run(QuestionAsked("Rows?"), record, answering(Finished("3")))
    assert run.wait(LONG)
    run.stop()
    assert record.since()[-1] == Finished("3")


def test_the_answer_is_closed_when_it_ended() -> None:
    closed = threading.Event()

    def answer(stop: StopSignal) -> Generator[Entry, None, None]:
        try:
            yield Finished("3")
        finally:
            closed.set()

    assert Run(QuestionAsked("Rows?"), Record(), answer).wait(LONG)
    assert closed.is_set()
