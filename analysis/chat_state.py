"""How a chat stood when its last line was written; knows neither disk nor sandbox."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from agents.chat_messages import ChatMessage
from agents.events import CallStarted, Failed
from analysis.chat_lines import ChatBegun, DictionarySet, Line, MessagesChanged, ModelChosen
from analysis.files import StoredFile
from analysis.model_choice import ModelChoice
from analysis.record import CellReplayed, Entry, FileRemoved, PythonRestarted, QuestionAsked, ReplayBegun, ends_run
from sandbox.sandbox import FileProfile
from settings import Settings
from wording import Sentence

_CUT_OFF = Sentence(
    "The app ended while it was working on this. What was done by then is still here; ask again to go on."
)


@dataclass(slots=True)
class ChatState:
    """Empty for a chat that has just begun."""

    entries: list[Entry] = field(default_factory=list)
    messages: list[ChatMessage] = field(default_factory=list)
    files: dict[str, StoredFile] = field(default_factory=dict)
    dictionary: str = ""
    choice: ModelChosen | None = None
    told_profiles: tuple[FileProfile, ...] = ()
    """What the model has heard of files with the last question."""
    told_dictionary: str = ""

    def missing_end(self) -> Failed | None:
        """What ends the run that the end of the app cut off; None when there was none."""
        for entry in reversed(self.entries):
            if ends_run(entry):
                return None
            if isinstance(entry, QuestionAsked | ReplayBegun):
                return Failed(_CUT_OFF)
        return None

    @property
    def lost_variables(self) -> bool:
        """Code ran in the Python that ended with the app."""
        for entry in reversed(self.entries):
            if isinstance(entry, PythonRestarted):
                return False
            if isinstance(entry, CallStarted | CellReplayed):
                return True
        return False

    @property
    def restart_is_untold(self) -> bool:
        """The model has not heard yet that Python was restarted."""
        for entry in reversed(self.entries):
            if isinstance(entry, PythonRestarted | QuestionAsked):
                return isinstance(entry, PythonRestarted)
        return False

    def model_choice(self, preset: ModelChoice, settings: Settings) -> ModelChoice:
        """The kept choice with the key of the settings, which never goes to an address that was typed in."""
        kept = self.choice
        if kept is None:
            return preset
        is_typed = not settings.openai_api_key and not settings.openai_base_url
        return replace(
            preset,
            model=kept.model,
            effort=kept.effort,
            base_url=kept.base_url if is_typed else settings.openai_base_url,
            local_url=kept.local_url,
        )


def state_of(lines: Iterable[Line]) -> ChatState:
    """The lines are in the order in which they were written."""
    state = ChatState()
    for line in lines:
        match line:
            case ChatBegun():
                pass
            case MessagesChanged():
                _change_messages(state, line)
            case DictionarySet(text):
                state.dictionary = text
            case ModelChosen():
                state.choice = line
            case StoredFile(file):
                state.files[file.name] = line
            case _:
                state.entries.append(line)
                if isinstance(line, FileRemoved):
                    state.files.pop(line.name, None)
    return state


def _change_messages(state: ChatState, change: MessagesChanged) -> None:
    state.messages[change.start :] = change.messages
    if any(message.asked for message in change.messages):
        state.told_profiles = tuple(stored.file.profile for stored in state.files.values())
        state.told_dictionary = state.dictionary
