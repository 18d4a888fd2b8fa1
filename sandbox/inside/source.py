"""The bytes of one file, unpacked where they are gzip; knows nothing of what they mean."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, cast

WHOLE_BYTES = 200_000_000
"""Text up to this size is looked at and read whole; of longer text only the rows up to here."""
_CHUNK = 4_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """One file on disk."""

    path: str
    gzipped: bool = False

    @property
    def name(self) -> str:
        return Path(self.path).name

    def open(self) -> BinaryIO:
        opener = gzip.open if self.gzipped else open
        return cast(BinaryIO, opener(self.path, "rb"))

    def open_text(self, encoding: str, errors: str = "strict") -> TextIOWrapper:
        """The text with its line ends as they are."""
        return TextIOWrapper(self.open(), encoding=encoding, errors=errors, newline="")

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
