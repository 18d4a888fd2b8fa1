"""What a tool is, how it is called and what it answers. A new tool is one new file with one subclass."""

import json
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.sandbox import ExecutionResult, OutputText


class ToolError(Exception):
    """The model's mistake, in words for the model: an unknown tool, wrong arguments, a file that is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model's request. ``arguments`` is the JSON text as the model wrote it, not yet checked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A tool's answer: ``text`` for the model; ``execution`` holds what the person sees, if code ran."""

    text: str
    ok: bool = True
    execution: ExecutionResult | None = None


class ToolInterface(ABC):
    """Something a model may ask for, with the words that explain it to the model."""

    name: str
    aliases: tuple[str, ...] = ()
    """Other names by which models ask for it."""
    parameters: Mapping[str, Any]
    """JSON schema of the arguments, an object."""
    code_parameter: str | None = None
    """The argument that is code to run, if it runs any."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What it does, for the model; a plain class attribute will do."""

    @abstractmethod
    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        """Do it. Arguments fit ``parameters``; raises ``ToolError`` for what the model can mend."""

    def stream(self, arguments: Mapping[str, Any]) -> Generator[OutputText | ToolResult, None, None]:
        """Printed text while it runs, then the result; tools that print nothing leave this as it is."""
        yield self.run(arguments)

    def shown(self, arguments: Mapping[str, Any]) -> str:
        """What a person sees of a call."""
        return json.dumps(dict(arguments), ensure_ascii=False, indent=2)

    def stop(self) -> None:  # noqa: B027 - optional on purpose
        """End a running call soon; called from another thread. A tool that is always quick leaves this as it is."""

    def schema(self) -> dict[str, Any]:
        """The tool in the form of the chat-completions protocol."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}
