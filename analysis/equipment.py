"""What the agent that runs code is given for one question: its tools, and the gates that its code has to pass."""

from collections.abc import Callable

from agents.call_gate import CallGate
from agents.code_review_agent import CodeReviewAgent, CodeReviewGate
from agents.models.language_model import LanguageModelInterface
from analysis.model_choice import ModelChoice
from sandbox.sandbox import FileProfile, Sandbox
from settings import Settings
from tools.find_columns_tool import WIDE, FindColumnsTool
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolInterface


def tools_for(sandbox: Sandbox, files: Callable[[], list[FileProfile]], settings: Settings) -> list[ToolInterface]:
    """The tool that runs code, and one that finds columns where there are very many."""
    tools: list[ToolInterface] = [PythonExecTool(sandbox, limits=settings.limits, files=files)]
    if any(len(table.columns) > WIDE for profile in files() for table in profile.tables):
        tools.append(FindColumnsTool(files, with_values=settings.sample_rows > 0))
    return tools


def review_for(
    question: str, choice: ModelChoice, language_model: LanguageModelInterface, settings: Settings
) -> list[CallGate]:
    """The reviewer, where one is wanted and there is a model for it."""
    if not settings.review_code or choice.is_offline:
        return []
    model = choice.small_task_model(settings.review_model)
    return [CodeReviewGate(question, lambda: CodeReviewAgent(language_model, model=model))]
