"""What a model reads of a cell that ran: everything it needs to go on, within a fixed length."""

from collections.abc import Iterator

from sandbox.cell_result import PRINT_CUT
from sandbox.printed_text import without_told_cut
from sandbox.sandbox import ExecutionResult, OutputTable, StateLoss
from tools.file_context import quoted
from tools.plain_text import cut, plain, without_encoded_data

MOST_CHARS = 8_000
_STDOUT, _STDERR, _VALUE, _ERROR, _TABLES, _NOTICE = 4_000, 1_000, 1_500, 2_500, 3_000, 1_000
_ALL_ROWS, _FIRST_ROWS, _TABLE_COLUMNS, _CELL_CHARS = 20, 8, 30, 60

_LOST = {
    StateLoss.TIMEOUT: "The code ran too long and had to be killed.",
    StateLoss.INTERRUPT: "The person stopped the code and it had to be killed.",
    StateLoss.MEMORY: "The code used more memory than there is and was killed.",
    StateLoss.CRASH: "The Python process crashed.",
    StateLoss.EXIT: "The code ended the Python process.",
    StateLoss.CONTAINER_GONE: "The sandbox was gone and a new one took its place.",
    StateLoss.RESTART: "Python was started afresh.",
}
_LOST_TOO = (
    "All variables and imports are gone; the files in /data are still there and their tables are loaded again. "
    "Begin with the imports again."
)


def result_text(result: ExecutionResult, notes: tuple[str, ...] = ()) -> str:
    """The result in words, with ``notes`` (what was changed in the code, how to mend it) at the end."""
    parts = [*_printed(result), *_shown(result), *_ended(result), *notes]
    if result.ok and not any(parts[: len(parts) - len(notes)]):
        parts.insert(0, "Finished without output. To see something, print it or put it last.")
    return cut("\n".join(part for part in parts if part), MOST_CHARS)


def _printed(result: ExecutionResult) -> Iterator[str]:
    yield _short_print(result.stdout, _STDOUT)
    stderr = _short_print(result.stderr, _STDERR)
    yield f"stderr:\n{stderr}" if stderr else ""
    yield _short(result.value, _VALUE)


def _shown(result: ExecutionResult) -> Iterator[str]:
    budget = _TABLES
    for number, table in enumerate(result.tables, 1):
        text = _table_text(table, number) if budget > 0 else f"Table {number}: {table.row_count:,} rows."
        yield cut(text, max(budget, 200))
        budget -= len(text)
    yield _named("Charts that the person sees now", [chart.name for chart in result.charts])
    yield _named("Interactive charts that the person sees now", [figure.name for figure in result.figures])
    yield _named("Files offered to the person for download", [file.name for file in result.files])


def _ended(result: ExecutionResult) -> Iterator[str]:
    if result.error:
        yield f"Error:\n{_short(result.error, _ERROR)}"
    if result.timed_out:
        yield f"Stopped after {result.duration_s:.0f} seconds: the code ran too long. Make it faster or do less."
    if result.interrupted:
        yield "The person stopped the code."
    if result.state_lost:
        yield _LOST_TOO if result.error else f"{_LOST[result.state_lost]} {_LOST_TOO}"
    # A loss is told as error and as notice, because the person may see only one of them.
    told = result.error or ""
    notices = [notice for notice in result.notices[:10] if notice.template != PRINT_CUT]
    yield from (_short(str(notice), _NOTICE) for notice in notices if str(notice) not in told)


def _short_print(text: str, most: int) -> str:
    """What was left out before is counted with what is left out here, so that it is told once."""
    kept, left_out = without_told_cut(text) if len(text) > most else (text, 0)
    return _short(kept, most, left_out)


def _short(text: str, most: int, left_out: int = 0) -> str:
    return cut(without_encoded_data(plain(text)).rstrip(), most, left_out)


def _named(what: str, names: list[str]) -> str:
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return f"{what}: {', '.join(quoted(name) for name in names[:20])}{more}." if names else ""


def _table_text(table: OutputTable, number: int) -> str:
    """The beginning of a table, one line a row."""
    rows = table.rows if table.row_count <= _ALL_ROWS else table.rows[:_FIRST_ROWS]
    shape = f"Table {number}, which the person sees: {table.row_count:,} rows, {len(table.columns):,} columns"
    if len(rows) < table.row_count:
        shape += f"; the first {len(rows)} rows"
    lines = [" | ".join(_cell(cell) for cell in row[:_TABLE_COLUMNS]) for row in (table.columns, *rows)]
    if len(table.columns) > _TABLE_COLUMNS:
        lines[0] += f" | … {len(table.columns) - _TABLE_COLUMNS:,} more columns"
    return "\n".join([f"{shape}:", *lines])


def _cell(value: object) -> str:
    text = " ".join(plain(str(value)).split())
    return text if len(text) <= _CELL_CHARS else f"{text[:_CELL_CHARS]}… ({len(text):,} characters)"
