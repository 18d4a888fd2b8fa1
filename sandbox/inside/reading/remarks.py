"""Tells remarks and blank rows below a table from its last rows of data."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.inside.reading.cell_kinds import is_typed

LOOKED_AT = 60
"""Rows at the end of a table that may be no data."""
_LONG = 30
_REMARK = re.compile(
    r"(?:sources?|quellen?|fuentes?|fontes?|källa|kilde|źródło|bron|notes?|n\.?b\.?|anm(?:erkung(?:en)?|\.)|hinweise?|stand|"
    r"remarks?|generated|exported|created|printed|erstellt|exportiert|copyright|page|seite)\b|"
    r"[*†‡©※]|\(?[¹²³]|注|备注|来源|资料来源|数据来源|说明|出典|備考|출처|자료",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Below:
    """How many of the last rows are no data, and the words of those that hold any."""

    rows: int
    remarks: tuple[str, ...]


def below_the_data(rows: Sequence[Sequence[str]], gaps: frozenset[int]) -> Below:
    """``rows`` are the last ones, of one width; ``gaps`` says which of them follow a blank line."""
    start = len(rows)
    while start > 0 and (_is_blank(rows[start - 1]) or _may_be_remark(rows[start - 1])):
        start -= 1
    while start < len(rows) and not _is_blank(rows[start]) and start not in gaps and not _is_remark(rows[start]):
        start += 1
    remarks = tuple(
        ", ".join(cell.strip() for cell in row if cell.strip()) for row in rows[start:] if not _is_blank(row)
    )
    if not remarks and any(map(_is_blank, rows[:start])):
        # Where blank rows are usual, those at the end are no sign of an end.
        return Below(0, ())
    return Below(len(rows) - start, remarks)


def _is_blank(row: Sequence[str]) -> bool:
    return not any(cell.strip() for cell in row)


def _may_be_remark(row: Sequence[str]) -> bool:
    """Whether it is one if it stands apart from the data."""
    first, filled = row[0].strip(), sum(bool(cell.strip()) for cell in row)
    if len(row) < 3 or not first or row[-1].strip() or is_typed(first):
        return False
    return filled == 1 or ":" in first or bool(_REMARK.match(first))


def _is_remark(row: Sequence[str]) -> bool:
    """Whether it is one although it follows the data at once."""
    first, filled = row[0].strip(), sum(bool(cell.strip()) for cell in row)
    return filled == 1 and (len(first) > _LONG or bool(_REMARK.match(first)))
