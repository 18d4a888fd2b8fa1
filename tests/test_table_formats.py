"""Databases, archives, files of statistics programs and web pages give their tables, and nothing else does harm."""

import io
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.inside_fixtures import sandbox_python
from tests.table_fixtures import Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]
BIG = 2**60 + 1
ENDLESS = "CREATE VIEW v AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n FROM x"


def written_by(code: str, path: Path) -> Path:
    """A file that the libraries of the sandbox write; ``path`` is its name in the code."""
    subprocess.run([sandbox_python(), "-c", f"path = {str(path)!r}\n{code}"], check=True)
    return path


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_each_table_of_a_sqlite_file_is_read_exactly(look_at: TableReader, tmp_path: Path) -> None:
    path = tmp_path / "shop ?.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute('CREATE TABLE "order ""lines"(id TEXT, big INTEGER, day TEXT)')
        database.executemany(
            'INSERT INTO "order ""lines" VALUES (?, ?, ?)', [("007", BIG, "2024-01-02"), ("08", None, "2024-03-04")]
        )
        database.execute("CREATE TABLE costs(n REAL)")
        database.execute(ENDLESS)
        database.commit()
    look = look_at(path, "str(shop_order_lines.big[0])", "shop_order_lines.day.dt.month", "shop_order_lines.id")
    assert [table["variable"] for table in look.profile["tables"]] == ["shop_order_lines", "shop_costs"]
    assert look.values == [str(BIG), [1, 3], ["007", "08"]]
    assert look_at(path, choices={"sheet": "costs"}).table["variable"] == "shop"


def test_each_table_of_a_duckdb_file_is_read_exactly(look_at: TableReader, tmp_path: Path) -> None:
    code = """import duckdb
with duckdb.connect(path) as database:
    database.execute("CREATE SCHEMA s; CREATE TABLE s.t(a BIGINT, d DATE)")
    database.execute("INSERT INTO s.t VALUES (?, '2024-01-02'), (NULL, '2024-03-04')", [2**60 + 1])
    database.execute("CREATE TABLE u AS SELECT 1 AS k")"""
    look = look_at(written_by(code, tmp_path / "w.duckdb"), "str(w_t.a[0])", "w_t.d.dt.month", "w_u.k")
    assert look.values == [str(BIG), [1, 3], [1]]


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("s.dta", "pandas.DataFrame(rows).to_stata(path, write_index=False)"),
        ("s.sav", "pyreadstat.write_sav(pandas.DataFrame(rows), path)"),
        ("s.xpt", "pyreadstat.write_xport(pandas.DataFrame(rows), path, table_name='T', file_format_version=5)"),
        ("s.xpt", "pyreadstat.write_xport(pandas.DataFrame(rows), path, table_name='T', file_format_version=8)"),
    ],
)
def test_files_of_statistics_programs_are_read(name: str, write: str, look_at: TableReader, tmp_path: Path) -> None:
    code = f"import pandas, pyreadstat\nrows = {{'a': [1.5, 2.5], 'town': ['Köln', 'Lyon']}}\n{write}"
    look = look_at(written_by(code, tmp_path / name), "s.a.sum()", "s.town[0]")
    assert look.values == [4.0, "Köln"]
    assert look.types == ["number", "text"]


def test_the_tables_of_an_archive_are_read_as_if_each_came_alone(look_at: TableReader, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a/sales.csv": "id;n\n007;1,5\n008;2,5\n",
        "b.json": '[{"x": 1}, {"x": 2}]',
        "readme.txt": "This is a long running text, and no table at all.\n",
        "__MACOSX/._b.json": "junk",
        "bad.csv": b"a,b\n1,x\0y\n",
    }
    path = zipped(tmp_path / "z.zip", files)
    look = look_at(path, "z_sales.id", "z_sales.n.sum()", "z_b.x.sum()", "z_bad.b[0]")
    assert look.values == [["007", "008"], 4.0, 3, "xy"]
    notes = [note["template"].format(**note["values"]) for note in look.profile["tables"][0]["notes"]]
    assert notes[0] == "File 'a/sales.csv' of the archive."
    assert "Files in the archive that are not read as tables: 'readme.txt'." in notes
    assert look_at(path, choices={"sheet": "b.json"}).table["variable"] == "z"


