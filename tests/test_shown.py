"""What a cell shows besides text and charts: values, tables and interactive figures."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.sandbox import ExecutionResult, OutputTable
from tests.inside_fixtures import LIMITS, Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]

PANDAS = "import pandas as pd, numpy as np, datetime, decimal\n"


def table(box: Box, code: str) -> OutputTable:
    result = box.run(PANDAS + code)
    assert (result.error, result.stderr, result.value, result.stdout) == (None, "", "", "")
    assert len(result.tables) == 1
    return result.tables[0]


def notices(result: ExecutionResult) -> str:
    return " ".join(map(str, result.notices))


def test_a_frame_is_a_table_and_no_text(box: Box) -> None:
    shown = table(box, "pd.DataFrame({'city': ['Rome', 'Oslo'], 'n': [1, 2], 'x': [0.1, None], 'b': [True, False]})")
    assert shown.columns == ("city", "n", "x", "b")
    assert shown.rows == (("Rome", 1, 0.1, True), ("Oslo", 2, None, False))
    assert (shown.row_count, shown.index_columns) == (2, 0)


def test_row_labels_are_the_first_columns(box: Box) -> None:
    shown = table(box, "pd.Series([3, 1], index=['a', 'b'], name='n')")
    assert (shown.columns, shown.rows, shown.index_columns) == (("", "n"), (("a", 3), ("b", 1)), 1)
    shown = table(box, "pd.DataFrame({'a': [1, 2], 'b': [3, 4], 'c': [5, 6]}).set_index(['a', 'b'])")
    assert (shown.columns, shown.rows, shown.index_columns) == (("a", "b", "c"), ((1, 3, 5), (2, 4, 6)), 2)
    assert table(box, "pd.DataFrame({'a': [1, 2]}).tail(1)").rows == ((1, 2),)


def test_values_without_a_form_in_json_are_text_and_missing_is_null(box: Box) -> None:
    shown = table(
        box,
        """
