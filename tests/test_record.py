"""The record keeps everything in order and can be followed from any position by several readers."""

import threading

from agents.events import Failed, Finished, Stopped, TextWritten
from analysis.record import Entry, QuestionAsked, Record
from wording import Sentence


def record_of(*entries: Entry) -> Record:
    record = Record()
    for entry in entries:
        record.append(entry)
    return record


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
    writer = threading.Thread(target=lambda: [record.append(entry) for entry in (TextWritten("3"), Finished("3"))])
    writer.start()
    assert list(reader) == [TextWritten("3"), Finished("3")]
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
    pieces = [TextWritten(str(number)) for number in range(200)]
    for piece in (*pieces, Finished("all")):
        record.append(piece)
    for reader in readers:
        reader.join(timeout=30)
    assert seen[0] == seen[1] == [QuestionAsked("A?"), *pieces, Finished("all")]


def test_waiting_tells_whether_the_question_asked_there_is_over() -> None:
    record = record_of(QuestionAsked("A?"), Finished("a"), QuestionAsked("B?"))
    assert record.wait_for_end(0, timeout=0)
    assert not record.wait_for_end(2, timeout=0)
    record.append(Stopped())
    assert record.wait_for_end(2, timeout=0)
