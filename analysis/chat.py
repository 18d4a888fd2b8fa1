"""One chat: record, messages, dictionary, files, and what the model was told of them; New chat begins another."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from agents.chat_messages import ChatMessages
from analysis.briefing import Briefing
from analysis.chat_lines import DictionarySet, MessagesChanged
from analysis.chat_state import ChatState
from analysis.chat_store import KeptChat
from analysis.files import AnalysisFile, AnalysisFiles
from analysis.private_folder import PrivateFolder
from analysis.record import FileAdded, FileRemoved, PythonRestarted, Record
from sandbox.sandbox import FileProfile, ReadingChoices, Sandbox
from settings import Settings
from tools.joins import Join, LikelyJoins
from wording import Sentence


class Chat:
    """Goes on where ``place`` says that it stood, and is kept there; without one it lives as long as the process."""

    def __init__(self, sandbox: Sandbox, settings: Settings, place: KeptChat | None) -> None:
        state = place.state if place else ChatState()
        self._write = place.write if place else lambda line: None
        self._dictionary = state.dictionary
        self.record = Record(state.entries, self._write)
        self.messages = ChatMessages(
            settings.max_prompt_tokens,
            state.messages,
            lambda start, messages: self._write(MessagesChanged(start, messages)),
        )
        self._joins = LikelyJoins()
        self.briefing = Briefing(self.messages, settings.sample_rows, self._joins)
        self.files = AnalysisFiles(
            sandbox,
            place.files if place else PrivateFolder(),
            largest_mb=settings.max_upload_mb,
            sample_rows=settings.sample_rows,
        )
        self._go_on(state)

    @property
    def dictionary(self) -> str:
        """What the columns mean, in the person's words."""
        return self._dictionary

    def set_dictionary(self, text: str) -> None:
        self._dictionary = text.strip()
        self._write(DictionarySet(self._dictionary))

    def add_file(self, name: str, source: Path | BinaryIO, told: Callable[[Sentence], object]) -> AnalysisFile:
        """``told`` hears of each step. Raises ``ToldError``: empty, too large, not a table, the sandbox fails."""
        file, is_new = self.files.add(name, source, told)
        if is_new:
            self._note(file)
        return file

    def remove_file(self, name: str) -> None:
        """An unknown name is no error."""
        if name in self.files:
            self.files.remove(name)
            self.record.append(FileRemoved(name))

    def read_again(self, name: str, choices: ReadingChoices) -> AnalysisFile:
        """Raises ``ToldError``: the file is gone, the sandbox fails."""
        file = self.files.read_again(name, choices)
        self._note(file)
        return file

    def profiles(self) -> list[FileProfile]:
        return [file.profile for file in self.files]

    @property
    def joins(self) -> tuple[Join, ...]:
        """By which columns the tables of all files seem to belong together."""
        return self._joins.among(table for profile in self.profiles() for table in profile.tables)

    def note_restart(self, *, by_person: bool) -> None:
        """Python is a new one; the model hears of it with the next question."""
        self.record.append(PythonRestarted(by_person))
        self.briefing.tell_of_restart()

    def _note(self, file: AnalysisFile) -> None:
        self._write(self.files.stored(file.name))
        self.record.append(FileAdded(file.profile))

    def _go_on(self, state: ChatState) -> None:
        """After the end of the app: Python is a new one, and what was running is over."""
        self.briefing.remember(state.told_profiles, state.told_dictionary)
        if end := state.missing_end():
            self.record.append(end)
        for name in self.files.put_back(state.files.values()):
            self.record.append(FileRemoved(name))
        if state.lost_variables:
            self.note_restart(by_person=False)
        elif state.restart_is_untold:
            self.briefing.tell_of_restart()
