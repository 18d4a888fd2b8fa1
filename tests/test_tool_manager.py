"""A model's mistakes become results that it can read; our own bugs do not."""

from collections.abc import Mapping
from typing import Any

import pytest

from sandbox.sandbox import OutputText
from tools.tool_interface import ToolCall, ToolError, ToolInterface, ToolResult
from tools.tool_manager import ToolManager


class Echo(ToolInterface):
    name = "echo"
    aliases = ("say", "count")
    description = "Says it again."
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    }

    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        if arguments["text"] == "wrong":
            raise ToolError("Say something else.")
        if arguments["text"] == "bug":
            raise TypeError("a bug of ours")
        return ToolResult(text=arguments["text"])


class Count(ToolInterface):
    name = "count"
    description = "Counts."
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "up_to": {"type": "integer", "minimum": 1, "maximum": 9},
            "how": {"type": "string", "enum": ["fast", "slow"]},
        },
        "required": ["up_to"],
    }

    def __init__(self) -> None:
        self.stopped = 0

    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        return ToolResult(text=str(arguments["up_to"]))

    def stop(self) -> None:
        self.stopped += 1


def answer(name: str, arguments: str) -> ToolResult:
    last = list(ToolManager([Echo(), Count()]).stream(ToolCall(id="c", name=name, arguments=arguments)))[-1]
    assert not isinstance(last, OutputText)
    return last


@pytest.mark.parametrize(
    "arguments",
    [
        '{"text": "one\\ntwo"}',
        '{"text": "one\ntwo"}',
        "one\ntwo",
        '"one\\ntwo"',
        '"{\\"text\\": \\"one\\\\ntwo\\"}"',
        '{"code": "one\\ntwo"}',
    ],
)
def test_the_only_string_is_found_in_every_form_that_models_write(arguments: str) -> None:
    assert answer("echo", arguments) == ToolResult(text="one\ntwo")


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("os.system", '{"cmd": "id"}', "os.system: There is no such tool. Available: echo, count."),
        ("echo", "{}", "echo: missing: text. It takes: text (string)."),
        ("echo", '{"text": "a", "times": 2}', "echo: unknown: times. It takes: text (string)."),
        ("echo", '{"text": 5}', "echo: text is not of type string. It takes: text (string)."),
        ("count", '{"up_to": true}', "count: up_to is not of type integer. It takes: up_to (integer), how (string)."),
        ("count", '{"up_to": 10}', "count: up_to is not between 1 and 9. It takes: up_to (integer), how (string)."),
        (
            "count",
            '{"up_to": 1, "how": "well"}',
            "count: how is none of fast, slow. It takes: up_to (integer), how (string).",
        ),
        ("count", "5", "count: The arguments must be a JSON object. It takes: up_to (integer), how (string)."),
        ("echo", "wrong", "echo: Say something else."),
    ],
)
def test_a_mistake_is_told_to_the_model(name: str, arguments: str, told: str) -> None:
    assert answer(name, arguments) == ToolResult(text=told, ok=False)


@pytest.mark.parametrize("arguments", ['{"text": "one', "[" * 100_000])
def test_arguments_that_were_cut_off_are_not_run(arguments: str) -> None:
    result = answer("count" if arguments.startswith("[") else "echo", arguments)
    assert not result.ok
    assert "not complete JSON" in result.text


def test_a_bug_of_ours_is_not_told_to_the_model() -> None:
    with pytest.raises(TypeError, match="a bug of ours"):
        answer("echo", "bug")


def test_an_alias_finds_its_tool_but_never_hides_a_tool_of_that_name() -> None:
    assert answer("say", "hello").text == "hello"
    assert answer("count", '{"up_to": 3}').text == "3"


def test_a_call_under_an_alias_is_kept_under_the_tools_own_name() -> None:
    manager = ToolManager([Echo()])
    assert manager.canonical(ToolCall(id="c", name="say", arguments="{}")).name == "echo"
    assert manager.canonical(ToolCall(id="c", name="eval", arguments="{}")).name == "eval"


def test_a_person_sees_arguments_as_json_or_as_they_came_when_they_cannot_be_read() -> None:
    manager = ToolManager([Count()])
    assert manager.shown(ToolCall(id="c", name="count", arguments='{"up_to":3}')) == '{\n  "up_to": 3\n}'
    assert manager.shown(ToolCall(id="c", name="count", arguments='{"up_to":')) == '{"up_to":'


def test_stop_reaches_the_tool_that_runs() -> None:
    count = Count()
    manager = ToolManager([Echo(), count])
    manager.stop(ToolCall(id="c", name="count", arguments="{}"))
    manager.stop(ToolCall(id="c", name="unknown", arguments="{}"))
    assert count.stopped == 1


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="echo"):
        ToolManager([Echo(), Echo()])


def test_the_schema_is_in_the_form_of_the_protocol() -> None:
    assert ToolManager([Echo()]).schemas() == [
        {
            "type": "function",
            "function": {"name": "echo", "description": "Says it again.", "parameters": Echo.parameters},
        }
    ]


def test_halves_of_characters_reach_neither_a_tool_nor_a_person() -> None:
    assert answer("echo", '{"text": "a\\ud83d\\u0000"}').text == "a\ufffd\ufffd"
    manager = ToolManager([Echo()])
    assert manager.shown(ToolCall(id="c", name="echo", arguments='{"a\ud83d')) == '{"a\ufffd'
    assert manager.canonical(ToolCall(id="c", name="\ud83d\x1b[31mred", arguments="")).name == "\ufffdred"
