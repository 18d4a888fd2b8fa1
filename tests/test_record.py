"""The record keeps everything in order and can be followed from any position by several readers."""

import threading
from collections.abc import Iterable

from agents.events import Failed, Finished, Stopped, TextWritten
from analysis.record import Entry, QuestionAsked, Record
from wording import Sentence


def record_of(*entries: Entry) -> Record:
    record = Record()
    append_all(record, entries)
    return record


def append_all(record: Record, entries: Iterable[Entry]) -> None:
    for entry in entries:
        record.append(entry)


def test_entries_are_read_on_from_where_the_reader_was() -> None:
    record = record_of(QuestionAsked("Rows?"), TextWritten("Three."))
    assert record.since() == (QuestionAsked("Rows?"), TextWritten("Three."))
    record.append(Finished("Three."))
    assert record.since(2) == (Finished("Three."),)
    assert record.since(3) == ()
    assert len(record) == 3


def test_following_gives_what_was_and_what_comes_up_to_the_end_of_the_question() -> None:
    record = record_of(QuestionAsked("Rows?"))
    reader = record.follow(0)
    assert next(reader) == QuestionAsked("Rows?")
    rest: list[Entry] = [TextWritten("3"), Finished("3")]
    writer = threading.Thread(target=lambda: append_all(record, rest))
    writer.start()
    assert list(reader) == rest
    writer.join()


def test_following_stops_at_the_end_of_one_question_though_more_was_recorded() -> None:
    record = record_of(QuestionAsked("A?"), Stopped(), QuestionAsked("B?"), Failed(Sentence("No.")))
    assert list(record.follow(0)) == [QuestionAsked("A?"), Stopped()]
    assert list(record.follow(2)) == [QuestionAsked("B?"), Failed(Sentence("No."))]


def test_two_readers_see_the_same() -> None:
    record = record_of(QuestionAsked("A?"))
    seen: list[list[Entry]] = [[], []]
    readers = [threading.Thread(target=lambda mine=mine: mine.extend(record.follow(0))) for mine in seen]
    for reader in readers:
        reader.start()
    pieces: list[Entry] = [TextWritten(str(number)) for number in range(200)]
    append_all(record, [*pieces, Finished("all")])
    for reader in readers:
        reader.join(timeout=30)
    assert seen[0] == seen[1] == [QuestionAsked("A?"), *pieces, Finished("all")]


def test_waiting_tells_whether_the_question_asked_there_is_over() -> None:
    record = record_of(QuestionAsked("A?"), Finished("a"), QuestionAsked("B?"))
    assert record.wait_for_end(0, timeout=0)
    assert not record.wait_for_end(2, timeout=0)
    record.append(Stopped())
    assert record.wait_for_end(2, timeout=0)
