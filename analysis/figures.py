"""Reads numbers out of text, as people and programs write them in English and Chinese; knows nothing of results."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from analysis.chinese_numerals import read_numeral

# One sign for one sign, so that every place in the text stays what it is.
_PLAIN = str.maketrans("０１２３４５６７８９．％，－−–＋￥＄～：（）", "0123456789.%,---+¥$~:()")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_LONGEST = 26
"""Characters. A longer run of digits is no number to anybody, and Decimal would round it."""
IDENTIFIER = Decimal(10) ** 15
"""From here on a bare whole number is taken for an identifier: the same or another, never rounded."""

_NUMERAL = "零〇一二两三四五六七八九"
_PERCENT = r"%|percent(?:age)?(?:\spoints?)?\b|per\scent\b|pct\b|pp\b|个百分点"
_WORDS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_LETTERS = {"k": 3, "m": 6, "mn": 6, "b": 9, "bn": 9, "tn": 12}
_SHARES = {"‰": Decimal("0.1"), "千分之": Decimal("0.1"), "万分之": Decimal("0.01"), "成": Decimal(10)}
"""What they are in percent."""
_PATTERN = re.compile(
    rf"""
    (?P<share>[百千万]分之)?
    (?:
      (?P<digits>(?:[0-9]{{1,3}}(?:[,\u00a0\u2009\u202f][0-9]{{3}})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|(?<![0-9])\.[0-9]+)
      (?:e(?P<power>[+-]?[0-9]{{1,3}})(?![0-9a-z_.])
        |(?:(?P<times>\s?[×x*]\s?10)|(?<=\b10))(?P<raised>(?:\^|\*\*)\{{?-?[0-9]{{1,3}}\}}?|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}}))?
      (?P<places>(?:[十百千万亿](?![克米瓦伏货分])[0-9.]*)+)?
    | (?P<chinese>[{_NUMERAL}十][{_NUMERAL}十百千万亿]*(?:点[{_NUMERAL}]+[百千万亿]*)?)
    )
    (?P<unit>\s?(?:{_PERCENT}|‰|(?:{"|".join(_WORDS)})s?\b|成(?![员为立功绩本果熟长交都分就语人年不效]))
            |(?-i:bn|mn|tn|[kKMB])(?![A-Za-z0-9_]))?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PART_OF_A_NAME = re.compile(r"_|[A-Za-z]+[0-9_]|(?:st|nd|rd|th|[dD])(?![A-Za-z])")
_LETTER = re.compile(r"[A-Za-zÀ-ɏͰ-ӿ_]")
_BETWEEN_ENDS = re.compile(r"\s?(?:-|—|~|to|and|至|到|和|与)\s?")


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a number: its value and the weight of the last digit written.

    ``percent`` says that the value counts hundredths, so that 12.3 may also stand as 0.123.
    """

    value: Decimal
    step: Decimal
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number where it stands in a text. The first end of a range such as 10-20% has two readings."""

    text: str
    start: int
    end: int
    readings: tuple[Reading, ...]
    unit: str = ""
    bare: bool = False
    """Nothing but digits: no sign, separator, decimals, currency or unit."""


def plain(text: str) -> str:
    """The text with full-width digits and signs as plain ones, each in its place."""
    return text.translate(_PLAIN)


def read_numbers(text: str) -> list[Number]:
    """The numbers of a text in order; digits that are part of a name, such as gpt-4o or 2nd, are none."""
    simple = plain(text)
    numbers: list[Number] = []
    for match in _PATTERN.finditer(simple):
        number = _number(match, text)
        if number is None:
            continue
        if number.unit and numbers and not numbers[-1].unit and _joined(numbers[-1], number, simple):
            first = numbers[-1].readings[0]
            numbers[-1] = replace(numbers[-1], readings=(first, _reading(first.value, first.step, number.unit)))
        numbers.append(number)
    return numbers


def _number(match: re.Match[str], original: str) -> Number | None:
    text = match.string
    start, end = match.span()
    before = text[max(start - 2, 0) : start]
    digits, unit = match["digits"], match["share"] or (match["unit"] or "").strip().lower()
    if digits is not None:
        if (
            end - start > 2 * _LONGEST
            or len(digits) > _LONGEST
            or _within_a_name(before)
            or _PART_OF_A_NAME.match(text, end)
        ):
            return None
        value, step = _value(match)
        places = match["places"] or ""
        if places and not unit and not any(sign.isdecimal() for sign in places):
            unit = places
        elif places:
            value, step = read_numeral(digits + places)
    elif end - start <= _LONGEST and _means_a_figure(match, unit):
        value, step = read_numeral(match["chinese"])
    else:
        return None
    sign_length = _sign_length(before)
    start -= sign_length
    bare = text[start:end].isdecimal() and before[-1:] not in tuple("$€£¥")
    if bare and value >= IDENTIFIER:
        step = Decimal(0)
    reading = _reading(-value if sign_length else value, step, unit)
    return Number(original[start:end], start, end, (reading,), unit, bare)


def _value(match: re.Match[str]) -> tuple[Decimal, Decimal]:
    power = int(match["power"] or 0)
    if match["raised"]:
        exponent = int(re.sub(r"[^0-9-]", "", match["raised"].translate(_RAISED)))
        power = exponent if match["times"] else exponent - 1
    value = Decimal(re.sub(r"[^0-9.]", "", match["digits"])).scaleb(power)
    return value, Decimal(1).scaleb(int(value.as_tuple().exponent))


def _within_a_name(before: str) -> bool:
    """``before`` holds the two signs in front of the digits."""
    return bool(_LETTER.match(before[-1:])) or (before[-1:] in ("-", ".") and bool(_LETTER.match(before[:1])))


def _sign_length(before: str) -> int:
    """How many signs a minus takes, a currency between it and the digits included; 0 when there is none."""
    if (
        before[-1:] == "-"
        and not (before[:-1].isascii() and before[:-1].isalnum())
        and before[:-1] not in (")", "]", "%")
    ):
        return 1
    return 2 if before[:1] == "-" and before[1:] in tuple("$€£¥") else 0


def _means_a_figure(match: re.Match[str], unit: str) -> bool:
    """Chinese numerals also count small things, fill idioms and are ordinals; those are not figures."""
    numeral, text = match["chinese"], match.string
    if text[match.start() - 1 : match.start()] in tuple("第几数"):
        return False
    large = any(sign in numeral[1:] for sign in "百千万亿")
    return bool(unit) or large or ("点" in numeral and text[match.end() : match.end() + 1] == "倍")


def _reading(value: Decimal, step: Decimal, unit: str) -> Reading:
    factor, percent = _scale(unit)
    return Reading(value * factor, step * factor, percent)


def _scale(unit: str) -> tuple[Decimal, bool]:
    if unit in _SHARES:
        return _SHARES[unit], True
    power = _WORDS.get(unit.rstrip("s"), _LETTERS.get(unit))
    if power is not None:
        return Decimal(1).scaleb(power), False
    if unit and all(sign in "十百千万亿" for sign in unit):
        return read_numeral("一" + unit)[0], False
    return Decimal(1), bool(unit)


def _joined(first: Number, second: Number, text: str) -> bool:
    return first.end <= second.start and bool(_BETWEEN_ENDS.fullmatch(text, first.end, second.start))
