"""The columns of wide tables are found by words, and as few are told as can be read."""

from sandbox.sandbox import ColumnProfile, FileProfile, TableProfile
from tools.find_columns_tool import FindColumnsTool


def wide(*names: str) -> FileProfile:
    columns = tuple(ColumnProfile(name=name, type="number", missing=1, minimum=4711, maximum=4712) for name in names)
    return FileProfile(name="w.csv", size=1, tables=(TableProfile(variable="w", rows=9, columns=columns, recipe=""),))


def found(words: str, profile: FileProfile, *, with_values: bool = True) -> str:
    return FindColumnsTool(lambda: [profile], with_values=with_values).run({"words": words}).text


def test_names_with_most_of_the_words_come_first() -> None:
    told = found("net Price", wide("gross price", "Net price 2024", "weight")).splitlines()
    assert told == [
        "w:  'Net price 2024': number, 1 missing, 4711 to 4712",
        "w:  'gross price': number, 1 missing, 4711 to 4712",
    ]


def test_no_value_is_told_when_none_may_be() -> None:
    assert "4711" not in found("price", wide("price"), with_values=False)


def test_too_many_are_cut_and_none_is_told() -> None:
    assert found("c", wide(*(f"c{number}" for number in range(5000)))).endswith("(4,940 more; use more words)")
    assert found("zzz", wide("a")) == "No column has 'zzz' in its name. Try other words."
