"""Finds dates and clock times in an answer and how else they may be spelt; their parts are not figures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NAME = (
    r"(?P<name>(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|ember|ober)?)\.?"
)
_YEAR = r"(?P<year>(?:1[6-9]|20|21)\d\d)"
_MONTH = r"(?P<month>0?[1-9]|1[0-2])"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_MINUTE = r"(?P<minute>[0-5]\d)"
_HALF = r"\s?(?P<half>[ap])(?:m\b|\.m\.)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}(?P<mark>[-/.]){_MONTH}(?P=mark){_DAY}(?!\d)",
        rf"(?<!\d){_YEAR}\s?年(?:\s?{_MONTH}\s?月(?:\s?{_DAY}\s?[日号])?)?",
        rf"(?<!\d){_MONTH}\s?月\s?{_DAY}\s?[日号]",
        rf"(?<![\d/.-]){_MONTH}(?P<mark>[/.-]){_DAY}(?P=mark){_YEAR}(?!\d)",
        rf"(?<![\d/.-]){_DAY}(?P<mark>[/.-]){_MONTH}(?P=mark){_YEAR}(?!\d)",
        rf"\b{_NAME}\s{_DAY}(?:st|nd|rd|th)?\b(?![.,:]?\d|\s?%)(?:,?\s{_YEAR}\b)?",
        rf"\b{_DAY}(?:st|nd|rd|th)?(?:\sof)?\s{_NAME}\b(?:,?\s{_YEAR}\b)?",
        rf"\b{_NAME},?\s{_YEAR}\b",
        rf"(?<![\d/.-]){_YEAR}[-/](?P<month>0[1-9]|1[0-2])(?![\d-])",
        rf"(?<![\d:.])(?P<hour>[01]?\d|2[0-4]):{_MINUTE}(?::[0-5]\d)?(?:{_HALF})?(?![\d:])",
        rf"(?<![\d:.])(?P<hour>1[0-2]|0?[1-9]){_HALF}",
        r"(?P<half>下午|晚上|傍晚)?(?<![\d:.])(?P<hour>[01]?\d|2[0-4])[点时](?!数|间|长|结论|建议|发现|原因)"
        r"(?:(?P<minute>[0-5]?\d)分)?",
    )
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a clock time as it stands in a text; what it leaves open is None."""

    text: str
    start: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def spellings(self) -> Iterator[str]:
        """How a program or a person may write the same, in small letters; a year alone has none."""
        if self.hour is not None:
            minute = self.minute or 0
            yield from (f"{self.hour:02}:{minute:02}", f"{self.hour}:{minute:02}", self.text.lower())
        elif self.month is not None:
            name = _MONTHS[self.month - 1]
            names = (name, name[:3])
            if self.day is None:
                yield from (f"{self.year}{mark}{self.month:02}" for mark in ("-", "/", ".", ""))
                yield from (f"{self.year}年{self.month}月", f"{self.year}/{self.month}")
                yield from (f"{name} {self.year}" for name in names)
            else:
                yield from self._days(names)

    def _days(self, names: tuple[str, ...]) -> Iterator[str]:
        month, day = self.month or 0, self.day or 0
        year = "" if self.year is None else str(self.year)
        for mark in "-/.":
            yield f"{year}{mark}{month:02}{mark}{day:02}"
            yield f"{year}{mark}{month}{mark}{day}"
            if year:
                yield f"{month:02}{mark}{day:02}{mark}{year}"
                yield f"{day:02}{mark}{month:02}{mark}{year}"
                yield f"{month}{mark}{day}{mark}{year}"
                yield f"{day}{mark}{month}{mark}{year}"
        yield f"{year}{'年' if year else ''}{month}月{day}日"
        if year:
            yield f"{year}{month:02}{day:02}"
        for name in names:
            yield f"{name} {day}" + (f", {year}" if year else "")
            yield f"{day} {name}" + (f" {year}" if year else "")


def take_out_moments(text: str) -> tuple[list[Moment], str]:
    """The dates and times of a text, and the text with blanks in their place."""
    moments = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            moments.append(_moment(match))
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return sorted(moments, key=lambda moment: moment.start), text


def _moment(match: re.Match[str]) -> Moment:
    groups = match.groupdict()
    parts = {part: int(groups[part]) for part in ("year", "month", "day", "hour", "minute") if groups.get(part)}
    if groups.get("name"):
        parts["month"] = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(groups["name"][:3].lower()))
    half = groups.get("half")
    if half:
        parts["hour"] = parts["hour"] % 12 + (0 if half in "aA" else 12)
    return Moment(match[0], match.start(), **parts)
