"""Plans how the tables of SQLite and DuckDB files are read; opens them for reading only."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import duckdb

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.notes import DAMAGED, Note, Unreadable, note, quoted
from sandbox.inside.reading.recipe import ReadingPlan, literal, run
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.table_layout import name_notes
from sandbox.inside.reading.typed_table import convert_dates
from sandbox.inside.reading.variable_names import unique, variable_name

_MOST_CELLS = 20_000_000
_MOST_TABLES = 100
_EXACT = 2**53
_Ask = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a database by its name, its full name in SQL, its columns, and those that may be whole numbers."""

    name: str
    sql_name: str
    columns: tuple[str, ...]
    whole: tuple[str, ...]


def plan_sqlite(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    address = f"file:{quote(source.path)}?mode=ro&immutable=1"

    def recipe(name: str, query: str, exact: list[str]) -> str:
        options = ', dtype_backend="numpy_nullable"' if exact else ""
        before, path = source.python_path(name)
        opened = path if source.original else f"{literal(address)}, uri=True"
        return "\n".join([*before, "import contextlib, sqlite3"]) + (
            f"\nwith contextlib.closing(sqlite3.connect({opened})) as {name}_file:\n"
            f"    {name} = pd.read_sql_query({literal(query)}, {name}_file{options})"
        )

    try:
        with closing(sqlite3.connect(address, uri=True)) as database:

            def ask(query: str) -> list[tuple[Any, ...]]:
                return database.execute(query).fetchall()

            names = [
                name
                for (name,) in ask("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
                if not name.startswith("sqlite_")
            ]
            tables = []
            for name in names[:_MOST_TABLES]:
                columns = tuple(row[1] for row in ask(f"PRAGMA table_info({_sql(name)})"))
                tables.append(_Table(name, _sql(name), columns, columns))
            return _plan_all(tables, ask, recipe, _Wanted(source, variable, choices, note("Read from SQLite.")))
    except sqlite3.DatabaseError as error:
        raise Unreadable(DAMAGED) from error


def plan_duckdb(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    def recipe(name: str, query: str, exact: list[str]) -> str:
        types = literal(dict.fromkeys(exact, "Int64"))
        end = (
            f"to_arrow_table().to_pandas(integer_object_nulls=True, date_as_object=False).astype({types})"
            if exact
            else "df()"
        )
        before, path = source.python_path(name)
        return "\n".join([*before, "import duckdb"]) + (
            f"\nwith duckdb.connect({path}, read_only=True) as {name}_file:\n"
            f"    {name} = {name}_file.sql({literal(query)}).{end}"
        )

    try:
        with duckdb.connect(source.path, read_only=True) as database:

            def ask(query: str) -> list[tuple[Any, ...]]:
                return list(database.execute(query).fetchall())

            found = ask("SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_oid")
            tables = []
            for schema, name in found[:_MOST_TABLES]:
                full = f"{_sql(schema)}.{_sql(name)}"
                types = {row[0]: row[1] for row in ask(f"DESCRIBE {full}")}
                whole = tuple(column for column, kind in types.items() if kind in ("BIGINT", "UBIGINT"))
                tables.append(_Table(name, full, tuple(types), whole))
            return _plan_all(tables, ask, recipe, _Wanted(source, variable, choices, note("Read from DuckDB.")))
    except duckdb.Error as error:
        raise Unreadable(DAMAGED) from error


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be planned, and how the tables are told of."""

    source: Source
    variable: str
    choices: Choices
    told: Note


def _plan_all(
    tables: list[_Table], ask: _Ask, recipe: Callable[[str, str, list[str]], str], wanted: _Wanted
) -> list[ReadingPlan]:
    tables = [table for table in tables if table.columns and wanted.choices.sheet in ("", table.name)]
    if not tables:
        raise Unreadable(note("The database holds no table. Check that it was saved completely."))
    plans: list[ReadingPlan] = []
    for table in tables:
        name = wanted.variable if len(tables) == 1 else variable_name(wanted.variable, table.name)
        name = unique(name, {plan.variable for plan in plans})
        notes = [wanted.told, note("Table {table} of the database.", table=quoted(table.name))]
        query = f"SELECT * FROM {table.sql_name}"  # noqa: S608 - names are quoted, and the file holds nothing to protect
        rows = int(ask(f"SELECT count(*) FROM {table.sql_name}")[0][0])  # noqa: S608
        most = max(_MOST_CELLS // len(table.columns), 1)
        if rows > most:
            query, rows = f"{query} LIMIT {most}", most
            notes.append(
                note("The table is too long; only its first {rows} rows are read. Use SQL for all of them.", rows=rows)
            )
        text = recipe(name, query, _rounded(table, ask))
        dates = convert_dates(run(text, name), name, wanted.choices)
        plans.append(
            ReadingPlan(
                variable=name,
                recipe="\n".join([text, *dates.lines]),
                cautious_recipe=text,
                notes=[*notes, *name_notes(table.columns), *dates.notes],
                rows=rows,
                names_cells=dates.names_cells,
            )
        )
    return plans


def _rounded(table: _Table, ask: _Ask) -> list[str]:
    """Columns of whole numbers above 2**53 that pandas would turn into decimals, because some are missing."""
    found = []
    for name in table.whole:
        column = _sql(name)
        beyond = f"{column} > {_EXACT} OR {column} < -{_EXACT}"
        whole = f"{column} IS NULL OR typeof({column}) IN ('integer', 'BIGINT', 'UBIGINT')"
        counts = f"count(*) - count({column}), sum(CASE WHEN {beyond} THEN 1 ELSE 0 END)"
        missing, large = ask(f"SELECT {counts} FROM {table.sql_name} WHERE {whole}")[0]  # noqa: S608
        if missing and large:
            found.append(name)
    return found


def _sql(name: str) -> str:
    """A name as SQL writes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'
