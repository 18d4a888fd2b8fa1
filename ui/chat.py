"""The chat: every question with its answer, drawn from the record alone, and followed while an answer is on its way."""

import streamlit as st

from analysis.analysis import Analysis
from analysis.record import FileAdded, FileRemoved, PythonRestarted
from ui.actions import ask
from ui.language import tell
from ui.safe_markdown import escaped
from ui.turn_view import draw_turn
from ui.turns import Change, Turn, items_of

_SECONDS_BETWEEN_LOOKS = 0.4


def draw_chat(analysis: Analysis) -> None:
    """All turns; the last one is looked at again and again until its end."""
    items = items_of(analysis.record.since())
    outputs = {output.position: output for output in analysis.outputs}
    turns = [number for number, item in enumerate(items) if isinstance(item, Turn)]
    first, last = (turns[0], turns[-1]) if turns else (len(items), -1)
    for number, item in enumerate(items):
        if not isinstance(item, Turn):
            if number > first:  # Until the first question the files themselves are all there is to see.
                st.caption(_told(item))
        elif number < last:
            draw_turn(item, outputs, None)
        else:
            look = None if item.end else _SECONDS_BETWEEN_LOOKS
            st.fragment(_draw_last_turn, run_every=look)(analysis, item.position, item.end is None)


def _draw_last_turn(analysis: Analysis, position: int, was_going: bool) -> None:
    turns = [item for item in items_of(analysis.record.since(position), position) if isinstance(item, Turn)]
    if len(turns) != 1 or (was_going and turns[0].end):
        st.rerun()  # The whole page has changed: an answer ended, or a new question was asked.
    outputs = {output.position: output for output in analysis.outputs}
    draw_turn(turns[0], outputs, lambda: ask(analysis, turns[0].question))


def _told(change: Change) -> str:
    match change:
        case FileAdded(profile):
            return f":material/attach_file: {tell('{name} was added.', name=escaped(profile.name))}"
        case FileRemoved(name):
            return f":material/attach_file_off: {tell('{name} was removed.', name=escaped(name))}"
        case PythonRestarted():
            told = tell("Python started afresh: variables are gone, files are still there.")
            return f":material/restart_alt: {told}"
