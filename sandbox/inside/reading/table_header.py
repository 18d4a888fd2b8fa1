"""Finds the column names among the first rows of a table, titles above them and units below them."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from sandbox.inside.reading.cell_kinds import is_typed, kind_of
from sandbox.inside.reading.dialect import usual_width

Rows = list[list[str]]
_MOST_TITLES = 60
_LOOK_BELOW = 50
_UNIT = re.compile(
    r"[\[(].*[\])]|%|°?[CFK]|[kMGm]?(?:m|g|W|Wh|V|A|Pa|Hz|l|s|J|N|bar)[²³23]?(?:/\w+[²³23]?)?|h|min|km/h|mph|"
    r"[€$£]|EUR|USD|CNY|count|number|string|text|date|YYYY.*|float|int(?:eger)?|varchar",
    re.IGNORECASE,
)


_RULE = re.compile(r":?[-=_─━]{3,}:?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Where the names and the data are, as positions in the rows looked at."""

    row: int | None
    """None when the table has no column names."""
    data: int
    """The first row of data."""
    names: tuple[str, ...]
    plain: bool
    """Whether ``names`` are exactly the cells of ``row``."""
    titles: tuple[str, ...] = ()
    """Text above the names that is left out."""
    units: tuple[str, ...] = ()
    """Rows between names and data that are left out."""


def find_header(rows: Rows, chosen: int | None = None) -> Header:
    """Rows may hold empty ones; they are skipped. ``chosen`` is the row of the names, from 1; 0 when there are none."""
    filled = [index for index, row in enumerate(rows) if any(cell.strip() for cell in row)]
    if not filled:
        return Header(row=None, data=0, names=(), plain=False)
    width = usual_width([len(rows[index]) for index in filled])
    if chosen is not None:
        return _chosen_header(rows, filled, width, chosen)
    start = _first_full_row(rows, filled, width)
    above = [index for index in filled if index < start]
    titles = tuple(" ".join(cell for cell in rows[index] if cell.strip()) for index in above)
    below = [rows[index] for index in filled if index > start][:_LOOK_BELOW]
    if not _is_header(rows[start], below):
        names = _numbered(max(width, len(rows[start])))
        return Header(row=None, data=start, names=names, plain=False, titles=titles)
    extra = _rows_before_data(rows[start], below)
    data = ([index for index in filled if index > start] + [len(rows)])[extra]
    if extra and _continues(rows[start], below[0]):
        names = unique_names(_combined(rows[start], below[:extra]))
        return Header(row=start, data=data, names=names, plain=False, titles=titles)
    names = unique_names(rows[start])
    units = tuple(", ".join(row) for row in below[:extra])
    return Header(row=start, data=data, names=names, plain=True, titles=titles, units=units)


def _chosen_header(rows: Rows, filled: list[int], width: int, chosen: int) -> Header:
    start = max((index for index in filled if index <= chosen - 1), default=filled[0])
    titles = tuple(" ".join(cell for cell in rows[index] if cell.strip()) for index in filled if index < start)
    if chosen == 0:
        return Header(row=None, data=start, names=_numbered(max(width, len(rows[start]))), plain=False)
    data = next((index for index in filled if index > start), len(rows))
    return Header(row=start, data=data, names=unique_names(rows[start]), plain=True, titles=titles)


def _numbered(width: int) -> tuple[str, ...]:
    return tuple(f"column_{place + 1}" for place in range(width))


def unique_names(cells: list[str]) -> tuple[str, ...]:
    """Names as pandas makes them: a blank one gets a number, a repeated one a suffix."""
    names: list[str] = []
    counts: Counter[str] = Counter()
    taken = set(cells)
    for place, cell in enumerate(cells):
        name = cell or f"Unnamed: {place}"
        if counts[name]:
            while (other := f"{name}.{counts[name]}") in taken:
                counts[name] += 1
            counts[name] += 1
            name = other
        else:
            counts[name] += 1
        taken.add(name)
        names.append(name)
    return tuple(names)


