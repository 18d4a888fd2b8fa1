"""Content decides what a file is; each kind is read whole, and what is no table is told in a sentence."""

import gzip
import io
import json
import os
import zipfile
from collections.abc import Callable

import pytest

from tests.table_fixtures import TABLES, Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]
LookInto = Callable[..., Look]
NO_DATA = "The file has no data. Check that it was saved completely and upload it anew."
DAMAGED = "The file is damaged or was cut short. Save it again and upload it anew."


@pytest.mark.parametrize("name", ["empty.csv", "blank.csv", "bom_only.csv"])
def test_a_file_without_data_is_told(look_at: TableReader, name: str) -> None:
    assert look_at(name).problem == NO_DATA


@pytest.mark.parametrize("content", [b",,\n,,\n", b"\0\0\0", "\ufeff\n".encode("utf-16"), gzip.compress(b"\n\n")])
def test_delimiters_and_marks_alone_are_no_data(look_into: LookInto, content: bytes) -> None:
    assert look_into(content).problem == NO_DATA


def test_a_header_without_rows_is_a_table(look_at: TableReader) -> None:
    look = look_at("header_only.csv", "len(header_only)")
    assert (look.table["rows"], list(look.columns), look.types) == (0, ["a", "b"], ["empty", "empty"])
    assert look.table["sample"] == []
    assert "The table has column names but no rows." in look.notes
    assert look.values == [0]


def test_an_upper_case_ending_makes_no_difference(look_at: TableReader) -> None:
    assert look_at("upper.CSV", "len(upper)").values == [1]


def test_a_workbook_called_csv_is_a_workbook(look_at: TableReader) -> None:
    look = look_at("xlsx_named.csv", "xlsx_named.n.sum()")
    assert look.values == [30]
    assert look.table["rows"] == 2


def test_tabbed_text_called_xls_is_text(look_at: TableReader) -> None:
    assert look_at("tsv_named.xls", "tsv_named.n.sum()").values == [3]


def test_a_web_page_called_xls_is_read(look_at: TableReader) -> None:
    look = look_at("html_named.xls")
    assert look.table["rows"] > 0
    assert look.notes[0] == "Read as a table of a web page."


def test_packed_text_is_unpacked(look_into: LookInto) -> None:
    look = look_into(gzip.compress(b"a;b\n1,5;2\n2,5;3\n"), "sales.a.sum()", name="sales.csv.gz")
    assert look.values == [4]
    look = look_into(gzip.compress(b"a,b\n1\0,2\n"), "data.a.sum()")
    assert look.values == [1]
    look = look_into(gzip.compress(b'[{"a": 1}]'), "data.a.sum()")
    assert look.values == [1]


def test_packed_data_cut_short_is_told(look_into: LookInto) -> None:
    whole = gzip.compress(os.urandom(100_000).hex().encode())
    assert look_into(whole[:50_000]).problem == DAMAGED


def test_a_packed_line_without_end_is_refused(look_into: LookInto) -> None:
    look = look_into(gzip.compress(b"0" * 30_000_000, compresslevel=1), name="bomb.csv.gz")
    assert look.problem == "The first line is longer than 20 million characters. Check what the file is."


def archive(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name in names:
            packed.writestr(name, "a,b\n1,2\n")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "start"),
    [
        (b"%PDF-1.7\n...", "This is a PDF document, not a table."),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "This is a picture, not a table."),
        (b"\xff\xd8\xff\xe0" + bytes(50), "This is a picture, not a table."),
        (b"\0\0\0\x20ftypisom" + bytes(50), "This is a sound or video file, not a table."),
        (archive("__MACOSX/a.csv"), "The archive holds no table that can be read."),
        (archive("word/document.xml"), "This is a text document, not a table."),
        (b"7z\xbc\xaf\x27\x1c" + bytes(50), "This is an archive, not a table."),
        (b"\0\1\0\0Standard Jet DB" + bytes(100), "This is a database file."),
        (b"\x7fELF" + bytes(100), "This is a program, not a table."),
        (b'<?xml version="1.0"?><a/>', "This is an XML file, not a table."),
        (bytes(range(256)) * 20, "This is not a table that can be read."),
        (gzip.compress(archive("a.csv")), "This is a packed file that is not text."),
        (b"PK\x03\x04" + bytes(100), "The file is damaged or was cut short."),
        (b"PAR1" + bytes(100), "The file is damaged or was cut short."),
        (b"ARROW1\0\0" + bytes(100), "The file is damaged or was cut short."),
    ],
)
def test_what_is_no_table_is_told_by_its_content(look_into: LookInto, content: bytes, start: str) -> None:
    assert look_into(content).problem.startswith(start)


def test_prose_is_no_table_unless_it_is_called_one(look_into: LookInto) -> None:
    prose = "This is a text about things.\nIt has several lines, some with commas, and more.\nAnd an end.\n"
    problem = "This is running text, not a table. Upload a CSV, Excel, Parquet or JSON file."
    assert look_into(prose, name="readme.txt").problem == problem
    assert look_into(prose, name="comments.csv").table["rows"] == 2


