"""Tables as people of many countries and programs write them are read as they are meant."""

from collections.abc import Callable

import pytest

from tests.table_fixtures import Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]
LookInto = Callable[..., Look]


@pytest.mark.parametrize(
    ("content", "expression", "value"),
    [
        ("Şehir;Nüfus;Oran\nİzmir;4.394.694;5,3\nIğdır;201.314;0,2\n".encode("cp1254"), "data.Oran.sum()", 5.5),
        ("Şehir;Nüfus\nİzmir;4.394.694\nIğdır;201.314\n".encode("cp1254"), "data['Nüfus'].sum()", 4_596_008),
        ("Miasto;Ludność\nŁódź;679\xa0941\nGdańsk;470\xa0907\n".encode("cp1250"), "data['Ludność'].sum()", 1_150_848),
        ('都市,人口\n東京,"13,960,000"\n大阪,"2,750,000"\n'.encode("cp932"), "data['人口'].sum()", 16_710_000),
        ("都市,日付\n東京,2023年4月1日\n大阪,2023年12月3日\n".encode("cp932"), "data['日付'].dt.month.sum()", 16),
        ("도시,인구\n서울,9411000\n부산,없음\n".encode("cp949"), "data['인구'].sum()", 9_411_000),
        ("مدينة,عدد\nالقاهرة,٩٥٠٠\nدبي,٣٤١١\n", "data['عدد'].sum()", 12_911),
        ("city,amount\nA,١٬٢٣٤٫٥٠\nB,٩٩٫٢٥\n", "data.amount.sum()", 1333.75),
        ("d,n\n٢٠٢٣-٠١-٠٢,1\n٢٠٢٣-١٢-٣١,2\n", "data.d.max()", "2023-12-31T00:00:00"),
        ("項目,金額\nA,１２３\nB,４５６\n", "data['金額'].sum()", 579),
        ("name\tbetrag\nMüller\t1,5\nÖzil\t2,5\n".encode("utf-16-le"), "data.betrag.sum()", 4.0),
        (
            "名前\t所在地\n東京支店\t東京都千代田区\n大阪支店\t大阪市\n".encode("utf-16-le"),
            "data['所在地'][1]",
            "大阪市",
        ),
        (
            "名前\t所在地\n東京支店\t東京都千代田区\n大阪支店\t大阪市\n".encode("utf-16-be"),
            "data['所在地'][1]",
            "大阪市",
        ),
        ('id;text;w\r\n1;"eins\nzwei; drei";1,5\r\n2;"sagt ""ja""";2,5\r\n', "data.text[0]", "eins\nzwei; drei"),
        ("Region,2023,,2024,\n,Q1,Q2,Q1,Q2\nNord,1,2,3,4\nSüd,5,6,7,8\n", "data['2024 Q2'].sum()", 12),
        ("time,temp\ns,°C\n0,20.5\n1,20.7\n2,20.9\n", "data.temp.max()", 20.9),
        ("konto;betrag\nA;1'234.50\nB;12'000.00\nC;99.95\n", "data.betrag.sum()", 13_334.45),
        ('x,y\nA,"12,34,567"\nB,"1,23,456.50"\n', "data.y.sum()", 1_358_023.5),
        ('account,net\nCash,"(1,200.50)"\nRent,300.00\nTax,(45.10)\n', "round(data.net.sum(), 2)", -945.6),
        ("x,y\nA,−5\nB,12\nC,−7\n", "data.y.sum()", 0),
        ("x;y\nA;5,00-\nB;1.012,00\nC;7,50-\n", "data.y.sum()", 999.5),
        ("d;n\n3. März 2024;1\n14. Dezember 2024;2\n1. Mai 2024;3\n", "data.d.dt.month.sum()", 20),
        ("d;n\n03-Mrz-24;1\n14-Dez-24;2\n01-Mai-24;3\n", "data.d.dt.month.sum()", 20),
        ("d;n\n3 févr. 2024;1\n14 févr. 2024;2\n", "data.d.dt.month.sum()", 4),
        ("d;n\n3 janvier 2024;1\n14 août 2024;2\n1 mai 2024;3\n", "data.d.dt.month.sum()", 14),
        ("d;n\n3 января 2024;1\n14 декабря 2024;2\n", "data.d.dt.month.sum()", 13),
        ("plz,tel\n01067,0351 123\n80331,089 456\n", "data.plz[0]", "01067"),
        ("id,n\n123456789012345678901,1\n123456789012345678902,2\n", "data.id[1]", "123456789012345678902"),
        ("id,value,value,,id\n1,2,3,4,5\n6,7,8,9,10\n", "data['id.1'].sum()", 15),
        ("t,n\n2024-01-01T10:00:00+01:00,1\n2024-07-01T10:00:00Z,2\n", "data.t[0]", "2024-01-01T09:00:00+00:00"),
        ("| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n", "data[' a '].sum()", 3),
        ("name,aktiv\nA,ja\nB,nein\nC,ja\n", "(data.aktiv == 'ja').sum()", 2),
        ("week,n\n2024-W01,5\n2024-W10,7\n", "data.week.max()", "2024-W10"),
        ("n;betrag\nA;1.844,92\nB;k. A.\nC;12,50\nD;k. A.\n", "data.betrag.sum()", 1857.42),
        ("n,v\nA,1\nB,нет данных\nC,3\n", "data.v.sum()", 4),
        ("n,v\nA,1\nB,s/d\nC,3\n", "data.v.sum()", 4),
    ],
)
def test_every_country_s_way_to_write_is_read(
    look_into: LookInto, content: str | bytes, expression: str, value: object
) -> None:
    assert look_into(content, expression).values == [pytest.approx(value) if isinstance(value, float) else value]


