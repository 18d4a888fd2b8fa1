"""Plans how Parquet and Feather files are read; their columns have types already."""

from contextlib import suppress
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as arrow_dataset

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.notes import DAMAGED, Note, Unreadable, note
from sandbox.inside.reading.recipe import ReadingPlan, Recipe, literal
from sandbox.inside.reading.relation import SPARING, counted_note, describe_large, relation_recipe, too_large_note
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.sql_columns import SqlColumn, SqlType, count_all, sql_text
from sandbox.inside.reading.table_layout import name_notes

_MOST_CELLS = 50_000_000
_SAMPLE_ROWS, _HEAD_ROWS = 100_000, 20
_EXACT = 2**53


def plan_parquet(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    return [_plan(source, variable, "parquet")]


def plan_feather(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    return [_plan(source, variable, "feather")]


def _plan(source: Source, variable: str, form: str) -> ReadingPlan:
    try:
        dataset = arrow_dataset.dataset(source.path, format=form)
    except (pa.ArrowInvalid, OSError) as error:
        raise Unreadable(DAMAGED) from error
    recipe = Recipe(variable, f"read_{form}", source.python, before=source.before)
    told = [note("Read as Parquet.") if form == "parquet" else note("Read as Feather.")]
    rows, columns = dataset.count_rows(), len(dataset.schema)
    names = tuple(dataset.schema.names)
    if rows * columns > _MOST_CELLS and source.original is None:
        if form == "parquet" and len(set(names)) == columns:
            import duckdb  # rarely needed and slow to load

            with suppress(duckdb.Error):
                return _relation(source, variable, told, dataset.schema)
        return _first_rows(source, variable, form, told, _MOST_CELLS // columns)
    if _has_rounded_integers(dataset):
        recipe.arguments["dtype_backend"] = "numpy_nullable"
        told.append(note("Whole numbers with missing values are kept exact, as type Int64."))
    if _has_row_labels(dataset.schema):
        recipe.after.append(f"{variable} = {variable}.reset_index()")
    return ReadingPlan(variable=variable, recipe=str(recipe), notes=[*told, *name_notes(names)], rows=rows)


def _relation(source: Source, variable: str, told: list[Note], schema: Any) -> ReadingPlan:
    """A Parquet file too large for memory, which duckdb reads when it is asked."""
    import duckdb  # rarely needed and slow to load

    query = f"SELECT *\nFROM read_parquet({sql_text(source.path)})"
    columns = [_column(field) for field in schema]
    with duckdb.connect(config=SPARING) as database:
        rows, counts = count_all(database, f"({query})", columns)
        head = database.sql(f"{query} LIMIT {_HEAD_ROWS}").df()
        sample = database.sql(f"SELECT * FROM ({query}) USING SAMPLE reservoir({_SAMPLE_ROWS} ROWS)").df()  # noqa: S608
    return ReadingPlan(
        variable=variable,
        recipe=relation_recipe(variable, query),
        notes=[
            too_large_note(variable),
            *told,
            *name_notes(tuple(schema.names)),
            counted_note(len(sample), is_spread=True),
        ],
        rows=rows,
        described=describe_large(sample, head, rows, list(zip(columns, counts, strict=True))),
    )


def _column(field: Any) -> SqlColumn:
    kind: SqlType = "VARCHAR"
    if pa.types.is_integer(field.type):
        kind = "BIGINT"
    elif pa.types.is_floating(field.type):
        kind = "DOUBLE"
    elif pa.types.is_date(field.type) or (pa.types.is_timestamp(field.type) and field.type.tz is None):
        kind = "TIMESTAMP"
    return SqlColumn(name=field.name, type=kind, is_text=False)


def _first_rows(source: Source, variable: str, form: str, told: list[Note], rows: int) -> ReadingPlan:
    recipe = (
        "import pyarrow.dataset\n"
        f"{variable} = pyarrow.dataset.dataset({literal(source.path)}, format={literal(form)}).head({rows}).to_pandas()"
    )
    cut = note(
        "The file is too long to be looked at as a whole; only its first {rows} rows are read. "
        "For all of them use polars or duckdb on the file itself.",
        rows=rows,
    )
    return ReadingPlan(variable=variable, recipe=recipe, notes=[*told, cut])


def _has_rounded_integers(dataset: Any) -> bool:
    """Whether pandas would turn whole numbers above 2**53 into decimals, because some are missing."""
    names = [field.name for field in dataset.schema if pa.types.is_int64(field.type) or pa.types.is_uint64(field.type)]
    if len(set(names)) < len(names):
        return False
    for name in names:
        column = dataset.to_table(columns=[name])[name]
        limits = pc.min_max(column).as_py()
        if column.null_count and max(limits["max"] or 0, -(limits["min"] or 0)) > _EXACT:
            return True
    return False


def _has_row_labels(schema: Any) -> bool:
    """Whether pandas stored an index that holds more than row numbers."""
    stored = (schema.pandas_metadata or {}).get("index_columns", [])
    return any(isinstance(label, str) for label in stored)
