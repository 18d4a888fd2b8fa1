"""The record cut into what the page draws one after the other; plain values, no Streamlit."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.events import (
    ApprovalAsked,
    ApprovalGiven,
    CallFinished,
    CallStarted,
    ChartMade,
    CodeReviewed,
    CodeWritten,
    Failed,
    FigureMade,
    FileMade,
    Finished,
    ModelCalled,
    OutputWritten,
    ReasoningWritten,
    Stopped,
    TableMade,
    TextWritten,
    ValueShown,
    Waiting,
)
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

Made = ChartMade | FigureMade | FileMade | TableMade
Change = FileAdded | FileRemoved | PythonRestarted


@dataclass(slots=True)
class Text:
    """What the model wrote between two calls."""

    text: str


@dataclass(slots=True)
class Thoughts:
    """What the model thought before it wrote or called."""

    text: str


@dataclass(slots=True)
class Call:
    """One tool call with everything that came of it; ``position`` is its entry in the record."""

    position: int
    started: CallStarted
    printed: list[OutputWritten] = field(default_factory=list)
    values: list[ValueShown] = field(default_factory=list)
    made: list[tuple[int, Made]] = field(default_factory=list)
    """Charts, tables and files with their entry in the record."""
    reviewed: CodeReviewed | None = None
    asked: ApprovalAsked | None = None
    decided: ApprovalGiven | None = None
    finished: CallFinished | None = None

    @property
    def code(self) -> str:
        """What ran, or would have run."""
        return self.decided.code if self.decided and self.decided.is_approved else self.started.code

    @property
    def is_waiting(self) -> bool:
        """The person has to decide about it."""
        return self.asked is not None and self.decided is None and self.finished is None


@dataclass(slots=True)
class Turn:
    """A question and its answer so far; ``end`` is None while the run is going."""

    position: int
    question: str
    blocks: list[Text | Thoughts | Call] = field(default_factory=list)
    drafts: dict[int, str] = field(default_factory=dict)
    """Code that the model is writing, by the number of its call; gone once its reply is whole, or asked for anew."""
    waiting: Waiting | None = None
    model_calls: list[ModelCalled] = field(default_factory=list)
    checked: AnswerChecked | None = None
    end: Finished | Failed | Stopped | None = None

    @property
    def waiting_call(self) -> Call | None:
        """The call whose code waits for the person."""
        last = self.blocks[-1] if self.blocks and not self.end else None
        return last if isinstance(last, Call) and last.is_waiting else None

    @property
    def settled(self) -> int:
        """How many of the blocks will not change any more."""
        if self.end or not self.blocks:
            return len(self.blocks)
        last = self.blocks[-1]
        return len(self.blocks) - (isinstance(last, Text | Thoughts) or last.finished is None)


@dataclass(slots=True)
class Replay:
    """Earlier code that runs again: ``done`` of ``count`` pieces so far; ``end`` is None while it is going."""

    position: int
    count: int
    done: int = 0
    end: ReplayEnded | Failed | Stopped | None = None


def items_of(entries: Sequence[Entry], first_position: int = 0) -> list[Turn | Replay | Change]:
    """What was begun and what changed between, in order. The entries begin at ``first_position`` of the record."""
    items: list[Turn | Replay | Change] = []
    begun: Turn | Replay | None = None
    for position, entry in enumerate(entries, first_position):
        match entry:
            case QuestionAsked(text):
                begun = Turn(position, text)
                items.append(begun)
            case ReplayBegun(count):
                begun = Replay(position, count)
                items.append(begun)
            case FileAdded() | FileRemoved() | PythonRestarted():
                items.append(entry)
            case _ if isinstance(begun, Turn):
                _add(begun, position, entry)
            case CellReplayed(number) if begun:
                begun.done = number
            case ReplayEnded() | Failed() | Stopped() if begun:
                begun.end = entry
    return items


def _add(turn: Turn, position: int, entry: Entry) -> None:
    turn.waiting = entry if isinstance(entry, Waiting) else None
    if isinstance(entry, CodeWritten):
        turn.drafts[entry.number] = turn.drafts.get(entry.number, "") + entry.text
        return
    turn.drafts.clear()
    match entry:
        case TextWritten(text):
            _add_text(turn, Text, text)
        case ReasoningWritten(text):
            _add_text(turn, Thoughts, text)
        case ModelCalled():
            turn.model_calls.append(entry)
        case AnswerChecked():
            turn.checked = entry
        case CallStarted():
            turn.blocks.append(Call(position, entry))
        case Finished() | Failed() | Stopped():
            turn.end = entry
        case CodeReviewed() | ApprovalAsked() | ApprovalGiven():
            _add_before_run(turn, entry)
        case OutputWritten() | ValueShown() | ChartMade() | FigureMade() | FileMade() | TableMade() | CallFinished():
            _add_to_call(turn, position, entry)


def _add_text(turn: Turn, kind: type[Text] | type[Thoughts], text: str) -> None:
    last = turn.blocks[-1] if turn.blocks else None
    if isinstance(last, kind):
        last.text += text
    else:
        turn.blocks.append(kind(text))


def _call_of(turn: Turn, call_id: str) -> Call | None:
    calls = (block for block in reversed(turn.blocks) if isinstance(block, Call))
    return next((call for call in calls if call.started.call_id == call_id), None)


def _add_before_run(turn: Turn, entry: CodeReviewed | ApprovalAsked | ApprovalGiven) -> None:
    call = _call_of(turn, entry.call_id)
    match entry:
        case _ if call is None:
            pass
        case CodeReviewed():
            call.reviewed = entry
        case ApprovalAsked():
            call.asked = entry
        case ApprovalGiven():
            call.decided = entry


def _add_to_call(turn: Turn, position: int, entry: OutputWritten | ValueShown | Made | CallFinished) -> None:
    call = _call_of(turn, entry.call_id)
    match entry:
        case _ if call is None:
            pass
        case OutputWritten():
            call.printed.append(entry)
        case ValueShown():
            call.values.append(entry)
        case CallFinished():
            call.finished = entry
        case _:
            call.made.append((position, entry))
