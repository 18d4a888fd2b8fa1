"""Columns are read as what they are: numbers of any country, dates, identifiers, missing values."""

from collections.abc import Callable

import pytest

from tests.table_fixtures import Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]
LookInto = Callable[..., Look]


def test_dots_between_thousands_and_a_decimal_comma_are_understood(look_at: TableReader) -> None:
    look = look_at("eu_numbers.csv", "eu_numbers.Betrag.sum()")
    assert look.values == [pytest.approx(2254.06)]
    assert 'sep=";", decimal=",", thousands="."' in look.table["recipe"]


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Ort;Betrag\nBern;1'234.50\nZug;12.00\n", 1246.5),
        ("Ort;Betrag\nBern;1’234.50\nZug;12.00\n", 1246.5),
        ("Ville;Betrag\nParis;1 234,50\nLyon;12,00\n", 1246.5),
        ("Ville;Betrag\nParis;1\u202f234,50\nLyon;12,00\n", 1246.5),
        ('City,Betrag\nNY,"1,234.50"\nLA,12\n', 1246.5),
        ('City,Betrag\nDelhi,"12,34,567"\nPune,"1,00,000.5"\n', 1334567.5),
        ("City;Betrag\nA;1,5e3\nB;-2,5\n", 1497.5),
        ("City,Betrag\nA,+.5\nB,5.\n", 5.5),
    ],
)
def test_numbers_of_each_country_are_numbers(look_into: LookInto, text: str, total: float) -> None:
    look = look_into(text, "data.Betrag.sum()")
    assert look.values == [pytest.approx(total)]
    assert look.types == ["text", "number"]


def test_other_dots_are_no_thousands(look_into: LookInto) -> None:
    text = "ip;version;tag;betrag\n192.168.1.1;1.2.3;01.02.2024;1.234,5\n10.0.0.1;2.0.1;13.02.2024;2,5\n"
    look = look_into(text, "data.ip", "data.version", "data.betrag.sum()")
    assert look.values == [["192.168.1.1", "10.0.0.1"], ["1.2.3", "2.0.1"], 1237.0]
    assert look.types == ["text", "text", "date", "number"]


def test_columns_may_follow_different_conventions(look_into: LookInto) -> None:
    look = look_into("a;b\n1,5;2.5\n3,5;4.5\n7,25;1.25\n", "data.a.sum()", "data.b.sum()")
    assert look.values == [12.25, 8.25]


def test_thousands_that_might_be_decimals_are_told(look_into: LookInto) -> None:
    doubt = "In column 'n', 1,234 is read with ',' between thousands; it might also be the decimal mark."
    look = look_into('x,n\na,"1,234"\nb,"12,000"\n', "data.n.sum()")
    assert look.values == [13234]
    assert doubt in look.notes
    look = look_into("x;n;m\na;1.234;2,5\nb;12.000;3,75\n", "data.n.sum()")
    assert look.values == [13234]
    assert "In column 'n', 1.234 is read with '.' between thousands; it might also be the decimal mark." in look.notes
    look = look_into("x,n\na,1.234\nb,12.000\n", "data.n.sum()")
    assert look.values == [13.234]
    assert "In column 'n', 1.234 is read with '.' before the decimals; it might also mark thousands." in look.notes


def test_leading_zeros_stay(look_at: TableReader) -> None:
    look = look_at("leading_zeros.csv", "leading_zeros.id", "leading_zeros.zip", "leading_zeros.amount.sum()")
    assert look.values == [["001", "002", "010"], ["00501", "02134", "07310"], 60]
    assert look.types == ["text", "text", "integer"]


def test_zero_and_decimals_below_one_are_numbers(look_into: LookInto) -> None:
    look = look_into("a,b\n0,0.5\n10,0.25\n-0,1\n", "data.a.sum()", "data.b.sum()")
    assert look.values == [10, 1.75]


def test_one_blank_does_not_round_long_identifiers(look_at: TableReader) -> None:
    look = look_at("bigint_with_blank.csv", "bigint_with_blank.order_id.dropna().astype(str)")
    assert look.values == [["1234567890123456789", "1234567890123456790"]]
    assert (look.columns["order_id"]["missing"], look.columns["order_id"]["distinct"]) == (1, 2)


def test_identifiers_of_more_than_64_bits_stay_text(look_at: TableReader, look_into: LookInto) -> None:
    look = look_at("iccid.csv", "iccid.iccid.nunique()")
    assert look.values == [2]
    assert look.table["sample"][0] == ["89014103211118510720", 5]
    look = look_into("iccid,mb\n89014103211118510720,5\n1E+19,7\n", "data.iccid")
    assert look.values == [["89014103211118510720", "1E+19"]]


