"""Tables are said to belong together by what their columns hold, with how much of it is in both."""

import json
from collections.abc import Callable, Iterable

import pytest

from sandbox.received import profile_of
from sandbox.sandbox import ColumnProfile, TableProfile
from tests.table_fixtures import Look, look_at, look_into
from tools import joins as joins_module
from tools.file_context import relations_context
from tools.joins import Join, LikelyJoins, likely_joins

__all__ = ["look_at", "look_into"]
LookInto = Callable[..., Look]


def table(look_into: LookInto, name: str, columns: dict[str, Iterable[object]]) -> TableProfile:
    lines = [columns, *zip(*columns.values(), strict=True)]
    look = look_into("".join(",".join(map(str, line)) + "\n" for line in lines), name=f"{name}.csv")
    (found,) = profile_of(json.dumps(look.profile).encode(), look.profile["name"]).tables
    return found


def test_values_tell_what_names_do_not(look_into: LookInto) -> None:
    codes = [f"K{number}" for number in range(300)]
    shops = table(look_into, "shops", {"code": codes, "size": range(1000, 1300)})
    sales = table(look_into, "sales", {"shop": [*codes[:98], "X1", "X2"] * 3, "n": [7] * 300})
    assert list(likely_joins([sales, shops])) == [Join("shops", "code", "sales", "shop", 0.98)]


def test_whole_numbers_need_a_name_too(look_into: LookInto) -> None:
    customers = table(look_into, "customers", {"id": range(1, 101), "age": [40] * 100})
    orders = table(look_into, "orders", {"customer_id": [*range(1, 51)] * 2, "units": [*range(1, 51)] * 2})
    assert list(likely_joins([customers, orders])) == [Join("customers", "id", "orders", "customer_id", 1.0)]


def test_the_same_name_with_other_values_is_no_sign(look_into: LookInto) -> None:
    one = table(look_into, "one", {"id": [f"A{number}" for number in range(100)]})
    two = table(look_into, "two", {"id": [f"B{number}" for number in range(100)]})
    assert list(likely_joins([one, two])) == []


@pytest.mark.parametrize("rows", [3_000, 120_000])
def test_of_many_values_the_share_is_an_estimate(look_into: LookInto, rows: int) -> None:
    users = table(look_into, "users", {"user_id": range(10**6, 10**6 + rows)})
    clicks = table(look_into, "clicks", {"user_id": range(10**6 + rows // 4, 10**6 + rows // 4 + rows)})
    (join,) = likely_joins([users, clicks])
    assert join.share == pytest.approx(0.75, abs=0.06)


def test_the_model_is_told_the_share(look_into: LookInto) -> None:
    ids = [f"K{number}" for number in range(50)]
    shops = table(look_into, "shops", {"code": ids})
    sales = table(look_into, "sales", {"shop": [*ids, *ids]})
    told = relations_context([shops, sales], likely_joins([shops, sales]), "")
    assert "sales['shop'] seems to refer to shops['code'] (about 100% of its different values are there)" in told


def many_tables(count: int, marks_of: Callable[[int], tuple[int, ...]]) -> list[TableProfile]:
    """Tables of twelve text columns each, every one of which names the rows."""
    return [
        TableProfile(
            variable=f"table{number}x",
            rows=512,
            columns=tuple(
                ColumnProfile(name=f"column{column}x", type="text", missing=0, distinct=512, marks=marks_of(column))
                for column in range(number * 12, number * 12 + 12)
            ),
            recipe="",
        )
        for number in range(count)
    ]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One entry for each pair of columns that is compared value by value."""
    pairs: list[object] = []
    share = joins_module._share_of_values

    def counted(part: joins_module._Column, whole: joins_module._Column) -> float | None:
        pairs.append((part, whole))
        return share(part, whole)

    monkeypatch.setattr(joins_module, "_share_of_values", counted)
    return pairs


def test_of_many_columns_only_those_are_compared_that_have_values_in_common(compared: list[object]) -> None:
    tables = many_tables(20, lambda column: tuple(range(column * 1_000, column * 1_000 + 512)))
    assert list(likely_joins(tables)) == []
    assert len(compared) == 0


def test_of_very_many_alike_columns_only_some_pairs_are_compared(
    compared: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joins_module, "_MOST_PAIRS", 50)
    assert len(list(likely_joins(many_tables(4, lambda column: tuple(range(512)))))) <= 50
    assert len(compared) <= 50


def test_joins_are_looked_for_again_only_among_other_tables(compared: list[object]) -> None:
    tables, joins = (
        many_tables(2, lambda column: tuple(range(column % 12 * 1_000, column % 12 * 1_000 + 512))),
        LikelyJoins(),
    )
    first = joins.among(tables)
    assert len(first) == len(compared) == 12
    assert joins.among(tables) is first
    assert len(compared) == 12
    assert joins.among(tables[:1]) == ()
