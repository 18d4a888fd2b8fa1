"""Each entry is one line of JSON that any parser reads, whatever a sandbox or a model put into it."""

import json
from typing import Any, get_args

import pytest

from agents import events
from analysis.event_json import event_line
from analysis.record import (
    AnswerChecked,
    CellReplayed,
    Entry,
    FileAdded,
    FileRemoved,
    PythonRestarted,
    QuestionAsked,
    ReplayBegun,
    ReplayEnded,
)
from sandbox.sandbox import ExecutionResult, FileProfile, OutputFigure, OutputFile, OutputTable, OutputText, StateLoss
from wording import Sentence

TABLE = OutputTable(columns=("a",), rows=((float("nan"),), (float("inf"),), ("\ud83d\n",)), row_count=3)
ENTRIES: tuple[Entry, ...] = (
    QuestionAsked("几行？"),
    FileAdded(FileProfile(name="a.csv", size=4)),
    FileRemoved("a.csv"),
    PythonRestarted(by_person=True),
    events.TextWritten("Three\u2028rows"),
    events.CallStarted("c", "execute_python_code", "1"),
    events.OutputWritten("c", OutputText("stderr", "\x00")),
    events.ValueShown("c", "1"),
    events.TableMade("c", TABLE),
    events.ChartMade("c", OutputFile(name="a.png", kind="chart", content=b"png")),
    events.FigureMade("c", OutputFigure(name="f", json="{}")),
    events.FileMade("c", OutputFile(name="a.bin", kind="file", content=b"12")),
    events.CallFinished(call_id="c", ok=False, error="Killed", state_lost=StateLoss.MEMORY, duration_s=0.12345),
    events.Waiting(Sentence("Too many requests."), 2.0),
    events.Finished("Three.", events.Usage(prompt_tokens=7), Sentence("It may be incomplete.")),
    events.Failed(Sentence("{name} is gone.", {"name": "It"})),
    events.Stopped(),
    events.CodeReviewed("c", is_good=False, reason="It makes up data."),
    events.ApprovalAsked("c", "print(1)"),
    events.ApprovalGiven("c", is_approved=True, code="print(2)"),
    events.ReasoningWritten("Three rows? Yes."),
    events.CodeWritten(0, "execute_python_code", "x = 1\n"),
    events.ModelCalled("o3-mini", events.Usage(prompt_tokens=7, cached_tokens=4)),
    ReplayBegun(7),
    CellReplayed(3, 7),
    ReplayEnded(count=7, done=3, code="b", failed=ExecutionResult(error="NameError: b")),
    AnswerChecked(found=1, missing=("42",), code_ran=True, sentences=(Sentence("Stopped."),)),
)


def values(entry: Entry) -> Any:
    return json.loads(event_line(entry))


def test_every_kind_of_entry_is_one_line_of_plain_ascii_with_a_type_of_its_own() -> None:
    assert {type(entry) for entry in ENTRIES} == set(get_args(Entry))
    lines = [event_line(entry) for entry in ENTRIES]
    assert [line for line in lines if not line.isascii() or "\n" in line] == []
    assert len({json.loads(line)["type"] for line in lines}) == len(ENTRIES)


def test_numbers_that_json_lacks_and_half_characters_are_written_in_another_way() -> None:
    assert values(ENTRIES[8])["rows"] == [[None], ["inf"], ["\ud83d\n"]]


def test_the_end_of_a_call_says_what_was_lost() -> None:
    assert values(ENTRIES[12]) == {
        "type": "call_finished",
        "call_id": "c",
        "ok": False,
        "error": "Killed",
        "timed_out": False,
        "interrupted": False,
        "state_lost": "memory",
        "lost_before": False,
        "duration_s": 0.123,
        "notices": [],
    }


def test_an_answer_tells_its_tokens_and_what_to_know_about_it() -> None:
    answer = values(ENTRIES[14])
    assert (answer["usage"]["prompt_tokens"], answer["notice"]) == (7, "It may be incomplete.")


def test_no_content_of_a_file_is_in_the_line_but_its_size_and_where_it_is() -> None:
    assert json.loads(event_line(ENTRIES[9], "en", "out/a.png")) == {
        "type": "chart", "call_id": "c", "name": "a.png", "size": 3, "path": "out/a.png",
    }  # fmt: skip


def test_sentences_are_in_the_language_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wording.sentence.CHINESE", {"{name} is gone.": "{name}不见了。"})
    assert json.loads(event_line(ENTRIES[15], "zh"))["text"] == "It不见了。"


def test_the_end_of_a_replay_says_how_far_it_came_and_why_no_further() -> None:
    assert values(ENTRIES[-2]) == {
        "type": "replay_ended",
        "ok": False,
        "done": 3,
        "count": 7,
        "stopped": False,
        "state_lost": None,
        "error": "NameError: b",
        "notices": [],
        "text": "The earlier code ran again up to 4 of 7, which failed. The variables of the code before it are back; "
        "ask for the others anew.",
    }


def test_an_answer_check_says_what_was_not_found() -> None:
    assert values(ENTRIES[-1]) == {
        "type": "answer_check",
        "ok": False,
        "found": 1,
        "missing": ["42"],
        "code_ran": True,
        "text": ["Stopped."],
    }