def test_large_amounts_with_blanks_are_exact(look_into: LookInto) -> None:
    look = look_into("wei,v\n1234567890123456789,1\n,2\n5,3\n", "int(data.wei.sum())")
    assert look.values == ["1234567890123456794"]
    expected = {
        "name": "wei",
        "type": "integer",
        "missing": 1,
        "distinct": 2,
        "minimum": 5,
        "maximum": "1234567890123456789",
    }
    assert look.columns["wei"] | expected == look.columns["wei"]


def test_namibia_and_the_surname_null_are_not_missing(look_at: TableReader) -> None:
    look = look_at("na_namibia.csv", "na_namibia.groupby('code').n.sum()['NA']")
    assert look.columns["code"]["missing"] == 1
    assert look.columns["surname"]["missing"] == 0
    assert look.values == [5]
    assert "'NA' in column 'code' is kept as text, not taken for missing (cells: 1)." in look.notes


def test_words_for_missing_are_missing_among_numbers_and_dates(look_into: LookInto) -> None:
    look = look_into("x,n,d\na,1,2024-01-01\nb,NA,-\nc,-,2024-01-03\n", "data.n.sum()", "data.d.max()")
    assert look.values == [1, "2024-01-03T00:00:00"]
    assert [column["missing"] for column in look.table["columns"]] == [0, 2, 1]
    assert "'-', 'NA' in column 'n' is read as missing (cells: 2)." in look.notes


def test_a_word_may_be_missing_in_one_column_and_text_in_another(look_into: LookInto) -> None:
    text = "code,n,big,d,f\nNA,1,1234567890123456789,01.02.2024,True\nNO,NA,NA,NA,NA\nSE,3,5,13.02.2024,False\n"
    look = look_into(text, "data.code", "data.n.sum()", "data.big.max()", "data.d.max()", "data.f.sum()")
    assert look.values == [["NA", "NO", "SE"], 4, "1234567890123456789", "2024-02-13T00:00:00", 1]
    assert [column["missing"] for column in look.table["columns"]] == [0, 1, 1, 1, 1]


def test_one_rule_holds_for_all_dates_of_a_column(look_at: TableReader) -> None:
    look = look_at("ddmm.csv", "ddmm.d.astype(str)", "ddmm.groupby(ddmm.d.dt.month).n.sum()")
    assert look.values == [["2016-09-10", "2016-09-30", "2016-10-05"], [3, 3]]


def test_dates_that_fit_both_ways_are_told(look_at: TableReader) -> None:
    look = look_at("ambiguous_dates_dot.csv", "ambiguous_dates_dot.datum.dt.month")
    assert look.values == [[2, 4, 6]]
    look = look_at("ambiguous_dates_slash.csv", "ambiguous_dates_slash.date.dt.month")
    assert look.values == [[1, 3, 5]]
    assert "Dates in column 'date' are read as MM/DD/YYYY; the values would also fit DD/MM/YYYY." in look.notes


def test_a_sure_column_settles_the_order_of_another(look_into: LookInto) -> None:
    look = look_into("a,b\n01/02/2024,31/12/2023\n03/04/2024,30/11/2023\n", "data.a.dt.month")
    assert look.values == [[2, 4]]


@pytest.mark.parametrize(
    ("cells", "iso"),
    [
        (["2024-01-05", "2024-12-31 23:59"], "2024-01-05T00:00:00"),
        (["2024/01/05", "2024/12/31"], "2024-01-05T00:00:00"),
        (["5.1.2024", "31.12.2024"], "2024-01-05T00:00:00"),
        (["05.01.24", "31.12.24"], "2024-01-05T00:00:00"),
        (["1/5/2024 3:05 PM", "12/31/2024 11:59 PM"], "2024-01-05T15:05:00"),
        (["5-Jan-24", "6-Feb-24"], "2024-01-05T00:00:00"),
        (["5 May 2024", "6 June 2024"], "2024-05-05T00:00:00"),
        (["2024年1月5日", "2024年12月31日"], "2024-01-05T00:00:00"),
        (["2024-01-05T10:00:00Z", "2024-07-01T10:00:00Z"], "2024-01-05T10:00:00+00:00"),
        (["2024-01-05T10:00:00+01:00", "2024-07-01T10:00:00+02:00"], "2024-01-05T09:00:00+00:00"),
        ([" 05.01.2024 ", "31.12.2024"], "2024-01-05T00:00:00"),
    ],
)
def test_each_way_to_write_a_date_is_understood(look_into: LookInto, cells: list[str], iso: str) -> None:
    look = look_into(f"when;n\n{cells[0]};1\n{cells[1]};2\n", "data.when[0]")
    assert look.types == ["date", "integer"]
    assert look.values == [iso]


