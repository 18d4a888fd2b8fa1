"""What a click or a question does to the analysis; what goes wrong is kept for the page to tell."""

import streamlit as st

from analysis.analysis import Analysis
from analysis.record import ReplayBegun
from analysis.sample import SAMPLE_DICTIONARY, SAMPLE_FILE
from sandbox.sandbox import ReadingChoices
from ui.language import page_language
from ui.problems import telling_problems


def is_busy(analysis: Analysis) -> bool:
    return analysis.run is not None and not analysis.run.is_over


def is_replaying(analysis: Analysis) -> bool:
    return is_busy(analysis) and analysis.run is not None and isinstance(analysis.run.beginning, ReplayBegun)


def ask(analysis: Analysis, question: str) -> None:
    with telling_problems():
        analysis.ask(question)


def ask_typed(analysis: Analysis) -> None:
    """Ask what stands in the input; what cannot be asked now goes back into it."""
    question = st.session_state["question"]
    with telling_problems():
        analysis.ask(question)
        return
    st.session_state["question"] = question


def ask_about_sample(analysis: Analysis, question: str) -> None:
    """Load the sample data if it is not there, then ask."""
    with telling_problems():
        _add_sample(analysis)
        analysis.ask(question)


def add_sample(analysis: Analysis) -> None:
    with telling_problems():
        _add_sample(analysis)


def stop(analysis: Analysis) -> None:
    if analysis.run:
        analysis.run.stop()
    st.session_state["stopped_run"] = analysis.run


def approve_code(analysis: Analysis, call_id: str, key: str) -> None:
    """Run the code as it stands in that field; nothing happens when it does not wait any more."""
    analysis.approval.approve(call_id, st.session_state[key])


def refuse_code(analysis: Analysis, call_id: str, key: str) -> None:
    """The model reads the reason in that field."""
    analysis.approval.refuse(call_id, st.session_state[key])


def remove_file(analysis: Analysis, name: str) -> None:
    with telling_problems():
        analysis.remove_file(name)


def read_again(analysis: Analysis, name: str, choices: ReadingChoices) -> None:
    with telling_problems():
        analysis.read_again(name, choices)


def replay(analysis: Analysis) -> None:
    with telling_problems():
        analysis.replay()


def restart_python(analysis: Analysis) -> None:
    with telling_problems():
        analysis.restart_python()


def begin_anew(analysis: Analysis) -> None:
    """A new chat, with an empty upload box and no dictionary."""
    with telling_problems():
        analysis.new_chat()
    for key in ("dictionary", "upload_failed"):
        st.session_state.pop(key, None)
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1


def _add_sample(analysis: Analysis) -> None:
    analysis.add_file(SAMPLE_FILE.name, SAMPLE_FILE)
    if not analysis.dictionary:
        analysis.set_dictionary(SAMPLE_DICTIONARY[page_language()].read_text(encoding="utf-8"))
        st.session_state.pop("dictionary", None)
