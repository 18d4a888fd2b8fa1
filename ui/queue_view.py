"""What a person is told while something is waited for, as a place in the queue while all sandboxes are in use."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import streamlit as st

from analysis.analysis import Analysis
from ui.language import tell_markdown
from wording import Sentence

_SECONDS_BETWEEN_LOOKS = 0.3


def draw_waiting(reason: Sentence) -> None:
    st.caption(f":material/hourglass_top: {tell_markdown(reason)}")


def telling_queue(analysis: Analysis, work: Callable[[Callable[[Sentence], None]], object]) -> None:
    """Do work that may have to wait for a sandbox in a thread, which must not draw, and tell the person meanwhile.

    The work is given what it can call with each of its steps.
    """
    steps: list[Sentence] = []
    place = st.empty()
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(work, steps.append)
        while not wait([done], _SECONDS_BETWEEN_LOOKS).done:
            if reason := analysis.sandbox_status.waiting or next(reversed(steps), None):
                with place:
                    draw_waiting(reason)
    place.empty()
    done.result()
