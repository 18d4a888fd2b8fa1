"""One person's work: files, a chat, a sandbox. Page, console and any other face drive this and nothing below it."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from agents.models.language_model import LanguageModelInterface, ModelRequest
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from analysis.answering import Answering
from analysis.approval import ApprovalDesk
from analysis.chat import Chat
from analysis.chat_lines import ModelChosen
from analysis.chat_store import KeptChat
from analysis.cost import Spending, SpendLimit, spending
from analysis.counted_model import CountedLanguageModel, CountRequest
from analysis.export import Output, outputs_of, outputs_zip
from analysis.files import AnalysisFile
from analysis.host_files import HostFiles
from analysis.keeping import kept
from analysis.model_choice import LanguageModels, ModelChoice
from analysis.prices import PRICES, load_prices
from analysis.record import Entry, QuestionAsked, Record, ReplayBegun
from analysis.replay import LostCell, cells_to_replay, replay
from analysis.run import Run
from analysis.script import script_of
from analysis.spend_guard import GuardedLanguageModel
from sandbox.sandbox import ReadingChoices, Sandbox, SandboxState, SandboxStatus
from settings import Settings
from tools.joins import Join
from wording import Sentence, ToldError

__all__ = ["Analysis", "AnalysisFile", "ModelChoice", "Run"]

_SECONDS_TO_STOP = 20.0
_SECONDS_TO_BEGIN = 1.0


class Analysis:
    """Any thread may call any method. One question is answered at a time, and files wait for its end."""

    def __init__(
        self,
        *,
        sandbox: Sandbox,
        choice: ModelChoice,
        settings: Settings,
        language_model: LanguageModelInterface | None = None,
        opens_named_files: bool = False,
        count_request: CountRequest = lambda model, outcome, usage: None,
        place: KeptChat | None = None,
    ) -> None:
        """``opens_named_files``: a question may name files of this machine, in the allowed folders of the settings.

        ``count_request`` is called for each request to a model. ``place`` is where the chat is kept, and goes on.
        """
        self.run: Run | None = None
        self.approval = ApprovalDesk()
        """Where code waits for the person, from the next question on, while ``asks_before_code`` is set."""
        self.asks_before_code = settings.approve_code
        self._sandbox = sandbox
        self._place = place
        self._preset = choice
        self._choice = place.state.model_choice(choice, settings) if place else choice
        self._settings = settings
        self._language_model = language_model
        self._language_models = LanguageModels(settings, lambda: self._chat.profiles(), lambda: self._chat.dictionary)
        self._opens_named_files = opens_named_files
        self._count_request = count_request
        self._prices = load_prices(settings.model_prices or PRICES)
        self._spend_limit = SpendLimit(settings.spend_limit_usd)
        self._lock = threading.Lock()
        self._answering: PythonExecAgent | None = None
        self._begin()

    @property
    def files(self) -> tuple[AnalysisFile, ...]:
        return tuple(self._chat.files)

    @property
    def joins(self) -> tuple[Join, ...]:
        """By which columns the tables of all files seem to belong together."""
        return self._chat.joins

    @property
    def record(self) -> Record:
        return self._chat.record

    @property
    def dictionary(self) -> str:
        """What the columns mean, in the person's words."""
        return self._chat.dictionary

    @property
    def keeping_problem(self) -> Sentence | None:
        """Why not all of the chat is on disk, where it should be kept there."""
        return self._place.problem if self._place else None

    @property
    def is_kept(self) -> bool:
        """There is a place on disk for the chat."""
        return self._place is not None

    def set_dictionary(self, text: str) -> None:
        """The model reads it with the next question."""
        self._chat.set_dictionary(text)

    @property
    def choice(self) -> ModelChoice:
        return self._choice

    @property
    def offered_models(self) -> tuple[str, ...]:
        """What the server of the choice lists, as soon as it has told."""
        return self._language_models.offered(self._choice)

    def choose(self, choice: ModelChoice) -> None:
        """The next question goes there; the chat so far stays."""
        self._choice = choice
        if self._place:
            self._place.write(ModelChosen(choice.model, choice.effort, choice.base_url, choice.local_url))

    def spending(self, entries: Iterable[Entry] | None = None) -> Spending:
        """What the model calls among these entries took; of the whole chat if none are given."""
        return spending(self.record.since() if entries is None else entries, self._prices)

    @property
    def takes_file(self) -> bool:
        """Whether a file is being taken in, perhaps for a page that was closed meanwhile; a restart counts too."""
        return self._lock.locked()

    @property
    def sandbox_status(self) -> SandboxStatus:
        return self._sandbox.status

    @property
    def outputs(self) -> tuple[Output, ...]:
        """Everything made so far, in order, each under a name of its own."""
        return outputs_of(self.record.since())

    def outputs_zip(self) -> bytes:
        """Everything made so far, and one script that reads the tables and runs all the code again."""
        return outputs_zip(self.outputs, script_of(self.record.since()))

    def add_file(
        self, name: str, source: Path | BinaryIO, told: Callable[[Sentence], object] = lambda step: None
    ) -> AnalysisFile:
        """Copy a file, put it into the sandbox and look into it there; the same file again is no new one.

        ``told`` hears of each step while it is taken.

        Raises ``ToldError``: empty, too large, not a table, the sandbox fails, a question is being answered.
        """
        with self._between_questions(waits=True):  # for a file before this one
            file = self._chat.add_file(name, source, told)
            if self._host_files and isinstance(source, Path):
                self._host_files.note(source, file.name)
            return file

    def remove_file(self, name: str) -> None:
        """Take a file away from the code and tell the model with the next question; an unknown name is no error."""
        with self._between_questions():
            self._chat.remove_file(name)

    def read_again(self, name: str, choices: ReadingChoices) -> AnalysisFile:
        """Read a file as the person chose: preview, what the model is told and its variables follow.

        Raises ``ToldError``: the file is gone, the sandbox fails, a question is being answered.
        """
        with self._between_questions():
            return self._chat.read_again(name, choices)

    @property
    def sent(self) -> ModelRequest | None:
        """The last request to the model that answers questions, whole; None before the first."""
        return self._answering.last_request if self._answering else None

    def ask(self, question: str) -> Run:
        """Begin to answer.

        Raises ``ToldError`` when the question is empty, the last one is not answered yet, or the chat may cost no more.
        """
        text = question.strip()
        if not text:
            raise ToldError("The question is empty. Type what you want to know.")
        with self._between_questions():
            reason = self._why_not_asked(self._choice)
            if reason:
                raise ToldError(reason.template, **reason.values)
            before, most_mb = self.record.since(), self._settings.max_chat_mb
            self.run = Run(
                QuestionAsked(text), self.record, lambda stop: kept(self._answer(text, stop), before, most_mb)
            )
            return self.run

    @property
    def lost_cells(self) -> tuple[LostCell, ...]:
        """The code that brings lost variables back, in order; none while none are lost."""
        return cells_to_replay(self.record.since(), lost_variables=self.sandbox_status.lost_variables)

    def replay(self) -> Run:
        """Begin to run that code again. Raises ``ToldError`` when nothing is lost or a question is being answered."""
        with self._between_questions():
            cells, chat = self.lost_cells, self._chat
            if not cells:
                raise ToldError("No variables are lost, so there is nothing to run again. Ask about your data.")
            self.run = Run(
                ReplayBegun(len(cells)), self.record, lambda stop: replay(self._sandbox, cells, chat.briefing, stop)
            )
            return self.run

    def restart_python(self) -> None:
        """Forget variables and what code left in files; a running question is stopped, chat and added files stay."""
        with self._after_stopping():
            self._restart(by_person=True)

    def rest(self) -> None:
        """Give the sandbox back while nobody needs it. Chat and files stay; the next question finds no variables."""
        with self._between_questions():
            if self.sandbox_status.state is SandboxState.IDLE:
                self._restart(by_person=False)

    def new_chat(self) -> None:
        """Forget everything: chat, files, dictionary, variables and what was made. ``record`` is a new one then."""
        with self._after_stopping():
            old, self.run = self._chat.files, None
            if self._place:
                self._place.begin_anew()
            self._begin()
            if self._choice != self._preset:
                self.choose(self._choice)
            try:
                self._sandbox.restart()
            finally:
                for file in old:
                    old.remove(file.name)
                old.close()

    def close(self) -> None:
        """Stop what runs and remove the sandbox; what is not kept on disk is gone. It can be called twice."""
        run = self.run
        if run:
            run.stop()
        try:
            self._sandbox.close()
        finally:
            if run:
                run.wait(_SECONDS_TO_STOP)
            self._chat.files.close()
            if self._place:
                self._place.close()

    def _answer(self, question: str, stop: StopSignal) -> Generator[Entry, None, None]:
        choice = self._choice
        asked = CountedLanguageModel(self._language_model or self._language_models.of(choice), self._count_request)
        answering = Answering(
            chat=self._chat,
            sandbox=self._sandbox,
            settings=self._settings,
            choice=choice,
            language_model=GuardedLanguageModel(asked, lambda: self._why_not_asked(choice)),
            host_files=self._host_files,
            asks_before_code=lambda: self.approval if self.asks_before_code else None,
            begun=self._note_agent,
        )
        yield from answering.events(question, stop)

    def _note_agent(self, agent: PythonExecAgent) -> None:
        self._answering = agent

    def _why_not_asked(self, choice: ModelChoice) -> Sentence | None:
        """That the chat may cost no more; a model of this machine costs nothing."""
        is_free = choice.is_offline or choice.local_url
        return None if is_free else self._spend_limit.reached(self.spending())

    @contextmanager
    def _between_questions(self, *, waits: bool = False) -> Iterator[None]:
        if not self._lock.acquire(timeout=-1 if waits else _SECONDS_TO_BEGIN):
            raise ToldError(
                "A file is still being read, or Python is starting anew. Wait a moment for that, then try again."
            )
        try:
            if self.run and not self.run.is_over:
                raise ToldError("A question is still being answered. Wait for its end, or stop it.")
            yield
        finally:
            self._lock.release()

    @contextmanager
    def _after_stopping(self) -> Iterator[None]:
        run = self.run
        for _ in range(2):
            if run:
                run.stop()
        if run and not run.wait(_SECONDS_TO_STOP):
            raise ToldError("The running question does not end. Try again in a moment.")
        with self._between_questions():
            yield

    def _restart(self, *, by_person: bool) -> None:
        self._sandbox.restart()
        self._chat.note_restart(by_person=by_person)

    def _begin(self) -> None:
        settings = self._settings
        self._answering = None
        self._chat = Chat(self._sandbox, settings, self._place)
        self._host_files = HostFiles(self._sandbox, self._chat.files, settings) if self._opens_named_files else None
