"""Code is readable while a model still writes the arguments of its call, wherever the pieces end."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.events import CodeWritten
from agents.models.code_in_arguments import CodeInArguments
from agents.models.profiles import ApiChoice
from agents.stop_signal import StopSignal
from tests import responses_replies
from tests.chat_server import ChatServer, Reply, calls
from tests.openai_fixtures import model_at, request
from tools.plain_text import whole

CODE = 'import pandas as pd\nprint("ä\\t", df["a\\\\b"])\n\ndf.plot()  # 🍸'


def shown(*pieces: str) -> str:
    reader = CodeInArguments()
    return "".join(reader.feed(piece) for piece in pieces) + reader.finish()


@given(st.text(max_size=60), st.booleans(), st.lists(st.integers(0, 400), max_size=6))
def test_wherever_the_pieces_end_the_code_is_the_one_that_json_holds(
    code: str, is_ascii: bool, cuts: list[int]
) -> None:
    written = json.dumps({"python_code": code}, ensure_ascii=is_ascii)
    ends = [0, *sorted(cut for cut in cuts if cut < len(written)), len(written)]
    pieces = [written[start:end] for start, end in pairwise(ends)]
    assert shown(*pieces) == whole(code)


def test_lines_come_once_they_are_whole() -> None:
    reader = CodeInArguments()
    assert [reader.feed(piece) for piece in ('{"code": "a = 1', "\\nb", " = 2\\", 'nc"}')] == [
        "",
        "a = 1\n",
        "",
        "b = 2\n",
    ]
    assert reader.finish() == "c"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("print(7)\nprint(8)", "print(7)\nprint(8)"),
        ('{"code": "if True:\n\tprint(1)"}', "if True:\n\tprint(1)"),
        ('{"code": "a\\qb\\u00e4"}', "aqbä"),
        ('{"code": "broken off \\u00', "broken off "),
        ('{"code": "x", "more": "y"} and so on', "x"),
        ('"{\\"code\\": \\"x\\"}"', ""),
        ('{"code": 7}', ""),
        ('["x"]', ""),
        ("", ""),
        ("   ", ""),
    ],
)
def test_whatever_form_the_arguments_have_nothing_wrong_is_shown(written: str, code: str) -> None:
    assert shown(written) == shown(*written) == code


@pytest.mark.parametrize(
    ("api", "reply"), [("chat", calls(CODE, "x = 1")), ("responses", responses_replies.calls(CODE, "x = 1"))]
)
def test_on_both_apis_each_call_is_shown_as_it_is_written(api: ApiChoice, reply: Reply) -> None:
    with ChatServer(reply) as server:
        pieces = list(model_at(server, api=api).stream(request(), StopSignal()))
    written = [piece for piece in pieces if isinstance(piece, CodeWritten)]
    assert "".join(piece.text for piece in written if piece.number == 0) == CODE
    assert "".join(piece.text for piece in written if piece.number == 1) == "x = 1"
    assert written[0].text == "import pandas as pd\n"
    assert {piece.tool for piece in written} == {"execute_python_code"}
