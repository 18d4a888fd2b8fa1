"""A request for a model that cannot call tools: it is told to write its calls, and reads earlier ones, as text."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from agents.chat_messages import ChatMessage
from agents.models.language_model import ModelRequest
from tools.tool_interface import ToolCall

_CALLS = """\
You cannot call tools directly. To use one, write its call into your reply as JSON between tags, and nothing after it:
<tool_call>{{"name": "{name}", "arguments": {{...}}}}</tool_call>
The result comes with the next message. The tools:
{tools}"""
_CODE = """\
To run Python, write it as one block that begins with ```python and ends with ```, and nothing after it. It is run, \
and what it prints comes with the next message. Write such a block only for code that is to run."""


def code_parameter(tool: Mapping[str, Any]) -> str | None:
    """The one text parameter of a tool that runs Python."""
    names = list(tool["function"]["parameters"].get("properties", {}))
    return names[0] if len(names) == 1 and names[0].endswith("code") else None


def without_tools(request: ModelRequest) -> ModelRequest:
    """The same request with everything about tools as text."""
    code_tools = {tool["function"]["name"]: code_parameter(tool) for tool in request.tools}
    messages = tuple(_joined(_as_text(message, code_tools) for message in request.messages))
    return replace(request, prompt=_prompt(request, code_tools), messages=messages, tools=())


def _prompt(request: ModelRequest, code_tools: Mapping[str, str | None]) -> str:
    parts = [request.prompt] if request.prompt else []
    if any(code_tools.values()):
        parts.append(_CODE)
    others = [tool for tool in request.tools if not code_tools[tool["function"]["name"]]]
    if others:
        told = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in others)
        parts.append(_CALLS.format(name=others[0]["function"]["name"], tools=told))
    parts += [tool["function"]["description"] for tool in request.tools if code_tools[tool["function"]["name"]]]
    return "\n\n".join(parts)


def _as_text(message: ChatMessage, code_tools: Mapping[str, str | None]) -> ChatMessage:
    if message.role == "tool":
        return ChatMessage(role="user", text=f"Result:\n{message.text}")
    written = [message.text, *(_written(call, code_tools.get(call.name)) for call in message.calls)]
    return replace(message, text="\n".join(part for part in written if part.strip()), calls=())


def _written(call: ToolCall, parameter: str | None) -> str:
    arguments = json.loads(call.arguments)
    code = arguments.get(parameter) if parameter else None
    if isinstance(code, str):
        return f"```python\n{code}\n```"
    return f"<tool_call>{json.dumps({'name': call.name, 'arguments': arguments}, ensure_ascii=False)}</tool_call>"


def _joined(messages: Iterator[ChatMessage]) -> Iterator[ChatMessage]:
    """User messages that follow each other made one."""
    last: ChatMessage | None = None
    for message in messages:
        if last and last.role == message.role == "user":
            last = replace(last, text=f"{last.text}\n\n{message.text}")
            continue
        if last:
            yield last
        last = message
    if last:
        yield last
