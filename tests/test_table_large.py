"""A text too large for memory is read when it is asked, and what is said of it is true of all its rows."""

import gzip
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.inside_fixtures import sandbox_python
from tests.table_fixtures import Look, told

READ_WITH_SMALL_LIMITS = """
import json, sys
import pandas as pd
from sandbox.inside.reading import source
source.WHOLE_BYTES = 40_000
from sandbox.inside.reading import columnar, large_text
large_text._PIECE_BYTES = 500
columnar._MOST_CELLS, columnar._SAMPLE_ROWS = 20_000, 500
from sandbox.inside.table import profile_file
for line in sys.stdin:
    path, query = json.loads(line)
    profile = profile_file(path)
    names = {"pd": pd}
    exec(profile["tables"][0]["recipe"], names)
    data, duckdb = names["data"], names.get("duckdb")
    rows = duckdb.sql(query).fetchall() if duckdb else []
    print(json.dumps({"profile": profile, "values": rows}, default=str), flush=True)
"""
LookIntoLarge = Callable[..., Look]


@pytest.fixture(scope="module")
def large_reader() -> Iterator["subprocess.Popen[str]"]:
    """A process in which a text of 40 kB is a large one."""
    command = [sandbox_python(), "-W", "error", "-c", READ_WITH_SMALL_LIMITS]
    root = Path(__file__).parent.parent
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        yield process
        process.communicate()


@pytest.fixture
def look_into_large(large_reader: "subprocess.Popen[str]", tmp_path: Path) -> LookIntoLarge:
    def look(content: str | bytes, query: str = "SELECT count(*) FROM data") -> Look:
        path = tmp_path / "data.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        assert large_reader.stdin and large_reader.stdout
        large_reader.stdin.write(json.dumps([str(path), query]) + "\n")
        large_reader.stdin.flush()
        return Look(**json.loads(large_reader.stdout.readline()))

    return look


def rows(count: int = 6000, **others: str) -> str:
    """Ids and amounts; ``others`` are the rows at some places."""
    lines = (others.get(f"row_{number}", f"{number},{number / 4}") for number in range(count))
    return "id,amount\n" + "".join(f"{line}\n" for line in lines)


def test_every_row_counts_though_only_some_are_looked_at_closely(look_into_large: LookIntoLarge) -> None:
    look = look_into_large(rows(row_2500="2500,-70000.5"), "SELECT count(*), sum(id), min(amount) FROM data")
    assert look.values == [[6000, 17_997_000, -70000.5]]
    assert look.table["rows"] == 6000
    assert look.types == ["integer", "number"]
    assert (look.columns["id"]["minimum"], look.columns["id"]["maximum"]) == (0, 5999)
    assert look.columns["amount"]["minimum"] == -70000.5
    assert look.table["sample"][:2] == [[0, 0.0], [1, 0.25]]
    assert "data is a duckdb relation" in look.notes[0]
    assert "rows from all over it" in look.notes[-1]
    assert (look.table["is_in_memory"], look.table["names_cells"]) == (False, False)


def test_the_whole_of_a_packed_file_is_read(look_into_large: LookIntoLarge) -> None:
    look = look_into_large(gzip.compress(rows(9000).encode()))
    assert (look.values, look.table["rows"]) == ([[9000]], 9000)


def test_line_breaks_in_quotes_end_no_row(look_into_large: LookIntoLarge) -> None:
    content = "id,text\n" + "".join(f'{number},"line\nbreak, {number}"\n' for number in range(5000))
    look = look_into_large(content, "SELECT count(*), max(text) FROM data WHERE id < 3")
    assert look.values == [[3, "line\nbreak, 2"]]
    assert look.table["rows"] == 5000


def test_a_stray_quotation_mark_near_the_beginning_costs_one_pass(tmp_path: Path) -> None:
    """Counting again for each line, of which there are millions, would take hours."""
    code = """import sys
from sandbox.inside.reading.large_text import sample_of
from sandbox.inside.reading.source import Source
print(*(len(sample_of(Source(path), spread=False)) for path in sys.argv[1:]))"""
    begin, lines = b'id,text\n1,5" pipe\n', b"1,pipe\n" * 3_000_000
    contents = (begin + lines, begin + b'2,6" pipe\n' + lines[:700] + b"cut off")
    paths = [tmp_path / f"{number}.csv" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sandbox_python(), "-c", code, *map(str, paths)], check=True, capture_output=True, text=True, cwd=root
    )
    assert done.stdout.split() == [str(len(b"id,text\n")), str(len(contents[1]) - len(b"cut off"))]


