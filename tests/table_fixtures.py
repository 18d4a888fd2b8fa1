"""Reading tables as the sandbox does: one process with the image's packages serves all tests of a session."""

import atexit
import functools
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.inside_fixtures import sandbox_python

TABLES = Path(__file__).resolve().parent / "tables"
_DRIVER = Path(__file__).with_name("table_driver.py")


@dataclass(frozen=True)
class Look:
    """A profile, and what the expressions gave."""

    profile: dict[str, Any]
    values: list[Any]

    @property
    def table(self) -> dict[str, Any]:
        """The only table."""
        (table,) = self.profile["tables"]
        assert isinstance(table, dict)
        return table

    @property
    def columns(self) -> dict[str, dict[str, Any]]:
        return {column["name"]: column for column in self.table["columns"]}

    @property
    def types(self) -> list[str]:
        return [column["type"] for column in self.table["columns"]]

    @property
    def notes(self) -> list[str]:
        return [told(note) for note in self.table["notes"]]

    @property
    def problem(self) -> str:
        assert self.profile["tables"] == []
        return told(self.profile["problem"])


def told(note: dict[str, Any]) -> str:
    """The sentence with its places filled."""
    return str(note["template"].format(**note["values"]))


class TableReader:
    """The process that profiles files."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def __call__(
        self,
        path: Path | str,
        *expressions: str,
        sample_rows: int = 5,
        choices: Mapping[str, object] | None = None,
        taken: Sequence[str] = (),
    ) -> Look:
        """Profile a file, by its path or its name in ``tests/tables``, and evaluate expressions with what it holds."""
        request: dict[str, object] = {"path": str(TABLES / path), "expressions": expressions}
        request |= {"sample_rows": sample_rows, "choices": choices, "taken": taken}
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the process that reads tables has ended"
        return Look(**json.loads(line))


@functools.cache
def _reader(python: str) -> TableReader:
    """One for all test modules."""
    process = subprocess.Popen(
        [python, "-W", "error", str(_DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(process.communicate)
    return TableReader(process)


@pytest.fixture(scope="session")
def look_at() -> TableReader:
    return _reader(sandbox_python())


@pytest.fixture
def look_into(look_at: TableReader, tmp_path: Path) -> Callable[..., Look]:
    """Profile a file with this content; its name is ``data.csv`` unless another is given."""

    def look(content: str | bytes, *expressions: str, name: str = "data.csv", **options: Any) -> Look:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return look_at(path, *expressions, **options)

    return look
