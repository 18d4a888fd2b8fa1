"""What a single cell of text looks like; used to find delimiters and headers, where whole columns do not exist yet."""

import re
from functools import lru_cache
from typing import Literal

Kind = Literal["blank", "number", "date", "missing", "address", "text"]

MISSING_WORDS = frozenset(
    {"#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"}
    | {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
)
"""What ``pandas.read_csv`` takes for missing unless told otherwise, the blank cell apart."""
_IN_LANGUAGES = frozenset(
    {"k. A.", "k.A.", "k.a.", "keine Angabe", "n. v.", "n.v.", "nicht verfügbar", "unbekannt", "fehlt"}
    | {"n. a.", "not available", "not applicable", "unknown", "missing", "no data", "void", "nil", "blank", "empty"}
    | {"n.d.", "n. d.", "n/d", "nd", "non disponible", "s.o.", "s/o", "sin datos", "s/d", "sem dados", "dato mancante"}
    | {
        "b.d.",
        "b/d",
        "brak",
        "brak danych",
        "нет данных",
        "н/д",
        "нет",
        "yok",
        "veri yok",
        "bilinmiyor",
        "geen",
        "onbekend",
    }
    | {"无", "無", "空", "缺失", "未知", "暂无", "不明", "なし", "未入力", "없음", "해당 없음", "غير متوفر", "لا يوجد"}
)
MISSING_SIGNS = MISSING_WORDS | {
    *(form for word in _IN_LANGUAGES for form in (word, word.lower(), word.upper(), word.capitalize())),
    *("-", "--", "---", "–", "—", ".", "..", "...", "…", "?", "??", "*", "**", "/", "//", "_", "(null)", "\\N"),
    *("n.a.", "N.A.", "NaT", "none", "NONE", "Null", "Nan", "NAN"),
    *("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!", "#NV"),
}
"""What people and programs write for missing in a column of numbers or dates."""

_LONGEST = 200
_NUMBER = re.compile(
    r"[(+\-−]?\s?(?:[€$£¥₹₽%]|[A-Z]{3}\s)?\s?[+\-−]?(?:\d[\d.,'’ \xa0\u202f]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?"
    r"(?:[€$£¥₹₽%‰]|[A-Z]{3})?\)?",
    re.ASCII,
)
_CLOCK = r"(?:,?[T ][\d:.,]+(?: ?[AaPp][Mm])?(?: ?(?:Z|[+-][\d:]+))?)?"
_DATE = re.compile(
    rf"\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}\.?{_CLOCK}"
    rf"|\d{{4}}年\d{{1,2}}月\d{{1,2}}日{_CLOCK}"
    rf"|\d{{1,2}}[-\s.]*[A-Za-z]{{3,9}}[-\s.,]*\d{{2,4}}{_CLOCK}|[A-Za-z]{{3,9}}\.? \d{{1,2}},? \d{{4}}{_CLOCK}"
    r"|\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:\s?[AaPp][Mm])?"
)
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.\w+|https?://\S+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}")


@lru_cache(maxsize=4096)
def kind_of(cell: str) -> Kind:
    """A guess from the looks of the cell alone."""
    text = cell.strip()
    if not text:
        return "blank"
    if len(text) > _LONGEST:
        return "text"
    if _DATE.fullmatch(text):
        return "date"
    if _NUMBER.fullmatch(text):
        return "number"
    if text in MISSING_SIGNS:
        return "missing"
    return "address" if _ADDRESS.fullmatch(text) else "text"


def is_typed(cell: str) -> bool:
    """Whether it is of a kind that column names hardly ever are."""
    return kind_of(cell) in ("number", "date", "address")
