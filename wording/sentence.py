"""A sentence keeps its English template and its values apart, so that each face can say it in its reader's language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from wording.chinese import CHINESE

Language = Literal["en", "zh"]
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English template such as ``"{name} is empty."`` and the values for its places, which may be sentences.

    Templates may come from the sandbox and are then hostile, so only plain ``{name}`` places are filled:
    ``str.format`` would follow attributes and obey field widths.
    """

    template: str
    values: "Mapping[str, Sentence | str | int | float]" = field(default_factory=dict)

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, language: Language) -> str:
        """The sentence as text; a template without a translation stays English."""
        template = CHINESE.get(self.template, self.template) if language == "zh" else self.template

        def value(place: re.Match[str]) -> str:
            given = self.values.get(place[1], place[0])
            return given.in_language(language) if isinstance(given, Sentence) else str(given)

        return _PLACE.sub(value, template)


class ToldError(Exception):
    """A failure that a person is told about: what happened, full stop, what to do next."""

    def __init__(self, template: str, /, **values: object) -> None:
        self.sentence = Sentence(template, _plain(values))
        super().__init__(str(self.sentence))


def say(template: str, language: Language, **values: object) -> str:
    """The template in that language, its places filled."""
    return Sentence(template, _plain(values)).in_language(language)


def _plain(values: Mapping[str, object]) -> dict[str, Sentence | str | int | float]:
    """Paths, exceptions and the like as their text: a sentence holds nothing that cannot be written down."""
    return {
        name: each if isinstance(each, Sentence | str | int | float) else str(each) for name, each in values.items()
    }


def preferred_language(locale: str | None) -> Language:
    """The language for a locale such as ``zh_CN.UTF-8`` or ``en-GB``."""
    return "zh" if (locale or "").lower().startswith("zh") else "en"
