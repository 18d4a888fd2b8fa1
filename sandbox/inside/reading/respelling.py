"""Translates other ways to spell numbers and dates: digits of other scripts, minus signs, names of months."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sandbox.inside.reading.notes import Note, note, quoted
from sandbox.inside.reading.number_styles import is_number, without_signs

_MONTHS = (
    ("January", "januar januari janvier enero gennaio janeiro ocak января stycznia leden"),
    ("February", "februar februari février fevrier febrero febbraio fevereiro şubat февраля lutego"),
    ("March", "märz mars marzo março maart mart марта marca"),
    ("April", "avril abril aprile nisan апреля kwietnia"),
    ("May", "mai mayo maggio maio mei maj mayıs мая maja"),
    ("June", "juni juin junio giugno junho haziran июня czerwca"),
    ("July", "juli juillet julio luglio julho temmuz июля lipca"),
    ("August", "août aout agosto augustus augusti ağustos августа sierpnia"),
    ("September", "septembre septiembre settembre setembro eylül сентября września"),
    ("October", "oktober octobre octubre ottobre outubro ekim октября października"),
    ("November", "novembre noviembre novembro kasım ноября listopada"),
    ("December", "dezember décembre decembre diciembre dicembre dezembro december aralık декабря grudnia"),
)
_SHORT_MONTHS = (
    ("Jan", "ene gen janv"),
    ("Feb", "fév fev févr"),
    ("Mar", "mär mrz mrt"),
    ("Apr", "avr abr"),
    ("May", "mai mei maj mag"),
    ("Jun", "giu"),
    ("Jul", "lug juil"),
    ("Aug", "ago aoû"),
    ("Sep", "set sept"),
    ("Oct", "okt ott out"),
    ("Nov", ""),
    ("Dec", "dez dic déc"),
)
_ENGLISH = {name: month for month, names in (*_SHORT_MONTHS, *_MONTHS) for name in names.split()}
_OWN = {month.casefold() for month, _ in (*_SHORT_MONTHS, *_MONTHS)}
_WORD = re.compile(r"[^\W\d_]+")
_MINUS = (("−", "-"), (r"^\((.*)\)$", r"-\1"), (r"^([^-].*[.,].*)-$", r"-\1"))
"""A true minus sign, brackets as accountants use them, and a minus behind decimals; ``2-`` is a grade."""
_MARKS = {"٫": ".", "٬": "", "،": "", "．": ".", "，": ",", "－": "-"}
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Respelling:
    """Regular expressions with what takes their place, in order; the cells as they are then, and what to say of it."""

    replacements: tuple[tuple[str, str], ...]
    cells: tuple[str, ...]
    notes: tuple[Note, ...]


def respellings(name: str, known: Sequence[str]) -> list[Respelling]:
    """The ways in which all the cells might be numbers or dates after all; none for ordinary text."""
    if any(len(cell) > _LONGEST for cell in known):
        return []
    return [found for found in (_digits(name, known), _negatives(name, known), _months(name, known)) if found]


@lru_cache(maxsize=4096)
def looks_respelled(cell: str) -> bool:
    """Whether a single cell might be a number or a date in such a spelling."""
    if len(cell) > _LONGEST or not any(letter.isdigit() for letter in cell):
        return False
    return bool(is_number(without_signs(cell)) or _digits("", [cell]) or _months("", [cell]))


def _respelled(replacements: tuple[tuple[str, str], ...], known: Sequence[str], *notes: Note) -> Respelling:
    cells = list(known)
    for pattern, other in replacements:
        compiled = re.compile(pattern)
        cells = [compiled.sub(other, cell) for cell in cells]
    return Respelling(replacements, tuple(cells), notes)


def _digits(name: str, known: Sequence[str]) -> Respelling | None:
    letters = set().union(*known)
    foreign = {letter: str(unicodedata.digit(letter)) for letter in letters if letter.isdecimal() and letter > "9"}
    if not foreign:
        return None
    pairs = foreign | {letter: mark for letter, mark in _MARKS.items() if letter in letters}
    example = next(cell for cell in known if not foreign.keys().isdisjoint(cell))
    found = _respelled(tuple(sorted(pairs.items())), known)
    if not all(_is_plain(cell) for cell in found.cells):
        return None
    told = note(
        "Digits of another script in column {column}, such as {example}, are read as {plain}.",
        column=quoted(name),
        example=quoted(example, 30),
        plain=found.cells[known.index(example)],
    )
    return Respelling(found.replacements, found.cells, (told,))


def _is_plain(cell: str) -> bool:
    return cell.isascii() and any(letter.isdigit() for letter in cell) and not any(map(str.isalpha, cell))


def _negatives(name: str, known: Sequence[str]) -> Respelling | None:
    """Numbers with another way to write the minus. Signs of money stay what they are, text."""
    used = [pair for pair in _MINUS if any(re.search(pair[0], cell) for cell in known)]
    if not used:
        return None
    example = next(cell for cell in known if re.search(used[0][0], cell))
    told = note(
        "In column {column}, {example} is read as a negative number.",
        column=quoted(name),
        example=quoted(example, 30),
    )
    found = _respelled(tuple(used), known, told)
    return found if all(map(is_number, found.cells)) else None


def _months(name: str, known: Sequence[str]) -> Respelling | None:
    """Dates with the names of months in another language than English."""
    pairs: dict[str, str] = {}
    for cell in known:
        words = _WORD.findall(cell)
        if len(words) != 1 or not any(letter.isdigit() for letter in cell):
            return None
        month = _ENGLISH.get(words[0].casefold())
        if month:
            pairs[words[0] + (r"\." if f"{words[0]}." in cell else "")] = month
        elif words[0].casefold() not in _OWN:
            return None
    if not pairs:
        return None
    # Short and long names in one column would be two formats.
    full = all(month in dict(_MONTHS) for month in pairs.values())
    short = all(month in dict(_SHORT_MONTHS) for month in pairs.values())
    if not (full or short):
        pairs = {word: month[:3] for word, month in pairs.items()}
    longest_first = sorted(pairs.items(), key=lambda pair: (-len(pair[0]), pair))
    return _respelled(tuple(longest_first), known)
