"""A question and its answer as they stand: text, code, results, and how it ended."""

from collections.abc import Callable, Mapping

import streamlit as st

from agents.events import Failed, Finished, Stopped
from analysis.cost import Spending
from analysis.export import Output
from analysis.record import AnswerChecked
from ui.call_block import draw_call, draw_draft
from ui.language import tell, tell_markdown
from ui.printable import printable, shortened
from ui.problems import draw_problem
from ui.queue_view import draw_waiting
from ui.results import draw_output
from ui.safe_markdown import safe_markdown
from ui.turns import Call, Text, Thoughts, Turn
from wording import Sentence

_SHOWN_CHARACTERS = 40_000
Outputs = Mapping[int, Output]
"""What was made, by its entry in the record."""


def draw_turn(turn: Turn, outputs: Outputs, draw_tail: Callable[[], None]) -> None:
    """The question and what will not change any more of its answer; ``draw_tail`` draws what comes below."""
    with st.chat_message("user", avatar=":material/person:"):
        st.text(printable(turn.question))
    with st.chat_message("assistant", avatar=":material/query_stats:"):
        _draw_blocks(turn, outputs, 0, turn.settled)
        draw_tail()


def draw_progress(turn: Turn, outputs: Outputs, queue: Sentence | None) -> None:
    """What is still changing, and what is waited for; ``queue`` is what is told of a sandbox that is not free."""
    _draw_blocks(turn, outputs, turn.settled, len(turn.blocks))
    for number, code in turn.drafts.items():
        draw_draft(code, f"draft-{turn.position}-{len(turn.blocks)}-{number}")
    if reason := turn.waiting.sentence if turn.waiting else queue:
        draw_waiting(reason)
    elif turn.settled == len(turn.blocks) and not turn.drafts:
        st.expander(tell("Thinking…"), icon="spinner", type="step")


def draw_end(turn: Turn, spent: Spending, again: Callable[[], None] | None) -> None:
    """How it ended and what it cost; ``again`` asks anew and is None where that is not offered."""
    match turn.end:
        case Finished(text=text, notice=notice):
            if not turn.blocks or not isinstance(turn.blocks[-1], Text):
                _draw_text(text)
            if turn.checked:
                _draw_check(turn.checked)
            if notice:
                st.info(tell_markdown(notice), icon=":material/info:")
        case Failed(reason):
            draw_problem(reason)
        case Stopped():
            st.info(tell("Stopped. Ask again, or ask something else."), icon=":material/stop_circle:")
    for sentence in spent.sentences[:1]:  # which prices are missing is told once, in the sidebar
        st.caption(f":material/toll: {tell_markdown(sentence)}")
    if again and not isinstance(turn.end, Finished):
        st.button(tell("Ask again"), icon=":material/replay:", on_click=again, key=f"again-{turn.position}")


def _draw_check(checked: AnswerChecked) -> None:
    icon = ":material/fact_check:" if checked.is_good else ":material/warning:"
    for sentence in checked.sentences:
        st.caption(f"{icon} {tell_markdown(sentence)}")


def _draw_blocks(turn: Turn, outputs: Outputs, first: int, end: int) -> None:
    for number, block in enumerate(turn.blocks[first:end], first):
        is_last = number == len(turn.blocks) - 1
        if isinstance(block, Text):
            _draw_text(block.text, is_partial=is_last and turn.end is None)
        elif isinstance(block, Thoughts):
            _draw_thoughts(block.text)
        else:
            is_cut = block.finished is None or not block.finished.ok
            _draw_call(block, outputs, was_stopped=is_cut and is_last and isinstance(turn.end, Failed | Stopped))


def _draw_text(text: str, *, is_partial: bool = False) -> None:
    shown, _ = shortened(text, _SHOWN_CHARACTERS)
    st.markdown(safe_markdown(shown, image_note=tell("[external image removed]"), partial=is_partial))


def _draw_thoughts(text: str) -> None:
    shown, _ = shortened(text, _SHOWN_CHARACTERS)
    with st.expander(tell("Thoughts"), icon=":material/neurology:", type="step"):
        st.text(printable(shown))


def _draw_call(call: Call, outputs: Outputs, *, was_stopped: bool) -> None:
    draw_call(call, was_stopped=was_stopped)
    for position, _ in call.made:
        draw_output(outputs[position])
    if call.finished:
        for notice in call.finished.notices:
            st.caption(f":material/info: {tell_markdown(notice)}")
