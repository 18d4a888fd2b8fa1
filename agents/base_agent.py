"""An agent: a developer prompt, a model and tools, and the loop that goes from a question to its answer."""

import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from agents.call_gate import CallGate, Refusal
from agents.charts_seen import charts_seen
from agents.chat_messages import ChatMessage, ChatMessages
from agents.compaction import compacted, tokens_in
from agents.events import (
    CallFinished,
    CallStarted,
    CodeWritten,
    Event,
    Failed,
    Finished,
    ModelCalled,
    OutputWritten,
    Stopped,
    TextWritten,
    Usage,
)
from agents.models.language_model import (
    ContextTooLong,
    LanguageModelInterface,
    ModelError,
    ModelReply,
    ModelRequest,
)
from agents.progress import Progress
from agents.stop_signal import StopSignal
from agents.tool_events import events_of
from sandbox.sandbox import OutputText, SandboxError
from tools.tool_interface import ToolCall, ToolInterface, ToolResult
from tools.tool_manager import ToolManager
from wording import Sentence

_STOPPED = "The person stopped this before it finished."
_CHANGED = "The person changed the code before it ran. What ran is:"
_CUT_OFF = "This was cut off before it finished."
_ANSWER_CUT = Sentence("The answer was cut off at the model's limit. Ask to go on.")
_SAME_FAILURES = 3
_WORTH_ANOTHER_TRY = 0.8
"""The share of a conversation that was too long, below which the same question may be answered."""


