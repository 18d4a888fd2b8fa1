"""From what a model wrote to arguments that fit a tool's schema: lenient in form, strict in content."""

import json
from collections.abc import Mapping
from typing import Any

from tools.plain_text import whole_value
from tools.tool_interface import ToolError, ToolInterface

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def read_arguments(tool: ToolInterface, written: str) -> dict[str, Any]:
    """The arguments of a call, checked; raises ``ToolError`` that says what is wrong and what the tool takes.

    Line breaks inside JSON strings are taken as they are. For a tool with one string parameter, text that is no JSON
    is that string, and so is the only string of an object under another name.
    """
    arguments: dict[str, Any] = whole_value(_parse(tool, written))
    _check(tool.parameters, arguments)
    return arguments


def _parse(tool: ToolInterface, written: str) -> dict[str, Any]:
    only = _only_string(tool.parameters)
    try:
        value = json.loads(written, strict=False) if written.strip() else {}
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = json.loads(value, strict=False)
    except (ValueError, RecursionError) as error:
        if only is None or written.lstrip().startswith('{"'):
            raise ToolError(
                "The arguments are not complete JSON, perhaps because they were cut off. "
                f"Send the call again, shorter. {_takes(tool.parameters)}"
            ) from error
        return {only: written}
    if isinstance(value, dict):
        texts = [item for name, item in value.items() if isinstance(item, str) and name not in _properties(tool)]
        return {only: texts[0]} if only and len(value) == len(texts) == 1 else value
    if only is None:
        raise ToolError(f"The arguments must be a JSON object. {_takes(tool.parameters)}")
    return {only: value if isinstance(value, str) else written}


def _properties(tool: ToolInterface) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    return properties


def _only_string(schema: Mapping[str, Any]) -> str | None:
    properties = schema.get("properties", {})
    name = next(iter(properties), None)
    return name if len(properties) == 1 and properties[name].get("type") == "string" else None


def _takes(schema: Mapping[str, Any]) -> str:
    parts = [f"{name} ({rule.get('type', 'any')})" for name, rule in schema.get("properties", {}).items()]
    return f"It takes: {', '.join(parts) or 'nothing'}."


def _check(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    properties = schema.get("properties", {})
    problems = [f"missing: {name}" for name in schema.get("required", ()) if name not in arguments]
    problems += [f"unknown: {name}" for name in arguments if name not in properties]
    for name, value in arguments.items():
        problems += _problems_of(name, value, properties.get(name, {}))
    if problems:
        raise ToolError(f"{'; '.join(problems)}. {_takes(schema)}")


def _problems_of(name: str, value: Any, rule: Mapping[str, Any]) -> list[str]:
    kind = rule.get("type")
    types = _TYPES.get(kind, (object,)) if isinstance(kind, str) else (object,)
    if not isinstance(value, types) or (isinstance(value, bool) and kind in ("integer", "number")):
        return [f"{name} is not of type {kind}"]
    if "enum" in rule and value not in rule["enum"]:
        return [f"{name} is none of {', '.join(map(str, rule['enum']))}"]
    if isinstance(value, int | float) and not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        return [f"{name} is not between {rule.get('minimum', 'any')} and {rule.get('maximum', 'any')}"]
    return []
