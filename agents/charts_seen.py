"""Which charts of a tool's result a model is shown; they stay PNG bytes, which nothing on this machine decodes."""

from sandbox.inside.png import PNG_SIGNATURE
from tools.tool_interface import ToolResult

MOST_BYTES = 500_000
"""Of one chart. The sandbox has limited its size in pixels, so a larger one is rare."""
_MOST_CHARTS = 3


def charts_seen(result: ToolResult) -> tuple[bytes, ...]:
    """The first few that are not too large."""
    charts = result.execution.charts if result.execution else ()
    fit = [
        each.content for each in charts if each.content.startswith(PNG_SIGNATURE) and len(each.content) <= MOST_BYTES
    ]
    return tuple(fit[:_MOST_CHARTS])
