"""The conversation is valid for the next request whatever was cut off or sent."""

import json

import pytest

from agents.chat_messages import ChatMessages
from tools.plain_text import whole
from tools.tool_interface import ToolCall


def call(call_id: str, arguments: str = "{}", name: str = "execute_python_code") -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def roles(messages: ChatMessages) -> list[str]:
    return [message.role for message in messages.snapshot()]


def test_a_question_after_a_cut_off_answer_finds_every_call_answered() -> None:
    messages = ChatMessages()
    messages.add_question("Plot a")
    messages.add_reply("", (call("a"), call("b")))
    messages.add_result("a", "done")

    messages.add_question("Go on")

    assert roles(messages) == ["user", "assistant", "tool", "tool", "user"]
    assert [(message.answers, message.text) for message in messages.snapshot()[2:4]] == [
        ("a", "done"),
        ("b", "This was cut off before it finished."),
    ]


def test_open_calls_are_answered_with_the_reason_given() -> None:
    messages = ChatMessages()
    messages.add_question("Plot a")
    messages.add_reply("I will.", (call("a"),))
    messages.close_open_calls("The person stopped this.")
    messages.close_open_calls("Not said: nothing is open any more.")

    assert [message.text for message in messages.snapshot()] == ["Plot a", "I will.", "The person stopped this."]


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_reply_is_not_kept(text: str) -> None:
    messages = ChatMessages()
    messages.add_question("Hello")
    messages.add_reply(text)
    assert roles(messages) == ["user"]


def test_questions_that_follow_each_other_are_one_message_of_a_request() -> None:
    messages = ChatMessages()
    messages.add_question("First")
    messages.add_question("Second")
    assert [message.text for message in messages.snapshot()] == ["First\n\nSecond"]


def test_context_goes_before_the_next_question_even_when_it_comes_in_the_midst_of_calls() -> None:
    messages = ChatMessages()
    messages.add_question("Plot a")
    messages.add_reply("", (call("a"),))
    messages.add_context("A file: b.csv")
    messages.add_result("a", "done")
    messages.add_reply("Here it is.")
    messages.add_question("And b?")

    assert roles(messages) == ["user", "assistant", "tool", "assistant", "user"]
    assert messages.snapshot()[-1].text == "A file: b.csv\n\nAnd b?"


def test_calls_get_ids_of_their_own_when_a_server_gives_none_or_the_same_again() -> None:
    messages = ChatMessages()
    messages.add_question("Go")
    first = messages.add_reply("", (call(""), call("same")))
    for each in first:
        messages.add_result(each.id, "done")
    second = messages.add_reply("", (call("same"), call("")))

    ids = [each.id for each in (*first, *second)]
    assert len(set(ids)) == 4
    assert all(ids)
    assert [each.id for each in messages.snapshot()[-1].calls] == ids[2:]


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ('{"python_code": "if True:\n\tprint(1)"}', {"python_code": "if True:\n\tprint(1)"}),
        ('{"python_code": "print(', {"unparsed": '{"python_code": "print('}),
        ("import pandas", {"unparsed": "import pandas"}),
        ('{"a": "\\ud83d", "b": ["\\u0000"]}', {"a": "\ufffd", "b": ["\ufffd"]}),
        ("[" * 100_000, {"unparsed": "[" * 100_000}),
    ],
)
def test_arguments_are_kept_as_valid_json(written: str, stored: dict[str, object]) -> None:
    messages = ChatMessages()
    messages.add_question("Go")
    returned = messages.add_reply("", (call("a", written),))

    assert json.loads(messages.snapshot()[-1].calls[0].arguments) == stored
    assert returned[0].arguments == written


def test_a_name_that_a_vendor_would_refuse_is_made_harmless() -> None:
    messages = ChatMessages()
    messages.add_question("Go")
    messages.add_reply("", (call("a", name="os.system"), call("b", name="")))
    assert [each.name for each in messages.snapshot()[-1].calls] == ["os_system", "unknown"]


def test_halves_of_characters_and_nul_are_replaced_and_whole_pairs_joined() -> None:
    assert whole("a\ud83d b\0 \ud83c\udf78 é") == "a\ufffd b\ufffd 🍸 é"


def test_an_answer_to_no_call_is_a_bug_that_shows() -> None:
    with pytest.raises(KeyError):
        ChatMessages().add_result("a", "done")
