"""How a file is read, as choices that the person can change; whatever is left open is decided by the file."""

import streamlit as st

from analysis.analysis import Analysis, AnalysisFile
from sandbox.sandbox import ReadingChoices
from ui.actions import is_busy, read_again
from ui.language import page_language, tell, tell_sentence
from wording import Sentence

_ENCODINGS = ("", "utf-8", "cp1252", "latin-1", "gb18030", "big5", "shift_jis", "euc_kr", "cp1251", "utf-16")
_DELIMITERS = {
    "": Sentence("As the file shows"),
    ",": Sentence("Comma"),
    ";": Sentence("Semicolon"),
    "\t": Sentence("Tab"),
    "|": Sentence("Bar"),
    r"\s+": Sentence("Blanks"),
}
_ORDERS = {
    "": Sentence("As the file shows"),
    "day": Sentence("Day first"),
    "month": Sentence("Month first"),
}
_DECIMALS = {
    "": Sentence("As the file shows"),
    ".": Sentence("Point"),
    ",": Sentence("Comma"),
}


def draw_reading_choices(analysis: Analysis, file: AnalysisFile, number: int) -> None:
    """A folded form; what is chosen holds for preview, model and code as soon as it is applied."""
    times = st.session_state.setdefault("read_again", 0)  # a new name closes what the person had opened
    key = f"reading-{number}-{times}"
    with st.popover(tell("Read it differently"), type="tertiary", icon=":material/tune:", key=key):
        with st.form(f"choices-{number}", border=False):
            choices = _form(file, number)
            applied = st.form_submit_button(tell("Read again"), disabled=is_busy(analysis))
        if applied:
            with st.spinner(tell("Reading the files…")):
                read_again(analysis, file, choices)
            st.session_state["read_again"] += 1
            st.rerun()


def _form(file: AnalysisFile, number: int) -> ReadingChoices:
    chosen = file.choices
    # Streamlit tells options apart by their words, so those of another language are other widgets.
    place = f"{number}-{page_language()}"
    undecided = tell("As the file shows")
    encoding = st.selectbox(
        tell("Encoding"),
        list(dict.fromkeys((chosen.encoding, *_ENCODINGS))),
        format_func=lambda name: name or undecided,
        accept_new_options=True,
        key=f"encoding-{place}",
    )
    delimiter = _pick("Delimiter", _DELIMITERS, chosen.delimiter, f"delimiter-{place}")
    header = st.number_input(
        tell("Row with the column names (0: none)"),
        value=chosen.header_row,
        min_value=0,
        step=1,
        placeholder=tell("As the file shows"),
        key=f"header-{number}",
    )
    order = _pick("Date order", _ORDERS, chosen.date_order, f"order-{place}")
    decimal = _pick("Decimal mark", _DECIMALS, chosen.decimal, f"decimal-{place}")
    sheet = chosen.sheet
    if sheet or len(file.profile.tables) > 1:
        sheet = st.text_input(tell("Sheet or table, if only one is wanted"), value=sheet, key=f"sheet-{number}")
    return ReadingChoices(
        encoding=(encoding or "").strip(),
        delimiter=delimiter,
        header_row=header,
        date_order="day" if order == "day" else "month" if order == "month" else "",
        decimal="." if decimal == "." else "," if decimal == "," else "",
        sheet=sheet.strip(),
    )


_LABELS = {
    "Delimiter": Sentence("Delimiter"),
    "Date order": Sentence("Date order"),
    "Decimal mark": Sentence("Decimal mark"),
}


def _pick(label: str, options: dict[str, Sentence], chosen: str, key: str) -> str:
    keys, words = list(options), {option: tell_sentence(sentence) for option, sentence in options.items()}
    picked = st.selectbox(
        tell_sentence(_LABELS[label]),
        keys,
        index=keys.index(chosen) if chosen in keys else 0,
        format_func=words.__getitem__,
        key=key,
    )
    return picked or ""