@pytest.mark.parametrize(
    ("content", "doubt"),
    [
        ("id,date\n1,45292\n2,45323\n", "(45292 is 2024-01-01)"),
        ("ts,n\n1704067200,1\n1704240000,3\n", "Column 'ts' may hold times in seconds since 1970"),
        ("time,n\n1704067200123,1\n1704240000456,3\n", "Column 'time' may hold times in milliseconds since 1970"),
        ("d,n\n20240101120000,1\n20240102130000,2\n", "Column 'd' may hold dates written as 20240101120000"),
        ("code,v\n1E5,1\n2E7,2\n3E9,3\n", "Column 'code' has cells such as '1E5', which may be codes"),
        ("st,temp\nA,12.5\nB,-999\nC,13.1\nD,-999\n", "-999 is far from all other values"),
        ("x;y\nA;1,5\nB;2.5\nC;3,5\n", "Column 'y' has numbers written in different ways"),
        ("x,price\nA,$12\nB,€13\nC,£14\n", "Column 'price' has amounts with signs such as '$12'"),
        ("x,share\nA,12%\nB,7.5%\n", "Column 'share' has amounts with signs such as '12%'"),
        ("Region,City,n\nNorth,A,1\n,B,2\nSouth,C,3\n,D,4\n,E,5\n", "Column 'Region' seems to name each group"),
        ("a,b,c\n1,2\n3,4,5\n6,7,8,9\n", "Line 4 has more cells than there are column names"),
    ],
)
def test_what_cannot_be_known_is_a_stated_doubt(look_into: LookInto, content: str, doubt: str) -> None:
    look = look_into(content)
    assert doubt in " ".join(look.notes)


@pytest.mark.parametrize("rows", [60, 3])
def test_codes_with_an_e_stay_text_in_tables_of_any_length(look_into: LookInto, rows: int) -> None:
    look = look_into("code,v\n" + "".join(f"{number}E{number % 9},1\n" for number in range(rows)), "data.code[2]")
    assert look.values == ["2E2"]


@pytest.mark.parametrize(
    "below",
    [
        "\nSource: Office, 2024\nNote: provisional, see web\n",
        ",,\nSource: Office,,\n",
        "Source: statistics office,,\n",
        ",,\n,,\n",
        "Total,6,61.5\n,,\nSource: Office,,\n",
        "Total,6,61.5\n\nGenerated 2024-01-01\n",
        ",,\nTotal,6,61.5\n",
        "※ 速報値,,\n",
    ],
)
def test_what_stands_below_a_table_is_no_part_of_it(look_into: LookInto, below: str) -> None:
    look = look_into("region,n,amount\nA,1,10.5\nB,2,20.5\nC,3,30.5\n" + below, "data.n.sum()", "len(data)")
    assert look.values == [6, 3]
    assert any("eft out" in note for note in look.notes)


@pytest.mark.parametrize("last", ["Zoe,,\n", "x,,1\n", "Source,5,1\n", ",5,\n", "10:30,,\n"])
def test_a_sparse_last_row_is_kept(look_into: LookInto, last: str) -> None:
    assert look_into("name,n,amount\nA,1,10.5\nB,2,20.5\nC,3,30.5\n" + last, "len(data)").values == [4]


def test_labels_of_merged_cells_hold_for_each_row(look_at: TableReader) -> None:
    look = look_at("merged_labels.xlsx", "merged_labels.groupby('Region').n.sum()")
    assert look.values == [[3, 7]]
    assert "Merged cells are filled down in 'Region'." in look.notes


def test_labels_that_only_look_merged_are_a_stated_doubt(look_at: TableReader) -> None:
    look = look_at("seeming_labels.xlsx", "seeming_labels.Region.isna().sum()")
    assert look.values == [2]
    assert any(note.startswith("Column 'Region' seems to name each group") for note in look.notes)


def test_a_cell_that_is_blank_beside_merged_ones_is_not_filled(look_at: TableReader) -> None:
    look = look_at("partly_merged.xlsx", "partly_merged.Region.isna().sum()")
    assert look.values == [2]
    assert any(note.startswith("Merged cells among the data have their value in the first") for note in look.notes)


def test_totals_and_remarks_below_a_sheet_are_left_out(look_at: TableReader) -> None:
    look = look_at("total_and_remark.xlsx", "total_and_remark.n.sum()", "len(total_and_remark)")
    assert look.values == [6, 3]
    assert "Left out below the table: 'Source: us'." in look.notes
    assert "Left out: the last row, 'Total', which adds up the rows above it." in look.notes
