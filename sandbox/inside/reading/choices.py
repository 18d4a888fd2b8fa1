"""What a person has decided about the reading of a file, in place of what the file itself shows."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.inside.reading.notes import Unreadable, note


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """An empty choice is left to the file. The names are those of the host's ``ReadingChoices``."""

    encoding: str = ""
    delimiter: str = ""
    header_row: int | None = None
    """Counted from 1; 0 when the table has no column names."""
    date_order: str = ""
    """``day`` or ``month``: what comes first where both are possible."""
    decimal: str = ""
    sheet: str = ""


def choices_of(values: Mapping[str, Any] | None) -> Choices:
    """Raises ``Unreadable`` for an encoding that does not exist."""
    choices = Choices(**(values or {}))
    if choices.encoding:
        try:
            codecs.lookup(choices.encoding)
        except LookupError as error:
            raise Unreadable(
                note("There is no encoding {encoding}. Choose another one.", encoding=choices.encoding[:40])
            ) from error
    return choices
