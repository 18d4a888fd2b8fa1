"""A sheet too large for memory is read in pieces, each column as all of its cells ask for, and kept in columns."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.inside_fixtures import sandbox_python
from tests.table_fixtures import told

_READ = """
import json, sys, pathlib
import pandas as pd
from sandbox.inside.reading import large_sheet
large_sheet._LARGE_BYTES, large_sheet._PIECE_BYTES, large_sheet._KEPT = 100_000, 100_000, sys.argv[2]
from openpyxl import Workbook
from sandbox.inside.table import profile_file
rows = eval(sys.argv[3])
book = Workbook()
for row in rows:
    book.active.append(row)
book.save(sys.argv[1])
profile = profile_file(sys.argv[1])
answer = {"profile": profile}
for table in profile["tables"]:
    for time in ("first", "second"):
        names = {"pd": pd}
        exec(table["recipe"], names)
        data = names["data"]
        answer[time] = [str(data.dtypes[name]) for name in data] + [[*map(str, data.iloc[-1])], len(data)]
answer["kept"] = [path.suffix for path in pathlib.Path(sys.argv[2]).glob("*")]
print(json.dumps(answer, default=str))
"""


def read(folder: Path, rows: str) -> dict[str, Any]:
    kept = folder / "kept"
    kept.mkdir()
    command = [sandbox_python(), "-W", "error", "-c", _READ, str(folder / "data.xlsx"), str(kept), rows]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    answer = json.loads(printed.stdout)
    assert isinstance(answer, dict)
    return answer


def test_cells_keep_the_types_that_excel_gave_them(tmp_path: Path) -> None:
    rows = (
        "[['A title'], ['id', 'code', 'amount', 'day', 'flag']] + "
        "[[i, f'{i:05d}', None if i % 2 else i / 4, pd.Timestamp('2024-01-31') if i % 3 else None, i > 9] "
        "for i in range(3000)]"
    )
    answer = read(tmp_path, rows)
    types = ["int64", "str", "float64", "datetime64[us]", "boolean"]
    last = ["2999", "02999", "nan", "2024-01-31 00:00:00", "True"]
    assert answer["first"] == answer["second"] == [*types, last, 3000]
    (table,) = answer["profile"]["tables"]
    assert [column["type"] for column in table["columns"]] == ["integer", "text", "number", "date", "boolean"]
    assert (table["rows"], [column["missing"] for column in table["columns"]]) == (3000, [0, 0, 1500, 1000, 0])
    assert (table["columns"][0]["maximum"], table["columns"][3]["minimum"]) == (2999, "2024-01-31")
    notes = " ".join(map(told, table["notes"]))
    assert "it is read in pieces" in notes
    assert "Left out above the column names: 'A title'" in notes
    assert answer["kept"] == [".parquet"]


def test_what_only_the_last_rows_hold_decides_too(tmp_path: Path) -> None:
    rows = (
        "[['id', 'late', 'mixed']] + [[i, None, i] for i in range(4000)] + [[None, None, None]] * 5 + "
        "[[4000, 1.5, 'A-7', 'beyond']]"
    )
    answer = read(tmp_path, rows)
    assert answer["first"] == ["int64", "float64", "str", "str", ["4000", "1.5", "A-7", "beyond"], 4001]
    columns = answer["profile"]["tables"][0]["columns"]
    assert [column["name"] for column in columns] == ["id", "late", "mixed", "extra_1"]
    assert columns[2]["examples"] == ["0", "1", "2"]
