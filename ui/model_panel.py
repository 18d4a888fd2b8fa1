"""Which model answers: its name, how long it thinks, and key and address where no setting gives them."""

from dataclasses import replace

import streamlit as st

from analysis.analysis import Analysis
from settings import EFFORTS, Settings
from ui.language import tell, tell_sentence
from wording import Sentence

_MODELS = ("o3-mini", "o4-mini", "o3", "gpt-5-mini", "gpt-5", "gpt-4.1", "gpt-4o")
_EFFORT_NAMES = {"low": Sentence("Low"), "medium": Sentence("Medium"), "high": Sentence("High")}


def draw_model(analysis: Analysis, settings: Settings) -> None:
    """What is chosen holds from the next question on; a key stays in memory and is never shown."""
    choice = analysis.choice
    models = list(dict.fromkeys((choice.model, settings.model, *_MODELS)))
    st.selectbox(
        tell("Model"),
        models,
        label_visibility="collapsed",
        index=models.index(choice.model),
        key="model",
        accept_new_options=True,
        placeholder=tell("Choose a model or type its name"),
        on_change=_choose,
        args=(analysis,),
    )
    st.segmented_control(
        tell("Effort"),
        EFFORTS,
        default=choice.effort,
        format_func=lambda effort: tell_sentence(_EFFORT_NAMES[effort]),
        key="effort",
        help=tell("How long a reasoning model thinks. With none chosen, the server decides."),
        width="stretch",
        on_change=_choose,
        args=(analysis,),
    )
    if not settings.openai_api_key:
        _draw_access(analysis, settings)


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
        on_change=_choose,
        args=(analysis,),
    )
    if not settings.openai_base_url:
        st.session_state.setdefault("base_url", analysis.choice.base_url)
        st.text_input(
            tell("Base URL"),
            key="base_url",
            placeholder="https://api.openai.com/v1",
            help=tell("Of any server that speaks OpenAI's chat completions. Leave it empty for OpenAI."),
            on_change=_choose,
            args=(analysis,),
        )


def _choose(analysis: Analysis) -> None:
    state, old = st.session_state, analysis.choice
    analysis.choose(
        replace(
            old,
            model=(state.get("model") or old.model).strip(),
            effort=state.get("effort"),
            api_key=(state.get("api_key") or "").strip() or old.api_key,
            base_url=state["base_url"].strip() if "base_url" in state else old.base_url,
        )
    )
