"""Plans how JSON is read: a list of records, columns, tables inside an object, or a record a line."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.delimited import plan_delimited
from sandbox.inside.reading.notes import Unreadable, note, quoted
from sandbox.inside.reading.recipe import ReadingPlan, literal, run
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.table_layout import name_notes
from sandbox.inside.reading.text_encoding import look_at_text
from sandbox.inside.reading.typed_table import convert_dates
from sandbox.inside.reading.variable_names import unique, variable_name

_MOST_BYTES = 60_000_000
"""JSON takes about ten times its size in memory."""
_JSON_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')


@dataclass(frozen=True, slots=True)
class _Shape:
    """The Python around that for the parsed content, which makes a table of it."""

    python: Callable[[str], str]
    key: str = ""
    """Under which name of the outermost object the table is."""
    twice: bool = False
    """Whether the content occurs twice and so needs a name."""


@dataclass(frozen=True, slots=True)
class _Content:
    """A file, the Python for its parsed content, and what a person says of it."""

    source: Source
    loading: str
    choices: Choices


def plan_json(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    """Text that only begins like JSON is read as delimited text."""
    facts = look_at_text(source, choices.encoding)
    with source.open_text(facts.encoding, facts.errors) as file:
        text = file.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES:
        raise Unreadable(
            note(
                "JSON of more than {limit} MB cannot be read. Save it as CSV or Parquet.",
                limit=_MOST_BYTES // 1_000_000,
            )
        )
    try:
        content, by_line = _parse(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise Unreadable(note("The JSON is nested too deeply to be a table. Save the table in it as CSV.")) from error
    except json.JSONDecodeError as error:
        if not _JSON_START.match(text.removeprefix("\ufeff")):
            return plan_delimited(source, variable, choices)
        raise Unreadable(
            note("The JSON is broken in line {line}. Mend it there and upload it anew.", line=error.lineno)
        ) from error
    shapes = _shapes(content)
    if not shapes:
        raise Unreadable(note("The JSON holds no table. A list of records with the same names can be read."))
    del content, text
    loading = _loading(source, facts.encoding, by_line)
    plans: list[ReadingPlan] = []
    for shape in shapes:
        name = variable_name(variable, shape.key) if len(shapes) > 1 else variable
        plans.append(_plan(_Content(source, loading, choices), shape, unique(name, {plan.variable for plan in plans})))
    return plans


def _parse(text: str) -> tuple[Any, bool]:
    """The content, and whether it has a record a line."""
    try:
        return json.loads(text), False
    except json.JSONDecodeError as whole:
        lines = text.split("\n")
        first = next(line for line in lines if line.strip())
        try:
            json.loads(first)
        except json.JSONDecodeError:
            raise whole from None
    records = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except json.JSONDecodeError as error:
                error.lineno = number
                raise
    return records, True


def _loading(source: Source, encoding: str, by_line: bool) -> str:
    """Python for the parsed content."""
    _, content = source.python_bytes()
    if not encoding.startswith("utf") or (by_line and encoding != "utf-8"):
        content += f".decode({literal(encoding)})"
    if not by_line:
        return f"json.loads({content})"
    lines = f"{content}.splitlines()" if encoding == "utf-8" else f'{content}.split("\\n")'
    return f"[json.loads(line) for line in {lines} if line.strip()]"


def _shapes(content: Any) -> list[_Shape]:
    if isinstance(content, list):
        shape = _list_shape(content)
        return [shape] if shape else []
    if not isinstance(content, dict) or not content:
        return []
    if _is_list_of([content.get("columns")], list) and _is_list_of(content.get("data"), list):
        return [_Shape(lambda whole: f'pd.DataFrame({whole}["data"], columns={whole}["columns"])', twice=True)]
    values = list(content.values())
    if all(isinstance(value, list) for value in values) and not any(_is_list_of(value, dict) for value in values):
        lengths = {len(value) for value in values}
        return [_Shape(lambda whole: f"pd.DataFrame({whole})")] if len(lengths) == 1 and lengths != {0} else []
    if all(isinstance(value, dict) for value in values) and len({frozenset(value) for value in values}) == 1:
        if all(str(key).isdecimal() for key in values[0]):
            return [_Shape(lambda whole: f"pd.DataFrame({whole}).reset_index(drop=True)")]
        return [_Shape(lambda whole: f'pd.DataFrame.from_dict({whole}, orient="index").reset_index(names="key")')]
    tables = [_list_shape(value, key) for key, value in content.items() if _is_list_of(value, dict)]
    return [table for table in tables if table] or [_Shape(lambda whole: f"pd.json_normalize({whole})")]


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, kind) for item in value)


def _list_shape(content: list[Any], key: str = "") -> _Shape | None:
    """The shape of a list, perhaps under a key; None when it holds no table."""
    at_key = f"[{literal(key)}]" if key else ""
    if _is_list_of(content, dict):
        if any(isinstance(value, dict) for record in content for value in record.values()):
            return _Shape(lambda whole: f"pd.json_normalize({whole}{at_key})", key)
        exact = dict.fromkeys(_long_integers(content), "Int64")
        options = f', dtype="object").astype({literal(exact)}).infer_objects(' if exact else ""
        return _Shape(lambda whole: f"pd.DataFrame({whole}{at_key}{options})", key)
    if _is_list_of(content, list):
        if len(content) > 1 and content[0] and all(isinstance(cell, str) for cell in content[0]):
            return _Shape(lambda whole: f"pd.DataFrame({whole}[1:], columns={whole}[0])", twice=True)
        return _Shape(lambda whole: f'pd.DataFrame({whole}).add_prefix("column_")')
    if not content or any(isinstance(item, list | dict) for item in content):
        return None
    return _Shape(lambda whole: f'pd.DataFrame({{"value": {whole}}})')


def _long_integers(records: list[dict[str, Any]]) -> list[str]:
    """Columns of whole numbers, some above 2**53 and some missing, which pandas would round."""
    names = {name for record in records for name, value in record.items() if type(value) is int and abs(value) > 2**53}
    return sorted(
        name
        for name in names
        if any(record.get(name) is None for record in records)
        and all(record.get(name) is None or type(record[name]) is int for record in records)
        and all(abs(record.get(name) or 0) < 2**63 for record in records)
    )


def _plan(content: _Content, shape: _Shape, variable: str) -> ReadingPlan:
    source, loading = content.source, content.loading
    modules, _ = source.python_bytes()
    lines = [*source.before, f"import {', '.join(sorted([*modules, 'json']))}"]
    if shape.twice or len(loading) > 90:
        lines.append(f"{variable} = {loading}")
        loading = variable
    recipe = "\n".join([*lines, f"{variable} = {shape.python(loading)}"])
    table = run(recipe, variable)
    dates = convert_dates(table, variable, content.choices)
    told = [note("Read as JSON.")]
    if shape.key:
        told.append(note("The table is the list under {key}.", key=quoted(shape.key)))
    return ReadingPlan(
        variable=variable,
        recipe="\n".join([recipe, *dates.lines]),
        cautious_recipe=recipe,
        notes=[*told, *name_notes(tuple(map(str, table.columns))), *dates.notes],
        rows=len(table),
        names_cells=dates.names_cells,
    )
