"""Finds the tool that a model asks for, by an explicit table alone; whatever the model got wrong, it gets an answer."""

import json
from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Any

from sandbox.sandbox import OutputText
from tools.arguments import read_arguments
from tools.plain_text import plain, whole
from tools.tool_interface import ToolCall, ToolError, ToolInterface, ToolResult

_NAME_CHARS = 64


class ToolManager:
    """The tools of one agent."""

    def __init__(self, tools: Iterable[ToolInterface]) -> None:
        self._tools: dict[str, ToolInterface] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise ValueError(f"two tools are named {tool.name}")
            self._tools[tool.name] = tool
        aliases = {alias: tool for tool in self._tools.values() for alias in tool.aliases}
        self._by_any_name = aliases | self._tools

    def schemas(self) -> list[dict[str, Any]]:
        """The tools in the form of the chat-completions protocol."""
        return [tool.schema() for tool in self._tools.values()]

    def canonical(self, call: ToolCall) -> ToolCall:
        """The call under the tool's own name; of an unknown name what can be shown."""
        tool = self._by_any_name.get(call.name)
        return replace(call, name=tool.name if tool else plain(whole(call.name))[:_NAME_CHARS])

    def shown(self, call: ToolCall) -> str:
        """What a person sees of the call; arguments that cannot be read are shown as they came."""
        try:
            tool = self._find(call.name)
            return tool.shown(read_arguments(tool, call.arguments))
        except ToolError:
            return whole(call.arguments)

    def runs_code(self, name: str) -> bool:
        """Whether a tool of that name, its own or another one, runs code."""
        tool = self._by_any_name.get(name)
        return tool is not None and tool.code_parameter is not None

    def code_of(self, call: ToolCall) -> str | None:
        """The code that the call would run; None when it runs none, or is wrong anyway."""
        try:
            tool = self._find(call.name)
            return tool.shown(read_arguments(tool, call.arguments)) if tool.code_parameter else None
        except ToolError:
            return None

    def with_code(self, call: ToolCall, code: str) -> ToolCall:
        """The call with other code to run."""
        return replace(call, arguments=json.dumps({self._find(call.name).code_parameter: code}))

    def stream(self, call: ToolCall) -> Generator[OutputText | ToolResult, None, None]:
        """What the tool prints, then, last, its result. A mistake of the model's is a failed result."""
        try:
            tool = self._find(call.name)
            yield from tool.stream(read_arguments(tool, call.arguments))
        except ToolError as error:
            yield ToolResult(text=f"{call.name}: {error}", ok=False)

    def stop(self, call: ToolCall) -> None:
        """End the running call soon; another thread may ask for it."""
        tool = self._by_any_name.get(call.name)
        if tool:
            tool.stop()

    def _find(self, name: str) -> ToolInterface:
        tool = self._by_any_name.get(name)
        if tool is None:
            raise ToolError(f"There is no such tool. Available: {', '.join(self._tools) or 'none'}.")
        return tool
