"""Finds the columns of wide tables by words in their names; knows only what the profiles say."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sandbox.sandbox import FileProfile
from tools.file_context import column_line, quoted
from tools.tool_interface import ToolInterface, ToolResult

WIDE = 60
"""With more columns than this not every name is in the context."""
_MOST = 60
_WORD = re.compile(r"\w+")


class FindColumnsTool(ToolInterface):
    """``files`` tells which files were brought in; values are told only if ``with_values``."""

    name = "find_columns"
    aliases = ("search_columns", "list_columns")
    description = (
        "Searches the column names of the uploaded tables for words and returns the exact names with type and missing "
        "values. Use it when a table has more columns than were listed."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {"words": {"type": "string", "description": "Words or parts of words, separated by blanks."}},
        "required": ["words"],
        "additionalProperties": False,
    }

    def __init__(self, files: Callable[[], Iterable[FileProfile]], *, with_values: bool = True) -> None:
        self._files = files
        self._with_values = with_values

    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        words = [word.casefold() for word in _WORD.findall(arguments["words"])]
        found: list[tuple[int, str]] = []
        for profile in self._files():
            for table in profile.tables:
                for column in table.columns:
                    name = column.name.casefold()
                    hits = sum(word in name for word in words)
                    if hits:
                        found.append((-hits, f"{table.variable}:{column_line(column, self._with_values)}"))
        found.sort(key=lambda pair: pair[0])
        if not found:
            return ToolResult(text=f"No column has {quoted(arguments['words'], 100)} in its name. Try other words.")
        lines = [line for _, line in found[:_MOST]]
        if len(found) > _MOST:
            lines.append(f"({len(found) - _MOST:,} more; use more words)")
        return ToolResult(text="\n".join(lines))
