"""Where code waits for the person, who may change it: run or refuse."""

import streamlit as st

from analysis.analysis import Analysis
from tools.plain_text import whole
from ui.actions import approve_code, refuse_code
from ui.language import tell
from ui.turns import Call

_LINE, _LEAST, _MOST = 24, 120, 480
"""Heights in pixels."""
_CODE_FONT = """<style>
[class*="st-key-approve-"] textarea { font-family: "Source Code Pro", monospace; font-size: 0.875rem; tab-size: 4; }
</style>"""


def draw_approval(analysis: Analysis, call: Call) -> None:
    """The buttons send what stands in the fields at that moment."""
    code, call_id = whole(call.started.code if call.asked is None else call.asked.code), call.started.call_id
    code_key, reason_key = f"approve-{call.position}", f"refuse-{call.position}"
    height = min(max(_LINE * (code.count("\n") + 2), _LEAST), _MOST)
    st.html(_CODE_FONT)
    with st.form(f"approval-{call.position}"):
        st.text_area(tell("Run this code? You can change it first."), code, height=height, key=code_key)
        st.text_input(tell("What is wrong with it, if you refuse"), key=reason_key)
        with st.container(horizontal=True):
            st.form_submit_button(
                tell("Run"),
                icon=":material/play_arrow:",
                type="primary",
                on_click=approve_code,
                args=(analysis, call_id, code_key),
                key=f"run-{call.position}",
            )
            st.form_submit_button(
                tell("Refuse"),
                icon=":material/block:",
                on_click=refuse_code,
                args=(analysis, call_id, reason_key),
                key=f"no-{call.position}",
            )
