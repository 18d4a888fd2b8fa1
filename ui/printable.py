"""Text from outside made fit to be looked at: no control characters, no reordering, nothing a browser chokes on."""

import re

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_REORDERING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_VISIBLE: dict[int, str] = (
    {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
    | {0x7F: "\u2421"}
    | {code: f"\\x{code:02x}" for code in range(0x80, 0xA0)}
    | {code: f"\\u{code:04x}" for code in _REORDERING}
    | {code: "\ufffd" for code in range(0xD800, 0xE000)}
)


def printable(text: str) -> str:
    """The text as a terminal would leave it: colours dropped, rewritten lines in their last form, the rest visible."""
    if text.isprintable():
        return text
    text = _ESCAPE_SEQUENCE.sub("", text.replace("\r\n", "\n"))
    if "\r" in text:
        text = "\n".join(_last_form(line) for line in text.split("\n"))
    return text.translate(_VISIBLE)


def shortened(text: str, limit: int) -> tuple[str, int]:
    """Head and tail of a text longer than ``limit`` characters, and how many characters are left out between them."""
    if len(text) <= limit:
        return text, 0
    half = limit // 2
    return f"{text[:half]}\n…\n{text[-half:]}", len(text) - 2 * half


def _last_form(line: str) -> str:
    return line.rstrip("\r").rpartition("\r")[2]
