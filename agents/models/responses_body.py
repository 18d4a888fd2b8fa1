"""A request in the words of the Responses API; the vendor stores nothing, so everything goes with each request."""

from collections.abc import Iterator, Mapping
from typing import Any

from agents.chat_messages import ChatMessage
from agents.models.dialect import Dialect, takes_effort
from agents.models.language_model import ModelRequest
from agents.models.profiles import model_profile
from agents.models.request_body import picture_url


def responses_body(request: ModelRequest, dialect: Dialect) -> dict[str, Any]:
    """The JSON of a request. A model that reasons is asked for a summary, and for its sealed thoughts to send back."""
    body: dict[str, Any] = {
        "model": request.model,
        "input": [item for message in request.messages for item in _items(message, "thoughts" not in dialect.without)],
        "stream": True,
        "store": False,
    }
    if request.prompt:
        body["instructions"] = request.prompt
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if model_profile(request.model).reasons:
        body |= _thinking(request, dialect)
    return body


def _thinking(request: ModelRequest, dialect: Dialect) -> dict[str, Any]:
    wanted = {"effort": takes_effort(request, dialect), "summary": "auto"}
    reasoning = {name: word for name, word in wanted.items() if word and f"reasoning.{name}" not in dialect.without}
    body: dict[str, Any] = {"reasoning": reasoning} if reasoning else {}
    return body if "include" in dialect.without else body | {"include": ["reasoning.encrypted_content"]}


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", **tool["function"], "strict": False}


def _output(message: ChatMessage) -> str | list[dict[str, Any]]:
    pictures = [{"type": "input_image", "image_url": picture_url(chart)} for chart in message.charts]
    return [{"type": "input_text", "text": message.text}, *pictures] if pictures else message.text


def _items(message: ChatMessage, with_thoughts: bool) -> Iterator[dict[str, Any]]:
    if message.role == "tool":
        yield {"type": "function_call_output", "call_id": message.answers, "output": _output(message)}
        return
    if message.reasoning and with_thoughts:
        yield from (dict(item) for item in message.reasoning.items)
    if message.text.strip():
        yield {"role": message.role, "content": message.text}
    for call in message.calls:
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