pd.DataFrame({
    'big': [2**60 + 1, 2**53],
    'inf': [np.inf, np.nan],
    'date': pd.to_datetime(['2024-05-01', None]),
    'time': pd.to_datetime(['2024-05-01 10:00', '2024-05-02 00:00']),
    'dec': [decimal.Decimal('1.10'), None],
    'day': [datetime.date(2024, 5, 1), pd.NaT],
    'obj': [(1, 2), {'a': 1}],
    'na': pd.array([1, None], 'Int64'),
    'cat': pd.Categorical(['x', None]),
    'f4': np.array([0.1, 2], 'f4'),
    'c': [1j, 2j],
    'span': pd.to_timedelta(['1D', None]),
})
""",
    )
    assert dict(zip(shown.columns, shown.rows[0], strict=True)) == {
        "big": str(2**60 + 1),
        "inf": "inf",
        "date": "2024-05-01",
        "time": "2024-05-01 10:00:00",
        "dec": "1.10",
        "day": "2024-05-01",
        "obj": "(1, 2)",
        "na": 1,
        "cat": "x",
        "f4": 0.1,
        "c": "1j",
        "span": "1 days 00:00:00",
    }
    assert shown.rows[1][:6] == (2**53, None, None, "2024-05-02 00:00:00", None, None)
    assert shown.rows[1][7:9] == (None, None)


def test_column_names_of_every_kind(box: Box) -> None:
    assert table(box, "pd.DataFrame([[1, 2, 3]], columns=['a', 'a', 5])").columns == ("a", "a (2)", "5")
    grouped = "pd.DataFrame({'k': [1], 'v': [2]}).groupby('k').agg(['min', 'max'])"
    assert table(box, grouped).columns == ("k", "v / min", "v / max")
    assert table(box, "pd.DataFrame()").rows == ()


def test_texts_with_odd_characters_arrive(box: Box) -> None:
    shown = table(box, "pd.DataFrame({'t\\0': pd.Series(['a\\0b', '\\ud800', '<b>', '中'], dtype=object)})")
    assert shown.columns == ("t",)
    assert [row[0] for row in shown.rows] == ["ab", "?", "<b>", "中"]


def test_a_long_table_is_cut_and_says_how_to_get_it_whole(box: Box) -> None:
    result = box.run(PANDAS + "pd.DataFrame({'n': range(20_000)})")
    assert (len(result.tables[0].rows), result.tables[0].row_count) == (LIMITS.table_rows, 20_000)
    assert "df.to_csv('/outputs/table.csv')" in notices(result)


def test_a_heavy_table_is_cut_to_its_bytes(start_box: StartBox) -> None:
    box = start_box(replace(LIMITS, table_bytes=10_000, tables=2))
    shown = box.run(PANDAS + "pd.DataFrame({'t': ['x' * 1000] * 100})").tables[0]
    assert 1 <= len(shown.rows) < 10
    assert shown.row_count == 100
    result = box.run(PANDAS + "pd.DataFrame({'t': ['x' * 9_000_000]})")
    assert (result.error, result.tables[0].row_count) == (None, 1)
    wide = box.run(PANDAS + "pd.DataFrame([range(6000)])")
    assert wide.error is None
    assert "more columns" in notices(wide)
    assert len(box.run("for i in range(4): display(pd.DataFrame({'i': [i]}))").tables) == 2


def test_display_shows_tables_in_order_and_prints_the_rest(box: Box) -> None:
    result = box.run(PANDAS + "for i in range(3): display(pd.DataFrame({'i': [i]}))\ndisplay('a', 1)")
    assert [each.rows for each in result.tables] == [((0,),), ((1,),), ((2,),)]
    assert result.stdout == "'a'\n1\n"


def test_html_and_markdown_become_text(box: Box) -> None:
    code = "from IPython.display import HTML, Markdown\n"
    assert (
        box.printed(code + "display(HTML('<style>p {}</style><p>A &amp; <b>B</b></p>'), Markdown('**C**'))")
        == "A & B\n**C**\n"
    )


def test_other_kinds_of_tables(box: Box) -> None:
    assert table(box, "pd.DataFrame({'a': [1]}).style.format('{:.1f}')").rows == ((1,),)
    assert table(box, "import polars as pl; pl.DataFrame({'a': [1, None], 'b': [[1], [2]]})").rows == (
        (1, "[1]"),
        (None, "[2]"),
    )
    assert table(box, "import polars as pl; pl.Series('s', [1.5])").columns == ("s",)
    assert table(box, "import duckdb; duckdb.sql('select 1 as a, date \\'2024-05-01\\' as d')").rows == (
        (1, "2024-05-01"),
    )


def test_an_object_that_refuses_to_be_shown_does_no_harm(box: Box) -> None:
    code = PANDAS + "class Bad:\n    def __repr__(self): raise ValueError('no')\n    __str__ = __repr__\n"
    result = box.run(code + "pd.DataFrame({'a': [Bad()]})")
    assert result.tables == ()
    result = box.run("Bad()")
    assert (result.error, result.value) == (None, "")
    assert "ValueError: no" in result.stderr
    error = box.run("class E(Exception):\n    def __str__(self): return Bad().x\nraise E").error or ""
    assert error.endswith("E: <exception str() failed>")


def test_a_long_value_is_cut(box: Box) -> None:
    result = box.run("'x' * 100_000")
    assert len(result.value) == 10_001
    assert "The value has 100002 characters" in notices(result)


@pytest.mark.parametrize("code", ["fig.show()", "fig", "display(fig)", "import plotly.io as pio; pio.show(fig)"])
def test_a_plotly_figure_is_handed_over_as_json(box: Box, code: str) -> None:
    result = box.run(f"import plotly.express as px\nfig = px.bar(x=['a', 'b'], y=[1, 2])\n{code}")
    assert (result.error, result.value, result.stdout, len(result.figures)) == (None, "", "", 1)
    figure: dict[str, Any] = json.loads(result.figures[0].json)
    assert figure["data"][0]["type"] == "bar"
    assert figure["layout"]["xaxis"]["title"]["text"] == "x"


def test_a_plotly_figure_can_be_saved(box: Box) -> None:
    result = box.run("import plotly.express as px\npx.bar(x=['a'], y=[1]).write_html('bar.html')")
    assert [(each.name, each.kind) for each in result.files] == [("bar.html", "file")]


def test_profile_reads_a_file_apart_from_the_variables(box: Box) -> None:
    path = Path(box.data, "cities.csv")
    path.write_text("city,n\nRome,1\nOslo,2\n")
    box.run("x = 1")
    profile = box.connection.profile("cities.csv", sample_rows=1)
    path.unlink()
    assert (profile.name, profile.size, profile.problem) == ("cities.csv", 21, None)
    assert [column.name for column in profile.tables[0].columns] == ["city", "n"]
    assert (profile.tables[0].rows, profile.tables[0].sample) == (2, (("Rome", 1),))
    assert box.run("x").value == "1"
    assert str(box.connection.profile("none.csv").problem) == "There is no file none.csv in the sandbox. Add it again."
    assert box.connection.profile("../../etc/passwd").problem is not None


@pytest.mark.parametrize(
    ("code", "tables", "figures"),
    [
        ("display(df)\ndf", 1, 0),
        ("display(df)\ndf.style", 1, 0),
        ("display(df)\ndf.loc[0, 'a'] = 7\ndf", 2, 0),
        ("display(df, df.head(1))\ndf", 2, 0),
        ("import plotly.express as px\nfig = px.line(df, x='a', y='a')\nfig.show()\nfig", 0, 1),
        (
            "import plotly.express as px\nfig = px.line(df, x='a', y='a')\nfig.show()\nfig.update_layout(title='B')",
            0,
            2,
        ),
    ],
)
def test_what_is_asked_for_twice_in_a_cell_is_shown_once(box: Box, code: str, tables: int, figures: int) -> None:
    for _ in range(2):
        result = box.run(f"{PANDAS}df = pd.DataFrame({{'a': [1, 2]}})\n{code}")
        assert (len(result.tables), len(result.figures), result.error) == (tables, figures, None)
