"""The chat: every question with its answer, drawn from the record alone, and followed while an answer is on its way."""

from collections.abc import Sequence

import streamlit as st

from analysis.analysis import Analysis
from analysis.record import FileAdded, FileRemoved, PythonRestarted
from ui.actions import ask
from ui.approval_form import draw_approval
from ui.language import tell
from ui.replay_view import draw_replay_end, draw_replay_progress
from ui.safe_markdown import escaped
from ui.turn_view import Outputs, draw_end, draw_progress, draw_turn
from ui.turns import Change, Replay, Turn, items_of

_SECONDS_BETWEEN_LOOKS = 0.4


def draw_chat(analysis: Analysis) -> None:
    """All turns and replays, and what changed between them once the first question was asked."""
    items = items_of(analysis.record.since())
    outputs = _outputs(analysis)
    turns = [item for item in items if isinstance(item, Turn)]
    first = items.index(turns[0]) if turns else len(items)
    for position, item in enumerate(items[first:], first):
        match item:
            case Turn():
                _draw_turn(analysis, item, outputs, is_last=item is turns[-1])
            case Replay(end=None):
                st.fragment(_follow_replay, run_every=_SECONDS_BETWEEN_LOOKS)(analysis, item.position)
            case Replay():
                draw_replay_end(item)
            case _:
                st.caption(_told(item, items[:position]))


def _draw_turn(analysis: Analysis, turn: Turn, outputs: Outputs, *, is_last: bool) -> None:
    if turn.end:
        again = (lambda: ask(analysis, turn.question)) if is_last else None
        spent = analysis.spending(turn.model_calls)
        draw_turn(turn, outputs, lambda: draw_end(turn, spent, again))
    else:
        draw_turn(turn, outputs, lambda: _draw_tail(analysis, turn))


def _draw_tail(analysis: Analysis, turn: Turn) -> None:
    """What is followed, and below it, where nothing is drawn anew while a person types, the code that waits."""
    waiting = turn.waiting_call
    is_waiting = waiting is not None
    st.fragment(_follow, run_every=_SECONDS_BETWEEN_LOOKS)(analysis, turn.position, (turn.settled, is_waiting))
    if waiting:
        draw_approval(analysis, waiting)


def _follow(analysis: Analysis, position: int, seen: tuple[int, bool]) -> None:
    """Look again at the turn that begins there; once more of it is settled, or code waits or waits no more, the whole
    page is drawn anew."""
    turns = [item for item in items_of(analysis.record.since(position), position) if isinstance(item, Turn)]
    if len(turns) != 1 or turns[0].end or (turns[0].settled, turns[0].waiting_call is not None) != seen:
        st.rerun()
    draw_progress(turns[0], _outputs(analysis), analysis.sandbox_status.waiting)


def _follow_replay(analysis: Analysis, position: int) -> None:
    items = items_of(analysis.record.since(position), position)
    if len(items) != 1 or not isinstance(items[0], Replay) or items[0].end:
        st.rerun()
    draw_replay_progress(items[0])


def _outputs(analysis: Analysis) -> Outputs:
    return {output.position: output for output in analysis.outputs}


def _told(change: Change, before: Sequence[Turn | Replay | Change]) -> str:
    match change:
        case FileAdded(profile) if _is_there(profile.name, before):
            return f":material/tune: {tell('{name} was read again.', name=escaped(profile.name))}"
        case FileAdded(profile):
            return f":material/attach_file: {tell('{name} was added.', name=escaped(profile.name))}"
        case FileRemoved(name):
            return f":material/attach_file_off: {tell('{name} was removed.', name=escaped(name))}"
        case PythonRestarted():
            told = tell(
                "Python started afresh: variables and files that code had left in the sandbox are gone. The files you "
                "added and the results in the chat are still there."
            )
            return f":material/restart_alt: {told}"


def _is_there(name: str, items: Sequence[Turn | Replay | Change]) -> bool:
    """Whether a file of that name was added and not removed since."""
    is_there = False
    for item in items:
        if isinstance(item, FileAdded) and item.profile.name == name:
            is_there = True
        elif isinstance(item, FileRemoved) and item.name == name:
            is_there = False
    return is_there
