"""The record is cut into turns, and each call keeps what came of it."""

from agents.events import (
    CallFinished,
    CallStarted,
    ChartMade,
    CodeWritten,
    Failed,
    Finished,
    ModelCalled,
    OutputWritten,
    ReasoningWritten,
    Stopped,
    TextWritten,
    Usage,
    ValueShown,
    Waiting,
)
from analysis.record import (
    CellReplayed,
    Entry,
    FileAdded,
    FileRemoved,
    PythonRestarted,
    QuestionAsked,
    ReplayBegun,
    ReplayEnded,
)
from sandbox.sandbox import FileProfile, OutputText
from tests.fake_sandbox import chart
from ui.turns import Call, Replay, Text, Thoughts, Turn, items_of
from wording import Sentence

DONE = CallFinished(call_id="a", ok=True)


def only_turn(*entries: Entry) -> Turn:
    (turn,) = items_of([QuestionAsked("Why?"), *entries])
    assert isinstance(turn, Turn)
    return turn


def test_pieces_of_text_make_one_text_until_a_call_comes_between() -> None:
    turn = only_turn(TextWritten("A "), TextWritten("b"), CallStarted("a", "t", "x"), DONE, TextWritten("c"))
    assert [block.text for block in turn.blocks if isinstance(block, Text)] == ["A b", "c"]
    assert turn.end is None


def test_thoughts_stand_apart_from_the_text_that_follows() -> None:
    turn = only_turn(ReasoningWritten("Hm. "), ReasoningWritten("Add."), TextWritten("7"), ReasoningWritten("Sure?"))
    assert turn.blocks == [Thoughts("Hm. Add."), Text("7"), Thoughts("Sure?")]


def test_code_is_a_draft_until_the_reply_is_whole_or_is_asked_for_anew() -> None:
    draft = [CodeWritten(0, "t", "x = 1\n"), CodeWritten(1, "t", "y"), CodeWritten(0, "t", "x")]
    assert only_turn(TextWritten("A"), *draft).drafts == {0: "x = 1\nx", 1: "y"}
    assert only_turn(*draft, Waiting(Sentence("Busy."), 2)).drafts == {}
    assert only_turn(*draft, ModelCalled("m", Usage())).drafts == {}
    assert only_turn(*draft, Stopped()).drafts == {}


def test_a_call_keeps_what_it_printed_and_made_with_its_place() -> None:
    turn = only_turn(
        CallStarted("a", "t", "x"),
        OutputWritten("a", OutputText("stdout", "1")),
        ValueShown("a", "2"),
        ChartMade("a", chart()),
        DONE,
    )
    (call,) = turn.blocks
    assert isinstance(call, Call)
    assert call.position == 1
    assert [entry.output.text for entry in call.printed] == ["1"]
    assert [value.text for value in call.values] == ["2"]
    assert [position for position, _ in call.made] == [4]
    assert call.finished is DONE


def test_positions_go_on_from_the_first_entry() -> None:
    (turn,) = items_of([QuestionAsked("Why?"), CallStarted("a", "t", "x")], 10)
    assert isinstance(turn, Turn)
    assert turn.position == 10
    assert [block.position for block in turn.blocks if isinstance(block, Call)] == [11]


def test_equal_call_ids_of_a_server_go_to_the_last_call() -> None:
    turn = only_turn(CallStarted("a", "t", "1"), DONE, CallStarted("a", "t", "2"), ValueShown("a", "v"))
    first, second = turn.blocks
    assert isinstance(first, Call)
    assert isinstance(second, Call)
    assert (first.values, len(second.values)) == ([], 1)
    assert turn.settled == 1


def test_what_belongs_to_no_call_is_left_out() -> None:
    assert only_turn(ValueShown("a", "v"), DONE).blocks == []
    assert items_of([TextWritten("early")]) == []


def test_all_but_what_is_being_written_or_run_is_settled() -> None:
    assert only_turn().settled == 0
    assert only_turn(TextWritten("a")).settled == 0
    assert only_turn(TextWritten("a"), CallStarted("a", "t", "x")).settled == 1
    assert only_turn(TextWritten("a"), CallStarted("a", "t", "x"), DONE).settled == 2
    assert only_turn(TextWritten("a"), Stopped()).settled == 1


def test_waiting_lasts_until_the_next_entry() -> None:
    waiting = Waiting(Sentence("Busy."), 2)
    assert only_turn(waiting).waiting is waiting
    assert only_turn(waiting, TextWritten("a")).waiting is None


def test_changes_stand_between_the_turns() -> None:
    added, removed = FileAdded(FileProfile(name="a", size=1)), FileRemoved("a")
    restarted = PythonRestarted(by_person=False)
    items = items_of([added, QuestionAsked("1"), Finished("x"), removed, restarted, QuestionAsked("2"), Stopped()])
    assert [type(item) for item in items] == [FileAdded, Turn, FileRemoved, PythonRestarted, Turn]


def test_a_replay_stands_between_the_turns_with_how_far_it_is() -> None:
    entries: list[Entry] = [QuestionAsked("1"), Finished("x"), ReplayBegun(3), CellReplayed(1, 3), CellReplayed(2, 3)]
    turn, replay = items_of(entries)
    assert isinstance(turn, Turn) and turn.end == Finished("x")
    assert replay == Replay(position=2, count=3, done=2)
    ended = ReplayEnded(count=3, done=3)
    _, replay, after = items_of([*entries, ended, QuestionAsked("2")])
    assert isinstance(replay, Replay) and replay.end is ended
    assert after == Turn(6, "2")


def test_a_replay_that_could_not_run_ends_with_the_reason() -> None:
    failed = Failed(Sentence("Docker does not answer."))
    assert items_of([ReplayBegun(3), failed]) == [Replay(position=0, count=3, end=failed)]


def test_a_turn_ends_with_its_last_event() -> None:
    failed = Failed(Sentence("Gone."))
    assert only_turn(TextWritten("a"), failed).end is failed
