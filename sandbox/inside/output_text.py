"""Printed bytes of one stream: the head passes at once, of the rest the end is kept; knows no encoding but UTF-8."""

_CONTINUATION = range(0x80, 0xC0)


class PrintedBytes:
    """Passes on what a cell prints, up to a limit, and keeps the last of what exceeds it."""

    def __init__(self, limit: int) -> None:
        self._head_room = limit // 2
        self._tail_room = limit - limit // 2
        self._tail = bytearray()
        self.cut = 0
        """Bytes that are lost between head and tail."""

    def add(self, data: bytes) -> bytes:
        """Take what was printed and give what passes at once."""
        passed, kept = data[: self._head_room], data[self._head_room :]
        self._head_room -= len(passed)
        if kept:
            self._tail += kept
            self._tail = last_states(self._tail, continues=True)
            if len(self._tail) > self._tail_room:
                excess = len(self._tail) - self._tail_room
                del self._tail[:excess]
                self.cut += excess
        return passed

    def skip(self, count: int) -> None:
        """So many bytes were lost on the way; what follows belongs to the tail."""
        self._head_room = 0
        self.cut += count

    def tail(self) -> bytes:
        """The end of what was printed, from a whole character on."""
        start = 0
        while self.cut and start < min(3, len(self._tail)) and self._tail[start] in _CONTINUATION:
            start += 1
        self.cut += start
        return bytes(self._tail[start:])


def last_states(text: bytearray, *, continues: bool = False) -> bytearray:
    """Of each line that was drawn over after a carriage return, as progress bars do, only what was drawn last.

    With ``continues`` the first line begins elsewhere, and a carriage return stays in it to draw over that, too.
    """
    if b"\r" not in text:
        return text
    first, *others = text.replace(b"\r\n", b"\n").split(b"\n")
    last = _last_state(first)
    if continues and len(last) < len(first):
        last[:0] = b"\r"
    return bytearray(b"\n").join([last, *map(_last_state, others)])


def _last_state(line: bytearray) -> bytearray:
    return line[line.rfind(b"\r", 0, max(len(line) - 1, 0)) + 1 :]
