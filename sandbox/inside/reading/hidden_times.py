"""Says where whole numbers may be dates or times: by their name and their size, or by their digits."""

import datetime
import re

from sandbox.inside.reading.notes import Note, note, quoted

DAY_AS_NUMBER = re.compile(
    r"^(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(([01][0-9]|2[0-3])[0-5][0-9]([0-5][0-9])?)?$"
)
_NAME = re.compile(
    r"date|datum|dato|fecha|\bdata\b|tarih|дата|time|zeit|hora|heure|\bts\b|_ts$|_at$|日期|时间|日付|日時|날짜|시간",
    re.IGNORECASE,
)
_SPREADSHEET_DAYS = range(20_000, 60_001)
_SECONDS = range(500_000_000, 4_000_000_001)
_EPOCH = datetime.date(1899, 12, 30)


def may_be_time(name: str) -> bool:
    return bool(_NAME.search(name))


def digit_notes(name: str, example: str) -> tuple[Note, ...]:
    """For numbers of which all match ``DAY_AS_NUMBER``."""
    return (
        note(
            "Column {column} may hold dates written as {example}; it is read as whole numbers.",
            column=quoted(name),
            example=example,
        ),
    )


def count_notes(name: str, least: int, most: int) -> tuple[Note, ...]:
    """For a column whose name promises a time, with its smallest and its largest number."""
    if least in _SPREADSHEET_DAYS and most in _SPREADSHEET_DAYS:
        return (
            note(
                "Column {column} may hold dates as spreadsheets count them ({example} is {date}); it is read as whole "
                "numbers.",
                column=quoted(name),
                example=str(least),
                date=(_EPOCH + datetime.timedelta(days=least)).isoformat(),
            ),
        )
    if least in _SECONDS and most in _SECONDS:
        return (
            note(
                "Column {column} may hold times in seconds since 1970; it is read as whole numbers.",
                column=quoted(name),
            ),
        )
    if least // 1000 in _SECONDS and most // 1000 in _SECONDS:
        return (
            note(
                "Column {column} may hold times in milliseconds since 1970; it is read as whole numbers.",
                column=quoted(name),
            ),
        )
    return ()
