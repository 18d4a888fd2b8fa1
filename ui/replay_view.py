"""Earlier code run again: the offer while variables are lost, how far it is, and how it ended."""

import streamlit as st

from agents.events import Failed, Stopped
from analysis.analysis import Analysis
from analysis.record import ReplayEnded
from analysis.replay import outcome
from sandbox.sandbox import ExecutionResult
from ui.actions import replay
from ui.call_block import draw_plain
from ui.language import tell, tell_markdown
from ui.problems import draw_problem
from ui.turns import Replay


def draw_replay_offer(analysis: Analysis) -> None:
    """One click brings lost variables back; nothing is drawn while none are lost."""
    count = len(analysis.lost_cells)
    if not count:
        return
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.markdown(f":material/history: {tell('Variables of earlier code are gone.')}", width="content")
        st.button(
            tell("Run the earlier code again"),
            icon=":material/replay:",
            help=tell(
                "Runs what ran well so far, in order, in a new Python: {count} pieces of code. No model is asked.",
                count=count,
            ),
            on_click=replay,
            args=(analysis,),
            key="replay",
        )
        st.caption(
            tell(
                "To run it again removes files that code has left in the sandbox; it writes its own anew. The files "
                "you added and the results in the chat stay."
            )
        )


def draw_replay_progress(item: Replay) -> None:
    st.progress(item.done / item.count, tell("{number} of {count}", number=item.done, count=item.count))


def draw_replay_end(item: Replay) -> None:
    match item.end:
        case Failed(reason):
            draw_problem(reason)
        case Stopped():
            st.caption(f":material/stop_circle: {tell('Stopped.')}")
        case ReplayEnded(code=code, failed=failed) as ended:
            icon = ":material/warning:" if failed else ":material/history:"
            st.caption(f"{icon} {tell_markdown(outcome(ended))}")
            if failed and not failed.interrupted:
                _draw_failure(code, failed)


def _draw_failure(code: str, failed: ExecutionResult) -> None:
    with st.expander(tell("The code that failed"), icon=":material/error:", type="step"):
        draw_plain(code, "python")
        if failed.error:
            draw_plain(failed.error, None)
        for notice in failed.notices:
            st.caption(f":material/info: {tell_markdown(notice)}")
