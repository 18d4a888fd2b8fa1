"""Values that contradict the data dictionary are told, with their share; what agrees with it is not."""

import pytest

from sandbox.sandbox import ColumnProfile, TableProfile
from tools.dictionary_check import contradictions
from tools.joins import Join, likely_joins


def table(*columns: ColumnProfile, rows: int = 200, variable: str = "t") -> TableProfile:
    return TableProfile(variable=variable, rows=rows, columns=columns, recipe="")


def lights(*, above: int) -> ColumnProfile:
    """201 values, evenly from 0 to 1, of which so many are 1.5."""
    values = sorted([*(number / 200 for number in range(201 - above)), *[1.5] * above])
    return ColumnProfile(
        name="traffic_lights",
        type="number",
        missing=0,
        distinct=150,
        minimum=0,
        maximum=max(values),
        quantiles=tuple(values),
    )


@pytest.mark.parametrize(
    "line",
    [
        "- traffic_lights: share of junctions with traffic lights, 0 to 1",
        "traffic_lights = 0-1",
        "traffic_lights: 0/1",
        "* `traffic_lights`: 0 (none) to 1 (all)",
        "- traffic_lights：设有红绿灯的路口所占比例，0 至 1",
        "| traffic_lights | share | 0.0 – 1.0 |",
    ],
)
def test_values_beyond_a_documented_range_are_told_with_their_share(line: str) -> None:
    (told,) = contradictions(f"about\n{line}\n", [table(lights(above=19))])
    assert str(told) == "traffic_lights is documented as 0 to 1, but 9.5% of its values are above 1."
    assert list(contradictions(line, [table(lights(above=0))])) == []


def test_the_share_of_a_column_with_few_values_is_exact() -> None:
    urban = ColumnProfile(
        name="urban", type="integer", missing=0, distinct=3, minimum=-1, maximum=1, top=((0, 900), (1, 97), (-1, 3))
    )
    (told,) = contradictions("urban: 0/1", [table(urban)])
    assert str(told) == "urban is documented as 0 to 1, but 0.3% of its values are below 0."


@pytest.mark.parametrize(
    "line",
    [
        "traffic_lights: seen 2024-01-05",
        "traffic_lights: on 1/2/2024",
        "lights: 0 to 1",
        "traffic_lights: 1 in a town, 0 else",
    ],
)
def test_what_is_no_range_of_the_column_is_left_alone(line: str) -> None:
    assert list(contradictions(line, [table(lights(above=19))])) == []


def test_tables_that_share_a_key_are_said_to_belong_together() -> None:
    key = ColumnProfile(name="Customer ID", type="integer", missing=0, distinct=200)
    reference = ColumnProfile(name="customer_id", type="integer", missing=3, distinct=90)
    text = ColumnProfile(name="customer_id", type="text", missing=0, distinct=200)
    customers, orders = table(key, variable="customers"), table(reference, variable="orders", rows=500)
    assert list(likely_joins([orders, customers])) == [Join("customers", "Customer ID", "orders", "customer_id")]
    assert list(likely_joins([customers, table(text, variable="other")])) == []
