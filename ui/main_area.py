"""The main area: problems first, then the first screen or files and chat, and the input at the bottom."""

import streamlit as st

from analysis.analysis import Analysis
from settings import Settings
from ui.actions import is_busy, is_replaying
from ui.ask_box import draw_ask_box, draw_stop
from ui.browser import browser_key
from ui.chat import draw_chat
from ui.first_screen import draw_key_hint, draw_offline_hint, draw_sample_button, draw_starters, draw_welcome
from ui.image_build import ImageBuild
from ui.language import tell, tell_sentence
from ui.preview import draw_preview
from ui.problems import draw_news, draw_problems
from ui.replay_view import draw_replay_offer
from ui.safe_markdown import escaped
from ui.sample_loading import is_sample_wanted, load_sample, place_of_loading
from ui.setup import draw_setup
from ui.upload import upload_box
from wording import Sentence

_NOT_KEPT = Sentence(
    "This chat is not kept on disk and is gone when the app ends. Free some space or make the folder of kept chats "
    "writable, then open the app in a new tab."
)


def draw_main_area(analysis: Analysis, settings: Settings, build: ImageBuild) -> None:
    """Everything comes from the record, so it looks the same after any rerun."""
    draw_news()
    is_begun, is_loading = analysis.record.is_begun, is_sample_wanted()
    # What stood on the page stays there, grey, until something of another kind is drawn in its place.
    if is_begun or analysis.files or not is_loading:
        with st.container():
            _draw_above_chat(analysis, settings, build, is_begun=is_begun)
    draw_chat(analysis)
    if is_busy(analysis):
        draw_stop(analysis)
    else:
        draw_replay_offer(analysis)
    place = place_of_loading() if is_loading else None
    draw_ask_box(analysis, why_not=_why_not(analysis, build))
    if place:
        load_sample(analysis, place)


def _draw_above_chat(analysis: Analysis, settings: Settings, build: ImageBuild, *, is_begun: bool) -> None:
    is_empty = not analysis.files and not is_begun
    if is_empty:
        draw_welcome()
    if analysis.choice.is_offline:
        draw_offline_hint()
    elif analysis.choice.lacks_key:
        draw_key_hint()
    draw_problems()
    _draw_keeping_problem(analysis, settings)
    if not build.is_ready:
        draw_setup(build)
    if is_empty:
        label = tell("Upload tables: CSV, Excel, JSON, Parquet and others")
        upload_box(analysis, label, largest_mb=settings.max_upload_mb, is_ready=build.is_ready)
        draw_sample_button(is_closed=not build.is_ready)
    for number in range(len(analysis.files)):
        draw_preview(analysis, number, is_open=not is_begun)
    if not is_begun:
        draw_starters(analysis, is_closed=not build.is_ready or is_sample_wanted())


def _draw_keeping_problem(analysis: Analysis, settings: Settings) -> None:
    problem = analysis.keeping_problem
    if not analysis.is_kept and settings.keep_chats_days and browser_key():
        problem = _NOT_KEPT
    if problem:
        st.warning(escaped(tell_sentence(problem)), icon=":material/warning:")


def _why_not(analysis: Analysis, build: ImageBuild) -> str:
    if is_replaying(analysis):
        return tell("You can ask once the earlier code has run")
    if is_busy(analysis):
        return tell("You can ask the next question after this answer")
    if is_sample_wanted():
        return tell("You can ask once the data is there")
    return "" if build.is_ready else tell("You can ask once the sandbox is ready")
