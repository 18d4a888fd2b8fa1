"""Which analysis this page shows: its own, the one named in its address if this browser began that, or a new one."""

from collections.abc import Callable

import streamlit as st

from analysis.analysis import Analysis
from analysis.chat_store import KeptChat
from ui.browser import browser_key
from ui.problems import keep_problem
from ui.sessions import Sessions
from wording import Sentence, ToldError

_LOST = Sentence("The earlier chat of this page is no longer there. Add your files again to go on.")


def current_analysis(sessions: Sessions, begin: Callable[[KeptChat | None], Analysis]) -> Analysis:
    """The same on every rerun and reload, and in no other browser."""
    state = st.session_state
    if "chat" in state and sessions.use(state.chat):
        analysis: Analysis = state.analysis
        return analysis
    wanted = st.query_params.get("chat")
    problem = _LOST
    try:
        found = sessions.find(wanted, browser_key(), begin) if wanted else None
    except ToldError as error:
        found, problem = None, error.sentence
    if found is not None and wanted is not None and sessions.use(wanted):
        state.chat, state.analysis = wanted, found
        return found
    state.chat, state.analysis = sessions.begin(browser_key(), begin)
    st.query_params["chat"] = state.chat
    if wanted:
        keep_problem(problem)
    begun: Analysis = state.analysis
    return begun
