"""The bytes of one file, and the Python by which others get them; knows nothing of what they mean."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, cast

from sandbox.inside.reading.recipe import literal

WHOLE_BYTES = 200_000_000
"""Text up to this size is looked at and read whole; of longer text only the rows up to here."""
_CHUNK = 1_000_000
"""Small enough to stay in the processor's cache while it is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """Where the bytes really are, of a file that was made only to look at them."""

    name: str
    before: tuple[str, ...]
    """Lines of Python that the next two need."""
    reader: str
    """What a reader of pandas is given, as Python."""
    content: str
    """The bytes, as Python."""
    unpacked: str = ""
    """The path of a copy that is made for those who need one, as Python."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file on disk."""

    path: str
    gzipped: bool = False
    original: Original | None = None

    @property
    def name(self) -> str:
        return self.original.name if self.original else Path(self.path).name

    @property
    def before(self) -> list[str]:
        """The lines that ``python`` needs."""
        return list(self.original.before) if self.original else []

    @property
    def python(self) -> str:
        """What a reader of pandas is given, as Python."""
        return self.original.reader if self.original else literal(self.path)

    def python_path(self, variable: str) -> tuple[list[str], str]:
        """Lines of Python after which there is a file, and its path as Python."""
        if self.original is None:
            return [], literal(self.path)
        return ["import tempfile, zipfile", f"{variable}_path = {self.original.unpacked}"], f"{variable}_path"

    def python_bytes(self) -> tuple[list[str], str]:
        """The modules for, and the Python of, all bytes, unpacked."""
        content = self.original.content if self.original else f"pathlib.Path({literal(self.path)}).read_bytes()"
        modules = [] if self.original else ["pathlib"]
        return (["gzip", *modules], f"gzip.decompress({content})") if self.gzipped else (modules, content)

    def open(self) -> BinaryIO:
        opener = gzip.open if self.gzipped else open
        return cast(BinaryIO, opener(self.path, "rb"))

    def open_text(self, encoding: str, errors: str = "strict") -> TextIOWrapper:
        """The text with its line ends as they are."""
        return TextIOWrapper(self.open(), encoding=encoding, errors=errors, newline="")

    def is_large(self) -> bool:
        """Whether the text has more than ``WHOLE_BYTES``."""
        if not self.gzipped:
            return Path(self.path).stat().st_size > WHOLE_BYTES
        with self.open() as file:
            return file.seek(WHOLE_BYTES + 1) > WHOLE_BYTES

    def head(self, size: int) -> bytes:
        with self.open() as file:
            return file.read(size)

    def chunks(self) -> Iterator[bytes]:
        """The bytes in large pieces, up to ``WHOLE_BYTES``."""
        left = WHOLE_BYTES
        with self.open() as file:
            while left > 0 and (chunk := file.read(min(_CHUNK, left))):
                left -= len(chunk)
                yield chunk
