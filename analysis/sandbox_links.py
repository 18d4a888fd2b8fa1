"""Takes links into the sandbox out of text that comes in pieces: they lead nowhere, and what was made is saved."""

import re

_LINK = re.compile(r"!?\[([^\]\n]*)\]\((?:sandbox:|attachment:|/mnt/data/|/outputs/|/data/)[^)\n]*\)")
_MAY_BECOME_ONE = re.compile(r"!?\[[^\]\n]{0,300}(?:\](?:\([^)\n]{0,300})?)?$|!$")


class SandboxLinks:
    """Passes text on, each such link as its own words."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be shown by now."""
        text = _LINK.sub(r"\1", self._held + text)
        beginning = _MAY_BECOME_ONE.search(text)
        end = beginning.start() if beginning else len(text)
        self._held = text[end:]
        return text[:end]

    def finish(self) -> str:
        """What turned out to be no link."""
        held, self._held = self._held, ""
        return held
