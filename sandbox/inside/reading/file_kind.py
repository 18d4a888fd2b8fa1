"""Tells by its first bytes what a file is; the name and its ending do not count."""

import codecs
import mmap
import re
import zipfile
import zlib
from pathlib import Path
from typing import Literal

from sandbox.inside.reading.notes import DAMAGED, LOCKED, NO_DATA, Note, Unreadable, note
from sandbox.inside.reading.source import Source

Kind = Literal[
    "text", "json", "workbook", "parquet", "feather", "archive", "sqlite", "duckdb", "stata", "sas", "spss", "web_page"
]

UNPACKED_BYTES = 2_000_000_000
"""A workbook or an archive that says it unpacks to more than this is refused."""

_PACKED = note("This is an archive, not a table. Unpack it and upload the files in it.")
_PICTURE = note("This is a picture, not a table. Upload a CSV, Excel, Parquet or JSON file.")
_MEDIA = note("This is a sound or video file, not a table. Upload a CSV, Excel, Parquet or JSON file.")
_PROGRAM = note("This is a program, not a table. Upload a CSV, Excel, Parquet or JSON file.")
_DATABASE = note("This is a database file. Export its tables as CSV or Parquet and upload those.")
_SIGNATURES: tuple[tuple[int, bytes, Note], ...] = (
    (0, b"%PDF", note("This is a PDF document, not a table. Copy its table into a spreadsheet and upload that.")),
    (0, b"{\\rtf", note("This is a text document, not a table. Copy its table into a spreadsheet and upload that.")),
    (0, b"\x89PNG", _PICTURE),
    (0, b"\xff\xd8\xff", _PICTURE),
    (0, b"GIF8", _PICTURE),
    (0, b"II*\0", _PICTURE),
    (0, b"MM\0*", _PICTURE),
    (8, b"WEBP", _PICTURE),
    (4, b"ftyp", _MEDIA),
    (0, b"OggS", _MEDIA),
    (0, b"ID3", _MEDIA),
    (8, b"WAVE", _MEDIA),
    (0, b"7z\xbc\xaf", _PACKED),
    (0, b"Rar!", _PACKED),
    (0, b"\xfd7zXZ", _PACKED),
    (0, b"BZh", _PACKED),
    (0, b"\x28\xb5\x2f\xfd", _PACKED),
    (257, b"ustar", _PACKED),
    (4, b"Standard Jet DB", _DATABASE),
    (4, b"Standard ACE DB", _DATABASE),
    (0, b"\x89HDF", note("This is an HDF5 file. Save its tables as CSV or Parquet and upload those.")),
    (0, b"\x93NUMPY", note("This is a NumPy array. Save it as CSV or Parquet and upload that.")),
    (0, b"\x7fELF", _PROGRAM),
    (0, b"MZ\x90", _PROGRAM),
)
_KINDS: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"PAR1", "parquet"),
    (0, b"ARROW1", "feather"),
    (0, b"FEA1", "feather"),
    (0, b"SQLite format 3\0", "sqlite"),
    (8, b"DUCK", "duckdb"),
    (0, b"<stata_dta>", "stata"),
    (84, b"SAS FILE", "sas"),
    (0, b"HEADER RECORD*******LIB", "sas"),
    (0, b"$FL2", "spss"),
    (0, b"$FL3", "spss"),
)
_OLD_STATA = re.compile(rb"[\x6c-\x73][\x01\x02]\x01\x00")
_PACKS_ITSELF = (b"PK", b"SQLite", b"<stata_dta>", b"$FL", b"PAR1", b"ARROW1", b"FEA1")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def identify(path: str) -> tuple[Source, Kind]:
    """The file's bytes and what kind of table they hold; raises ``Unreadable`` for everything else."""
    source = Source(path)
    head = source.head(70_000)
    if head.startswith(b"\x1f\x8b"):
        source = Source(path, gzipped=True)
        head = _unpacked_head(source)
        kind = _kind(source, head) if not head.startswith((*_PACKS_ITSELF, _OLE)) else None
        if kind not in ("text", "json"):
            raise Unreadable(note("This is a packed file that is not text. Unpack it and upload what is in it."))
        return source, kind
    return source, _kind(source, head)