def test_too_many_columns_are_refused(look_into: LookInto) -> None:
    look = look_into(",".join(f"column_{number}" for number in range(100_000)) + "\n")
    assert look.problem.startswith("The table has 100000 columns; at most 20000 can be read.")


@pytest.mark.parametrize("name", ["kinds.parquet", "kinds.feather"])
def test_columnar_files_keep_their_types(look_at: TableReader, name: str) -> None:
    look = look_at(name, "kinds.big.dropna().astype(str)", "kinds.f.sum()")
    assert look.values == [["1234567890123456789", "5"], 4.0]
    types = {
        column: look.columns[column]["type"] for column in ("id", "name", "when", "f", "cat", "dec", "day", "flag")
    }
    assert types == {
        "id": "integer",
        "name": "text",
        "when": "date",
        "f": "number",
        "cat": "text",
        "dec": "number",
        "day": "date",
        "flag": "boolean",
    }
    assert look.columns["when"]["maximum"] == "2024-01-02"


def test_row_labels_of_a_columnar_file_become_a_column(look_at: TableReader) -> None:
    look = look_at("indexed.parquet", "indexed.name", "indexed.id.sum()")
    assert look.values == [["x", None, "z"], 6]


@pytest.mark.parametrize("name", ["kinds.parquet", "kinds.feather", "sheets.xlsx", "regions.xls"])
def test_a_file_cut_short_is_told(look_into: LookInto, name: str) -> None:
    content = (TABLES / name).read_bytes()
    look = look_into(content[: len(content) // 2], name=name)
    assert look.problem.startswith(("The file is damaged", "This is an old or damaged Office document."))


RECORDS = [{"id": "001", "day": "2024-01-05", "n": 1.5, "x": None}, {"id": "002", "day": "2024-02-06", "n": 2, "x": 3}]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(RECORDS),
        json.dumps({"data": RECORDS, "count": 2}),
        json.dumps({name: [record[name] for record in RECORDS] for name in RECORDS[0]}),
        json.dumps({"columns": list(RECORDS[0]), "data": [list(record.values()) for record in RECORDS]}),
        json.dumps([list(RECORDS[0]), *(list(record.values()) for record in RECORDS)]),
        json.dumps({name: {str(row): RECORDS[row][name] for row in range(2)} for name in RECORDS[0]}),
        "\n".join(map(json.dumps, RECORDS)),
        "\ufeff" + json.dumps(RECORDS, indent=2),
    ],
)
def test_each_shape_of_json_is_one_table(look_into: LookInto, content: str) -> None:
    look = look_into(content, "data.id", "data.day.dt.month", "data.n.sum()", "data.x.sum()", name="data.json")
    assert look.values == [["001", "002"], [1, 2], 3.5, 3]
    assert list(look.columns) == ["id", "day", "n", "x"]


def test_json_in_other_encodings_is_read(look_into: LookInto) -> None:
    text = json.dumps([{"stadt": "Köln", "n": 1}, {"stadt": "Zürich", "n": 2}], ensure_ascii=False)
    for encoding in ("utf-16", "cp1252"):
        assert look_into(text.encode(encoding), "data.stadt").values == [["Köln", "Zürich"]]
    lines = '{"stadt": "Köln"}\n{"stadt": "Zürich"}\n'
    assert look_into(lines.encode("utf-16"), "data.stadt").values == [["Köln", "Zürich"]]


def test_nested_json_is_flattened_and_lists_are_shown(look_into: LookInto) -> None:
    look = look_into(
        json.dumps({"features": [{"p": {"a": 1}, "t": ["x"]}, {"p": {"a": 2}, "t": []}]}), "data['p.a'].sum()"
    )
    assert look.values == [3]
    assert look.table["sample"] == [['["x"]', 1], ["[]", 2]]


def test_each_list_of_records_in_json_is_a_table(look_into: LookInto) -> None:
    content = json.dumps({"shops": [{"a": 1}], "sales": [{"b": 2}, {"b": 3}], "made": "today"})
    look = look_into(content, "data_shops.a.sum()", "data_sales.b.sum()")
    assert [table["variable"] for table in look.profile["tables"]] == ["data_shops", "data_sales"]
    assert look.values == [1, 5]


def test_long_numbers_in_json_are_exact(look_into: LookInto) -> None:
    look = look_into(json.dumps([{"id": 1234567890123456789}, {"id": None}]), "int(data.id[0])")
    assert look.values == ["1234567890123456789"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('[{"a": 1},\n{"a": 2\n', "The JSON is broken in line 3. Mend it there and upload it anew."),
        ('{"a": 1}\n{"a": \n', "The JSON is broken in line 2. Mend it there and upload it anew."),
        ("[]", "The JSON holds no table. A list of records with the same names can be read."),
        ("[" * 200_000, "The JSON is nested too deeply to be a table. Save the table in it as CSV."),
    ],
)
def test_json_that_is_no_table_is_told(look_into: LookInto, content: str, problem: str) -> None:
    assert look_into(content, name="data.json").problem == problem


def test_text_that_only_begins_like_json_is_text(look_into: LookInto) -> None:
    assert look_into("[id],[name]\n1,x\n2,y\n", "data['[id]'].sum()").values == [3]
