"""The examples of the README run as they stand there, each as the file that the README names."""

import re
import runpy
import sys
from pathlib import Path

import pytest

import agents
import tools
from tests.scripted_model import ScriptedModel, asks, says

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "README.zh-CN.md")
_TESTED = re.compile(
    r"`(?P<path>\w+/\w+\.py)`[^`]*(?:`python -m [\w.]+`)?[^`]*<!-- tested -->\n+```python\n(?P<code>.*?)^```$",
    re.M | re.S,
)


def examples(name: str) -> dict[str, str]:
    """The code of each example by the path it is to be saved as."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return {found["path"]: found["code"] for found in _TESTED.finditer(text)}


@pytest.mark.parametrize("name", READMES)
def test_the_examples_of_a_tool_and_an_agent_run_as_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ScriptedModel(asks(("miles_to_km", {"miles": 26.2})), says("A marathon is 42.16 km."))
    monkeypatch.setattr("agents.models.openai_model.OpenAILanguageModel", lambda api_key: model)
    for package in (agents, tools):
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path / package.__name__)])
    monkeypatch.delitem(sys.modules, "tools.miles_tool", raising=False)
    for path, code in examples(name).items():
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(code, encoding="utf-8")

    runpy.run_module("agents.road_agent", run_name="__main__")

    assert capsys.readouterr().out == "A marathon is 42.16 km.\n"
    assert model.requests[1].messages[-1].text == "42.16 km"
    assert model.left == 0


@pytest.mark.parametrize("name", READMES)
def test_each_example_is_ten_lines_or_so(name: str) -> None:
    for code in examples(name).values():
        assert len([line for line in code.splitlines() if line.strip()]) <= 11
