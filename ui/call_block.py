"""One piece of code in a folded block: its state in words, what it printed, and its error."""

import streamlit as st

from agents.events import CallFinished
from tools.python_exec_tool import PythonExecTool
from ui.language import tell, tell_markdown
from ui.printable import printable, shortened
from ui.safe_markdown import escaped
from ui.turns import Call
from wording import Sentence

_SHOWN_CHARACTERS = 20_000
_TALL_LINES = 18
_TALL = 360


def draw_call(call: Call, *, was_stopped: bool) -> None:
    """Code, printed text and error. ``was_stopped`` is True for the call in which the question was stopped."""
    label, icon = _state(call, was_stopped)
    with st.expander(label, icon=icon, type="step", key=f"call-{call.position}"):
        draw_plain(call.code, "python" if call.started.tool == PythonExecTool.name else "json")
        _draw_gates(call)
        printed = "".join(entry.output.text for entry in call.printed)
        was_sent_back = call.reviewed is not None and not call.reviewed.is_good  # for the reason above
        error = None if was_sent_back or not call.finished else call.finished.error
        for text in (printed, *(value.text for value in call.values), error):
            if text and text.strip():
                draw_plain(text, None)


def draw_draft(code: str, key: str) -> None:
    """Code that is still being written: its last lines, so that it is seen to grow."""
    with st.expander(tell("Python code · being written…"), expanded=True, icon="spinner", type="step", key=key):
        st.code(printable("\n".join(code.splitlines()[-_TALL_LINES:])), language="python")


def _state(call: Call, was_stopped: bool) -> tuple[str, str]:
    if call.started.tool != PythonExecTool.name:
        return _tool_state(call)
    if was_stopped:
        return tell("Python code · stopped"), ":material/stop_circle:"
    if call.is_waiting:
        return tell("Python code · waits for you"), ":material/front_hand:"
    if call.finished is None:
        return tell("Python code · running…"), "spinner"
    if call.reviewed and not call.reviewed.is_good:
        return tell("Python code · sent back before it ran"), ":material/undo:"
    if call.decided and not call.decided.is_approved:
        return tell("Python code · refused"), ":material/block:"
    return _python_state(call.finished)


def _draw_gates(call: Call) -> None:
    """What a reviewer and the person said about the code."""
    if call.reviewed and call.reviewed.is_good:
        st.caption(f":material/rate_review: {tell('A second model read this code and let it pass.')}")
    elif call.reviewed:
        told = Sentence("A second model sent this code back: {reason}", {"reason": printable(call.reviewed.reason)})
        st.caption(f":material/rate_review: {tell_markdown(told)}")
    if call.decided and call.decided.is_approved and call.code != call.started.code:
        st.caption(f":material/edit: {tell('You changed this code before it ran.')}")


def _python_state(finished: CallFinished) -> tuple[str, str]:
    seconds = f"{finished.duration_s:.1f}"
    if finished.timed_out:
        return tell("Python code · out of time after {seconds} s", seconds=seconds), ":material/timer_off:"
    if not finished.ok:
        return tell("Python code · failed after {seconds} s", seconds=seconds), ":material/error:"
    return tell("Python code · done in {seconds} s", seconds=seconds), ":material/check_circle:"


def _tool_state(call: Call) -> tuple[str, str]:
    tool = escaped(call.started.tool)
    if call.finished is None:
        return tell("{tool} · running…", tool=tool), "spinner"
    if call.finished.ok:
        return tell("{tool} · done", tool=tool), ":material/check_circle:"
    return tell("{tool} · failed", tool=tool), ":material/error:"


def draw_plain(text: str, language: str | None) -> None:
    """Code in that language, or other text, which wraps; the middle of a very long one is left out."""
    shown, left_out = shortened(printable(text).strip("\n"), _SHOWN_CHARACTERS)
    is_tall = shown.count("\n") > _TALL_LINES
    st.code(shown, language=language, wrap_lines=language is None, height=_TALL if is_tall else "content")
    if left_out:
        st.caption(tell("{count} characters in the middle are not shown.", count=f"{left_out:,}"))
