"""What a person sees before there is a file: what this is, and how to begin."""

from functools import partial

import streamlit as st

from analysis.analysis import Analysis
from analysis.starter_questions import starter_questions
from ui.actions import ask
from ui.language import page_language, tell
from ui.safe_markdown import escaped
from ui.sample_loading import want_sample


def draw_welcome() -> None:
    st.title(tell("Ask your data"), anchor=False)
    st.markdown(
        tell(
            "Upload a table and ask in your own words. A language model writes Python for your question; it runs in a "
            "locked container without network, and you get the answer with charts, tables and the code behind them."
        )
    )


def draw_key_hint() -> None:
    """This model answers no question without a key, and on a phone the sidebar is out of sight."""
    st.info(
        tell("To ask questions, enter the API key of your model's server in the sidebar, or set OPENAI_API_KEY."),
        icon=":material/key:",
    )


def draw_offline_hint() -> None:
    st.caption(
        tell(
            "The offline analyst answers: it is no language model and understands fixed questions. "
            "To ask anything, choose a model in the sidebar, with its API key."
        )
    )


def draw_sample_button(*, is_closed: bool) -> None:
    st.button(
        tell("Try the sample data"),
        icon=":material/science:",
        help=tell("A year of invented traffic accidents, hour by hour."),
        disabled=is_closed,
        on_click=want_sample,
        key="sample",
        width="stretch",
    )


def draw_starters(analysis: Analysis, *, is_closed: bool) -> None:
    """Questions that fit the files; without files they are about the sample data, which one click loads too."""
    profiles = [file.profile for file in analysis.files]
    questions = starter_questions(profiles, analysis.dictionary, page_language())
    if not questions:
        return
    st.caption(tell("Questions to begin with") if profiles else tell("Questions to ask the sample data"))
    with st.container(gap="xsmall"):
        for number, question in enumerate(questions):
            st.button(
                escaped(question),
                icon=":material/arrow_forward:",
                type="tertiary",
                disabled=is_closed,
                on_click=partial(ask, analysis, question) if profiles else partial(want_sample, question),
                key=f"starter-{number}",
            )
