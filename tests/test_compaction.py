"""A long conversation becomes shorter step by step, rarely, and never loses what the data is."""

import logging
from itertools import pairwise

import pytest

from agents.chat_messages import ChatMessage, ChatMessages, Reasoning
from agents.compaction import compacted, tokens_in
from agents.models.language_model import ContextTooLong
from agents.python_exec_agent import PythonExecAgent
from sandbox.sandbox import ExecutionResult
from tests.chat_server import ChatServer, refuses
from tests.chat_server import calls as sends_calls
from tests.chat_server import says as sends_text
from tests.fake_sandbox import FakeSandbox
from tests.openai_fixtures import model_at
from tests.scripted_model import ScriptedModel, asks, fails, says
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolCall

OUTPUT = "row " * 1_000
DATA = "File 'a.csv': columns a, b. " * 30


def conversation(turns: int, *, calls: int = 2) -> tuple[ChatMessage, ...]:
    messages = ChatMessages()
    messages.add_context(DATA)
    for turn in range(turns):
        messages.add_question(f"Question {turn}?")
        for number in range(calls):
            thoughts = Reasoning(source="m", text="Hm. " * 50)
            (call,) = messages.add_reply("Let me see.", (ToolCall(id="", name="f", arguments="{}"),), thoughts)
            messages.add_result(call.id, f"{turn}.{number} {OUTPUT}")
        messages.add_reply(f"Answer {turn}.")
    kept: list[ChatMessage] = []
    messages.rewrite(lambda each: kept.extend(each) or each)  # type: ignore[func-returns-value]
    return tuple(kept)


def test_a_conversation_within_the_limit_stays_as_it_is() -> None:
    messages = conversation(3)
    assert compacted(messages, tokens_in(messages)) == messages


def test_old_outputs_are_shortened_first_and_nothing_else() -> None:
    messages = conversation(3)
    shorter = compacted(messages, tokens_in(messages) - 1)
    outputs = [message.text for message in shorter if message.role == "tool"]
    assert [len(text) > 4_000 for text in outputs] == [False, False, False, False, True, True]
    assert all(text.startswith(f"{number // 2}.{number % 2} row") for number, text in enumerate(outputs))
    assert [message.text for message in shorter if message.role != "tool"] == [
        message.text for message in messages if message.role != "tool"
    ]


def test_then_old_turns_become_their_question_and_answer() -> None:
    messages = conversation(4)
    shorter = compacted(messages, 2_600)
    assert [message.text for message in shorter[:7]] == [
        DATA, "Question 0?", "Answer 0.", "Question 1?", "Answer 1.", "Question 2?", "Answer 2.",
    ]  # fmt: skip
    assert [message.role for message in shorter[7:]] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_then_the_oldest_turns_go_and_the_data_description_stays() -> None:
    shorter = compacted(conversation(40), 1_000)
    assert shorter[0].text == DATA
    assert shorter[1].text == "(Earlier questions and their answers were left out here.)"
    assert [message.text for message in shorter if message.role == "user"][-1] == "Question 39?"
    again = compacted((*shorter, *conversation(40)[1:]), 1_000)
    assert [message.text for message in again].count(shorter[1].text) == 1
    assert again[0].text == DATA


def test_a_turn_without_an_answer_leaves_its_question() -> None:
    messages = (*conversation(2)[:-1], *conversation(1))
    assert [message.text for message in compacted(messages, 200) if message.role == "user"][-1] == "Question 0?"


def test_chinese_counts_a_token_a_character() -> None:
    assert tokens_in([ChatMessage(role="user", text="按城市和农村比较事故数")]) == 12


def test_between_two_compactions_each_request_begins_as_the_one_before() -> None:
    results = [ExecutionResult(stdout=OUTPUT) for _ in range(12)]
    replies = [reply for turn in range(12) for reply in (asks(f"f({turn})"), says(f"Answer {turn}."))]
    model = ScriptedModel(*replies)
    agent = PythonExecAgent(model, [PythonExecTool(FakeSandbox(*results))])
    agent.messages = ChatMessages(most_tokens=5_000)
    agent.add_context(DATA)
    for turn in range(12):
        agent.task(f"Question {turn}?")
    requests = [request.messages for request in model.requests]
    breaks = [number for number, (before, after) in enumerate(pairwise(requests)) if after[: len(before)] != before]
    assert 1 <= len(breaks) <= 5
    assert all(messages[0].text.startswith(DATA) for messages in requests)
    assert max(tokens_in(messages) for messages in requests) <= 5_000


def test_a_conversation_that_is_too_long_for_the_model_is_compacted_once_and_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    too_long = refuses("This model's maximum context length is 8192 tokens.", code="context_length_exceeded")
    outputs = [ExecutionResult(stdout=OUTPUT * 2) for _ in range(3)]
    first = (sends_calls("a"), sends_calls("b"), sends_calls("c"), sends_text("One."))
    with ChatServer(*first, too_long, sends_text("Two."), too_long) as server:
        agent = PythonExecAgent(model_at(server), [PythonExecTool(FakeSandbox(*outputs))])
        agent.task("First")
        with caplog.at_level(logging.INFO):
            assert agent.task("Second") == "Two."
        with pytest.raises(ContextTooLong, match="too long for o3-mini"):
            agent.task("Third")
    assert "compacted" in caplog.text
    assert len(str(server.requests[5])) < len(str(server.requests[4])) / 1.5


def test_what_cannot_be_made_shorter_is_not_tried_again() -> None:
    model = ScriptedModel(
        fails(ContextTooLong("The conversation is too long for {model}. Begin a new one.", model="m"))
    )
    with pytest.raises(ContextTooLong):
        PythonExecAgent(model).task("Hello")
    assert len(model.requests) == 1
