"""What a click or a question does to the analysis; what goes wrong is kept for the page to tell."""

import streamlit as st

from analysis.analysis import Analysis, AnalysisFile
from analysis.record import ReplayBegun
from sandbox.sandbox import ReadingChoices
from ui.problems import keep_news, telling_problems
from wording import Sentence

_RESTARTED = Sentence(
    "Python was restarted: variables and files of the code are gone, the files you added are still there."
)
_AS_CHOSEN = "{name} was read again as you chose. See “How it is read”."
_AS_BEFORE = "{name} reads as it did before: your choice does not fit it, or it was read so already."


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


def read_again(analysis: Analysis, file: AnalysisFile, choices: ReadingChoices) -> None:
    """A choice that does not fit the file changes nothing, which is told."""
    with telling_problems():
        new = analysis.read_again(file.name, choices)
        if not new.profile.problem:  # which stands with the file
            told = _AS_CHOSEN if _recipes(new) != _recipes(file) else _AS_BEFORE
            keep_news(Sentence(told, {"name": file.name}), ":material/table:")


def replay(analysis: Analysis) -> None:
    with telling_problems():
        analysis.replay()


def restart_python(analysis: Analysis) -> None:
    with telling_problems():
        analysis.restart_python()
        keep_news(_RESTARTED, ":material/restart_alt:")


def begin_anew(analysis: Analysis) -> None:
    """A new chat, with an empty upload box and no dictionary."""
    with telling_problems():
        analysis.new_chat()
    for key in ("dictionary", "upload_failed", "sample_wanted"):
        st.session_state.pop(key, None)
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1


def _recipes(file: AnalysisFile) -> list[str]:
    return [table.recipe for table in file.profile.tables]
