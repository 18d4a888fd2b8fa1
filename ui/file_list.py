"""The files of an analysis with their sizes, and the data dictionary that explains their columns."""

import streamlit as st

from analysis.analysis import Analysis
from ui.actions import remove_file
from ui.language import tell
from ui.safe_markdown import escaped

_DICTIONARY_CHARACTERS = 20_000


def draw_files(analysis: Analysis, *, is_busy: bool) -> None:
    """One line a file, each with a button that removes it."""
    for number, file in enumerate(analysis.files):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.markdown(f"{escaped(file.name)}  \n:small[{file_size(file.size)}]", width="stretch")
            st.button(
                "",
                icon=":material/close:",
                help=tell("Remove {name}", name=escaped(file.name)),
                type="tertiary",
                key=f"remove-{number}",
                disabled=is_busy,
                on_click=remove_file,
                args=(analysis, file.name),
            )


def draw_dictionary(analysis: Analysis) -> None:
    """What the columns mean, in the person's words."""
    if "dictionary" not in st.session_state:
        st.session_state["dictionary"] = analysis.dictionary
    st.text_area(
        tell("Data dictionary"),
        key="dictionary",
        height=120,
        max_chars=_DICTIONARY_CHARACTERS,
        placeholder=tell("What the columns mean, for example: amount = price in euros, with tax"),
        help=tell("The model reads this text with your questions."),
        on_change=lambda: analysis.set_dictionary(st.session_state["dictionary"]),
    )


def file_size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{max(size / 1e3, 0.1):,.1f} kB"
