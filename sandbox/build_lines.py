"""Turns the engine's build and pull events into lines of plain text; raises what the engine reports as failed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


class BuildFailed(Exception):
    """The engine's own words for why a build or a pull ended early."""


def lines_told(events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of all events; of a layer's progress only each new state. Raises ``BuildFailed``."""
    states: dict[str, str] = {}
    error = ""
    # To the end also after an error, because the library closes the connection no sooner.
    for event in events:
        error = str(event.get("error", error))
        yield from _lines(str(event.get("stream", "")))
        status, layer = str(event.get("status", "")), str(event.get("id", ""))
        if status and states.get(layer) != status:
            states[layer] = status
            yield from _lines(f"{layer} {status}")
    if error:
        raise BuildFailed(error)


def _lines(text: str) -> Iterator[str]:
    for line in text.replace("\r", "\n").split("\n"):
        if clean := _CONTROL.sub("", line).strip():
            yield clean
