"""What a person chooses about the reading of a file holds against what the file itself shows."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.table_fixtures import Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]


def test_a_chosen_encoding_is_used(look_into: Callable[..., Look]) -> None:
    content = "name,n\nПривет,1\n".encode("cp1251")
    look = look_into(content, "data.name[0]", choices={"encoding": "cp1252"})
    assert look.values == ["Ïðèâåò"]
    assert 'encoding="cp1252"' in look.table["recipe"]


def test_an_encoding_that_does_not_exist_is_told(look_into: Callable[..., Look]) -> None:
    look = look_into("a\n1\n", choices={"encoding": "klingon"})
    assert look.problem == "There is no encoding klingon. Choose another one."


def test_a_chosen_delimiter_is_used(look_into: Callable[..., Look]) -> None:
    look = look_into("a,b;c\n1,2;3\n4,5;6\n", "data.columns", choices={"delimiter": ";"})
    assert look.values == [["a,b", "c"]]


@pytest.mark.parametrize(
    ("row", "names", "rows"),
    [(1, ["x", "y"], 3), (2, ["a", "b"], 2), (0, ["column_1", "column_2"], 4)],
)
def test_the_row_of_the_names_is_a_choice(
    row: int, names: list[str], rows: int, look_into: Callable[..., Look]
) -> None:
    look = look_into("x,y\na,b\n1,2\n3,4\n", "data.columns", "len(data)", choices={"header_row": row})
    assert look.values == [names, rows]


@pytest.mark.parametrize(("order", "month"), [("day", 2), ("month", 1)])
def test_the_order_of_day_and_month_is_a_choice(order: str, month: int, look_into: Callable[..., Look]) -> None:
    look = look_into("d,n\n01/02/2024,1\n03/04/2024,2\n", "data.d.dt.month[0]", choices={"date_order": order})
    assert look.values == [month]
    assert not any("would also fit" in told for told in look.notes)


@pytest.mark.parametrize(("mark", "total"), [(",", 3.579), (".", 3579)])
def test_the_decimal_mark_is_a_choice(mark: str, total: float, look_into: Callable[..., Look]) -> None:
    look = look_into("n;m\n1,234;a\n2,345;b\n", "data.n.sum()", choices={"decimal": mark})
    assert look.values == [total]
    assert not any("might also" in told for told in look.notes)


def test_one_sheet_of_a_workbook_is_a_choice(look_at: TableReader) -> None:
    every = look_at("sheets.xlsx").profile["tables"]
    assert len(every) > 1
    sheet = every[1]["notes"][0]["values"]["sheet"].strip("'")
    look = look_at("sheets.xlsx", choices={"sheet": sheet})
    assert look.table["variable"] == "sheets"
    assert look.notes[0] == f"Sheet '{sheet}' of the workbook."


def test_no_table_is_called_as_one_of_another_file(look_at: TableReader, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a\n1\n")
    assert look_at(tmp_path / "sales.csv", taken=["sales", "sales_2"]).table["variable"] == "sales_3"
    first = look_at("sheets.xlsx").profile["tables"][0]["variable"]
    again = [table["variable"] for table in look_at("sheets.xlsx", taken=[first]).profile["tables"]]
    assert first not in again
    assert again[0].startswith("sheets_2_")
