"""Exactly what the model was sent last: the developer prompt, every message and the tools."""

import json

import streamlit as st

from agents.models.language_model import ModelRequest
from analysis.analysis import Analysis
from ui.language import tell
from ui.printable import printable


def draw_sent(analysis: Analysis) -> None:
    """A button, from the first question on; the text is put together only when a person asks for it."""
    request = analysis.sent
    if request and st.button(tell("What the model was sent"), type="tertiary", key="sent"):
        st.dialog(tell("What the model was sent"), width="large")(_show)(request)


def _show(request: ModelRequest) -> None:
    st.code(printable(sent_text(request)), language=None, wrap_lines=True)


def sent_text(request: ModelRequest) -> str:
    """The request in the order in which the model reads it."""
    parts = [f"[developer]\n{request.prompt}"]
    for message in request.messages:
        calls = "".join(f"\n[call of {call.name}]\n{call.arguments}" for call in message.calls)
        charts = "\n[chart, if the model sees]" * len(message.charts)
        parts.append(f"[{message.role}]\n{message.text}{calls}{charts}")
    parts.append("[tools]\n" + json.dumps(list(request.tools), ensure_ascii=False, indent=2))
    return "\n\n".join(parts)
