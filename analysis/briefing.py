"""What the model has been told about the data, so that it hears of each change once, with the next question."""

from collections.abc import Iterable

from agents.chat_messages import ChatMessages
from analysis.record import ReplayEnded
from sandbox.sandbox import FileProfile
from tools.file_context import (
    alias_context,
    dictionary_context,
    file_context,
    quoted,
    relations_context,
    removed_context,
)
from tools.joins import LikelyJoins

_CODE_CHARS, _ERROR_CHARS = 200, 400


class Briefing:
    """Belongs to one chat."""

    def __init__(self, messages: ChatMessages, sample_rows: int, joins: LikelyJoins) -> None:
        self._messages = messages
        self._joins = joins
        self._sample_rows = sample_rows
        self._profiles: dict[str, FileProfile] = {}
        self._dictionary = ""
        self._alias = alias_context(())
        self._relations = ""
        self._knows_of_loss = False

    def tell(self, profiles: Iterable[FileProfile], dictionary: str, *, lost_variables: bool = False) -> None:
        """Add to the chat what is new: files that came, changed or went, another dictionary, lost variables."""
        if lost_variables and not self._knows_of_loss:
            self.tell_of_restart()
        self._knows_of_loss = lost_variables
        before, self._profiles = self._profiles, {profile.name: profile for profile in profiles}
        for name in before.keys() - self._profiles.keys():
            self._messages.add_context(removed_context(before[name]))
        for name, profile in self._profiles.items():
            if name in before and before[name] is not profile:
                self._messages.add_context(f"(The file {quoted(name)} is another one or read differently: see below.)")
            if before.get(name) is not profile:
                self._messages.add_context(file_context(profile, self._sample_rows))
        alias = alias_context(self._profiles.values())
        if alias != self._alias:
            self._alias = alias
            self._messages.add_context(alias)
        if dictionary != self._dictionary:
            self._dictionary = dictionary
            self._messages.add_context(dictionary_context(dictionary or "(The person took the meaning back.)"))
        relations = self._relations_of(dictionary)
        if relations != self._relations:
            self._relations = relations
            if relations:
                self._messages.add_context(relations)

    def remember(self, profiles: Iterable[FileProfile], dictionary: str) -> None:
        """The chat was told this already, when the app ran before."""
        self._profiles = {profile.name: profile for profile in profiles}
        self._dictionary = dictionary
        self._alias = alias_context(self._profiles.values())
        self._relations = self._relations_of(dictionary)

    def tell_of_restart(self) -> None:
        self._messages.add_context(
            "(Python was restarted: variables and imports are gone, and so is what code left in /outputs. The files in "
            "/data are still there, and their tables are loaded again.)"
        )

    def tell_of_replay(self, ended: ReplayEnded) -> None:
        """Add to the chat what is there again and what is not."""
        self._messages.add_context(
            "(Variables had been lost. At the person's wish the calls that had succeeded since Python was last "
            f"restarted were run again in a new Python with an empty /outputs, in order. {_replayed(ended)})"
        )

    def _relations_of(self, dictionary: str) -> str:
        tables = [table for profile in self._profiles.values() for table in profile.tables]
        return relations_context(tables, self._joins.among(tables), dictionary)


def _replayed(ended: ReplayEnded) -> str:
    failed = ended.failed
    if failed is None:
        return f"All {ended.count} succeeded: their variables, imports and files are back."
    kept = "what they set is back, and what later ones set is missing"
    if failed.state_lost:
        kept = "but then Python ended, and all variables and imports are gone again"
    last_line = (failed.error or "It ran too long.").strip().rpartition("\n")[2]
    why = "the person stopped it" if failed.interrupted else f"it failed with {quoted(last_line, _ERROR_CHARS)}"
    code = quoted(ended.code, _CODE_CHARS)
    return f"Of {ended.count} the first {ended.done} succeeded: {kept}. The next one was {code}: {why}."
