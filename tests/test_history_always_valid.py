"""Whatever happened so far in a conversation, the next request is one that a strict vendor accepts, on either API."""

import copy
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.chat_messages import ChatMessages, Reasoning
from agents.compaction import compacted
from agents.events import TextWritten
from agents.models.dialect import Dialect, first_dialect
from agents.models.language_model import ContextTooLong, ModelError, ModelReply, ModelRequest
from agents.models.request_body import only_own_reasoning, request_body
from agents.models.responses_body import responses_body
from agents.models.text_tools import without_tools
from agents.python_exec_agent import PythonExecAgent
from agents.stop_signal import StopSignal
from sandbox.sandbox import ExecutionResult, SandboxError
from tests import chat_rules, responses_rules
from tests.fake_sandbox import PNG, FakeSandbox
from tests.openai_fixtures import TOOLS
from tests.scripted_model import Scripted, ScriptedModel, says
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolCall

EXAMPLES = settings(max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
TEXT = st.sampled_from(["", " \n", "Fine.", "half \ud83d", "nul \0", "按城市", "word " * 300]) | st.text(max_size=12)
ARGUMENTS = st.sampled_from(
    ["", "{}", '{"python_code": "print(1)"}', '{"python_code": "print(', "import pandas", '["a"]', '{"a": "\\ud83d"}']
)
CALL = st.builds(
    ToolCall,
    id=st.sampled_from(["", "a", "call_1", "x" * 90, "\ud83d"]),
    name=st.sampled_from(["execute_python_code", "python", "os.system", "", "名"]),
    arguments=ARGUMENTS,
)
CALLS = st.lists(CALL, max_size=3).map(tuple)
ITEMS = st.sampled_from([(), ({"type": "reasoning", "summary": [], "encrypted_content": "s"},)])
REASONING = st.none() | st.builds(Reasoning, source=st.sampled_from(["m", "other"]), text=TEXT, items=ITEMS)

OPENAI, MISTRAL = "https://api.openai.com/v1", "https://api.mistral.ai/v1"
URLS = (OPENAI, MISTRAL, "https://api.deepseek.com/v1", "http://127.0.0.1:11434/v1")


def problems(messages: ChatMessages) -> list[str]:
    """What is wrong with the next request, in every form in which it may be sent."""
    request = ModelRequest(model="o3-mini", effort=None, prompt="Be brief.", messages=messages.snapshot(), tools=TOOLS)
    found: list[str | None] = []
    for asked in (request, without_tools(request)):
        own = only_own_reasoning(asked, "m")
        found.append(responses_rules.problem_of(responses_body(own, first_dialect("o3-mini", OPENAI, "responses"))))
        for url in URLS:
            dialect = first_dialect("o3-mini", url, "chat")
            found += [_chat_problem(own, replace(dialect, role=role)) for role in ("system", "user")]
    return [problem for problem in found if problem]


def _chat_problem(request: ModelRequest, dialect: Dialect) -> str | None:
    body = request_body(request, dialect)
    if dialect.server.needs_reply_after_tools:
        problem = _order_problem(body["messages"])
        if problem:
            return problem
    for message in body["messages"]:
        for field in (dialect.server.thoughts_field, dialect.server.details_field):
            message.pop(field, None)
    return chat_rules.problem_of(json.loads(json.dumps(body)))


def _order_problem(messages: Sequence[dict[str, Any]]) -> str | None:
    roles = [message["role"] for message in messages]
    if any(pair == ("tool", "user") for pair in pairwise(roles)):
        return "Unexpected role 'user' after role 'tool'"
    ids = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    return next((f"Tool call id was {each}" for each in ids if not re.fullmatch(r"[A-Za-z0-9]{9}", each)), None)


Step = Callable[[ChatMessages], object]


def _reply(text: str, calls: tuple[ToolCall, ...], reasoning: Reasoning | None, answered: int, result: str) -> Step:
    def step(messages: ChatMessages) -> None:
        stored = messages.add_reply(text, calls, reasoning)
        for number, call in enumerate(stored[:answered]):
            messages.add_result(call.id, result, (PNG,) * number)
        if answered < len(stored):
            messages.close_open_calls("The person stopped this before it finished.")

    return step


STEP: st.SearchStrategy[Step] = st.one_of(
    TEXT.map(lambda text: lambda messages: messages.add_context(text)),
    TEXT.map(lambda text: lambda messages: messages.add_question(f"{text}?")),
    st.builds(_reply, TEXT, CALLS, REASONING, st.integers(0, 3), TEXT),
    st.integers(1, 400).map(lambda most: lambda messages: messages.rewrite(lambda each: compacted(each, most))),
)


@EXAMPLES
@given(st.lists(STEP, max_size=14))
def test_any_beginning_of_any_conversation_gives_a_valid_request(steps: list[Step]) -> None:
    messages = ChatMessages()
    messages.add_context("columns: a, b")
    messages.add_question("First?")
    for step in steps:
        step(messages)
        now = _copied(messages)
        now.add_question("Next?")
        assert problems(now) == []
        assert "columns: a, b" in now.snapshot()[0].text


def _copied(messages: ChatMessages) -> ChatMessages:
    copied = copy.copy(messages)
    copied._messages = list(messages._messages)
    copied._open, copied._context = dict(messages._open), list(messages._context)
    return copied


ERROR = st.sampled_from([ModelError("Busy. Ask again."), ContextTooLong("Too long. Begin a new chat.")])
SCRIPTED: st.SearchStrategy[Scripted] = st.one_of(
    st.builds(
        lambda text, calls, thoughts: [TextWritten(text), ModelReply(text=text, calls=calls, reasoning=thoughts)],
        TEXT, CALLS, REASONING,
    ),
    st.builds(lambda text, error: [TextWritten(text), error], TEXT, ERROR),
)  # fmt: skip
RESULT = st.sampled_from(
    [ExecutionResult(stdout="1\n"), ExecutionResult(error="KeyError: 'a'"), SandboxError("Docker is off. Start it.")]
)
ENDS = st.sampled_from(["run", "stop", "close"])


@EXAMPLES
@given(
    st.lists(SCRIPTED, min_size=1, max_size=6),
    st.lists(RESULT, max_size=8),
    st.lists(st.tuples(ENDS, st.integers(0, 9)), min_size=1, max_size=3),
    st.sampled_from([40, 300, 100_000]),
)
def test_however_questions_end_the_next_request_is_valid(
    script: list[Scripted], results: list[Any], ends: list[tuple[str, int]], most_tokens: int
) -> None:
    model = ScriptedModel(*script, *[says("Done.")] * 60)
    agent = PythonExecAgent(model, [PythonExecTool(FakeSandbox(*results))], max_rounds=3)
    agent.messages = ChatMessages(most_tokens)
    for end, after in ends:
        agent.add_context("columns: a, b")
        stop = StopSignal()
        stream = agent.stream("Go", stop)
        for number, _ in enumerate(stream):
            if number == after and end == "close":
                break
            if number == after and end == "stop":
                stop.set()
        stream.close()
    agent.messages.add_question("Next?")
    assert problems(agent.messages) == []
    for request in model.requests:
        sent = ChatMessages()
        sent.rewrite(lambda _, request=request: request.messages)  # type: ignore[misc]
        assert problems(sent) == []
