"""What came of the person's last action: problems are kept until the next one, news shows once."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from ui.language import tell_sentence
from ui.printable import printable
from ui.safe_markdown import escaped
from wording import Sentence, ToldError

_KEY = "problems"
_NEWS = "news"


@contextmanager
def telling_problems() -> Iterator[None]:
    """Do what the person wants; a failure is kept as its sentence and what failed before is forgotten."""
    st.session_state[_KEY] = []
    try:
        yield
    except ToldError as error:
        keep_problem(error.sentence)


def keep_problem(sentence: Sentence) -> None:
    st.session_state[_KEY] = [*st.session_state.get(_KEY, ()), sentence]


def keep_news(sentence: Sentence, icon: str) -> None:
    """Shown over the page, wherever it was scrolled to, as soon as it is drawn."""
    st.session_state[_NEWS] = [*st.session_state.get(_NEWS, ()), (sentence, icon)]


def draw_news() -> None:
    for sentence, icon in st.session_state.pop(_NEWS, ()):
        st.toast(escaped(tell_sentence(sentence)), icon=icon, duration="long")


def draw_problems() -> None:
    for sentence in st.session_state.get(_KEY, ()):
        draw_problem(sentence)


def draw_problem(sentence: Sentence) -> None:
    """The sentence; further lines, such as the end of a log, below it as they are."""
    told, _, lines = tell_sentence(sentence).partition("\n")
    st.error(escaped(told), icon=":material/error:")
    if lines:
        st.code(printable(lines), language=None, wrap_lines=True)
