"""Finds formulas in an xlsx file whose results were never stored, so that their cells read as blank."""

import html
import re
import zipfile
import zlib

_MOST_BYTES = 100_000_000
_TAG = re.compile(r"<(?:\w+:)?(sheet|Relationship)\s([^>]*)>")
_ATTRIBUTE = re.compile(r'([\w:]+)="([^"]*)"')
_FORMULA = re.compile(
    rb'<c\b[^>]*?\br="([A-Z]+)\d+"[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?P<result><v>[^<]+</v>|<is>)?'
)


def columns_without_results(path: str, sheet: str) -> list[int]:
    """The columns of the sheet, counted from 0, with such formulas; none for other kinds of workbook."""
    try:
        with zipfile.ZipFile(path) as archive:
            part = part_of(archive, sheet)
            if not part or archive.getinfo(part).file_size > _MOST_BYTES:
                return []
            content = archive.read(part)
    except (zipfile.BadZipFile, OSError, KeyError, ValueError, NotImplementedError, zlib.error):
        return []
    if b"<f" not in content:
        return []
    letters = {match[1].decode() for match in _FORMULA.finditer(content) if not match["result"]}
    return sorted(map(_column_number, letters))


def part_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """The file in the archive that holds the sheet."""
    workbook = archive.read("xl/workbook.xml").decode("utf-8", "replace")
    relations = archive.read("xl/_rels/workbook.xml.rels").decode("utf-8", "replace")
    targets = {tag["Id"]: tag["Target"] for tag in _tags(relations, "Relationship") if {"Id", "Target"} <= tag.keys()}
    for tag in _tags(workbook, "sheet"):
        if html.unescape(tag.get("name", "")) == sheet:
            target = targets.get(tag.get("r:id", ""), "")
            return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return ""


def _tags(text: str, name: str) -> list[dict[str, str]]:
    return [dict(_ATTRIBUTE.findall(found[2])) for found in _TAG.finditer(text) if found[1] == name]


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
