"""What a person takes home keeps its bytes, gets a harmless name of its own, and runs nothing in a spreadsheet."""

import csv
import io
import zipfile

import pytest

from agents.events import CallStarted, ChartMade, FigureMade, FileMade, TableMade, TextWritten
from analysis.export import outputs_of, outputs_zip, safe_name, table_csv
from analysis.figure_page import figure_page
from analysis.record import Entry, QuestionAsked
from sandbox.sandbox import OutputFigure, OutputFile, OutputTable

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
FIGURE = OutputFigure(name="map", json='{"data": [], "layout": {"title": "</script><b>"}}')
TABLE = OutputTable(columns=("city", "n"), rows=(("北京", 3), ("Köln", None)), row_count=2)


def chart(name: str, content: bytes = PNG) -> ChartMade:
    return ChartMade("c", OutputFile(name=name, kind="chart", content=content))


def made_twice() -> list[Entry]:
    return [
        QuestionAsked("Draw it"),
        CallStarted("c", "execute_python_code", "print('é')\n"),
        chart("chart.png"),
        TableMade("c", TABLE),
        CallStarted("d", "file_access", '{"path": "x.csv"}'),
        TextWritten("And again."),
        chart("Chart.PNG", PNG + b"2"),
        TableMade("d", TABLE),
        FigureMade("d", FIGURE),
        FileMade("d", OutputFile(name="out/result.csv", kind="file", content=b"a\r\n1\r\n")),
    ]


def test_every_output_has_a_name_of_its_own_and_its_place_in_the_record() -> None:
    outputs = outputs_of(made_twice())
    assert [(each.position, each.kind, each.name) for each in outputs] == [
        (1, "code", "code.py"),
        (2, "chart", "chart.png"),
        (3, "table", "table.csv"),
        (6, "chart", "Chart-2.PNG"),
        (7, "table", "table-2.csv"),
        (8, "figure", "map.html"),
        (9, "file", "result.csv"),
    ]


def test_names_stay_as_they_are_when_more_is_made() -> None:
    entries = made_twice()
    before = [each.name for each in outputs_of(entries)]
    assert [each.name for each in outputs_of([*entries, chart("chart.png")])] == [*before, "chart-3.png"]


def test_the_zip_holds_every_output_byte_for_byte() -> None:
    outputs = outputs_of(made_twice())
    content = outputs_zip(outputs)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "code.py": "print('é')\n".encode(),
            "chart.png": PNG,
            "table.csv": "\ufeffcity,n\r\n北京,3\r\nKöln,\r\n".encode(),
            "Chart-2.PNG": PNG + b"2",
            "table-2.csv": "\ufeffcity,n\r\n北京,3\r\nKöln,\r\n".encode(),
            "map.html": figure_page(FIGURE),
            "result.csv": b"a\r\n1\r\n",
        }
    assert outputs_zip(outputs) == content


def test_a_figure_becomes_a_page_of_its_own_that_loads_nothing() -> None:
    page = figure_page(FIGURE).decode()
    assert "default-src 'none'" in page
    assert '{"data": [], "layout": {"title": "\\u003c/script>\\u003cb>"}}' in page
    assert " src=" not in page.partition("<script>")[0]


@pytest.mark.parametrize(
    "text",
    ['=HYPERLINK("http://evil","x")', "@SUM(1)", "+1-2", "-2+3", "\t=1+1", "\r=1", " =1", "\ufeff=1", "＝1+1", "-a"],
)
def test_text_that_a_spreadsheet_would_run_is_neutralised_in_cells_and_headers(text: str) -> None:
    table = OutputTable(columns=(text, "plain"), rows=((text, "ok"),), row_count=1)
    rows = list(csv.reader(io.StringIO(table_csv(table).decode("utf-8-sig"), newline="")))
    assert rows == [["'" + text, "plain"], ["'" + text, "ok"]]


@pytest.mark.parametrize("cell", [-5, -1.5, "-9007199254740993", "+49", "-1.5e-3", "a=b", "3-4", "", True])
def test_numbers_and_ordinary_text_are_left_alone(cell: str | int | float) -> None:
    table = OutputTable(columns=("value",), rows=((cell,),), row_count=1)
    assert table_csv(table).decode("utf-8-sig").splitlines()[1] == (str(cell) or '""')


def test_half_a_character_does_not_stop_a_download() -> None:
    table = OutputTable(columns=("value",), rows=(("\ud83d",),), row_count=1)
    assert table_csv(table) == b"\xef\xbb\xbfvalue\r\n?\r\n"


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("../../etc/cron.d/x.csv", "x.csv"),
        ("C:\\Users\\a\\b.csv", "b.csv"),
        ("/outputs/", "chart.png"),
        ("..", "chart.png"),
        (".bashrc", "bashrc"),
        ("x\u202evsc.exe", "xvsc.exe"),
        ("a\nb\x00.png", "ab.png"),
        ("con.csv", "_con.csv"),
        ('a"b|c?.png', "a_b_c_.png"),
        ("re\u0301sume\u0301 – 销量.png", "résumé – 销量.png"),
        ("量" * 100 + ".png", "量" * 38 + ".png"),
    ],
)
def test_a_hostile_name_becomes_a_bare_file_name(hostile: str, harmless: str) -> None:
    assert safe_name(hostile, "chart.png") == harmless
