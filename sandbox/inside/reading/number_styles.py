"""The ways in which people write numbers: marks between thousands and before decimals."""

import re
from dataclasses import dataclass

_SIGN = r"[+-]?"
_EXPONENT = r"(?:[eE][+-]?\d+)?"


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """One convention. ``thousands`` is empty where none are marked."""

    thousands: str
    decimal: str

    @property
    def pattern(self) -> re.Pattern[str]:
        return _PATTERNS[self]

    @property
    def comma(self) -> bool:
        return self.decimal == ","

    def without_idle_mark(self, values: list[str]) -> "NumberStyle":
        """The same, without a mark for thousands that no value has."""
        used = self.thousands and any(self.thousands in value for value in values)
        return self if used else NumberStyle("", self.decimal)


def _grouped(mark: str, decimal: str) -> re.Pattern[str]:
    """Groups of three, with a comma also the Indian ones; or no groups at all."""
    mark, point = re.escape(mark), re.escape(decimal)
    groups = rf"[1-9]\d{{0,2}}(?:{mark}\d{{3}})+"
    if mark == ",":
        groups += r"|[1-9]\d?(?:,\d{2})+,\d{3}"
    return re.compile(rf"{_SIGN}(?:(?:{groups}|\d+)(?:{point}\d*)?|{point}\d+){_EXPONENT}", re.ASCII)


PLAIN = NumberStyle("", ".")
ENGLISH = NumberStyle(",", ".")
EUROPEAN = NumberStyle(".", ",")
_PATTERNS = {
    PLAIN: re.compile(rf"{_SIGN}(?:\d+\.?\d*|\.\d+){_EXPONENT}", re.ASCII),
    **{
        style: _grouped(style.thousands, style.decimal)
        for style in (
            ENGLISH,
            EUROPEAN,
            *(NumberStyle(mark, decimal) for mark in "'’ \xa0\u202f" for decimal in ".,"),
        )
    },
}
STYLES = tuple(_PATTERNS)
WHOLE_NUMBER = re.compile(rf"{_SIGN}\d+", re.ASCII)
_AROUND = re.compile(
    r"[%‰€$£¥₹₽₩₺₴₫฿₪元円원]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|PLN|TRY|BRL|KRW|SEK|NOK|DKK|CAD|AUD|kr|R\\$|zł|Kč|Fr\.?)(?![a-z])"
)


def without_signs(text: str) -> str:
    """The bare number of an amount such as ``€ 5``, ``12 %``, ``(30)`` or ``7-``; other text as it is."""
    bare = _AROUND.sub("", text.replace("−", "-")).strip(" \xa0\u202f")
    if bare.startswith("(") and bare.endswith(")"):
        bare = "-" + bare[1:-1].strip()
    return "-" + bare[:-1] if bare.endswith("-") and bare[:1].isdigit() else bare


def is_number(text: str) -> bool:
    return any(style.pattern.fullmatch(text) for style in STYLES)
