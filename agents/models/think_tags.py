"""Thoughts that a model writes into its answer between tags, as servers without a parser for them let through."""

import re
from collections.abc import Iterator

from agents.events import ReasoningWritten, TextWritten

_OPENING = re.compile(r"\s*<(?P<tag>think|thinking|thought|reasoning)>\s*", re.I)
_LONGEST = len("<reasoning>")
_TAGS = ("<think>", "<thinking>", "<thought>", "<reasoning>")
_CLOSING = re.compile(r"</(?:think|thinking|thought|reasoning)>\s*", re.I)


class ThinkTags:
    """Thoughts come first or not at all: a tag later in the text is text."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._is_open = True
        """Whether a block of thoughts may still begin."""
        self._skips_space = False
        """The thoughts have just ended, and what parts them from the answer is no part of it."""

    def feed(self, text: str) -> Iterator[TextWritten | ReasoningWritten]:
        """The text so far, told apart; what may be the beginning of a tag waits."""
        self._held += text
        if self._closing:
            yield from self._thoughts()
        elif self._is_open:
            yield from self._begin()
        else:
            yield from self._rest()

    def finish(self) -> Iterator[TextWritten | ReasoningWritten]:
        """What waits at the end of the reply."""
        held, self._held = self._held, ""
        if held:
            yield ReasoningWritten(held) if self._closing else TextWritten(held)

    def _begin(self) -> Iterator[TextWritten | ReasoningWritten]:
        opening = _OPENING.match(self._held)
        if opening:
            self._closing = f"</{opening['tag'].lower()}>"
            self._held = self._held[opening.end() :]
            yield from self._thoughts()
        elif not any(tag.startswith(self._held.lstrip().lower()) for tag in _TAGS):
            self._is_open = False
            yield from self._rest()

    def _thoughts(self) -> Iterator[TextWritten | ReasoningWritten]:
        end = self._held.lower().find(self._closing)
        if end < 0:
            tail = self._held.rfind("<", max(0, len(self._held) - len(self._closing) + 1))
            kept = len(self._held) - tail if tail >= 0 else 0
            thoughts, self._held = self._held[: len(self._held) - kept], self._held[len(self._held) - kept :]
            if thoughts:
                yield ReasoningWritten(thoughts)
            return
        thoughts, rest = self._held[:end], self._held[end + len(self._closing) :]
        self._held, self._closing, self._is_open, self._skips_space = rest, "", False, True
        if thoughts.rstrip():
            yield ReasoningWritten(thoughts.rstrip())
        yield from self._rest()

    def _rest(self) -> Iterator[TextWritten]:
        held, self._held = self._held.lstrip() if self._skips_space else self._held, ""
        if held:
            self._skips_space = False
            yield TextWritten(held)


def answer_of(text: str) -> str:
    """The text without thoughts whose opening tag stood in the prompt, so that only their end is in it."""
    closing = _CLOSING.search(text)
    return text[closing.end() :] if closing and "```" not in text[: closing.start()] else text