class BaseAgent:
    """One conversation with one model. A subclass is a prompt and defaults; each can be overridden here.

    An agent answers one question at a time; ``add_context`` may be called at any time.
    """

    prompt = ""
    model = "o3-mini"
    effort: str | None = None
    """low, medium or high; an empty text or None leaves it to the server."""

    def __init__(
        self,
        language_model: LanguageModelInterface,
        tools: Sequence[ToolInterface] = (),
        *,
        prompt: str | None = None,
        model: str | None = None,
        effort: str | None = None,
        logger: logging.Logger | None = None,
        max_rounds: int = 12,
    ) -> None:
        self.prompt = self.prompt if prompt is None else prompt
        self.model = model or self.model
        self.effort = (self.effort if effort is None else effort) or None
        self.last_request: ModelRequest | None = None
        """What the model was sent last, exactly."""
        self.messages = ChatMessages()
        self.gates: Sequence[CallGate] = ()
        self.shows_charts = False
        """Whether a model that sees is shown the charts that its code drew."""
        self._language_model = language_model
        self._tools = ToolManager(tools)
        self._logger = logger or logging.getLogger(type(self).__module__)
        self._max_rounds = max_rounds

    def task(self, text: str) -> str:
        """The answer to a question; raises ``ModelError`` or ``SandboxError``."""
        with closing(self._answer(text, StopSignal())) as events:
            return next(event.text for event in events if isinstance(event, Finished))

    def stream(self, text: str, stop: StopSignal | None = None) -> Generator[Event, None, None]:
        """What happens on the way to the answer; the last event is Finished, Failed or Stopped.

        Closing the generator stops the model call and the running code.
        """
        try:
            yield from self._answer(text, stop or StopSignal())
        except (ModelError, SandboxError) as error:
            self._logger.info("The question failed: %s", error)
            yield Failed(error.sentence)

    def add_context(self, text: str) -> None:
        """Something the model has to know with the next question, for example what a file holds."""
        self.messages.add_context(text)

    def signature(self) -> dict[str, Any]:
        """What makes this agent: prompt, model, effort and the schemas of its tools."""
        return {"prompt": self.prompt, "model": self.model, "effort": self.effort, "tools": self._tools.schemas()}

    def _answer(self, text: str, stop: StopSignal) -> Generator[Event, None, None]:
        self.messages.add_question(text)
        usage, progress = Usage(), Progress()
        try:
            for _ in range(self._max_rounds):
                reply = yield from self._ask(stop, self._tools.schemas())
                if reply is None:
                    break
                usage += reply.usage
                if not reply.calls:
                    yield Finished(reply.text, usage, _ANSWER_CUT if reply.is_cut else None)
                    return
                yield from self._call_all(reply, stop, progress)
                if stop.is_set:
                    break
            else:
                yield from self._sum_up(usage, stop)
                return
            self.messages.close_open_calls(_STOPPED)
            yield Stopped()
        finally:
            self.messages.close_open_calls(_CUT_OFF)

    def _ask(
        self, stop: StopSignal, tools: Sequence[dict[str, Any]], *more: ChatMessage
    ) -> Generator[Event, None, ModelReply | None]:
        """The model's reply, which is in the messages by then; None when the person stopped it."""
        if tokens_in(self.messages.snapshot()) > self.messages.most_tokens:
            self._compact(self.messages.most_tokens // 2)
        try:
            return (yield from self._ask_once(stop, tools, *more))
        except ContextTooLong:
            before = tokens_in(self.messages.snapshot())
            self._compact(before // 2)
            if tokens_in(self.messages.snapshot()) > before * _WORTH_ANOTHER_TRY:
                raise
        return (yield from self._ask_once(stop, tools, *more))

    def _compact(self, most_tokens: int) -> None:
        self.messages.rewrite(lambda messages: compacted(messages, most_tokens))
        self._logger.info("The conversation was compacted to about %d tokens", tokens_in(self.messages.snapshot()))

    def _ask_once(
        self, stop: StopSignal, tools: Sequence[dict[str, Any]], *more: ChatMessage
    ) -> Generator[Event, None, ModelReply | None]:
        request = ModelRequest(
            model=self.model,
            effort=self.effort,
            prompt=self.prompt,
            messages=(*self.messages.snapshot(), *more),
            tools=tools,
        )
        self.last_request = request
        written: list[str] = []
        reply = None
        try:
            with closing(self._language_model.stream(request, stop)) as pieces:
                for piece in pieces:
                    if isinstance(piece, ModelReply):
                        reply = piece
                        continue
                    if isinstance(piece, TextWritten):
                        written.append(piece.text)
                    if not isinstance(piece, CodeWritten) or self._tools.runs_code(piece.tool):
                        yield piece
        finally:
            if reply is None:
                self.messages.add_reply("".join(written))
        if reply is None:
            return None
        recorded = self._recorded(reply)
        yield ModelCalled(self.model, reply.usage)
        return recorded

    def _recorded(self, reply: ModelReply) -> ModelReply:
        calls = tuple(self._tools.canonical(call) for call in reply.calls)
        self._logger.debug("The model replied with %d characters, %d calls", len(reply.text), len(calls))
        return replace(reply, calls=self.messages.add_reply(reply.text, calls, reply.reasoning))

    def _call_all(self, reply: ModelReply, stop: StopSignal, progress: Progress) -> Generator[Event, None, None]:
        failures = progress.failures
        for call in reply.calls:
            if stop.is_set:
                return
            ok = yield from self._call(call, stop, progress)
            failures[call.name, call.arguments] += not ok
            if failures[call.name, call.arguments] == _SAME_FAILURES and not stop.is_set:
                raise ModelError(
                    "The model sent the same failing code {times} times. "
                    "Put the question differently, or choose another model.",
                    times=_SAME_FAILURES,
                )

    def _call(self, call: ToolCall, stop: StopSignal, progress: Progress) -> Generator[Event, None, bool]:
        yield CallStarted(call.id, call.name, self._tools.shown(call))
        allowed = yield from self._pass_gates(call, stop)
        if isinstance(allowed, Refusal):
            self.messages.add_result(call.id, allowed.reason)
            yield CallFinished(call_id=call.id, ok=False, error=allowed.reason)
            return True  # no failure of the code's own
        result = ToolResult(text=_STOPPED if stop.is_set else "The tool gave no result.", ok=False)
        try:
            with stop.calling(lambda: self._tools.stop(call)), closing(self._tools.stream(allowed)) as outputs:
                for output in outputs if not stop.is_set else ():
                    if isinstance(output, OutputText):
                        yield OutputWritten(call.id, output)
                    else:
                        result = output
        except SandboxError as error:
            self.messages.add_result(call.id, str(error))
            yield CallFinished(call_id=call.id, ok=False, error=str(error))
            raise
        changed = "" if allowed is call else f"{_CHANGED}\n{self._tools.code_of(allowed)}\n--- end of it ---\n"
        charts = charts_seen(result) if self.shows_charts else ()
        self.messages.add_result(call.id, f"{changed}{result.text}", charts)
        yield from filter(progress.is_new, events_of(call.id, result))
        return result.ok

    def _pass_gates(self, call: ToolCall, stop: StopSignal) -> Generator[Event, None, ToolCall | Refusal]:
        """The call, perhaps with other code, if every gate lets its code pass."""
        written = code = self._tools.code_of(call)
        for gate in self.gates if code is not None else ():
            checked = yield from gate.check(call.id, code or "", stop)
            if isinstance(checked, Refusal):
                return checked
            code = checked
        return call if code is None or code == written else self._tools.with_code(call, code)

    def _sum_up(self, usage: Usage, stop: StopSignal) -> Generator[Event, None, None]:
        """One last reply without tools, once the rounds are used up."""
        told = (
            f"The limit of {self._max_rounds} rounds is reached and no tool can be used any more. "
            "Answer the question now from what you have, and say what is missing."
        )
        reply = yield from self._ask(stop, (), ChatMessage(role="user", text=told))
        if reply is None:
            yield Stopped()
            return
        if not reply.text.strip():
            raise ModelError(
                "The limit of {rounds} rounds for one question was reached without an answer. Ask a smaller question.",
                rounds=self._max_rounds,
            )
        notice = Sentence(
            "The limit of {rounds} rounds for one question was reached, so this answer may be incomplete. "
            "Ask to go on, or ask a smaller question.",
            {"rounds": self._max_rounds},
        )
        yield Finished(reply.text, usage + reply.usage, notice)
