"""Where a person types, and how they stop what is going on."""

import streamlit as st

from analysis.analysis import Analysis
from ui.actions import ask_typed, is_replaying, stop
from ui.language import tell

_QUESTION_CHARACTERS = 20_000


def draw_ask_box(analysis: Analysis, *, why_not: str) -> None:
    """The input; while ``why_not`` says something it is closed and shows that."""
    # Streamlit keeps the page at its end with an input that it places itself, which a first screen does not want.
    place = st.bottom if not analysis.record.is_begun else st
    place.chat_input(
        why_not or tell("Ask about your data"),
        key="question",
        max_chars=_QUESTION_CHARACTERS,
        disabled=bool(why_not),
        on_submit=ask_typed,
        args=(analysis,),
    )


def draw_stop(analysis: Analysis) -> None:
    """Stop while an answer is on its way; pressed once more it kills the code."""
    run = analysis.run
    is_stopping = st.session_state.get("stopped_run") is run
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.caption(f":shimmer[{_what_goes_on(analysis, is_stopping)}]", width="stretch")
        st.button(
            tell("Stop at once") if is_stopping else tell("Stop"),
            icon=":material/stop:",
            help=tell("Kill the running code. Its variables are lost.") if is_stopping else None,
            on_click=stop,
            args=(analysis,),
            key="stop",
        )


def _what_goes_on(analysis: Analysis, is_stopping: bool) -> str:
    if is_stopping:
        return tell("Stopping…")
    if is_replaying(analysis):
        return tell("Running the earlier code again…")
    return tell("The code waits for you…") if analysis.approval.pending else tell("Working on your question…")
