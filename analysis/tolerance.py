"""Between which bounds a result lies when a figure of an answer is its rounding; reads the words around the figure."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from analysis.figures import Number, Reading

Bounds = tuple[Decimal, Decimal]
Hedge = Literal["about", "over", "under"]
_LINK = r"(?:\s(?:an?|the))?[占为有达是了]{0,2}\Z"
_BEFORE: dict[Hedge, re.Pattern[str]] = {
    "about": re.compile(
        rf"(?:\b(?:about|approx(?:imately|\.)?|around|roughly|circa|some)|[~≈约]|大概|差不多){_LINK}",
    ),
    "over": re.compile(
        r"(?:\b(?:over|(?:more|greater) than|above|exceed(?:s|ed|ing)?|at least)|[>≥]=?"
        rf"|超过|[高大多]于|逾|至少|突破|不[低少]于){_LINK}"
    ),
    "under": re.compile(
        r"(?:\b(?:under|below|(?:less|fewer|lower) than|nearly|almost|close to|up to|at most)|[<≤]=?"
        rf"|不[到足]|[低小少]于|接?近|不超过|至多){_LINK}"
    ),
}
_AFTER: dict[Hedge, re.Pattern[str]] = {
    "about": re.compile(r"[^\d\s，。]{0,3}(?:左右|上下)|\s?or so\b"),
    "over": re.compile(r"\+|\s?(?:or more|and above)\b|\s?[多余]|[^\d\s，。]{0,3}以上"),
    "under": re.compile(r"[^\d\s，。]{0,3}以下|\s?or less\b"),
}
_FALL = re.compile(
    r"\b(?:fall|fell|drop|decreas|declin|down|lower|less|fewer|reduc|los[st]|negativ|minus|below|shr[aiu]nk|cut|worse)"
    r"|[降减跌少低负亏损缩]",
    re.IGNORECASE,
)
_BREAK = re.compile(r",(?!\d)|[;:!?，。；：！？\n|]|\.\s")
_DECORATION = " \t*_$€£¥\"'“”(["
_ABOVE_ZERO = Decimal("1e-300")
"""'p < 0.001' is no word about something that is 0."""
_NEAR = 80
"""Characters around a figure whose words can change its meaning."""


def bounds(text: str, number: Number) -> Iterator[Bounds]:
    """Each pair of bounds between which a result may lie; both belong to it."""
    hedge = _hedge(text, number)
    may_be_negative = not number.readings[0].value.is_signed() and bool(_FALL.search(_clause(text, number)))
    for reading in number.readings:
        low, high = _rounded(reading, number, hedge)
        yield low, high
        if may_be_negative:
            yield -high, -low
        if reading.percent:
            yield low / 100, high / 100
            if may_be_negative:
                yield -high / 100, -low / 100


def _rounded(reading: Reading, number: Number, hedge: Hedge | None) -> Bounds:
    size, half = abs(reading.value), reading.step / 2
    if size == 0 and number.bare:
        return Decimal(0), Decimal(0)
    low, high = size - half, size + half
    rough = _rough_step(reading, number)
    if hedge == "about":
        slack = min(rough / 2, size / 10)
        low, high = min(low, size - slack), max(high, size + slack)
    elif hedge == "over":
        high = max(high, size + rough)
    elif hedge == "under":
        low = max(min(low, size - rough), _ABOVE_ZERO)
    return (-high, -low) if reading.value < 0 else (low, high)


def _rough_step(reading: Reading, number: Number) -> Decimal:
    """The weight of the last digit that is not a zero: what 'about 1,200' is rounded to."""
    if "." in number.text or not reading.step or not reading.value:
        return reading.step
    digits = str(int(abs(reading.value) / reading.step))
    return reading.step.scaleb(len(digits) - len(digits.rstrip("0")))


def _hedge(text: str, number: Number) -> Hedge | None:
    before = text[max(0, number.start - 30) : number.start].rstrip(_DECORATION).lower()
    after = text[number.end : number.end + 12]
    said = [hedge for hedge, pattern in _BEFORE.items() if pattern.search(before)]
    said += [hedge for hedge, pattern in _AFTER.items() if pattern.match(after)]
    return said[0] if said else None


def _clause(text: str, number: Number) -> str:
    before = _BREAK.split(text[max(0, number.start - _NEAR) : number.start])[-1]
    return before + " " + _BREAK.split(text[number.end : number.end + _NEAR])[0]
