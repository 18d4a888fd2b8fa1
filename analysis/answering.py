"""How one question is answered: the files it names, the agent with its tools and gates, the check of its figures."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass

from agents.events import Finished
from agents.models.language_model import LanguageModelInterface
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from analysis.answer_mark import checked
from analysis.approval import ApprovalDesk
from analysis.chat import Chat
from analysis.equipment import review_for, tools_for
from analysis.host_files import HostFiles
from analysis.model_choice import ModelChoice
from analysis.record import Entry, ends_run
from sandbox.sandbox import Sandbox
from settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """What an answer takes."""

    chat: Chat
    sandbox: Sandbox
    settings: Settings
    choice: ModelChoice
    language_model: LanguageModelInterface
    host_files: HostFiles | None
    """Opens files of this machine that a question names, where it may."""
    asks_before_code: Callable[[], ApprovalDesk | None]
    begun: Callable[[PythonExecAgent], object]
    """Is handed the agent before it begins."""

    def events(self, question: str, stop: StopSignal) -> Generator[Entry, None, None]:
        """The answer's events, and before its end how its figures fared in the results."""
        with closing(self._answer(question, stop)) as events:
            for event in events:
                if isinstance(event, Finished):
                    yield from checked(event.text, self.chat.record.since(), self.chat.dictionary)
                yield event

    def _answer(self, question: str, stop: StopSignal) -> Generator[Entry, None, None]:
        if self.host_files:
            model = self.choice.small_task_model(self.settings.file_model)
            for entry in self.host_files.open_named(question, self.language_model, model, stop):
                yield entry
                if ends_run(entry):
                    return
        agent = self._agent(question)
        self.begun(agent)
        lost_variables = self.sandbox.status.lost_variables
        self.chat.briefing.tell(self.chat.profiles(), self.chat.dictionary, lost_variables=lost_variables)
        yield from agent.stream(question, stop)

    def _agent(self, question: str) -> PythonExecAgent:
        agent = PythonExecAgent(
            self.language_model,
            tools_for(self.sandbox, self.chat.profiles, self.settings),
            model=self.choice.model,
            effort=self.choice.effort or "",
            max_rounds=self.settings.max_rounds,
        )
        agent.messages = self.chat.messages
        agent.shows_charts = self.settings.show_charts
        # The reviewer comes first, so that the person sees what it let through.
        agent.gates = review_for(question, self.choice, self.language_model, self.settings)
        if approval := self.asks_before_code():
            agent.gates = [*agent.gates, approval]
        return agent
