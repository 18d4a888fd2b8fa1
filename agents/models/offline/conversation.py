"""What was asked and what has been tried since, out of the messages of a request."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.chat_messages import ChatMessage

LONGEST_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Conversation:
    """``questions`` in order, the last being answered now; ``results`` are what its tool calls gave so far."""

    questions: tuple[str, ...]
    results: tuple[str, ...] = ()


def read_conversation(messages: Sequence[ChatMessage]) -> Conversation:
    """Only a person's own words are questions, never what was told about files."""
    questions: list[str] = []
    results: list[str] = []
    for message in messages:
        if message.role == "user" and message.asked:
            questions.append(message.asked[:LONGEST_QUESTION])
            results.clear()
        elif message.role == "tool":
            results.append(message.text)
    if not questions:
        questions = [message.text[-LONGEST_QUESTION:] for message in messages if message.role == "user"][-1:]
    return Conversation(tuple(questions), tuple(results))