def test_a_file_of_any_kind_is_read_in_an_archive(look_at: TableReader, tmp_path: Path) -> None:
    code = """import duckdb, io, pandas, pyreadstat, sqlite3, tempfile, zipfile
from pathlib import Path
folder, rows = Path(tempfile.mkdtemp()), pandas.DataFrame({"a": [1.5, 2.5], "town": ["Lyon", "Wien"]})
pyreadstat.write_sav(rows, folder / "spss")
pyreadstat.write_xport(rows, folder / "sas", file_format_version=8)
rows.to_stata(folder / "stata", write_index=False)
rows.to_parquet(folder / "parquet")
with sqlite3.connect(folder / "sqlite") as database:
    rows.to_sql("t", database, index=False)
database.close()
with duckdb.connect(str(folder / "duck")) as database:
    database.sql("CREATE TABLE t AS FROM rows")
with zipfile.ZipFile(path, "w") as archive:
    for file in folder.iterdir():
        archive.write(file, file.name)"""
    kinds = ("spss", "sas", "stata", "parquet", "sqlite", "duck")
    look = look_at(written_by(code, tmp_path / "z.zip"), *(f"z_{kind}.a.sum()" for kind in kinds))
    assert look.values == [4.0] * len(kinds)


def test_an_archive_is_unpacked_only_so_far(look_at: TableReader, tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {"zeros.csv": b"0" * 80_000_000, "n.csv": "a\n1\n"})
    look = look_at(path)
    assert [table["rows"] for table in look.profile["tables"]] == [1]
    assert "Files in the archive that are not read as tables: 'zeros.csv'." in look.notes


def test_an_archive_within_an_archive_is_no_table(look_at: TableReader, tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a.csv", "a\n1\n")
    path = zipped(tmp_path / "outer.zip", {"inner.zip": inner.getvalue()})
    assert look_at(path).problem.startswith("The archive holds no table that can be read.")


@pytest.mark.parametrize("start", [b"SQLite format 3\0", b"12345678DUCK", b"$FL2", b"<stata_dta>", b"PK\x03\x04"])
def test_a_damaged_file_is_told_in_one_sentence(start: bytes, look_into: Callable[..., Look]) -> None:
    assert look_into(start + bytes(range(256)) * 20, name="x.bin").problem == (
        "The file is damaged or was cut short. Save it again and upload it anew."
    )


def test_the_tables_of_a_web_page_are_read_with_their_ids_and_decimals(look_into: Callable[..., Look]) -> None:
    page = (
        "<html><body><table><tr><td>zip</td><td>n</td></tr><tr><td>01234</td><td>1,5</td></tr>"
        "<tr><td>09999</td><td>2,5</td></tr></table><table><tr><td>menu</td></tr></table>"
        "<table><tr><th>town</th><th>day</th></tr><tr><td>Köln</td><td>2024-01-02</td></tr></table></body></html>"
    )
    look = look_into(page, "h_1.zip", "h_1.n.sum()", "h_3.town[0]", "h_3.day.dt.year[0]", name="h.xls")
    assert look.values == [["01234", "09999"], 4.0, "Köln", 2024]


@pytest.mark.parametrize(
    "content",
    ["region,n,m\nA,1,x\nB,2,y\nTotal,3,\n", "region;n\nA;1,5\nB;2,5\nSumme;4,0\n", "region,n\nA,1\nB,2\n合计,3\n"],
)
def test_a_row_of_totals_is_left_out_and_told(content: str, look_into: Callable[..., Look]) -> None:
    look = look_into(content, "len(data)", "data.region")
    assert look.values == [2, ["A", "B"]]
    assert any(told.startswith("Left out: the last row, ") for told in look.notes)


def test_a_last_row_that_only_looks_like_a_total_stays(look_into: Callable[..., Look]) -> None:
    look = look_into("brand,n\nShell,1\nBP,2\nTotal,7\n", "data.n.sum()")
    assert look.values == [10]
    assert "The last row, 'Total', looks like a total; leave it out of sums." in look.notes


def test_a_row_of_totals_in_a_workbook_is_left_out(look_at: TableReader, tmp_path: Path) -> None:
    code = "import pandas\npandas.DataFrame({'r': ['A', 'B', 'Total'], 'n': [1, 2, 3]}).to_excel(path, index=False)"
    look = look_at(written_by(code, tmp_path / "t.xlsx"), "t.n.sum()", "len(t)")
    assert look.values == [3, 2]
    assert look.table["recipe"].count("nrows=2") == 1
