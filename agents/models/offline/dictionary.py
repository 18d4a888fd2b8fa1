"""What a data dictionary, free text in any common form, says about each column; unknown lines are left out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_ENTRY = re.compile(
    r"^[\s\-*•·|>#\d.)]*[`\"'*「]*(?P<name>.+?)[`\"'*」]*\s*(?:[:：=|\t,，]|\s[-–—]+\s)\s*(?P<meaning>.+)$"
)
_LABEL = re.compile(
    r"(?<![\w.])(?P<value>\d+|true|false)\s*"
    r"(?:=|:|：|->|→|means|is|for|in an?(?=\s)|in the|if|表示|代表|为|是|-|–)\s*"
    r"(?P<label>[^\d\s,;，；。()（）|/、=][^,;，；。()（）|/、=]*)",
    re.IGNORECASE,
)
_LABEL_BEFORE = re.compile(r"(?P<label>[^\W\d]+)\s*[(（](?P<value>\d+)[)）]")
_LABEL_BEHIND = re.compile(r"(?<![\w.])(?P<value>\d+)\s*[(（](?P<label>[^\d()（）]+)[)）]")
LONGEST_LABEL = 30


@dataclass(frozen=True, slots=True)
class Entry:
    """One column's meaning and the names of its values, for example ``{"1": "urban", "0": "rural"}``."""

    meaning: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


def read_dictionary(text: str, columns: Iterable[str]) -> dict[str, Entry]:
    """The entries of ``text`` for those of ``columns`` that a line begins with."""
    known = {_plain(name): name for name in columns}
    found: dict[str, Entry] = {}
    for line in text.splitlines():
        match = _ENTRY.match(line)
        name = known.get(_plain(match["name"])) if match else None
        if match and name and name not in found:
            meaning = match["meaning"].strip(" |")
            found[name] = Entry(meaning, value_labels(meaning))
    return found


def value_labels(meaning: str) -> dict[str, str]:
    """The names that ``meaning`` gives to values: ``1 = urban``, ``urban (1)``, ``0 (dry)``, ``1 表示城区``."""
    for pattern in (_LABEL, _LABEL_BEFORE, _LABEL_BEHIND):
        labels = {match["value"].lower(): match["label"].strip() for match in pattern.finditer(meaning)}
        short = {value: label for value, label in labels.items() if label and len(label) <= LONGEST_LABEL}
        if len(short) > 1:
            return short
    return {}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
