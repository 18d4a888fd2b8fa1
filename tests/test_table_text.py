"""Delimited text is read the way it was meant: delimiters, quotes, headers, uneven rows, names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.table_fixtures import Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]
LookInto = Callable[..., Look]


@pytest.mark.parametrize(
    ("name", "column", "values"),
    [
        ("one_column_email.csv", "email", ["tom@gmail.com", "ann@yahoo.com", "bob@mail.com"]),
        ("one_column_num.csv", "name", [1, 2, 3]),
    ],
)
def test_one_column_is_not_split_on_a_letter(
    look_at: TableReader, name: str, column: str, values: list[object]
) -> None:
    look = look_at(name, f"{name[:-4]}.{column}")
    assert list(look.columns) == [column]
    assert look.values == [values]


def test_a_comma_in_prose_is_no_delimiter(look_into: LookInto) -> None:
    look = look_into("location\nBerlin, Germany\nParis, France\n", "data.location")
    assert look.values == [["Berlin, Germany", "Paris, France"]]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter_is_found(look_into: LookInto, delimiter: str) -> None:
    text = f"name{delimiter}n\nx{delimiter}1\ny{delimiter}2\n"
    look = look_into(text, "data.n.sum()")
    assert list(look.columns) == ["name", "n"]
    assert look.values == [3]


def test_a_delimiter_inside_of_names_and_values_is_not_taken_for_one(look_into: LookInto) -> None:
    look = look_into("Name, Vorname;Alter\nMüller, Hans;5\nMeier, Eva;7\n", "data.Alter.sum()")
    assert list(look.columns) == ["Name, Vorname", "Alter"]
    assert look.values == [12]


def test_columns_aligned_with_blanks_are_read(look_into: LookInto) -> None:
    assert look_into("x    y\n1    2\n10   20\n", "data.y.sum()").values == [22]
    aligned = "name          score  day\nNew York        1.5  2024-01-01\nRio de Janeiro  2.5  2024-01-02\n"
    look = look_into(aligned, "data.name", "data.score.sum()")
    assert look.values == [["New York", "Rio de Janeiro"], 4.0]


@pytest.mark.parametrize(
    ("name", "columns"), [("sep_hint_pipe.csv", ["One", "Two"]), ("sep_hint_quoted_bom.csv", ["a", "b"])]
)
def test_a_line_that_names_the_separator_is_no_data(look_at: TableReader, name: str, columns: list[str]) -> None:
    look = look_at(name)
    assert list(look.columns) == columns
    assert look.table["sample"] == [[1, 2]]
    assert look.table["rows"] == 1


def test_a_quoted_cell_may_have_several_lines(look_at: TableReader) -> None:
    look = look_at("quoted_newlines.csv", "len(quoted_newlines)", "quoted_newlines.comment[0]")
    assert look.values == [3, "line one\r\nline two, with comma"]
    assert look.table["rows"] == 3


def test_a_quote_that_is_never_closed_swallows_nothing(look_at: TableReader) -> None:
    look = look_at("unclosed_quote.csv", "unclosed_quote.qty.sum()")
    assert look.values == [12]
    assert "Quotation marks are read as text, because the one in line 3 would swallow what follows." in look.notes


def test_two_stray_quotes_swallow_nothing_either(look_into: LookInto) -> None:
    look = look_into('id,name,n\n1,"abc,2\n2,def,3\n3,"ghi,4\n4,jkl,5\n', "data.n.sum()")
    assert look.values == [14]


def test_an_open_quote_among_quoted_cells_is_told_with_its_line(look_into: LookInto) -> None:
    look = look_into('"id","name","n"\n"1","abc","2"\n"2","def,3\n"3","ghi","4"\n')
    assert look.problem == "A quotation mark in line 3 is never closed. Close or remove it and upload the file anew."


def test_quotes_escaped_by_a_backslash_are_read(look_into: LookInto) -> None:
    look = look_into('a,b\n"x \\"q\\", y",2\n"p",3\n', "data.a")
    assert look.values == [['x "q", y', "p"]]


def test_blanks_behind_delimiters_are_left_out(look_into: LookInto) -> None:
    look = look_into('a, b, c\n1, "x, y", 3\n2, "z", 4\n', "data.b", "data.c.sum()")
    assert look.values == [["x, y", "z"], 7]


def test_a_delimiter_at_the_end_of_rows_shifts_nothing(look_at: TableReader) -> None:
    name = "trailing_delim"
    look = look_at(f"{name}.csv", f"{name}.A", f"{name}.B", f"{name}.C")
    assert look.values == [[1, 2], [4, 5], [7, 8]]


def test_a_delimiter_at_the_end_of_the_header_makes_no_column(look_at: TableReader) -> None:
    look = look_at("header_extra_comma.csv", "header_extra_comma.a")
    assert list(look.columns) == ["a", "b", "c"]
    assert look.values == [[1, 4]]
    assert "Columns without name and values are left out: 1." in look.notes


def test_a_longer_row_loses_nothing_and_is_told_with_its_line(look_at: TableReader) -> None:
    look = look_at("long_row.csv", "long_row.price.sum()", "long_row.extra_1")
    assert look.values == [18, [None, "extra", None]]
    assert any(note.startswith("Line 3 has more cells") for note in look.notes)


def test_a_shorter_row_is_kept_and_told_with_its_line(look_into: LookInto) -> None:
    look = look_into("a,b,c\n1,2,3\n4,5\n6,7,8\n", "data.c")
    assert look.values == [[3, None, 8]]
    assert any(note.startswith("Line 3 has fewer cells") for note in look.notes)


def test_row_names_without_a_heading_get_one(look_into: LookInto) -> None:
    look = look_into('"a","b"\n"r1",1,2\n"r2",3,4\n', "data.row", "data.b.sum()")
    assert look.values == [["r1", "r2"], 6]


def test_notes_above_and_units_below_the_names_are_left_out_and_told(look_at: TableReader) -> None:
    look = look_at("metadata_units.csv", "metadata_units.Ux.mean()")
    assert list(look.columns) == ["TIMESTAMP", "Ux", "Ts"]
    assert look.types == ["date", "number", "number"]
    assert look.table["rows"] == 2
    assert look.values == [pytest.approx(0.6)]
    assert "Left out above the column names: 'Station: North', 'Exported 2024-05-01'." in look.notes
    assert "Left out below the column names: 'TS, m/s, C', ', Smp, Smp'." in look.notes


@pytest.mark.parametrize(
    "text",
    [
        "Report 2024,,,\n,,,\nname,a,b,c\nx,1,2,3\ny,4,5,6\n",
        "# made by X\nname,a,b,c\nx,1,2,3\ny,4,5,6\n",
        "name,a,b,c\n,[m],[s],[°C]\nx,1,2,3\ny,4,5,6\n",
        "name,a,b,c\nx,1,2,3\ny,4,5,6\nSource: statistics office\n",
        "name,a,b,c\n\nx,1,2,3\n\ny,4,5,6\n\n\n",
        "name,a,b,c\rx,1,2,3\ry,4,5,6\r",
    ],
)
def test_what_stands_around_a_table_is_no_part_of_it(look_into: LookInto, text: str) -> None:
    look = look_into(text, "data.b")
    assert list(look.columns) == ["name", "a", "b", "c"]
    assert look.values == [[2, 5]]


@pytest.mark.parametrize(
    "text",
    [
        "name,a,b\nx,n.v.,n.v.\ny,1,2\nz,3,4\n",
        ",a,b\nx,n.v.,n.v.\ny,1,2\nz,3,4\n",
        "name,a,b\nx,1,2\ny,3,4\n12\n",
    ],
)
def test_a_row_of_words_or_a_row_cut_short_is_data(look_into: LookInto, text: str) -> None:
    assert look_into(text).table["rows"] == 3


def test_years_are_column_names_where_they_head_numbers(look_into: LookInto) -> None:
    look = look_into("Region,2019,2020\nA,1,2\nB,4,5\n", "data['2020'].sum()")
    assert look.values == [7]


def test_columns_are_numbered_where_the_first_row_is_data(look_into: LookInto) -> None:
    look = look_into("1,2.5,x\n2,3.5,y\n", "data.column_1.sum()")
    assert look.values == [3]
    assert "The first row holds data, so the columns are numbered." in look.notes


def test_names_with_blanks_stay_and_are_shown(look_at: TableReader) -> None:
    look = look_at("space_names.csv", "space_names[' b'].sum()")
    assert list(look.columns) == ["a ", "a .1", " b"]
    assert look.values == [9]
    assert "Column names with blanks or signs that do not show: 'a ', ' b'." in look.notes
    look = look_at("nbsp_header.csv", r"nbsp_header['Net\xa0sales'].sum()")
    assert look.values == [30]
    assert r"Column names with blanks or signs that do not show: 'Net\xa0sales', 'Qty '." in look.notes


def test_nul_characters_are_left_out(look_at: TableReader) -> None:
    look = look_at("nul_bytes.csv", "nul_bytes.id", "nul_bytes.city")
    assert look.values == [[1, 2], ["Rome", "Oslo"]]
    assert "NUL characters are left out: 2." in look.notes


def test_thousands_of_columns_are_read(look_at: TableReader) -> None:
    look = look_at("wide_6000.csv", "wide_6000.col_5123.sum()")
    assert len(look.columns) == 6000
    assert look.values == [1]


def test_long_cells_are_cut_in_the_sample_only(look_at: TableReader) -> None:
    look = look_at("long_text.csv", "long_text.review.str.len().max()", sample_rows=2)
    assert look.values == [20_000]
    assert len(look.table["sample"]) == 2
    assert look.table["sample"][0][1] == "word " * 16 + "… (20000 characters)"


def test_a_header_with_a_line_break_is_one_name(look_at: TableReader) -> None:
    look = look_at("inject_header.csv", "inject_header.amount.sum()")
    assert look.values == [12]
    assert all("\n" not in note for note in look.notes)


def test_instructions_in_a_cell_are_text(look_at: TableReader) -> None:
    look = look_at("inject_cell.csv", "inject_cell.id")
    assert look.values == [[1, 2]]
    assert look.types == ["integer", "text"]


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("Umsätze – Q1 (final) & 销售.csv", "umsätze_q1_final_销售"),
        ('it\'s "quoted".csv', "it_s_quoted"),
        ("$HOME.csv", "home"),
        ("-rf.csv", "rf"),
        ("re\u0301sume\u0301.csv", "résumé"),
        ("2024.csv", "table_2024"),
        ("list.csv", "list_table"),
        ("class.csv", "class_table"),
        ("df.csv", "df_table"),
        ("\n\u202e.csv", "table"),
    ],
)
def test_the_variable_is_a_name_that_python_has_free(look_into: LookInto, name: str, variable: str) -> None:
    look = look_into("x\n3\n", f"{variable}.x.sum()", name=name)
    assert look.table["variable"] == variable
    assert look.values == [3]
    assert look.profile["name"] == name


def test_the_newest_content_of_a_name_is_read(look_into: LookInto) -> None:
    assert look_into("x\n1\n", name="sales.csv").table["rows"] == 1
    assert look_into("x\n1\n2\n3\n", name="sales.csv").table["rows"] == 3


def test_a_long_file_reads_like_a_short_one(look_into: LookInto, tmp_path: Path) -> None:
    rows = "".join(f"{number},{'' if number % 7 else 'NA'},x{number}\n" for number in range(50_000))
    look = look_into(f"id,code,name\n{rows}", "data.id.sum()", "(data.code == 'NA').sum()", "data.name.nunique()")
    assert look.values == [1_249_975_000, 7143, 50_000]
    assert look.columns["code"]["missing"] == 42_857
    assert look.profile["size"] == (tmp_path / "data.csv").stat().st_size
