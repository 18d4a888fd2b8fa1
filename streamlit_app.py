"""The page: puts the parts together. Start it with ``streamlit run streamlit_app.py``."""

import logging
from pathlib import Path

import streamlit as st

from analysis.analysis import Analysis
from analysis.chat_store import ChatStore, KeptChat, chats_folder
from analysis.metrics import Metrics, serve_metrics
from analysis.model_choice import first_choice
from sandbox.backends import choose_backend, new_sandbox
from sandbox.options import SandboxOptions
from settings import Settings, load_settings
from ui.actions import is_busy
from ui.current import current_analysis
from ui.image_build import ImageBuild
from ui.language import tell_sentence
from ui.local_models import servers_here
from ui.main_area import draw_main_area
from ui.page_style import draw_page_style
from ui.problems import draw_problem
from ui.safe_markdown import escaped
from ui.sessions import Sessions
from ui.sidebar import draw_sidebar
from wording import Sentence, ToldError

_LOGGER = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False)
def chat_store(folder: Path, keep_days: float) -> ChatStore:
    return ChatStore(folder, keep_days)


@st.cache_resource(show_spinner=False)
def sessions(_idle_minutes: float, _chats: ChatStore) -> Sessions:
    """One for the process, since it holds the locks of the chats that are open; settings may change meanwhile."""
    return Sessions(_idle_minutes, chats=_chats).start()


@st.cache_resource(show_spinner=False)
def image_build(_options: SandboxOptions, key: str) -> ImageBuild:
    return ImageBuild(
        lambda: choose_backend(_options).is_prepared(),
        lambda: choose_backend(_options).prepare(),
    )


@st.cache_resource(show_spinner=False)
def metrics() -> Metrics:
    return Metrics()


@st.cache_resource(show_spinner=False)
def _serve(port: int) -> None:
    serve_metrics(metrics(), port)


def metrics_problem(port: int | None) -> Sentence | None:
    """Why they are not served; the app works without, and a port that is free later is taken then."""
    try:
        if port:
            _serve(port)
    except ToldError as error:
        return error.sentence
    return None


def new_analysis(settings: Settings, chat: KeptChat | None) -> Analysis:
    if problem := metrics_problem(settings.metrics_port):
        _LOGGER.warning("%s", problem)
    choice = first_choice(settings, servers_here)
    counted = metrics()
    # Sessions give it back earlier, and tell the person.
    sandbox = new_sandbox(settings.shared_sandboxes, settings.idle_minutes * 120, [counted])
    return Analysis(sandbox=sandbox, choice=choice, settings=settings, count_request=counted.model_asked, place=chat)


def main() -> None:
    st.set_page_config(page_title="Ask your data", page_icon="📊")
    try:
        settings = load_settings()
        chats = chat_store(settings.chats_folder or chats_folder(), settings.keep_chats_days)
        held = sessions(settings.idle_minutes, chats)
        held.use_settings(settings.idle_minutes, chats)
        analysis = current_analysis(held, lambda chat: new_analysis(settings, chat))
    except ToldError as error:
        draw_problem(error.sentence)
        st.stop()
    build = image_build(settings.sandboxes, repr(settings.sandboxes))
    build.look()
    was_busy = is_busy(analysis)
    draw_sidebar(analysis, settings, is_ready=build.is_ready)
    if problem := metrics_problem(settings.metrics_port):
        st.sidebar.caption(escaped(tell_sentence(problem)))
    draw_page_style()
    draw_main_area(analysis, settings, build)
    if was_busy and not is_busy(analysis):  # it ended meanwhile, and the sidebar does not know
        st.rerun()


main()
