"""The language of the page: the browser's own unless a setting or the person says otherwise."""

import streamlit as st

from ui.safe_markdown import escaped
from wording import Language, Sentence, preferred_language, say

_NAMES: dict[Language, str] = {"en": "English", "zh": "中文"}


def language_switch(setting: Language | None) -> None:
    """Let the person choose. Drawn before anything that speaks; the choice stays in the address of the page."""
    locale = st.context.locale
    st.segmented_control(
        "Language / 语言",
        list(_NAMES),
        default=setting or preferred_language(locale if isinstance(locale, str) else None),
        required=True,
        format_func=lambda language: _NAMES[language],
        key="lang",
        bind="query-params",
        label_visibility="collapsed",
    )


def page_language() -> Language:
    return "zh" if st.session_state.get("lang") == "zh" else "en"


def tell(template: str, **values: object) -> str:
    """The template in the page's language, as plain text."""
    return say(template, page_language(), **values)


def tell_sentence(sentence: Sentence) -> str:
    """The sentence in the page's language, as plain text."""
    return sentence.in_language(page_language())


def tell_markdown(sentence: Sentence) -> str:
    """A sentence in the page's language for places that read Markdown; its own text shows letter by letter."""
    return escaped(tell_sentence(sentence))
