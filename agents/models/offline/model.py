"""The model that needs no key and no server: it answers a stated set of questions about tables with fixed Python."""

import json
import re
from collections.abc import Callable, Generator, Sequence

from agents.events import TextWritten
from agents.models.language_model import LanguageModelInterface, ModelError, ModelReply, ModelRequest, Piece
from agents.models.offline import answers, guidance
from agents.models.offline.conversation import Conversation, read_conversation
from agents.models.offline.figures import Unprinted
from agents.models.offline.intent import Task
from agents.models.offline.known_table import KnownTable
from agents.models.offline.matcher import intent_of, understand
from agents.models.offline.roles import known_tables
from agents.models.offline.script import python_of
from agents.models.offline.stems import is_han
from agents.stop_signal import StopSignal
from sandbox.sandbox import FileProfile
from tools.tool_interface import ToolCall
from wording import Language

NAME = "offline"
"""What this model is called where a model is chosen."""
MOST_TRIES = 2
_RUNS, _OPENS = "execute_python_code", "open_data_file"
_NOT_RUN = ("The code was not run", "The person ")
"""How the words begin that stand in place of a result when the code was refused."""
_QUOTED = re.compile(r'"([^"\n]+)"')
_PIECE = re.compile(r".+?(?:\n+|(?<=[.!?。！？；;]) |$)|\n+", re.DOTALL)


class OfflineLanguageModel(LanguageModelInterface):
    """No language model at all. ``tables`` gives the files as they are now, ``dictionary`` what their columns mean.

    It keeps nothing of a conversation between calls: what was understood is worked out again from the messages.
    """

    def __init__(self, tables: Callable[[], Sequence[FileProfile]], dictionary: Callable[[], str] = str) -> None:
        self._tables = tables
        self._dictionary = dictionary
        self._known: tuple[Sequence[FileProfile], str, tuple[KnownTable, ...]] = ((), "", ())

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        reply = self._reply(request)
        for piece in _PIECE.findall(reply.text):
            if stop.is_set:
                return
            yield TextWritten(piece)
        if not stop.is_set:
            yield reply

    def _reply(self, request: ModelRequest) -> ModelReply:
        talk = read_conversation(request.messages)
        tools = {tool["function"]["name"] for tool in request.tools}
        call_id = f"offline_{len(request.messages)}"
        if _OPENS in tools:
            return _opening(talk, call_id)
        question = talk.questions[-1] if talk.questions else ""
        tables = self._known_tables()
        if not tables or guidance.is_about_itself(question):
            language: Language = "zh" if is_han(question) else "en"
            return ModelReply(text=guidance.introduction(tables[-1] if tables else None, language))
        asked = understand(talk.questions, tables)
        if isinstance(asked.meaning, Task):
            return _working(asked.meaning, talk, call_id, can_run=_RUNS in tools)
        return ModelReply(text=guidance.declined(asked.meaning, asked.question.table, asked.question.language))

    def _known_tables(self) -> tuple[KnownTable, ...]:
        """The tables, worked out anew only when a file or the dictionary is another one."""
        files, dictionary = tuple(self._tables()), self._dictionary()
        before, words, known = self._known
        same = len(files) == len(before) and all(new is old for new, old in zip(files, before, strict=True))
        if not same or words != dictionary:
            known = known_tables(files, dictionary)
            self._known = files, dictionary, known
        return known


def _working(task: Task, talk: Conversation, call_id: str, *, can_run: bool) -> ModelReply:
    """Code to run, or the answer once it has run; code that failed is tried once more without its frills."""
    if not talk.results:
        if not can_run:
            raise ModelError(
                "The built-in analyst answers by running its own code alone. Choose a language model for this."
            )
        return _code(task, answers.beginning(task), call_id, retry=False)
    output = talk.results[-1]
    try:
        return ModelReply(text=answers.answer(task, output, is_first=len(talk.questions) == 1))
    except Unprinted:
        if none := answers.none_fit(task, output):
            return ModelReply(text=none)
        if output.startswith(_NOT_RUN):
            return ModelReply(text=answers.not_run(output, task.language))
        if can_run and len(talk.results) < MOST_TRIES:
            return _code(task, answers.failed_once(output, task.language), call_id, retry=True)
        return ModelReply(text=answers.failed(output, task.language))


def _code(task: Task, text: str, call_id: str, *, retry: bool) -> ModelReply:
    script = intent_of(task).script(task)
    conditions = [narrowing.code() for narrowing in task.narrowings]
    with_chart = task.question.with_chart and not retry
    code = python_of(script, task.question.table, conditions, fresh=retry, with_chart=with_chart)
    arguments = json.dumps({"python_code": code}, ensure_ascii=False)
    return ModelReply(text=text + "\n\n", calls=(ToolCall(id=call_id, name=_RUNS, arguments=arguments),))


def _opening(talk: Conversation, call_id: str) -> ModelReply:
    """Open the file that is named last, between quotation marks; then say what came of it."""
    question = talk.questions[-1] if talk.questions else ""
    language: Language = "zh" if is_han(question) else "en"
    paths = _QUOTED.findall(question)
    if not paths:
        return ModelReply(text=answers.opened("", "", language))
    if talk.results:
        return ModelReply(text=answers.opened(paths[-1], talk.results[-1], language))
    arguments = json.dumps({"path": paths[-1]}, ensure_ascii=False)
    return ModelReply(calls=(ToolCall(id=call_id, name=_OPENS, arguments=arguments),))
