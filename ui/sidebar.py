"""The sidebar from top to bottom: language, new chat, files, results, model, sandbox."""

import streamlit as st

from analysis.analysis import Analysis
from analysis.sample import SAMPLE_FILE
from settings import Settings
from ui.actions import is_busy
from ui.file_list import draw_dictionary, draw_files
from ui.first_screen import draw_sample_button
from ui.language import language_switch, tell
from ui.model_panel import draw_model
from ui.sandbox_panel import draw_new_chat, draw_packages, draw_sandbox
from ui.sent_panel import draw_sent
from ui.spending_panel import draw_spending
from ui.upload import upload_box


def draw_sidebar(analysis: Analysis, settings: Settings, *, is_ready: bool) -> None:
    """A heading for each section; what waits for the end of an answer is closed meanwhile."""
    busy = is_busy(analysis)
    with st.sidebar:
        language_switch(settings.language)
        draw_new_chat(analysis, is_busy=busy)
        st.subheader(tell("Files"), anchor=False)
        draw_files(analysis, is_busy=busy)
        if analysis.files:
            upload_box(analysis, tell("Add files"), largest_mb=settings.max_upload_mb, is_ready=is_ready)
        is_begun = bool(analysis.files) or analysis.record.is_begun  # until then the main area offers it
        if is_begun and SAMPLE_FILE.name not in [file.name for file in analysis.files]:
            draw_sample_button(is_closed=busy or not is_ready)
        draw_dictionary(analysis)
        _draw_results(analysis)
        st.subheader(tell("Model"), anchor=False)
        draw_model(analysis, settings)
        draw_sent(analysis)
        draw_spending(analysis)
        st.subheader(tell("Sandbox"), anchor=False)
        draw_sandbox(analysis, is_busy=busy)
        draw_packages(analysis)


def _draw_results(analysis: Analysis) -> None:
    count = len(analysis.outputs)
    if count:
        st.subheader(tell("Results"), anchor=False)
        st.download_button(
            tell("Download all ({count})", count=count),
            analysis.outputs_zip,
            file_name="results.zip",
            mime="application/zip",
            icon=":material/folder_zip:",
            help=tell("Charts, tables, files and code in one zip."),
            key="download-all",
            on_click="ignore",
            width="stretch",
        )
