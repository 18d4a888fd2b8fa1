"""Sentences in two languages whose places are filled from printed figures and from the table's own names."""

from collections.abc import Callable
from string import Formatter
from typing import Any

from agents.models.offline.figures import Figures, quoted
from wording import Language

Pair = tuple[str, str]
"""The same sentence in English and in Chinese. ``{name:q}`` marks text of the table, which is shown as code."""


class _Filling(Formatter):
    """Fills plain ``{name}`` places only."""

    def __init__(self, find: Callable[[str], str]) -> None:
        self._find = find

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> str:
        return self._find(str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        return quoted(value) if format_spec == "q" else str(value)


def fill(pair: Pair, language: Language, figures: Figures | None = None, **values: object) -> str:
    """The sentence in that language; a place that is not among ``values`` is a printed figure.

    Raises ``Unprinted`` for a figure that is not there.
    """
    source = figures or Figures({})

    def find(name: str) -> str:
        return str(values[name]) if name in values else source.text(name)

    return _Filling(find).format(pair[language == "zh"])


def fill_each(pair: Pair, language: Language, rows: list[Figures], **values: object) -> str:
    """One sentence for each row, as a list."""
    return "\n".join(f"- {fill(pair, language, row, **values)}" for row in rows)
