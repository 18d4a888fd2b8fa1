"""What is told about a file can be told in any language, and a profile is what the host expects."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from sandbox.sandbox import ColumnProfile, FileProfile, TableProfile
from tests.table_fixtures import TABLES, TableReader, look_at

__all__ = ["look_at"]
INSIDE = Path(__file__).resolve().parent.parent / "sandbox" / "inside"


def note_calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(INSIDE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "note":
                yield f"{path.name}:{node.lineno}", node


def templates() -> dict[str, set[str]]:
    """Each template of a note or problem, with the places it fills."""
    found = {}
    for place, call in note_calls():
        (template,) = call.args
        assert isinstance(template, ast.Constant), f"{place}: the template is not written out"
        found[str(template.value)] = {str(keyword.arg) for keyword in call.keywords}
    return found


TEMPLATES = templates()


@pytest.mark.parametrize("template", TEMPLATES)
def test_each_template_is_a_sentence_with_exactly_its_places(template: str) -> None:
    assert template.endswith(".")
    assert set(re.findall(r"{(\w+)}", template)) == TEMPLATES[template]


def test_a_profile_has_the_fields_that_the_host_expects(look_at: TableReader) -> None:
    profile = look_at("eu_numbers.csv").profile
    assert set(profile) == {field.name for field in fields(FileProfile)}
    assert set(profile["tables"][0]) == {field.name for field in fields(TableProfile)}
    assert set(profile["tables"][0]["columns"][0]) == {field.name for field in fields(ColumnProfile)}
    assert (profile["name"], profile["size"], profile["problem"]) == ("eu_numbers.csv", 41, None)


@pytest.mark.parametrize("rows", [0, 1, 20])
def test_as_many_rows_are_shown_as_asked_for(look_at: TableReader, rows: int) -> None:
    look = look_at("eu_numbers.csv", sample_rows=rows)
    assert len(look.table["sample"]) == min(rows, 3)


@pytest.mark.parametrize("path", sorted(path.name for path in TABLES.iterdir() if not path.name.startswith(".")))
def test_each_file_is_read_or_told_with_plain_values(look_at: TableReader, path: str) -> None:
    profile = look_at(path).profile
    assert bool(profile["tables"]) is not bool(profile["problem"])
    for table in profile["tables"]:
        assert table["variable"].isidentifier()
        assert table["recipe"].count(path) == 1
        assert {type(value) for note in table["notes"] for value in note["values"].values()} <= {str, int}
        assert all(len(row) == len(table["columns"]) for row in table["sample"])
