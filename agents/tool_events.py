"""A tool's result as the events that a face draws."""

from collections.abc import Iterator

from agents.events import CallFinished, ChartMade, Event, FigureMade, FileMade, TableMade, ValueShown
from tools.tool_interface import ToolResult


def events_of(call_id: str, result: ToolResult) -> Iterator[Event]:
    """Everything that a finished call made, then its end."""
    execution = result.execution
    if execution is None:
        yield CallFinished(call_id=call_id, ok=result.ok, error=None if result.ok else result.text)
        return
    if execution.value:
        yield ValueShown(call_id, execution.value)
    yield from (TableMade(call_id, table) for table in execution.tables)
    yield from (ChartMade(call_id, chart) for chart in execution.charts)
    yield from (FigureMade(call_id, figure) for figure in execution.figures)
    yield from (FileMade(call_id, file) for file in execution.files)
    yield CallFinished(
        call_id=call_id,
        ok=execution.ok,
        error=execution.error,
        timed_out=execution.timed_out,
        interrupted=execution.interrupted,
        state_lost=execution.state_lost,
        lost_before=execution.lost_before,
        duration_s=execution.duration_s,
        notices=execution.notices,
    )
