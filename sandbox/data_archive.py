"""Tars that bring files into the volume behind ``/data`` or take some out; opens nothing itself.

The engine unpacks them: uncompressed, because it would run a decompressor on hostile ground for anything else.
"""

import tarfile
import time
from collections.abc import Iterable, Iterator
from typing import IO

from sandbox.sandbox import SandboxError

VOLUME = "/volume"
FOLDER = "files"
"""``/data`` is a link to this folder of the volume."""
_PIECE = 1 << 20


def added(name: str, file: IO[bytes], size: int) -> Iterator[bytes]:
    """One file as root's, readable by all. Raises ``SandboxError`` if there are fewer than ``size`` bytes to read."""
    yield _member(name, size=size)
    left = size
    while left:
        piece = file.read(min(left, _PIECE))
        if not piece:
            raise SandboxError("The file {name} changed while it was copied. Add it again.", name=name)
        left -= len(piece)
        yield piece
    yield bytes(-size % tarfile.BLOCKSIZE) + _END


def removed(kept: Iterable[str]) -> Iterator[bytes]:
    """Leave only the files in ``kept``, without copying them.

    A tar cannot delete, but what it brings replaces what is there, even a folder: so the kept files are linked into a
    second folder, an empty file replaces the first one, and they are linked back.
    """
    kept = tuple(kept)
    yield _member("", kind=tarfile.DIRTYPE, folder="kept", mode=0o755)
    for name in kept:
        yield _member(name, kind=tarfile.LNKTYPE, folder="kept", link=f"{FOLDER}/{name}")
    yield _member("")
    yield _member("", kind=tarfile.DIRTYPE, mode=0o755)
    for name in kept:
        yield _member(name, kind=tarfile.LNKTYPE, link=f"kept/{name}")
    yield _member("", folder="kept") + _END


_END = bytes(2 * tarfile.BLOCKSIZE)


def _member(
    name: str, *, folder: str = FOLDER, kind: bytes = tarfile.REGTYPE, mode: int = 0o444, size: int = 0, link: str = ""
) -> bytes:
    header = tarfile.TarInfo(f"{folder}/{name}".rstrip("/"))
    header.mtime = int(time.time())
    header.type, header.mode, header.size, header.linkname = kind, mode, size, link
    return header.tobuf(tarfile.PAX_FORMAT)
