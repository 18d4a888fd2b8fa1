"""The real client pointed at the server of a test."""

from typing import Any

from agents.chat_messages import ChatMessages
from agents.models.language_model import ModelRequest
from agents.models.openai_model import OpenAILanguageModel
from agents.models.profiles import ApiChoice
from agents.models.server_client import Patience
from tests.chat_server import ChatServer
from tests.fake_sandbox import FakeSandbox
from tools.python_exec_tool import PythonExecTool

TOOLS = (PythonExecTool(FakeSandbox()).schema(),)


PATIENCE = Patience(jitter=0)


def model_at(server: ChatServer, key: str = "sk-test-1234567890", api: ApiChoice = "auto") -> OpenAILanguageModel:
    return OpenAILanguageModel(key, server.url, api=api, patience=PATIENCE, pause=lambda seconds, stop: None)


def request(
    model: str = "o3-mini", effort: str | None = "medium", text: str = "Hello", tools: Any = TOOLS
) -> ModelRequest:
    messages = ChatMessages()
    messages.add_question(text)
    return ModelRequest(model=model, effort=effort, prompt="Be brief.", messages=messages.snapshot(), tools=tools)
