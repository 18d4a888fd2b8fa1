"""Each entry of the record as one JSON line; the form that scripts rely on."""

import json
import math
from dataclasses import asdict
from typing import Any

from agents import events
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
    Replaying,
)
from analysis.replay import outcome
from sandbox.sandbox import Cell, FileProfile, OutputTable, TableProfile
from wording import Language

_ModelEvent = events.TextWritten | events.ReasoningWritten | events.CodeWritten | events.ModelCalled | events.Waiting
_CallEvent = (
    events.CallStarted
    | events.CodeReviewed
    | events.ApprovalAsked
    | events.ApprovalGiven
    | events.OutputWritten
    | events.ValueShown
    | events.TableMade
    | events.ChartMade
    | events.FigureMade
    | events.FileMade
    | events.CallFinished
)


def event_line(entry: Entry, language: Language = "en", path: str | None = None) -> str:
    """One line without its end, in ASCII; ``path`` is where what was made has been written."""
    values = event_values(entry, language)
    return json.dumps(values if path is None else values | {"path": path}, allow_nan=False)


def event_values(entry: Entry, language: Language = "en") -> dict[str, Any]:
    """The entry as plain values with its ``type``; sentences in that language, no file contents."""
    match entry:
        case QuestionAsked(text=text):
            return {"type": "question", "text": text}
        case FileAdded() | FileRemoved() | PythonRestarted():
            return _change_values(entry, language)
        case ReplayBegun() | CellReplayed() | ReplayEnded():
            return _replay_values(entry, language)
        case AnswerChecked():
            return _answer_check(entry, language)
        case events.Finished():
            notice = entry.notice and entry.notice.in_language(language)
            return {"type": "answer", "text": entry.text, "usage": asdict(entry.usage), "notice": notice}
        case events.Failed(reason=reason):
            return {"type": "error", "text": reason.in_language(language)}
        case events.Stopped():
            return {"type": "stopped"}
        case _ if isinstance(entry, _ModelEvent):
            return _model_values(entry, language)
        case _:
            return _call_values(entry, language)


def _answer_check(entry: AnswerChecked, language: Language) -> dict[str, Any]:
    return {
        "type": "answer_check",
        "ok": entry.is_good,
        "found": entry.found,
        "missing": entry.missing,
        "code_ran": entry.code_ran,
        "text": [sentence.in_language(language) for sentence in entry.sentences],
    }


def _change_values(entry: FileAdded | FileRemoved | PythonRestarted, language: Language) -> dict[str, Any]:
    match entry:
        case FileAdded(profile=profile):
            return {"type": "file_added", **_profile(profile, language)}
        case FileRemoved(name=name):
            return {"type": "file_removed", "name": name}
        case PythonRestarted(by_person=by_person):
            return {"type": "python_restarted", "by_person": by_person}


def _replay_values(entry: Replaying, language: Language) -> dict[str, Any]:
    match entry:
        case ReplayBegun(count=count):
            return {"type": "replay_begun", "count": count}
        case CellReplayed(number=number, count=count):
            return {"type": "cell_replayed", "number": number, "count": count}
        case ReplayEnded(count=count, done=done, failed=failed):
            return {
                "type": "replay_ended",
                "ok": failed is None,
                "done": done,
                "count": count,
                "stopped": failed is not None and failed.interrupted,
                "state_lost": failed and failed.state_lost,
                "error": failed and failed.error,
                "notices": [notice.in_language(language) for notice in failed.notices] if failed else [],
                "text": outcome(entry).in_language(language),
            }


def _model_values(entry: _ModelEvent, language: Language) -> dict[str, Any]:
    match entry:
        case events.TextWritten(text=text):
            return {"type": "text", "text": text}
        case events.ReasoningWritten(text=text):
            return {"type": "reasoning", "text": text}
        case events.CodeWritten():
            return {"type": "code_written", **asdict(entry)}
        case events.ModelCalled(model=model, usage=usage):
            return {"type": "usage", "model": model, **asdict(usage)}
        case events.Waiting(reason=reason, seconds=seconds):
            return {"type": "waiting", "text": reason.in_language(language), "seconds": seconds}


def _call_values(entry: _CallEvent, language: Language) -> dict[str, Any]:
    match entry:
        case events.CallStarted(tool=tool, code=code):
            values: dict[str, Any] = {"type": "code", "tool": tool, "code": code}
        case events.CodeReviewed() | events.ApprovalAsked() | events.ApprovalGiven():
            values = _before_code(entry)
        case events.OutputWritten(output=output):
            values = {"type": "output", "stream": output.stream, "text": output.text}
        case events.ValueShown(text=text):
            values = {"type": "value", "text": text}
        case events.TableMade(table=table):
            values = {"type": "table", **_table(table)}
        case events.ChartMade(chart=chart):
            values = {"type": "chart", "name": chart.name, "size": len(chart.content)}
        case events.FigureMade(figure=figure):
            values = {"type": "figure", "name": figure.name}
        case events.FileMade(file=file):
            values = {"type": "file", "name": file.name, "size": len(file.content)}
        case events.CallFinished():
            values = _end_of_call(entry, language)
    return values | {"call_id": entry.call_id}


def _before_code(entry: events.CodeReviewed | events.ApprovalAsked | events.ApprovalGiven) -> dict[str, Any]:
    match entry:
        case events.CodeReviewed(is_good=is_good, reason=reason):
            return {"type": "review", "ok": is_good, "reason": reason}
        case events.ApprovalAsked(code=code):
            return {"type": "approval_asked", "code": code}
        case events.ApprovalGiven(is_approved=is_approved, code=code):
            return {"type": "approval", "approved": is_approved, "code": code}


def _end_of_call(entry: events.CallFinished, language: Language) -> dict[str, Any]:
    return {
        "type": "call_finished",
        "ok": entry.ok,
        "error": entry.error,
        "timed_out": entry.timed_out,
        "interrupted": entry.interrupted,
        "state_lost": entry.state_lost,
        "lost_before": entry.lost_before,
        "duration_s": round(entry.duration_s, 3),
        "notices": [notice.in_language(language) for notice in entry.notices],
    }


def _table(table: OutputTable) -> dict[str, Any]:
    return {
        "columns": table.columns,
        "rows": [[_plain(cell) for cell in row] for row in table.rows],
        "row_count": table.row_count,
        "index_columns": table.index_columns,
    }


def _profile(profile: FileProfile, language: Language) -> dict[str, Any]:
    tables = [_table_profile(table, language) for table in profile.tables]
    return {"name": profile.name, "size": profile.size, "tables": tables}


def _table_profile(table: TableProfile, language: Language) -> dict[str, Any]:
    columns = [{"name": each.name, "type": each.type, "missing": each.missing} for each in table.columns]
    notes = [note.in_language(language) for note in table.notes]
    return {"variable": table.variable, "rows": table.rows, "columns": columns, "notes": notes}


def _plain(cell: Cell) -> Cell:
    """JSON knows no infinity and no not-a-number."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return None if math.isnan(cell) else str(cell)
    return cell
