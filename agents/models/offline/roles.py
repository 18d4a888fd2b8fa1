"""Decides from types, names, ranges and the dictionary which part each column of a profile can play."""

import re
from collections.abc import Mapping, Sequence

from agents.models.offline.dictionary import Entry, read_dictionary
from agents.models.offline.known_table import Column, KnownTable, Role
from agents.models.offline.stems import name_words
from agents.models.offline.vocabulary import ADDITIVE, ANTONYMS, BAD_OUTCOMES, GOOD_OUTCOMES, keys_of
from sandbox.sandbox import Cell, ColumnProfile, FileProfile, TableProfile

FEW_VALUES = 12
LONGEST_VALUE = 30
_ID_WORDS = frozenset(
    ("id", "ids", "no", "nr", "code", "key", "uuid", "guid", "phone", "tel", "zip", "postcode", "iccid", "imei")
)
_CODES = frozenset(("status", "category", "department", "channel"))
"""Whole numbers of such a name are codes, not amounts."""
_ID_ENDINGS = ("编号", "代码", "电话", "邮编", "学号", "工号", "单号", "序号", "号码", "手机号", "身份证号")
_DATE_TEXT = re.compile(r"\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?([ T]\d.*)?")
_CYCLES: Mapping[str, tuple[float, float]] = {
    "hour": (0, 24),
    "time": (0, 24),
    "weekday": (0, 7),
    "month": (1, 12),
    "quarter": (1, 4),
    "day": (1, 31),
}


def known_tables(files: Sequence[FileProfile], dictionary: str = "") -> tuple[KnownTable, ...]:
    """Every table of the files that has rows and is held in memory, in their order."""
    tables = [(file, table) for file in files for table in file.tables if table.rows and table.is_in_memory]
    return tuple(_known(file, table, dictionary) for file, table in tables)


def _known(file: FileProfile, table: TableProfile, dictionary: str) -> KnownTable:
    entries = read_dictionary(dictionary, (column.name for column in table.columns))
    columns = []
    for at, profile in enumerate(table.columns):
        sample = [row[at] for row in table.sample if at < len(row) and row[at] is not None]
        columns.append(_column(profile, sample, table.rows, entries.get(profile.name, Entry())))
    return KnownTable(
        file=file.name,
        size=file.size,
        variable=table.variable,
        recipe=table.recipe,
        rows=table.rows,
        columns=tuple(columns),
    )


def _column(profile: ColumnProfile, sample: Sequence[Cell], rows: int, entry: Entry) -> Column:
    keys = keys_of(profile.name)
    role = _role(profile, sample, rows, keys, bool(entry.labels))
    return Column(
        name=profile.name,
        role=role,
        distinct=profile.distinct,
        has_few=_has_few(profile, rows),
        minimum=_number(profile.minimum),
        maximum=_number(profile.maximum),
        meaning=entry.meaning,
        labels=entry.labels if role in {Role.FLAG, Role.CATEGORY} else {},
        values=_values(profile, sample),
        keys=keys,
    )


def _values(profile: ColumnProfile, sample: Sequence[Cell]) -> tuple[str, ...]:
    known = (*sample, *(value for value, _ in profile.top))
    return tuple(dict.fromkeys(value for value in known if isinstance(value, str) and len(value) <= LONGEST_VALUE))


def _role(profile: ColumnProfile, sample: Sequence[Cell], rows: int, keys: frozenset[str], labelled: bool) -> Role:
    fixed = {"empty": Role.EMPTY, "date": Role.DATE, "boolean": Role.FLAG}.get(profile.type)
    if fixed:
        return fixed
    if profile.type == "text":
        return _text_role(profile, sample, rows)
    return _number_role(profile, rows, keys, labelled)


def _text_role(profile: ColumnProfile, sample: Sequence[Cell], rows: int) -> Role:
    if sample and all(isinstance(value, str) and _DATE_TEXT.fullmatch(value.strip()) for value in sample):
        return Role.DATE
    distinct = profile.distinct
    if distinct is None or distinct <= 20 or distinct <= rows / 2:
        return Role.CATEGORY
    return Role.ID if _is_id(profile.name) else Role.TEXT


def _number_role(profile: ColumnProfile, rows: int, keys: frozenset[str], labelled: bool) -> Role:
    low, high, distinct = _number(profile.minimum), _number(profile.maximum), profile.distinct
    whole, few = profile.type == "integer", distinct is not None and distinct <= FEW_VALUES
    if whole and (low, high) == (0, 1):
        return Role.FLAG
    if _is_id(profile.name) or (whole and _is_running(profile, rows, keys)):
        return Role.CATEGORY if few else Role.ID
    if whole and few and (labelled or keys & _CODES):
        return Role.CATEGORY
    if low is None or high is None:
        return Role.MEASURE
    if whole and "year" in keys and low >= 1800 and high <= 2200:
        return Role.YEAR
    for key, (least, greatest) in _CYCLES.items():
        if key in keys and least <= low and high <= greatest and not keys & {"response", "count"}:
            return Role.CYCLE
    return Role.MEASURE


def _has_few(profile: ColumnProfile, rows: int) -> bool:
    return profile.distinct is not None and profile.distinct <= FEW_VALUES and 3 * profile.distinct <= rows


def _is_id(name: str) -> bool:
    words = name_words(name)
    return name.strip().endswith(_ID_ENDINGS) or (bool(words) and words[-1] in _ID_WORDS)


def _is_running(profile: ColumnProfile, rows: int, keys: frozenset[str]) -> bool:
    """Whether it merely numbers the rows: every whole number once, under a name that is no measure's."""
    if len(profile.name) == 1 or keys & (ADDITIVE | GOOD_OUTCOMES | BAD_OUTCOMES):
        return False
    low, high = _number(profile.minimum), _number(profile.maximum)
    if low is None or high is None or profile.distinct is None or rows <= 20:
        return False
    return profile.distinct == rows and high - low + 1 == rows


def _number(value: Cell) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except ValueError:
        return None


def flag_words(column: Column) -> dict[str, frozenset[str]]:
    """Which concepts name which value of a column: from its labels, or from its name and that name's opposite."""
    named = {value: keys_of(label) for value, label in column.labels.items()}
    if column.role is Role.FLAG:
        for key in column.keys & ANTONYMS.keys():
            named["1"] = named.get("1", frozenset()) | {key}
            named["0"] = named.get("0", frozenset()) | {ANTONYMS[key]}
    return named