@pytest.mark.parametrize(
    ("column", "start"),
    [
        (["13/02/2024", "02/13/2024"], "Column 'd' has dates with the day first and dates with the month first"),
        (["31.02.2024", "01.03.2024", "02.03.2024", "03.03.2024"], "Column 'd' is mostly dates, but some cells"),
        (["12%", "7.5%"], "Column 'd' has amounts with signs such as '12%'"),
        (["$1234.50", "$3.00"], "Column 'd' has amounts with signs such as '$1234.50'"),
        (["20240101", "20240102"], "Column 'd' may hold dates written as 20240101"),
    ],
)
def test_doubts_about_a_column_are_told(look_into: LookInto, column: list[str], start: str) -> None:
    look = look_into("d,n\n" + "".join(f"{cell},1\n" for cell in column), "data.d.astype(str)")
    assert look.values == [column]
    assert any(note.startswith(start) for note in look.notes)


def test_a_word_for_missing_is_missing_among_numbers_and_is_told(look_at: TableReader) -> None:
    look = look_at("mostly_numeric.csv", "mostly_numeric.v.sum()")
    assert look.values == [80]
    assert "'n.v.' in column 'v' is read as missing (cells: 1)." in look.notes


def test_numbers_with_a_few_other_words_stay_text_and_are_told(look_into: LookInto) -> None:
    look = look_into("m;v\n1;1.844,92\n2;siehe Anlage\n3;12,50\n4;40,00\n", "data.v")
    assert look.values == [["1.844,92", "siehe Anlage", "12,50", "40,00"]]
    assert any(note.startswith("Column 'v' is mostly numbers, but some cells are not") for note in look.notes)


def test_a_row_of_totals_is_told(look_at: TableReader, look_into: LookInto) -> None:
    assert "The last row, 'All', looks like a total; leave it out of sums." in look_at("mostly_numeric.csv").notes
    look = look_into("Kunde;Betrag\nA;1,5\nB;2,5\nGesamt;4\n")
    assert "Left out: the last row, 'Gesamt', which adds up the rows above it." in look.notes


def test_versions_are_text(look_into: LookInto) -> None:
    assert look_into("v,d\n1.2.03,1\n1.3.11,2\n", "data.v").values == [["1.2.03", "1.3.11"]]


def test_booleans_with_blanks_stay_booleans(look_into: LookInto) -> None:
    look = look_into("a,b\nTrue,1\nfalse,2\n,3\n", "data.a.sum()")
    assert look.columns["a"]["type"] == "boolean"
    assert look.columns["a"]["missing"] == 1
    assert look.values == [1]


def test_a_column_tells_type_missing_distinct_and_range(look_into: LookInto) -> None:
    look = look_into("i,f,t,d,e\n1,1.5,x,2024-01-01,\n,2.5,,2024-01-02,\n3,inf,x,,\n")
    assert [list(column.values())[:6] for column in look.table["columns"]] == [
        ["i", "integer", 1, 2, 1, 3],
        ["f", "number", 0, 3, 1.5, "inf"],
        ["t", "text", 1, 1, None, None],
        ["d", "date", 1, 2, "2024-01-01", "2024-01-02"],
        ["e", "empty", 3, 0, None, None],
    ]
    assert look.table["sample"][1] == [None, 2.5, None, "2024-01-02", None]


def test_a_column_tells_how_its_values_are_spread(look_into: LookInto) -> None:
    look = look_into(
        "n,t,id\n" + "".join(f"{number},{'x' if number < 60 else 'y'},{number}a\n" for number in range(101))
    )
    number, text, identity = (look.columns[name] for name in ("n", "t", "id"))
    assert [number["quantiles"][place] for place in (0, 50, 100, 200)] == [0, 25, 50, 100]
    assert text["top"] == [["x", 60], ["y", 41]]
    assert (identity["top"], identity["examples"]) == ([], ["0a", "1a", "2a"])


def test_repeated_rows_are_counted(look_into: LookInto) -> None:
    assert look_into("a,b\n1,x\n1,x\n1,y\n1,x\n").table["duplicates"] == 2


def test_a_long_table_is_described_as_its_recipe_reads_it(look_into: LookInto) -> None:
    """Such a table is not read a second time; a column with missing words is."""
    lines = "".join(
        f"{row},{'' if row % 3 == 0 else row / 4},2024-01-{row % 28 + 1:02d},n{row % 5},{row % 2}\n"
        for row in range(120_000)
    )
    for missing in ("", "NA"):
        look = look_into(
            f"id,amount,day,name,flag\n{lines}120000,{missing},,,\n",
            *("data.id.sum()", "data.amount.isna().sum()", "data.day.max()", "data.name.nunique()", "data.flag.sum()"),
        )
        assert look.values == [7_200_060_000, 40_001, "2024-01-28T00:00:00", 5, 60_000]
        assert look.types == ["integer", "number", "date", "text", "integer"]
        assert [column["missing"] for column in look.table["columns"]] == [0, 40_001, 1, 1, 1]
        assert look.columns["day"]["maximum"] == "2024-01-28"
        assert (look.columns["amount"]["minimum"], look.columns["amount"]["maximum"]) == (0.25, 29_999.75)
        assert look.table["sample"][1] == [1, 0.25, "2024-01-02", "n1", 1]
