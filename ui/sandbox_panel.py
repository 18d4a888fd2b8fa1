"""How the sandbox stands, what it holds, and the buttons that begin anew."""

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


def draw_sandbox(analysis: Analysis, *, is_busy: bool) -> None:
    """State and isolation as the engine reports them; both buttons wait for the end of an answer."""
    status = analysis.sandbox_status
    st.caption(tell_sentence(_STATES[SandboxState.BUSY if is_busy else status.state]))
    if status.isolation:
        gaps = "\n".join(f"- {escaped(tell_sentence(gap))}" for gap in status.gaps)
        covers = tell("What it does not cover:") + f"\n\n{gaps}" if gaps else None
        st.caption(tell("Isolation: {isolation}", isolation=escaped(status.isolation)), help=covers)
    why_not = tell("Stop the answer first.") if is_busy else None
    with st.container(horizontal=True):
        st.button(
            tell("Restart Python"),
            help=why_not
            or tell(
                "Forget all variables and the files that code left in the sandbox. The files you added, the chat and "
                "its results stay."
            ),
            disabled=is_busy,
            on_click=restart_python,
            args=(analysis,),
            key="restart",
        )
        st.button(
            tell("New chat"),
            help=why_not or tell("Forget everything: chat, files and variables."),
            disabled=is_busy,
            on_click=begin_anew,
            args=(analysis,),
            key="new-chat",
        )


def draw_packages(analysis: Analysis) -> None:
    """The libraries that code can use, with their versions."""
    packages = analysis.sandbox_status.packages
    if packages:
        with st.popover(tell("Installed libraries"), type="tertiary"):
            st.code("\n".join(f"{name} {version}" for name, version in packages), language=None)