def _unpacked_head(source: Source) -> bytes:
    try:
        return source.head(70_000)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(DAMAGED) from error


def _kind(source: Source, head: bytes) -> Kind:
    for offset, signature, refusal in _SIGNATURES:
        if head.startswith(signature, offset):
            raise Unreadable(refusal)
    if head.startswith(b"PK\x03\x04"):
        return _zip_kind(source.path)
    if head.startswith(_OLE):
        return _ole_kind(source.path)
    for offset, signature, kind in _KINDS:
        if head.startswith(signature, offset):
            return kind
    return "stata" if _OLD_STATA.match(head) else _text_kind(head)


def _zip_kind(path: str) -> Kind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            unpacked = sum(item.file_size for item in archive.infolist())
            mimetype = archive.read("mimetype")[:80] if "mimetype" in names else b""
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise Unreadable(DAMAGED) from error
    if not names & {"xl/workbook.xml", "xl/workbook.bin"} and b"opendocument.spreadsheet" not in mimetype:
        documents = ("word/", "ppt/")
        if b"opendocument" in mimetype or any(name.startswith(documents) for name in names):
            raise Unreadable(
                note("This is a text document, not a table. Copy its table into a spreadsheet and upload that.")
            )
        return "archive"
    if unpacked > UNPACKED_BYTES:
        raise Unreadable(
            note(
                "The workbook unpacks to {megabytes} MB; at most {limit} MB can be read. Save the sheet as CSV.",
                megabytes=unpacked // 1_000_000,
                limit=UNPACKED_BYTES // 1_000_000,
            )
        )
    return "workbook"


def _ole_kind(path: str) -> Kind:
    """Old Office files and encrypted new ones share a container; the names in it are UTF-16."""
    with Path(path).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content.find("EncryptedPackage".encode("utf-16-le")) >= 0:
            raise Unreadable(LOCKED)
        if content.find("Workbook".encode("utf-16-le")) >= 0 or content.find("Book\0".encode("utf-16-le")) >= 0:
            return "workbook"
    raise Unreadable(
        note("This is an old or damaged Office document. Copy its table into a new spreadsheet and upload that.")
    )


def _text_kind(head: bytes) -> Kind:
    start = head
    for bom in _BOMS:
        start = start.removeprefix(bom)
    start = start.replace(b"\0", b"").strip()
    if not start:
        raise Unreadable(NO_DATA)
    if _is_binary(head):
        raise Unreadable(note("This is not a table that can be read. Upload a CSV, Excel, Parquet or JSON file."))
    if start[:500].lower().startswith((b"<!doctype html", b"<html", b"<table", b"<head", b"<body")):
        return "web_page"
    if start.startswith((b"<?xml", b"<!")):
        raise Unreadable(note("This is an XML file, not a table. Open it in Excel, save it as xlsx and upload that."))
    return "json" if start[:1] in (b"{", b"[") else "text"


def looks_like_utf16(head: bytes) -> str | None:
    """``utf-16-le`` or ``utf-16-be`` if every other byte is nearly always zero, or lines show it; no mark needed."""
    even, odd = head[:4000:2], head[1:4000:2]
    if len(odd) < 4:
        return None
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if zeros_odd > 0.5 and zeros_even < 0.1:
        return "utf-16-le"
    if zeros_even > 0.5 and zeros_odd < 0.1:
        return "utf-16-be"
    return next((name for name in ("utf-16-le", "utf-16-be") if b"\0" in head and _reads_as(head[:4000], name)), None)


def _reads_as(head: bytes, encoding: str) -> bool:
    """Whether the bytes are lines of characters that show; of binary content and of other encodings hardly any are."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return False
    return "\n" in text and all(char.isprintable() or char in "\t\r\n\u3000\xa0" for char in text)


def _is_binary(head: bytes) -> bool:
    if head.startswith(_BOMS) or looks_like_utf16(head):
        return False
    controls = bytes(byte for byte in range(1, 32) if byte not in b"\t\n\r\f\x1a\x1b")
    strange = len(head) - len(head.translate(None, controls))
    return strange / len(head) > 0.02 or head.count(0) / len(head) > 0.25