def test_numbers_and_dates_of_other_countries_are_read(look_into_large: LookIntoLarge) -> None:
    lines = (
        f"{row};{'k. A.' if row % 5 == 0 else '1.200,50'};{row % 28 + 1:02d}.03.2024;(5,50)\n" for row in range(5000)
    )
    query = "SELECT count(betrag), min(betrag), max(tag)::VARCHAR, sum(x) FROM data"
    look = look_into_large("id;betrag;tag;x\n" + "".join(lines), query)
    assert look.values == [[4000, 1200.5, "2024-03-28 00:00:00", -27_500.0]]
    assert look.types == ["integer", "number", "date", "number"]
    assert look.columns["betrag"]["missing"] == 1000
    assert look.columns["tag"]["maximum"] == "2024-03-28"
    assert look.table["names_cells"]


def test_blanks_and_missing_words_in_any_row_leave_a_column_what_it_is(look_into_large: LookIntoLarge) -> None:
    cells = ["7,1.5,2024-03-01,03.02.2024, true ", " 8 , NA , 2024-03-02 , 04.02.2024 ,false"]
    lines = [f"{cells[row % 2]}\n" for row in range(3000)]
    lines[1111] = "  , ,   ,  ,  \n"
    lines[1112] = "0 ,1.5,2024-03-01,03.02.2024,true\n"
    lines[1113] = "9,2.5,2024-03-03,05.02.2024,true\n"
    query = (
        'SELECT count(n), min(n), max(n), count(amount), max(amount), max(day)::VARCHAR, max("Tag")::VARCHAR FROM data'
    )
    look = look_into_large("n,amount,day,Tag,sure\n" + "".join(lines), query)
    assert look.types == ["integer", "number", "date", "date", "boolean"]
    assert look.values == [[2999, 0, 9, 1501, 2.5, "2024-03-03 00:00:00", "2024-02-05 00:00:00"]]
    assert [column["missing"] for column in look.table["columns"]] == [1, 1499, 1, 1, 1]
    assert not any("stays text" in told for told in look.notes)


@pytest.mark.parametrize(("odd_row", "types"), [("2560,lost", ["integer", "text"]), ("0077,1.5", ["text", "number"])])
def test_one_cell_anywhere_that_is_no_number_keeps_its_column_text(
    look_into_large: LookIntoLarge, odd_row: str, types: list[str]
) -> None:
    look = look_into_large(rows(row_2560=odd_row))
    assert (look.values, look.types) == ([[6000]], types)
    assert any("not all cells of the file do (others: 1); it stays text." in note for note in look.notes)


def test_times_with_a_zone_are_not_shifted(look_into_large: LookIntoLarge) -> None:
    content = "t,n\n" + "".join(f"2024-01-01T10:00:00+01:00,{number}\n" for number in range(3000))
    look = look_into_large(content, "SELECT min(t) FROM data")
    assert look.values == [["2024-01-01T10:00:00+01:00"]]
    assert "Column 't' has times with a time zone; it stays text." in look.notes


@pytest.mark.parametrize(
    "content",
    [
        rows(row_2500="2500,1,extra"),
        rows() + "Source: somebody\n",
        "id,amount\n" + "".join(f"{number},ä\n" for number in range(6000)),
    ],
)
def test_of_what_duckdb_cannot_read_the_first_rows_are_read_and_that_is_told(
    look_into_large: LookIntoLarge, content: str
) -> None:
    look = look_into_large(content.encode("cp1252"))
    count = look.table["rows"]
    assert 2000 < count < 6000
    assert f"nrows={count}" in look.table["recipe"]
    assert f"only its first {count} rows are read" in " ".join(look.notes)


def test_of_a_packed_file_in_another_encoding_the_first_rows_are_read(look_into_large: LookIntoLarge) -> None:
    content = "id,amount\n" + "".join(f"{number},ä\n" for number in range(9000))
    look = look_into_large(gzip.compress(content.encode("cp1252")))
    assert "only its first" in " ".join(told(note) for note in look.table["notes"])


def test_a_large_parquet_file_is_asked_where_it_lies(look_into_large: LookIntoLarge, tmp_path: Path) -> None:
    code = """import pandas, sys
days = pandas.date_range("2024-01-01", periods=6000)
rows = {"id": range(6000), "amount": [None, 1.5] * 3000, "day": days, "town": ["Oslo", "Wien"] * 3000}
pandas.DataFrame(rows).to_parquet(sys.argv[1])"""
    written = tmp_path / "written"
    subprocess.run([sandbox_python(), "-c", code, str(written)], check=True)
    look = look_into_large(written.read_bytes(), "SELECT count(*), sum(amount), max(day)::VARCHAR FROM data")
    assert look.values == [[6000, 4500.0, "2040-06-04 00:00:00"]]
    assert (look.table["rows"], look.types) == (6000, ["integer", "number", "date", "text"])
    assert look.columns["amount"]["missing"] == 3000
    assert (look.columns["id"]["maximum"], look.columns["day"]["maximum"]) == (5999, "2040-06-04")
    assert look.table["sample"][1] == [1, 1.5, "2024-01-02", "Wien"]
