"""Tables are said to belong together by what their columns hold, with how much of it is in both."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from sandbox.received import profile_of
from sandbox.sandbox import TableProfile
from tests.table_fixtures import Look, look_at, look_into
from tools.file_context import relations_context
from tools.joins import Join, likely_joins

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
    profiles = [profile_of(b'{"tables": [], "size": 1}', "x.csv")]
    told = relations_context([replace(profiles[0], tables=(shops, sales))], "")
    assert "sales['shop'] seems to refer to shops['code'] (about 100% of its different values are there)" in told
