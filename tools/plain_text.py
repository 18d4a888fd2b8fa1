"""Text fit for a model and a page: whole characters, no control characters, no pictures as letters, not too long."""

import re
from typing import Any

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_ENCODED = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:data:[\w.+-]+/[\w.+-]+;base64,)?"
    r"(?:[A-Za-z0-9+/_-]{1000,}=*|(?:[A-Za-z0-9+/]{60,76}\n){12,}[A-Za-z0-9+/]*=*)"
)


def whole(text: str) -> str:
    """The text without NUL and halves of characters, which some servers refuse for ever after."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")


def whole_value(value: Any) -> Any:
    """A JSON value with every text in it made whole."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {whole(key): whole_value(item) for key, item in value.items()}
    return [whole_value(item) for item in value] if isinstance(value, list) else value


def plain(text: str) -> str:
    """The text as a terminal would leave it: colours gone, of an overwritten line the last state."""
    lines = _ESCAPE_SEQUENCE.sub("", text).split("\n")
    return _CONTROL.sub("", "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in lines))


def without_encoded_data(text: str) -> str:
    """The text without long base64 runs; the same letter over and over is no such run."""
    return _ENCODED.sub(_told, text)


def _told(found: re.Match[str]) -> str:
    run = found[0]
    looks_encoded = re.search("[a-z]", run) and re.search("[A-Z]", run) and re.search("[0-9]", run)
    return f"[encoded data removed: {len(run):,} characters]" if looks_encoded else run


def cut(text: str, most: int, lost: int = 0) -> str:
    """Head and tail, and between them how much is missing; the end matters, for there the error is.

    ``lost``: so many characters in the middle are missing already.
    """
    if len(text) <= most:
        return text
    head = most * 3 // 5
    tail = most - head
    left_out, total = len(text) - most + lost, len(text) + lost
    return f"{text[:head]}\n… {left_out:,} of {total:,} characters cut here …\n{text[-tail:]}"
