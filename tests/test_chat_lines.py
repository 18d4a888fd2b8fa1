"""Whatever is kept of a chat comes back as it was, and a line that is not whole or not ours is refused."""

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.chat_messages import ChatMessage, Reasoning
from agents.events import ChartMade, Failed, TableMade
from analysis.chat_lines import Line, MessagesChanged, line_of, value_of
from sandbox.sandbox import OutputFile, OutputTable
from tests.fake_sandbox import PNG
from tools.tool_interface import ToolCall
from wording import Sentence, ToldError

PLAIN = st.none() | st.booleans() | st.text() | st.integers() | st.floats(allow_nan=False)
JSON = st.recursive(PLAIN, lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=5)
VALUES = st.text() | st.integers() | st.floats(allow_nan=False)
SENTENCES = st.builds(Sentence, st.text(), st.dictionaries(st.text(), VALUES))
st.register_type_strategy(float, st.floats(allow_nan=False))
st.register_type_strategy(
    Sentence, st.builds(Sentence, st.text(), st.dictionaries(st.text(), VALUES | SENTENCES)) | SENTENCES
)
st.register_type_strategy(
    Reasoning,
    st.builds(Reasoning, source=st.text(), text=st.text(), items=st.lists(st.dictionaries(st.text(), JSON)).map(tuple)),
)


@pytest.mark.parametrize("kind", get_args(Line), ids=lambda kind: kind.__name__)
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_every_kind_of_line_comes_back_as_it_was(kind: Any, data: st.DataObject) -> None:
    value = data.draw(st.from_type(kind))
    line = line_of(value)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert value_of(line) == value
    assert repr(value_of(line)) == repr(value)


def test_cells_keep_their_types() -> None:
    row = (1, 1.0, True, None, "1", "NaN", float("-inf"), 2**60)
    table = OutputTable(columns=("a",), rows=(row,), row_count=1)
    back = value_of(line_of(TableMade("c", table)))
    assert isinstance(back, TableMade)
    assert repr(back.table.rows) == repr((row,))


def test_a_message_keeps_its_calls_its_reasoning_and_its_charts() -> None:
    reasoning = Reasoning(
        source="api", text="Hm.", items=({"id": "r1", "encrypted": "aGk=", "parts": [1, {"a": None}]},)
    )
    call = ToolCall(id="c", name="execute_python_code", arguments='{"code": "1"}')
    messages = (
        ChatMessage(role="user", text="Plot", asked="Plot"),
        ChatMessage(role="assistant", calls=(call,), reasoning=reasoning),
        ChatMessage(role="tool", text="done", answers="c", charts=(PNG, b"\xff\x00")),
    )
    assert value_of(line_of(MessagesChanged(3, messages))) == MessagesChanged(3, messages)


def test_a_failure_of_any_kind_can_be_written_down() -> None:
    error = ToldError("{path} cannot be read: {reason}", path=Path(), reason=OSError("no"))
    back = value_of(line_of(Failed(error.sentence)))
    assert isinstance(back, Failed)
    assert str(back.reason) == str(error)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}",
        b"Failed",
        b"Failed [{}]",
        b'Nothing [{"text": "a"}]',
        b'TextWritten [{"text": 3}]',
        b"\xff [1]",
    ],
)
def test_a_line_that_is_not_ours_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError):
        value_of(line)


def test_half_a_character_costs_no_more_than_itself() -> None:
    half = ChartMade("c\ud83d\n", OutputFile(name="é\ude00.png", kind="chart", content=PNG))
    whole = ChartMade("c?\n", OutputFile(name="é?.png", kind="chart", content=PNG))
    assert value_of(line_of(half)) == whole
