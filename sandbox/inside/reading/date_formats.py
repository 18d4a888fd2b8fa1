"""Finds the format in which a whole column writes its dates."""

import re
from collections.abc import Sequence

import pandas as pd

ISO = "ISO8601"
_ISO_LIKE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?\s?(?:Z|[+-]\d{2}:?(?:\d{2})?)?",
    re.ASCII,
)
_ZONE = re.compile(r":\d{2}\S*?\s?(Z|[+-]\d{2}:?(?:\d{2})?)$", re.ASCII)
_DATE = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})"
    r"|\d{4}(?P<year_mark>[./])\d{1,2}(?P=year_mark)\d{1,2}"
    r"|(?P<chinese>\d{4}年\d{1,2}月\d{1,2}日)"
    r"|(?P<weekday>[A-Z][a-z]{2}, )?\d{1,2}(?P<gap>\. |[ -])(?P<month>[A-Za-z]{3,9})"
    r"(?P<gap2>[ -])(?P<month_year>\d{4}|\d{2})"
    r"|(?P<month_first>[A-Za-z]{3,9}) \d{1,2}(?P<comma>,?) \d{4}",
    re.ASCII,
)
_TIME = re.compile(
    r"(?P<gap>,? |T)\d{1,2}:\d{2}(?P<seconds>:\d{2})?(?P<fraction>\.\d{1,9})?(?P<half> ?[AaPp][Mm])?", re.ASCII
)


def is_day_first(date_format: str) -> bool:
    return date_format.startswith(("%d.%m", "%d/%m", "%d-%m"))


def is_month_first(date_format: str) -> bool:
    return date_format.startswith(("%m.%d", "%m/%d", "%m-%d"))


def date_formats(values: Sequence[str]) -> tuple[str, ...]:
    """Every format that reads all the values; two mean that day and month may be swapped.

    There must be at least one value.
    """
    sample = values[:200]
    if all(_ISO_LIKE.fullmatch(value) for value in sample):
        return (ISO,) if _reads_all(values, ISO) else ()
    formats = _formats_of(values[0])
    found = tuple(form for form in formats if _reads_all(sample, form) and _reads_all(values, form))
    return found if len(found) < 2 or is_day_first(found[0]) else found[:1]


def share_of_dates(values: Sequence[str]) -> float:
    """How many of the values look like dates, from 0 to 1, whatever the format of the others."""
    return sum(bool(_ISO_LIKE.fullmatch(value) or _formats_of(value)) for value in values) / max(len(values), 1)


def misfits(values: Sequence[str]) -> list[str]:
    """The values that the format which reads most of the others does not read."""
    formats = {ISO: None} | {form: None for value in values[:20] for form in _formats_of(value)}
    unread = [[value for value, read in zip(values, _reads(values, form), strict=True) if not read] for form in formats]
    return min(unread, key=len)


def mixes_orders(values: Sequence[str]) -> bool:
    """Whether some dates can only be day first and others only month first."""
    formats = [_formats_of(value) for value in values[:2000]]
    only_day = any(found and all(map(is_day_first, found)) for found in formats)
    return only_day and any(found and all(map(is_month_first, found)) for found in formats)


def zones(values: Sequence[str]) -> set[str]:
    """The different distances from UTC that the values state."""
    return {match[1] for match in map(_ZONE.search, values) if match}


def _formats_of(value: str) -> list[str]:
    """The formats that one value may be written in."""
    date = _DATE.match(value)
    if date is None:
        return []
    rest = value[date.end() :]
    time = _TIME.fullmatch(rest)
    if rest and time is None:
        return []
    return [day + (_time_format(time) if time else "") for day in _day_formats(date)]


def _day_formats(date: re.Match[str]) -> list[str]:
    if mark := date["mark"]:
        return _numeric_formats(int(date["first"]), int(date["second"]), mark, date["year"], date[0])
    if mark := date["year_mark"]:
        return [f"%Y{mark}%m{mark}%d"]
    if date["chinese"]:
        return ["%Y年%m月%d日"]
    name = date["month"] or date["month_first"]
    months = ["%b", "%B"] if name.lower() == "may" else ["%b" if len(name) == 3 else "%B"]
    if date["month_first"]:
        return [f"{month} %d{date['comma']} %Y" for month in months]
    weekday, year = ("%a, " if date["weekday"] else ""), ("%Y" if len(date["month_year"]) == 4 else "%y")
    return [f"{weekday}%d{date['gap']}{month}{date['gap2']}{year}" for month in months]


def _numeric_formats(first: int, second: int, mark: str, year: str, text: str) -> list[str]:
    """Two-digit years only where nothing else is written so: ``1.2.03`` is a version, ``01-02-03`` anything."""
    if len(year) == 2 and (mark == "-" or (mark == "." and len(text) != 8)):
        return []
    form = "%Y" if len(year) == 4 else "%y"
    day_first = [f"%d{mark}%m{mark}{form}"] if 1 <= first <= 31 and 1 <= second <= 12 else []
    return day_first + ([f"%m{mark}%d{mark}{form}"] if 1 <= first <= 12 and 1 <= second <= 31 else [])


def _time_format(time: re.Match[str]) -> str:
    half = (" %p" if time["half"].startswith(" ") else "%p") if time["half"] else ""
    seconds = ":%S" if time["seconds"] else ""
    return f"{time['gap']}{'%I' if half else '%H'}:%M{seconds}{'.%f' if time['fraction'] else ''}{half}"


def _reads(values: Sequence[str], date_format: str) -> list[bool]:
    dates = pd.to_datetime(pd.Series(values, dtype="str"), format=date_format, errors="coerce", utc=True)
    return list(dates.notna())


def _reads_all(values: Sequence[str], date_format: str) -> bool:
    return all(_reads(values, date_format))
