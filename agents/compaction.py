"""Makes a long conversation shorter, rarely and by much: between two times its beginning stays word for word the same,
so that a server's cache serves it. What the data is, and what the person asked last, is never cut."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from agents.chat_messages import ChatMessage
from tools.plain_text import cut

_OUTPUT_CHARS = 400
_FRESH_OUTPUTS = 2
"""Tool outputs at the end that the model is still working with."""
_LEFT_OUT = "(Earlier questions and their answers were left out here.)"
_CHARS_A_TOKEN = 4
_TOKENS_A_CHART = 1_000


def tokens_in(messages: Sequence[ChatMessage]) -> int:
    """About how many tokens they are; no vendor's own count."""
    texts = sum(_tokens(text) for message in messages for text in _texts(message))
    return texts + sum(len(message.charts) for message in messages) * _TOKENS_A_CHART


def compacted(messages: Sequence[ChatMessage], most_tokens: int) -> tuple[ChatMessage, ...]:
    """The conversation within ``most_tokens`` if that can be: first old outputs are shortened and lose their charts,
    then old turns become their question and final answer, then the oldest go; each step only as it is needed."""
    shorter = tuple(messages)
    for step in _STEPS:
        if tokens_in(shorter) <= most_tokens:
            break
        shorter = step(shorter, most_tokens)
    return shorter


def _with_short_outputs(messages: Sequence[ChatMessage], most_tokens: int) -> tuple[ChatMessage, ...]:
    outputs = [number for number, message in enumerate(messages) if message.role == "tool"]
    old = set(outputs[:-_FRESH_OUTPUTS])
    return tuple(_shortened(message) if number in old else message for number, message in enumerate(messages))


def _with_answers_only(messages: Sequence[ChatMessage], most_tokens: int) -> tuple[ChatMessage, ...]:
    *old, last = _turns(messages)
    return (*(message for turn in old for message in _question_and_answer(turn)), *last)


def _without_oldest(messages: Sequence[ChatMessage], most_tokens: int) -> tuple[ChatMessage, ...]:
    *old, last = _turns(messages)
    told = ChatMessage(role="user", text=_LEFT_OUT, is_context=True)
    known = tuple(message for turn in old for message in turn if message.is_context and message != told)
    shorter = tuple(messages)
    while old and tokens_in(shorter) > most_tokens:
        old.pop(0)
        said = (message for turn in old for message in turn if not message.is_context)
        shorter = (*known, told, *said, *last)
    return shorter


def _with_all_outputs_short(messages: Sequence[ChatMessage], most_tokens: int) -> tuple[ChatMessage, ...]:
    return tuple(_shortened(message) if message.role == "tool" else message for message in messages)


_STEPS: tuple[Callable[[Sequence[ChatMessage], int], tuple[ChatMessage, ...]], ...] = (
    _with_short_outputs,
    _with_answers_only,
    _without_oldest,
    _with_all_outputs_short,
)


def _shortened(message: ChatMessage) -> ChatMessage:
    is_long = len(message.text) > _OUTPUT_CHARS * 2
    return replace(message, text=cut(message.text, _OUTPUT_CHARS) if is_long else message.text, charts=())


def _turns(messages: Sequence[ChatMessage]) -> list[list[ChatMessage]]:
    """Each question with the context before it and everything after it; there is always one at least."""
    turns: list[list[ChatMessage]] = [[]]
    for message in messages:
        if message.role == "user" and any(not earlier.is_context for earlier in turns[-1]):
            turns.append([])
        turns[-1].append(message)
    return turns


def _question_and_answer(turn: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
    yield from (message for message in turn if message.role == "user")
    last = turn[-1] if turn else None
    if last and last.role == "assistant" and not last.calls:
        yield replace(last, reasoning=None)


def _texts(message: ChatMessage) -> Iterator[str]:
    yield message.text
    yield from (call.arguments for call in message.calls)
    if message.reasoning:
        yield message.reasoning.text
        yield from (str(item) for item in message.reasoning.items)


def _tokens(text: str) -> int:
    ascii_chars = len(text.encode("ascii", "ignore"))
    return ascii_chars // _CHARS_A_TOKEN + len(text) - ascii_chars + 1
