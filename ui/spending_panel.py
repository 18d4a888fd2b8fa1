"""What the chat has taken so far, in tokens and money."""

import streamlit as st

from analysis.analysis import Analysis
from ui.language import tell, tell_markdown


def draw_spending(analysis: Analysis) -> None:
    """Nothing until a server has counted tokens."""
    sentences = analysis.spending().sentences
    if sentences:
        st.caption(tell("This chat so far:"))
    for sentence in sentences:
        st.caption(tell_markdown(sentence))
