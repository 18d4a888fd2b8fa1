"""Which model answers: its name, how long it thinks, and key and address where no setting gives them."""

from dataclasses import replace

import streamlit as st

from analysis.analysis import Analysis
from analysis.model_choice import OFFLINE
from settings import Settings
from ui.language import tell, tell_markdown, tell_sentence
from ui.local_models import servers_here
from ui.model_options import chosen, efforts_of, key_of, model_options
from wording import Sentence

_EFFORT_NAMES = {
    "none": Sentence("None"),
    "minimal": Sentence("Minimal"),
    "low": Sentence("Low"),
    "medium": Sentence("Medium"),
    "high": Sentence("High"),
    "xhigh": Sentence("Higher"),
    "max": Sentence("Longest"),
}
_FEW = 3
"""Efforts that fit side by side."""


def draw_model(analysis: Analysis, settings: Settings) -> None:
    """What is chosen holds from the next question on; a key stays in memory and is never shown."""
    choice = analysis.choice
    options = model_options(choice, settings.model, servers_here(), analysis.offered_models)
    st.selectbox(
        tell("Model"),
        list(options),
        label_visibility="collapsed",
        index=list(options).index(key_of(choice.model, choice.local_url)),
        format_func=lambda key: options[key].label if key in options else key,
        key="model",
        accept_new_options=True,
        placeholder=tell("Choose a model or type its name"),
        on_change=_choose_model,
        args=(analysis,),
    )
    if choice.is_offline:
        st.caption(tell("No language model; understands fixed questions."))
    else:
        if analysis.choice.end:
            st.caption(f":material/event_busy: {tell_markdown(analysis.choice.end)}")
        _draw_effort(analysis)
    if not settings.openai_api_key:
        _draw_access(analysis, settings)


def _draw_effort(analysis: Analysis) -> None:
    efforts, effort = efforts_of(analysis.choice.model), analysis.choice.effort
    if efforts:
        st.segmented_control(
            tell("Effort"),
            efforts,
            default=effort if effort in efforts else None,
            format_func=lambda effort: tell_sentence(_EFFORT_NAMES[effort]),
            key="effort",
            help=tell("How long a reasoning model thinks. With none chosen, the server decides."),
            width="stretch" if len(efforts) <= _FEW else "content",
            on_change=_choose_effort,
            args=(analysis,),
        )


def _draw_access(analysis: Analysis, settings: Settings) -> None:
    # A key from the settings is never sent to an address that was typed in, so this is asked for both or neither.
    is_set = bool(analysis.choice.api_key)
    st.text_input(
        tell("API key"),
        type="password",
        autocomplete="off",
        key="api_key",
        placeholder=tell("Set for this chat") if is_set else "sk-…",
        help=tell("Kept in memory for this chat only, and sent to the model's server alone."),
        on_change=_choose_access,
        args=(analysis, settings),
    )
    if not settings.openai_base_url:
        st.session_state.setdefault("base_url", analysis.choice.base_url)
        st.text_input(
            tell("Base URL"),
            key="base_url",
            placeholder="https://api.openai.com/v1",
            help=tell("Of any server that speaks OpenAI's chat completions. Leave it empty for OpenAI."),
            on_change=_choose_access,
            args=(analysis, settings),
        )


def _choose_model(analysis: Analysis) -> None:
    analysis.choose(chosen(analysis.choice, st.session_state.get("model") or ""))
    st.session_state.pop("effort", None)


def _choose_effort(analysis: Analysis) -> None:
    analysis.choose(replace(analysis.choice, effort=st.session_state.get("effort")))


def _choose_access(analysis: Analysis, settings: Settings) -> None:
    """A key or an address is for another model than one that needs neither."""
    state, old = st.session_state, analysis.choice
    choice = replace(
        old,
        api_key=(state.get("api_key") or "").strip() or old.api_key,
        base_url=state["base_url"].strip() if "base_url" in state else old.base_url,
    )
    has_more = (choice.api_key, choice.base_url) != (old.api_key, old.base_url) and (choice.api_key or choice.base_url)
    if has_more and (old.is_offline or old.local_url) and settings.model != OFFLINE:
        choice = chosen(choice, settings.model)
        for key in ("model", "effort"):
            state.pop(key, None)
    analysis.choose(choice)
