"""Every sheet of a workbook is a table: titles, merged headers, blank rows, formulas, old and foreign formats."""

import pytest

from tests.table_fixtures import TableReader, look_at, told

__all__ = ["look_at"]


def test_each_sheet_is_a_table_and_a_merged_header_is_one_name_a_column(look_at: TableReader) -> None:
    look = look_at("sheets_merged_header.xlsx", "sheets_merged_header_2024['Sales Q1'].sum()")
    notes, sales = look.profile["tables"]
    assert [told(table["notes"][0]) for table in (notes, sales)] == [
        "Sheet 'Notes' of the workbook.",
        "Sheet '2024' of the workbook.",
    ]
    assert [column["name"] for column in sales["columns"]] == ["Region", "Sales Q1", "Sales Q2"]
    assert sales["rows"] == 3
    assert look.values == [60]


def test_formulas_without_results_are_told(look_at: TableReader) -> None:
    look = look_at("formulas_no_cache.xlsx")
    assert look.columns["total"]["type"] == "empty"
    assert "Formulas in 'total' have no stored results and read as missing." in " ".join(look.notes)


@pytest.mark.parametrize(
    ("name", "expression", "value"),
    [("regions.xls", "regions.Amount.sum()", 21.5), ("ships.ods", "ships.n.sum()", 3)],
)
def test_old_and_foreign_workbooks_are_read(look_at: TableReader, name: str, expression: str, value: float) -> None:
    look = look_at(name, expression)
    assert look.values == [value]
    assert look.table["rows"] == 2


def test_dates_of_a_workbook_are_dates(look_at: TableReader) -> None:
    assert look_at("regions.xls").columns["When"]["maximum"] == "2024-02-06"


def test_a_workbook_with_a_password_is_told(look_at: TableReader) -> None:
    assert look_at("locked.xlsx").problem == (
        "The workbook is protected by a password. Save it without a password and upload that."
    )


def test_a_table_below_a_title_beside_a_blank_column_is_read(look_at: TableReader) -> None:
    look = look_at("below_a_title.xlsx", "below_a_title.zip", "below_a_title.eu.sum()", "below_a_title['2020'].sum()")
    assert look.values == [["00501", "02134"], 1237.0, 11]
    assert look.types == ["text", "number", "date", "date", "boolean", "number", "integer"]
    assert look.columns["tdate"]["maximum"] == "2024-02-13"
    assert "Left out above the column names: 'Title'." in look.notes
    assert "Blank rows are left out: 1." in look.notes


def test_text_in_a_workbook_is_judged_as_in_csv(look_at: TableReader) -> None:
    expressions = ("sheets_data_1.zip", "sheets_data_1.when.dt.day", "sheets_data_1.NAcol", "sheets_data_1.eu.sum()")
    look = look_at("sheets.xlsx", *expressions)
    assert look.values == [["00501", "02134", "02135"], [13, 14, 15], ["NA", "SE", None], 1240.5]
    first = look.profile["tables"][0]
    notes = [told(note) for note in first["notes"]]
    assert "'-' in column 'n' is read as missing (cells: 1)." in notes
    assert "Column 'mixed' mixes numbers, dates and text; check it before calculating." in notes
    assert "The sheet 'Empty' is empty." in notes


def test_hidden_sheets_and_merged_cells_are_told(look_at: TableReader) -> None:
    look = look_at("sheets.xlsx")
    assert [table["variable"] for table in look.profile["tables"]] == [
        "sheets_data_1",
        "sheets_data_1_2",
        "sheets_merged",
    ]
    _, hidden, merged = ([told(note) for note in table["notes"]] for table in look.profile["tables"])
    assert "The sheet is hidden in the workbook." in hidden
    assert "Merged cells are filled down in 'g'." in merged
