"""Profiles files under the interpreter of the sandbox for the tests: one request and one answer a line, as JSON.

A request names a file and expressions. Each is evaluated with the table that the recipe, run as it stands, reads.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sandbox.inside.reading.plain_cells import plain_cell
from sandbox.inside.table import profile_file


def answer(request: dict[str, Any]) -> dict[str, Any]:
    profile = profile_file(request["path"], request["sample_rows"], request["choices"], request["taken"])
    names: dict[str, Any] = {"pd": pd}
    for table in profile["tables"]:
        exec(table["recipe"], names)  # noqa: S102 - what the product itself runs
    values = [plain(eval(expression, names)) for expression in request["expressions"]]  # noqa: S307 - from our tests
    return {"profile": profile, "values": values}


def plain(value: Any) -> Any:
    """A result as JSON: a column or an index as a list."""
    return [plain_cell(item) for item in value] if isinstance(value, pd.Series | pd.Index) else plain_cell(value)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)  # noqa: T201
