"""How the sandbox stands, what it holds, and how to begin anew."""

import streamlit as st

from analysis.analysis import Analysis
from sandbox.sandbox import SandboxState
from ui.actions import begin_anew, restart_python
from ui.language import tell, tell_sentence
from ui.safe_markdown import escaped
from wording import Sentence

_STATES = {
    SandboxState.NOT_STARTED: Sentence("Starts with the first file or question"),
    SandboxState.WAITING: Sentence("Waiting for a free one"),
    SandboxState.STARTING: Sentence("Starting…"),
    SandboxState.IDLE: Sentence("Ready"),
    SandboxState.BUSY: Sentence("At work"),
    SandboxState.CLOSED: Sentence("Closed"),
}
_AFRESH = Sentence("Starts afresh with the next question")


def draw_sandbox(analysis: Analysis, *, is_busy: bool) -> None:
    """State and isolation as the engine reports them; a restart waits for the end of an answer."""
    status = analysis.sandbox_status
    is_afresh = status.state is SandboxState.NOT_STARTED and len(analysis.record) > 0 and not is_busy
    st.caption(tell_sentence(_AFRESH if is_afresh else _STATES[SandboxState.BUSY if is_busy else status.state]))
    if status.isolation:
        gaps = "\n".join(f"- {escaped(tell_sentence(gap))}" for gap in status.gaps)
        covers = tell("What it does not cover:") + f"\n\n{gaps}" if gaps else None
        st.caption(tell("Isolation: {isolation}", isolation=escaped(status.isolation)), help=covers)
    st.button(
        tell("Restart Python"),
        help=tell("Stop the answer first.")
        if is_busy
        else tell(
            "Forget all variables and the files that code left in the sandbox. The files you added, the chat and its "
            "results stay."
        ),
        disabled=is_busy,
        on_click=restart_python,
        args=(analysis,),
        key="restart",
    )


def draw_new_chat(analysis: Analysis, *, is_busy: bool) -> None:
    """Asks before it deletes anything."""
    number = st.session_state.setdefault("uploads", 0)  # a new name closes it for the new chat
    with st.popover(
        tell("New chat"),
        icon=":material/edit_square:",
        help=tell("Stop the answer first.") if is_busy else None,
        disabled=is_busy or len(analysis.record) == 0,
        width="stretch",
        key=f"new-chat-{number}",
    ):
        st.markdown(tell("Chat, files, variables and results are deleted."))
        st.button(
            tell("Delete and begin anew"),
            icon=":material/delete:",
            on_click=begin_anew,
            args=(analysis,),
            key="begin-anew",
            disabled=is_busy,
        )


def draw_packages(analysis: Analysis) -> None:
    """The libraries that code can use, with their versions."""
    packages = analysis.sandbox_status.packages
    if packages:
        with st.popover(tell("Installed libraries"), type="tertiary"):
            st.code("\n".join(f"{name} {version}" for name, version in packages), language=None)
