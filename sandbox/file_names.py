"""Turns the name of any upload into one safe name for a file in ``/data``; touches no file system."""

import itertools
import unicodedata
from collections.abc import Container, Iterator

_MOST_BYTES = 240  # of 255, to leave room for a number
_MOST_EXTENSION = 20
_WINDOWS_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(10))}


def safe_name(name: str, taken: Container[str] = ()) -> str:
    """The last part of the name as it would look on a screen: letters of all scripts stay, tricks go.

    A name in ``taken`` gets a number, ``data (2).csv``.
    """
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rstrip("/").rpartition("/")[2]
    shown = "".join(each if each.isprintable() else " " if each.isspace() else "" for each in last)
    clean = " ".join(shown.split()).rstrip(". ")
    stem, dot, extension = clean.rpartition(".")
    if not dot or len(extension) > _MOST_EXTENSION:
        stem, dot, extension = clean, "", ""
    stem = stem.lstrip(". ")
    if stem.startswith("-") or stem.partition(".")[0].strip().lower() in _WINDOWS_DEVICES:
        stem = "_" + stem.lstrip("-")
    ending = dot + extension
    stem = _cut(stem, _MOST_BYTES - len(ending.encode())) or "file"
    return next(each for each in _numbered(stem, ending) if each not in taken)


def _cut(text: str, most_bytes: int) -> str:
    return text.encode()[:most_bytes].decode("utf-8", "ignore").rstrip()


def _numbered(stem: str, ending: str) -> Iterator[str]:
    yield stem + ending
    for number in itertools.count(2):
        yield f"{stem} ({number}){ending}"
