"""The encoding of a text is found by what it says, and told."""

from collections.abc import Callable

import pytest

from tests.table_fixtures import Look, TableReader, look_at, look_into

__all__ = ["look_at", "look_into"]
LookInto = Callable[..., Look]


def test_a_byte_order_mark_is_no_part_of_the_first_name(look_at: TableReader) -> None:
    look = look_at("bom_quoted_header.csv", "bom_quoted_header.amount.sum()")
    assert list(look.columns) == ["order id", "amount"]
    assert look.values == [25]


def test_utf16_with_tabs_is_read(look_at: TableReader) -> None:
    look = look_at("utf16_tab.csv", "utf16_tab.Stadt", "utf16_tab.Umsatz.sum()")
    assert look.values == [["Köln", "Lyon"], 42]
    assert look.notes == ["Read as UTF-16, separated by tabs."]


def test_utf16_without_a_mark_is_read(look_into: LookInto) -> None:
    look = look_into("Stadt;Umsatz\r\nKöln;12\r\n".encode("utf-16-le"), "data.Stadt")
    assert look.values == [["Köln"]]


def test_a_chinese_file_is_read_in_its_national_encoding(look_at: TableReader) -> None:
    look = look_at("gb18030.csv", "gb18030.城市", "gb18030.销量.sum()")
    assert look.values == [["北京", "上海"], 7]
    assert look.notes[0] == "Read as GB18030, separated by commas."


def test_windows_punctuation_and_euro_are_kept(look_at: TableReader) -> None:
    look = look_at("cp1252_punct.csv", "cp1252_punct.note", "cp1252_punct.price")
    assert look.values == [["em—dash", "“quoted”"], ["€ 5", "€ 7"]]
    assert "Column 'price' has amounts with signs such as '€ 5'; it stays text." in look.notes


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "产品名称,单价\n笔记本电脑,5999\n"),
        ("big5", "產品名稱,單價\n筆記型電腦,5999\n"),
        ("shift_jis", "商品名,価格\nノートパソコン,5999\n"),
        ("euc_jp", "商品名,価格\nノートパソコン,5999\n"),
        ("euc_kr", "도시,판매량\n서울,3\n부산,4\n"),
        ("cp1252", "prénom,âge\nÉloïse,23\nJosé,5\n"),
        ("cp1250", "miasto,liczba\nŁódź,3\nGdańsk,4\n"),
        ("cp1251", "город,продажи\nМосква,3\n"),
        ("cp1253", "πόλη,πωλήσεις\nΑθήνα,3\n"),
        ("cp1254", "şehir,satış\nİstanbul,3\nIğdır,4\n"),
        ("cp1255", "עיר,מכירות\nתל אביב,3\n"),
        ("cp1256", "المدينة,المبيعات\nالقاهرة,3\n"),
        ("cp874", "เมือง,ยอดขาย\nกรุงเทพ,3\n"),
        ("koi8-r", "Город,Продажи\nМосква,3\n"),
        ("cp850", "Stadt,Umsatz\nKöln,12\nMünchen,5\n"),
        ("mac_roman", "Stadt,Umsatz\nKöln,12\nMünchen,5\n"),
        ("utf-32", "Stadt,Umsatz\nKöln,12\n"),
    ],
)
def test_each_encoding_is_told_by_its_letters(look_into: LookInto, encoding: str, text: str) -> None:
    look = look_into(text.encode(encoding), "data.iloc[:, 0]")
    header, *rows = text.splitlines()
    assert list(look.columns) == header.split(",")
    assert look.values == [[row.split(",")[0] for row in rows]]


def test_a_few_wrong_bytes_do_not_change_the_encoding_and_are_told(look_into: LookInto) -> None:
    look = look_into("name,x\nZoë,1\nJosé,2\nÄÖÜ,3\nŁódź,4\n".encode() + b"K\xf6ln,5\n", "data.name")
    assert look.values == [["Zoë", "José", "ÄÖÜ", "Łódź", "K\ufffdln"]]
    assert "Line 6 has bytes that are no UTF-8; such characters are replaced by \ufffd." in look.notes


def test_a_very_long_line_costs_no_more_than_many_short_ones(look_into: LookInto) -> None:
    """A pattern that looks at each end of the line from each of its starts would need minutes here."""
    names = ",".join(f"column_{number}" for number in range(15_000))
    look = look_into(f"{names}\n{',' * 14_999}\n{'é,' * 14_999}é\n".encode(), "data.column_14999.iloc[-1]")
    assert look.values == ["é"]
