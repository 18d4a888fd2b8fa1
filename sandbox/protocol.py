"""The host's side of the frames: orders to the sandbox, and what comes back, capped; trusts nothing that it reads."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from sandbox.inside.frames import PART_BYTES, PROTOCOL_VERSION, FrameError, FrameReader, Header, encode
from sandbox.limits import Limits

__all__ = ["MAX_CODE_BYTES", "PROTOCOL_VERSION", "FrameError", "Message", "MessageReader", "box_settings", "order"]

MAX_CODE_BYTES = 1 << 24
MAX_OTHER_BYTES = 1 << 24
"""For what no limit of its own is set: profiles and tracebacks."""


@dataclass(frozen=True, slots=True)
class Message:
    """What the sandbox says: its kind, the execution it claims to belong to, its other words, and its content."""

    kind: str
    execution: str
    header: Header
    content: bytes


def order(kind: str, execution: str, content: bytes = b"", **words: str | float) -> bytes:
    """An order to the sandbox, ready to be written."""
    return encode({"type": kind, "execution": execution, **words}, content)


def box_settings(
    limits: Limits,
    *,
    data: str = "/data",
    outputs: str = "/outputs",
    tmp: str = "/tmp",  # noqa: S108 - the container's own
    memory_events: str = "",
) -> str:
    """The one argument of the sandbox's main process; the paths are those that it sees."""
    paths = {"data": data, "outputs": outputs, "tmp": tmp, "memory_events": memory_events}
    return json.dumps({"limits": asdict(limits), **paths})


class MessageReader:
    """Joins the frames of each message. Printed text is not joined: it is handed on as it comes."""

    def __init__(self, limits: Limits) -> None:
        self._frames = FrameReader(PART_BYTES)
        self._largest = max(limits.file_bytes, limits.chart_bytes, limits.table_bytes, MAX_OTHER_BYTES)
        self._parts = bytearray()
        self._unfinished: Header | None = None

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that ``data`` completes. Raises ``FrameError`` when the sandbox does not keep to the form."""
        for header, payload in self._frames.feed(data):
            more = header.pop("more", False) is True
            if header["type"] in ("stdout", "stderr"):
                yield _message(header, payload)
                continue
            if self._unfinished not in (None, header) or len(self._parts) + len(payload) > self._largest:
                raise FrameError("a message that does not end as it began, or not in time")
            self._parts += payload
            self._unfinished = header if more else None
            if not more:
                yield _message(header, bytes(self._parts))
                self._parts.clear()


def _message(header: Header, content: bytes) -> Message:
    return Message(header["type"], str(header.get("execution", "")), header, content)
