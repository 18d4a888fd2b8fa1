"""Looks that no theme setting reaches; where Streamlit changes its own names, the page looks as without them."""

import json

import streamlit as st

from ui.language import page_language, tell

_STYLE = """
/* A question that wraps begins where its first line does. */
[class*="st-key-starter-"] button { justify-content: flex-start; text-align: left; }
/* On a touch screen the tools of a table always show, above it. */
@media (hover: none) { [data-testid="stElementContainer"]:has([data-testid="stDataFrame"]) { margin-top: 2rem; } }
/* Streamlit darkens the theme's colour, which no dark page can show. */
[data-testid="stPopoverButton"][kind="tertiary"][aria-expanded="true"] { color: inherit; }
/* The caption below says it in the person's language. */
[data-testid="stFileUploaderDropzoneInstructions"] { display: none; }
[class*="st-key-files-"]:has([aria-invalid="true"]) [data-testid="stCaptionContainer"],
[class*="st-key-files-"]:has([aria-invalid="true"]) [data-testid="stCaptionContainer"] p { color: #e5484d; opacity: 1; }
"""
_UPLOAD_LABEL = """
[data-testid="stFileUploaderDropzone"] button p { font-size: 0; }
[data-testid="stFileUploaderDropzone"] button p::after { content: LABEL; font-size: 0.875rem; }
"""


def draw_page_style() -> None:
    """Streamlit's word on the upload button is English, whatever the page's language."""
    label = _UPLOAD_LABEL.replace("LABEL", json.dumps(tell("Upload"), ensure_ascii=False))
    st.html(f"<style>{_STYLE}{label if page_language() != 'en' else ''}</style>")
