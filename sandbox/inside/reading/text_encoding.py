"""Finds how the characters of a text file are encoded, by looking at all of it."""

import codecs
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from sandbox.inside.reading.file_kind import looks_like_utf16
from sandbox.inside.reading.letters import (
    LABELS,
    MULTIBYTE,
    SINGLE_BYTE,
    is_plainly_chinese,
    multibyte_plausibility,
    single_byte_plausibility,
)
from sandbox.inside.reading.source import WHOLE_BYTES, Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_EVIDENCE_BYTES = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFacts:
    """What one look at every byte of a text file shows."""

    encoding: str
    errors: str = "strict"
    first_bad_line: int = 0
    """The first line whose bytes do not fit ``encoding``; 0 when all do."""
    certain: bool = True
    """False when another encoding explains the bytes nearly as well, or none does well."""
    size: int
    """Bytes that were looked at."""
    whole: bool
    """False when the file goes on behind the bytes that were looked at."""
    lines: int
    """Lines that are complete, and the last one of the file."""
    nuls: int
    quotes: int

    @property
    def label(self) -> str:
        return LABELS.get(self.encoding, self.encoding.upper())

    @property
    def ascii_compatible(self) -> bool:
        return not self.encoding.startswith(("utf-16", "utf-32"))


class _Look:
    """Adds up what the pieces of a file show."""

    def __init__(self) -> None:
        self.lines = self.nuls = self.quotes = self.seen = self.first_bad_line = 0
        self.strange: list[bytes] = []
        self._strange_bytes = 0
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._last = b""

    def add(self, chunk: bytes) -> None:
        if not self.first_bad_line:
            self._check_utf8(chunk)
        if self._strange_bytes < _EVIDENCE_BYTES and not chunk.isascii():
            for line in chunk.splitlines():
                if line.isascii():
                    continue
                self.strange.append(line)
                self._strange_bytes += len(line)
                if self._strange_bytes > _EVIDENCE_BYTES:
                    break
        self.lines += _count(chunk, b"\n")
        self.nuls += _count(chunk, b"\0")
        self.quotes += _count(chunk, b'"')
        self.seen += len(chunk)
        self._last = chunk[-1:]

    def end(self, whole: bool) -> None:
        if whole and not self.first_bad_line:
            self._check_utf8(b"", final=True)
        self.lines += whole and self._last not in (b"\n", b"")

    @property
    def has_much_evidence(self) -> bool:
        return sum(byte > 127 for line in self.strange[:20] for byte in line[:500]) > 3

    def _check_utf8(self, chunk: bytes, final: bool = False) -> None:
        if not self._utf8.getstate()[0] and (chunk.isascii() or _is_utf8(chunk)):
            return
        try:
            self._utf8.decode(chunk, final)
        except UnicodeDecodeError as error:
            self.first_bad_line = self.lines + 1 + chunk.count(b"\n", 0, error.start)


def _count(chunk: bytes, char: bytes) -> int:
    """What ``bytes.count`` counts; that one is slow where there is much to find."""
    return int(np.count_nonzero(np.frombuffer(chunk, np.uint8) == ord(char))) if char in chunk else 0


def _is_utf8(chunk: bytes) -> bool:
    """The same as decoding it, faster; a character that is cut off at the end does not fit."""
    try:
        pa.array([chunk], pa.binary()).cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def look_at_text(source: Source, chosen: str = "") -> TextFacts:
    """Read every byte once, up to ``WHOLE_BYTES``. An encoding that is ``chosen`` is not looked for."""
    head = source.head(4_000)
    look = _Look()
    for chunk in source.chunks():
        look.add(chunk)
    whole = look.seen < WHOLE_BYTES
    look.end(whole)
    encoding, bad_line, certain = _as_chosen(source, chosen) if chosen else _encoding(source, head, look)
    marked = encoding.startswith(("utf-16", "utf-32"))
    return TextFacts(
        encoding=encoding,
        errors="replace" if bad_line else "strict",
        first_bad_line=bad_line,
        certain=certain,
        size=look.seen,
        whole=whole,
        lines=look.lines,
        nuls=0 if marked else look.nuls,
        quotes=look.quotes,
    )


def _encoding(source: Source, head: bytes, look: _Look) -> tuple[str, int, bool]:
    """The encoding, the first line that does not fit it, and whether that is certain."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding, look.first_bad_line if encoding == "utf-8-sig" else 0, True
    wide = looks_like_utf16(head)
    if wide:
        return wide, 0, True
    if not look.first_bad_line:
        return "utf-8", 0, True
    if _mostly_utf8(look.strange):
        return "utf-8", look.first_bad_line, True
    for score, encoding in _by_likelihood(look.strange):
        if _decodes(source.chunks(), encoding):
            return encoding, 0, score > 0.9 and look.has_much_evidence
    return "latin-1", 0, False


def _as_chosen(source: Source, encoding: str) -> tuple[str, int, bool]:
    """The same as ``_encoding``; which line does not fit is not counted for every encoding."""
    return encoding, 0 if _decodes(source.chunks(), encoding) else 1, True


def _mostly_utf8(lines: list[bytes]) -> bool:
    """Whether the characters beyond ASCII are UTF-8 with few exceptions, as in a file that was cut or patched."""
    text = b"\n".join(lines).decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(char > "\x7f" for char in text) - wrong
    return right > 4 * wrong


def _by_likelihood(lines: list[bytes]) -> list[tuple[float, str]]:
    """The encodings that the evidence does not rule out, each with its score, the likeliest first."""
    evidence = b"\n".join(lines)
    scores = [(multibyte_plausibility(evidence, name), name) for name in MULTIBYTE]
    scores += [(single_byte_plausibility(evidence, name, letters), name) for name, letters in SINGLE_BYTE]
    order = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: -pair[0])
    close = [name for score, name in order if name in MULTIBYTE and score > order[0][0] - 0.1]
    if len(close) > 1 and not (close[0] == "gb18030" and is_plainly_chinese(evidence)):
        import charset_normalizer  # rarely needed and slow to load

        best = charset_normalizer.from_bytes(evidence, cp_isolation=close).best()
        order.sort(key=lambda pair: best is None or pair[1] != best.encoding)
    return order


def _decodes(chunks: Iterable[bytes], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
    except UnicodeDecodeError:
        return False
    return True
