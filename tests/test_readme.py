"""The examples of the README run as they stand there."""

import re
from pathlib import Path

import pytest

from tests.scripted_model import ScriptedModel, asks, says

README = Path(__file__).resolve().parent.parent / "README.md"
_TESTED = re.compile(r"^<!-- tested -->\n+```python\n(?P<code>.*?)^```$", re.M | re.S)


def test_the_examples_of_a_tool_and_an_agent_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ScriptedModel(asks(("miles_to_km", {"miles": 26.2})), says("A marathon is 42.16 km."))
    monkeypatch.setattr("agents.models.openai_model.OpenAILanguageModel", lambda api_key: model)
    examples = [found["code"] for found in _TESTED.finditer(README.read_text(encoding="utf-8"))]
    assert len(examples) >= 2

    names: dict[str, object] = {"__name__": "example"}
    for example in examples:
        exec(compile(example, README.name, "exec"), names)  # noqa: S102 - our own text

    assert capsys.readouterr().out == "A marathon is 42.16 km.\n"
    assert model.requests[1].messages[-1].text == "42.16 km"
    assert model.left == 0


def test_each_example_is_ten_lines_or_so() -> None:
    for found in _TESTED.finditer(README.read_text(encoding="utf-8")):
        assert len([line for line in found["code"].splitlines() if line.strip()]) <= 10
