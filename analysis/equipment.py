"""What an agent that answers is given: its tools, and the gates that its code has to pass before it runs."""

from collections.abc import Callable, Sequence

from agents.call_gate import CallGate
from agents.code_review_agent import CodeReviewAgent, CodeReviewGate
from agents.models.language_model import LanguageModelInterface
from analysis.model_choice import ModelChoice
from sandbox.sandbox import FileProfile, Sandbox
from settings import Settings
from tools.find_columns_tool import WIDE, FindColumnsTool
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolInterface


def tools_of(
    sandbox: Sandbox, settings: Settings, profiles: Callable[[], Sequence[FileProfile]]
) -> list[ToolInterface]:
    tools: list[ToolInterface] = [PythonExecTool(sandbox, limits=settings.limits, files=profiles)]
    if any(len(table.columns) > WIDE for profile in profiles() for table in profile.tables):
        tools.append(FindColumnsTool(profiles, with_values=settings.sample_rows > 0))
    return tools


def review_gates(
    question: str, choice: ModelChoice, language_model: LanguageModelInterface, settings: Settings
) -> list[CallGate]:
    """A second model reads the code; none where that is not wanted or there is no model."""
    if not settings.review_code or choice.is_offline:
        return []
    model = choice.small_task_model(settings.review_model)
    return [CodeReviewGate(question, lambda: CodeReviewAgent(language_model, model=model))]
