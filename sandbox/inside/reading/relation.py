"""What is said of a table that is too large for memory, and the Python that makes a duckdb relation of it."""

from typing import Any

from sandbox.inside.reading.column_profile import describe
from sandbox.inside.reading.notes import Note, note
from sandbox.inside.reading.plain_cells import plain_cell
from sandbox.inside.reading.recipe import Described, literal
from sandbox.inside.reading.sql_columns import Count, SqlColumn

SPARING = {"memory_limit": "700MB"}
"""How duckdb is set up where a file is looked through."""
_HEAD_ROWS = 20
_FEW = 1000
"""If the sample has no more different values, the file hardly has more."""
_KINDS = {"BIGINT": "integer", "DOUBLE": "number", "TIMESTAMP": "date", "BOOLEAN": "boolean"}


def relation_recipe(variable: str, query: str) -> str:
    """In lines where nothing in the SQL speaks against that; without a bar that would be printed among results."""
    if not query.replace("\n", "").isprintable() or '"""' in query:
        text = literal(query)
    else:
        raw = "r" if "\\" in query else ""
        text = f'{raw}"""\n{query}\n"""'
    return f'import duckdb\nduckdb.sql("SET enable_progress_bar = false")\n{variable} = duckdb.sql({text})'


def too_large_note(variable: str) -> Note:
    return note(
        "The table is too large for memory. {variable} is a duckdb relation that goes through the file each time: "
        'ask it with duckdb.sql("SELECT … FROM {variable} …").df(), and never load all of it.',
        variable=variable,
    )


def counted_note(rows: int, *, is_spread: bool) -> Note:
    """What the figures are true of; ``rows`` are those of the sample."""
    if is_spread:
        return note(
            "Rows, missing values and ranges are counted in the whole file; all other figures are those of {rows} "
            "rows from all over it.",
            rows=rows,
        )
    return note(
        "Rows, missing values and ranges are counted in the whole file; all other figures are those of its first "
        "{rows} rows.",
        rows=rows,
    )


def describe_large(sample: Any, head: Any, rows: int, columns: list[tuple[SqlColumn, Count]]) -> Described:
    """``columns`` with what all rows show of them, the rest from the sample; ``head`` begins as the table does."""
    descriptions, _ = describe(sample, 0)
    _, first = describe(head.head(_HEAD_ROWS), _HEAD_ROWS)
    for description, (column, count) in zip(descriptions, columns, strict=True):
        days = len(str(description["minimum"])) == len("2024-01-31")
        description["missing"] = rows - count.known
        if column.type in _KINDS:
            description["type"] = _KINDS[column.type]
        elif description["type"] == "empty":
            description["type"] = "text"
        if not count.known:
            description["type"] = "empty"
        if column.type not in ("VARCHAR", "BOOLEAN"):
            limits = [plain_cell(limit) for limit in (count.least, count.most)]
            if column.type == "TIMESTAMP" and days:
                limits = [limit and str(limit)[:10] for limit in limits]
            description["minimum"], description["maximum"] = limits
        if not isinstance(description["distinct"], int) or description["distinct"] > _FEW:
            description |= {"distinct": None, "top": []}
    return Described(descriptions, first)
