"""Whatever a table holds, Streamlit can turn it into Arrow and no number is changed."""

import pyarrow as pa
import pytest

from sandbox.sandbox import Cell
from ui.table_frame import table_frame


def arrow_rows(columns: list[str], rows: list[tuple[Cell, ...]]) -> list[dict[str, object]]:
    table: list[dict[str, object]] = pa.Table.from_pandas(table_frame(columns, rows)).to_pylist()
    return table


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ([1, None, 3], [1, None, 3]),
        ([1, 2.5, None], [1.0, 2.5, None]),
        ([True, None, False], [True, None, False]),
        ([1, "All", None], ["1", "All", None]),
        ([True, 1], ["True", "1"]),
        (["9007199254740993", "2"], ["9007199254740993", "2"]),
        ([2**63, 1], [str(2**63), "1"]),
        (["a\0b", "\ud800"], ["a\u2400b", "\ufffd"]),
        ([None, None], [None, None]),
    ],
)
def test_a_column_keeps_its_type_or_becomes_text(cells: list[Cell], shown: list[object]) -> None:
    assert [row["x"] for row in arrow_rows(["x"], [(cell,) for cell in cells])] == shown


def test_numbers_that_are_no_numbers_survive() -> None:
    frame = table_frame(["x"], [(float("inf"),), (float("nan"),), (-0.5,)])
    assert frame["x"].tolist()[0] == float("inf")
    assert pa.Table.from_pandas(frame).num_rows == 3


def test_equal_and_empty_names_are_told_apart() -> None:
    frame = table_frame(["a", "a", "", "", "a (2)"], [(1, 2, 3, 4, 5)])
    assert list(frame.columns) == ["a", "a (2)", "", " (2)", "a (2) (2)"]


def test_short_rows_are_filled_up_and_long_texts_cut() -> None:
    frame = table_frame(["a", "b"], [("x" * 5000, "y"), ("z",)])
    assert frame["b"].tolist() == ["y", None]
    assert len(frame["a"].tolist()[0]) == 2001


def test_a_table_without_rows_keeps_its_columns() -> None:
    assert list(table_frame(["a", "b"], []).columns) == ["a", "b"]
