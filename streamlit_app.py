"""The page: puts the parts together. Start it with ``streamlit run streamlit_app.py``."""

import streamlit as st

from analysis.analysis import Analysis
from analysis.model_choice import first_choice
from sandbox.docker_sandbox import DockerSandbox
from sandbox.image import ImageState, build_image, image_state
from settings import Settings, load_settings
from ui.current import current_analysis
from ui.image_build import ImageBuild
from ui.local_models import servers_here
from ui.main_area import draw_main_area
from ui.problems import draw_problem
from ui.sessions import Sessions
from ui.sidebar import draw_sidebar
from wording import ToldError


@st.cache_resource(show_spinner=False)
def sessions(idle_minutes: float) -> Sessions:
    return Sessions(idle_minutes).start()


@st.cache_resource(show_spinner=False)
def image_build(base_image: str) -> ImageBuild:
    return ImageBuild(lambda: image_state(base_image) is ImageState.CURRENT, lambda: build_image(base_image))


def new_analysis(settings: Settings) -> Analysis:
    choice = first_choice(settings, servers_here)
    sandbox = DockerSandbox(
        settings.limits,
        runtime=settings.sandbox_runtime,
        base_image=settings.sandbox_base_image,
        idle_seconds=settings.idle_minutes * 120,  # Sessions give it back earlier, and tell the person.
    )
    return Analysis(sandbox=sandbox, choice=choice, settings=settings)


def main() -> None:
    st.set_page_config(page_title="Ask your data", page_icon="📊")
    try:
        settings = load_settings()
        analysis = current_analysis(sessions(settings.idle_minutes), lambda: new_analysis(settings))
    except ToldError as error:
        draw_problem(error.sentence)
        st.stop()
    build = image_build(settings.sandbox_base_image)
    build.look()
    draw_sidebar(analysis, settings, is_ready=build.is_ready)
    draw_main_area(analysis, settings, build)


main()
