"""What is kept of a chat, each thing as one line of JSON, and back; reading a line checks it and runs nothing."""

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args

from pydantic import ConfigDict, TypeAdapter

from agents.chat_messages import ChatMessage
from analysis.files import StoredFile
from analysis.record import Entry

VERSION = 1
"""Of the lines; a chat of another version is not read."""


@dataclass(frozen=True, slots=True)
class ChatBegun:
    """The first line; ``browser`` is the key of the only one that may open the chat."""

    version: int
    browser: str


@dataclass(frozen=True, slots=True)
class MessagesChanged:
    """From ``start`` on, what was said to the model and by it is this."""

    start: int
    messages: tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True)
class DictionarySet:
    text: str


@dataclass(frozen=True, slots=True)
class ModelChosen:
    """A choice without its key, which is kept nowhere."""

    model: str
    effort: str | None
    base_url: str
    local_url: str


Line = Entry | ChatBegun | MessagesChanged | DictionarySet | ModelChosen | StoredFile
_CONFIG = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", ser_json_inf_nan="constants")
_TUPLE: Any = tuple
# In a tuple, since pydantic takes a configuration only for what has none of its own.
_KINDS = MappingProxyType(
    {kind.__name__: TypeAdapter[tuple[Any]](_TUPLE[kind], config=_CONFIG) for kind in get_args(Line)}
)


def line_of(value: Line) -> bytes:
    """With its end. Half of a surrogate pair, as a model may write one, becomes a question mark."""
    kind = type(value).__name__
    adapter = _KINDS[kind]
    try:
        content = adapter.dump_json((value,))
    except ValueError:
        content = json.dumps(adapter.dump_python((value,), mode="json"), ensure_ascii=False).encode("utf-8", "replace")
    return b"%s %s\n" % (kind.encode(), content)


def value_of(line: bytes) -> Line:
    """Raises ``ValueError`` when it is not a line of this version."""
    kind, _, content = line.partition(b" ")
    adapter = _KINDS.get(kind.decode("ascii", "replace"))
    if adapter is None:
        raise ValueError("a line of an unknown kind")
    value: Line = adapter.validate_json(content)[0]
    return value
