"""Names of uploads, as strangers choose them."""

import pytest

from sandbox.file_names import safe_name


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../x.csv", "x.csv"),
        ("C:\\Users\\me\\x.csv", "x.csv"),
        ("/etc/passwd", "passwd"),
        ("folder/", "folder"),
        ("a\0b.csv", "ab.csv"),
        ("a\nb\tc.csv", "a b c.csv"),
        ("gnp\u202evsc.exe", "gnpvsc.exe"),
        ("\ud83d.csv", "file.csv"),
        ("-rf", "_rf"),
        ("--help.csv", "_help.csv"),
        ("CON", "_CON"),
        ("con.csv", "_con.csv"),
        ("LPT1.tar.gz", "_LPT1.tar.gz"),
        (".hidden.csv", "hidden.csv"),
        ("data.csv. ", "data.csv"),
        (".", "file"),
        ("..", "file"),
        ("", "file"),
        (".csv", "file.csv"),
    ],
)
def test_tricks_are_taken_out_of_a_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    "name",
    [
        "Umsätze – Q1 (final) & 销售.csv",
        'it\'s "quoted".csv',
        "$HOME.csv",
        "日本 の データ.xlsx",
        "pandas.py",
        "👍🏽.csv",
    ],
)
def test_what_people_really_call_their_files_stays(name: str) -> None:
    assert safe_name(name) == name


def test_both_forms_of_an_accent_give_one_name() -> None:
    assert safe_name("re\u0301sume\u0301.csv") == "r\u00e9sum\u00e9.csv"


def test_a_long_name_is_cut_between_characters_and_keeps_its_extension() -> None:
    name = safe_name("销" * 300 + ".xlsx")
    assert name == "销" * 78 + ".xlsx"
    assert len(name.encode()) <= 255


def test_the_same_name_twice_gets_a_number() -> None:
    assert safe_name("data.csv", {"data.csv"}) == "data (2).csv"
    assert safe_name("dir/data.csv", {"data.csv", "data (2).csv"}) == "data (3).csv"
    assert safe_name("README", {"README"}) == "README (2)"
