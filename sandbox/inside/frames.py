"""Frames, all that crosses the sandbox's border: two lengths, a JSON header and raw bytes; knows no meaning of them."""

import json
import struct
from collections.abc import Iterator
from typing import Any

PROTOCOL_VERSION = 1
MAX_HEADER = 1 << 16
PART_BYTES = 1 << 18
"""A larger payload is sent as several frames; all but the last say ``more``."""

Header = dict[str, Any]

_LENGTHS = struct.Struct(">II")
# Bound here: code in the sandbox may replace json.dumps and the like.
encode_json = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
decode_json = json.JSONDecoder().decode


class FrameError(Exception):
    """The other side sent what is no frame."""


def encode(header: Header, payload: bytes = b"") -> bytes:
    """One frame. Raises ``FrameError`` when the header is larger than the other side takes."""
    head = encode_json(header).encode()
    if len(head) > MAX_HEADER:
        raise FrameError(f"a header of {len(head)} bytes")
    return _LENGTHS.pack(len(head), len(payload)) + head + payload


def encode_parts(header: Header, payload: bytes) -> Iterator[bytes]:
    """The frames of one message, however large it is."""
    last = max(len(payload) - 1, 0) // PART_BYTES * PART_BYTES
    for start in range(0, last, PART_BYTES):
        yield encode({**header, "more": True}, payload[start : start + PART_BYTES])
    yield encode(header, payload[last:])


class FrameReader:
    """Cuts a stream of bytes into frames; holds no more than one unfinished frame."""

    def __init__(self, max_payload: int) -> None:
        self._max_payload = max_payload
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[Header, bytes]]:
        """The frames that ``data`` completes. Raises ``FrameError``; the stream is of no use from then on."""
        self._buffer += data
        position = 0
        try:
            while len(self._buffer) - position >= _LENGTHS.size:
                head_size, payload_size = _LENGTHS.unpack_from(self._buffer, position)
                if head_size > MAX_HEADER or payload_size > self._max_payload:
                    raise FrameError(f"a frame of {head_size} and {payload_size} bytes")
                start = position + _LENGTHS.size
                end = start + head_size + payload_size
                if len(self._buffer) < end:
                    return
                header = _read_header(bytes(self._buffer[start : start + head_size]))
                payload = bytes(self._buffer[start + head_size : end])
                position = end
                yield header, payload
        finally:
            del self._buffer[:position]


def _read_header(data: bytes) -> Header:
    try:
        header = decode_json(data.decode())
    except (ValueError, RecursionError) as error:
        raise FrameError("a header that is not JSON") from error
    if not isinstance(header, dict) or not isinstance(header.get("type"), str):
        raise FrameError("a header without a type")
    return header