def _first_full_row(rows: Rows, filled: list[int], width: int) -> int:
    """The first row with names or values in at least half of the columns, and in two if there are two."""
    least = max((width + 1) // 2, min(width, 2))
    for place, index in enumerate(filled[:_MOST_TITLES]):
        row = rows[index]
        if sum(bool(cell.strip()) for cell in row) < least:
            continue
        following = rows[filled[place + 1]] if place + 1 < len(filled) else []
        is_title = len(row) < len(following) and (len(row) < width - 1 or not any(is_typed(cell) for cell in following))
        if not is_title:
            return index
    return filled[0]


def _is_header(row: list[str], below: Rows) -> bool:
    typed = [place for place, cell in enumerate(row) if is_typed(cell)]
    if not typed:
        return True
    if not below:
        return False
    alike = [place for place in typed if _usual_kind(below, place) == kind_of(row[place])]
    contrasts = [
        place
        for place, cell in enumerate(row)
        if kind_of(cell) in ("text", "blank") and _usual_kind(below, place) in ("number", "date")
    ]
    labels = len(typed) < len(row) and _are_labels([row[place] for place in typed])
    return not alike or labels or len(contrasts) > len(alike)


def _are_labels(cells: list[str]) -> bool:
    """Years or running numbers, as they head the columns of a wide table."""
    if len(cells) < 2 or not all(cell.strip().isdecimal() and len(cell) < 10 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return len({after - before for before, after in pairwise(numbers)}) == 1 and (
        abs(numbers[1] - numbers[0]) in (1, 5, 10)
    )


def _usual_kind(rows: Rows, place: int) -> str:
    kinds = Counter(kind_of(row[place]) for row in rows if place < len(row) and row[place].strip())
    return kinds.most_common(1)[0][0] if kinds else "blank"


def _rows_before_data(header: list[str], below: Rows) -> int:
    """How many rows under the names are no data: units, kinds or a second line of names."""
    if below and _is_rule(below[0]):
        return 1
    before = _typed_columns(header, below)
    best, most = 0, before
    for extra in range(1, min(4, len(below))):
        if any(is_typed(cell) for cell in below[extra - 1]):
            break
        after = _typed_columns(header, below[extra:])
        if len(after) > len(most):
            best, most = extra, after
    gained = most - before
    cells = [(place, cell.strip()) for row in below[:best] for place, cell in enumerate(row) if cell.strip()]
    cells_of_gained = [cell for place, cell in cells if place in gained]
    if not gained or all(kind_of(cell) == "missing" for cell in cells_of_gained):
        return 0
    nothing_else = len(gained) > 1 and len(cells) == len(cells_of_gained)
    units = all(_UNIT.fullmatch(cell) for cell in cells_of_gained)
    return best if nothing_else or units or _continues(header, below[0]) else 0


def _is_rule(row: list[str]) -> bool:
    """Whether the row is a line drawn under the names."""
    filled = [cell.strip() for cell in row if cell.strip()]
    return bool(filled) and all(_RULE.fullmatch(cell) for cell in filled)


def _typed_columns(header: list[str], rows: Rows) -> set[int]:
    """The columns in which every cell with content is a number or a date."""
    found = set()
    for place in range(len(header)):
        kinds = {kind_of(row[place]) for row in rows if place < len(row)} - {"blank", "missing"}
        if kinds and kinds <= {"number", "date"}:
            found.add(place)
    return found


def _continues(header: list[str], row: list[str]) -> bool:
    """Whether the row names columns that the one above leaves blank to the right of a merged cell."""
    return any(not above.strip() and below.strip() for above, below in zip(header[1:], row[1:], strict=False))


def _combined(header: list[str], rows: Rows) -> list[str]:
    """Names over several rows, joined; a merged name counts for the blank cells to its right."""
    names, group = [], ""
    for place in range(max(len(header), *(len(row) for row in rows))):
        above = header[place].strip() if place < len(header) else ""
        parts = [row[place].strip() for row in rows if place < len(row) and row[place].strip()]
        group = above or (group if parts else "")
        names.append(" ".join([group, *parts]) if group else " ".join(parts))
    return names
