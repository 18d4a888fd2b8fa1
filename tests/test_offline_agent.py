"""The whole way without a model: the agent's loop, the code tool, and the inside of the sandbox as a real process."""

from collections.abc import Iterator

import pytest

from agents.events import CallFinished, CallStarted, ChartMade, FileMade, Finished, TableMade, TextWritten
from agents.models.offline.model import OfflineLanguageModel
from agents.python_exec_agent import PythonExecAgent
from sandbox.sandbox import ExecutionResult, OutputText
from tests.fake_sandbox import FakeSandbox
from tests.inside_fixtures import Box, box
from tests.offline_tables import TABLES, SmallTable, prices, sales, traffic, traffic_dictionary, written
from tools.file_context import dictionary_context, file_context
from tools.python_exec_tool import PythonExecTool

__all__ = ["box"]


class BoxSandbox(FakeSandbox):
    """A sandbox whose cells really run."""

    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        return self._box.connection.execute(code.replace("/outputs", str(self._box.outputs)), timeout)


def agent_for(box: Box, table: SmallTable, dictionary: str = "") -> PythonExecAgent:
    model = OfflineLanguageModel(lambda: [table.profile], lambda: dictionary)
    agent = PythonExecAgent(model, [PythonExecTool(BoxSandbox(box))], model="offline")
    agent.add_context(file_context(table.profile))
    if dictionary:
        agent.add_context(dictionary_context(dictionary))
    return agent


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which factors contribute most to accidents?",
            "**`accidents` is most closely associated with `traffic_density`",
        ),
        ("按城市和农村比较事故数", "合计 13,050"),
    ],
)
def test_the_starter_questions_give_code_a_table_a_chart_and_an_answer(box: Box, question: str, told: str) -> None:
    events = list(agent_for(box, traffic(), traffic_dictionary()).stream(question))
    assert [type(event) for event in events if isinstance(event, CallStarted | Finished)] == [CallStarted, Finished]
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert told in finished.text
    assert "".join(event.text for event in events if isinstance(event, TextWritten)).endswith(finished.text)
    assert all(event.ok for event in events if isinstance(event, CallFinished))
    assert len([event for event in events if isinstance(event, TableMade)]) == 1
    charts = [event.chart for event in events if isinstance(event, ChartMade)]
    assert [chart.content[:8] for chart in charts] == [b"\x89PNG\r\n\x1a\n"]


def test_a_follow_up_works_on_the_variable_of_the_first_question(box: Box) -> None:
    agent = agent_for(box, written("sales", sales(), box.folder, "sales"))
    agent.task("sales by store")
    (box.folder / "sales.csv").unlink()
    assert "`家电`" in agent.task("same by product category")


def test_a_cleaned_copy_is_offered_and_stays_as_a_variable(box: Box) -> None:
    table = written("small", prices(), box.folder)
    events = list(agent_for(box, table).stream("clean up the data"))
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert "small_clean.csv" in finished.text
    assert [event.file.name for event in events if isinstance(event, FileMade)] == ["small_clean.csv"]
    assert box.printed("print(len(df) - len(df_clean))") == f"{table.data.duplicated().sum()}\n"


@pytest.mark.parametrize(
    ("name", "question", "told"),
    [
        ("sales", "各门店每月销售额", "`销售额` 的合计，从 2022-01 到 2024-05"),
        ("survey", "What drives satisfaction?", "**`satisfaction` is most closely associated with `salary`"),
        ("web_log", "requests per hour", "over 72 periods (one for each hour)"),
        ("prices", "average price per city", "`Munich`: average 391,481"),
        ("identifiers", "customers by country", "`France`: 20 rows (33.3%)"),
    ],
)
def test_tables_are_known_by_the_profile_that_the_sandbox_makes(box: Box, name: str, question: str, told: str) -> None:
    table = written(name, TABLES[name](), box.data)
    profile = box.connection.profile(f"{name}.csv")
    assert told in agent_for(box, SmallTable(table.data, profile)).task(question)
