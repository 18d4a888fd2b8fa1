"""The sample data on its way in: the page says what is happening from the click on."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.analysis import Analysis
from analysis.sample import SAMPLE_DICTIONARY, SAMPLE_FILE
from ui.language import page_language, tell
from ui.problems import telling_problems
from ui.queue_view import telling_queue
from ui.safe_markdown import escaped

_WANTED = "sample_wanted"


def want_sample(question: str = "") -> None:
    """Load it as soon as the page is drawn, then ask; a callback that loaded it itself would leave the page grey."""
    st.session_state[_WANTED] = question


def is_sample_wanted() -> bool:
    return _WANTED in st.session_state


def place_of_loading() -> DeltaGenerator:
    """Where it is told how far the loading is, as an answer to what was clicked."""
    if question := st.session_state[_WANTED]:
        with st.chat_message("user", avatar=":material/person:"):
            st.text(question)
    return st.chat_message("assistant", avatar=":material/query_stats:")


def load_sample(analysis: Analysis, place: DeltaGenerator) -> None:
    """Take it in, telling each step, and ask what was clicked; then the page is drawn anew."""
    question = st.session_state[_WANTED]
    reading = tell("Preparing the sandbox and reading {name}…", name=escaped(SAMPLE_FILE.name))
    with place, st.spinner(reading), telling_problems():
        telling_queue(analysis, lambda tell_step: analysis.add_file(SAMPLE_FILE.name, SAMPLE_FILE, tell_step))
        if not analysis.dictionary:
            analysis.set_dictionary(SAMPLE_DICTIONARY[page_language()].read_text(encoding="utf-8"))
            st.session_state.pop("dictionary", None)
        if question:
            analysis.ask(question)
    del st.session_state[_WANTED]
    st.rerun()
