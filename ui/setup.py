"""What the page shows while the sandbox cannot be used: the image being built, or what is wrong with the engine."""

import streamlit as st

from ui.image_build import ImageBuild
from ui.language import tell
from ui.printable import printable
from ui.problems import draw_problem

_SECONDS_BETWEEN_LOOKS = 0.8
_SHOWN_LINES = 14


def draw_setup(build: ImageBuild) -> None:
    """Progress or problem; the page redraws itself once the sandbox can be used."""
    look = _SECONDS_BETWEEN_LOOKS if build.is_building else None
    st.fragment(_draw, run_every=look)(build, build.is_building)


def _draw(build: ImageBuild, was_building: bool) -> None:
    if was_building and not build.is_building:
        st.rerun()
    if build.problem:
        draw_problem(build.problem)
        _draw_retry(build)
        return
    label = tell("Preparing the sandbox. This is needed once and takes some minutes.")
    with st.expander(label, expanded=True, icon="spinner", key="image-build"):
        st.code(printable("\n".join(build.lines[-_SHOWN_LINES:])) or "…", language=None)


def _draw_retry(build: ImageBuild) -> None:
    if st.button(tell("Try again"), icon=":material/replay:", key="setup-again"):
        build.try_again()
        st.rerun()
