"""What reaches the sandbox of a model's code, and what the model reads of what came of it."""

import base64
import hashlib
import re
import threading
from collections.abc import Callable

import pytest

from sandbox.limits import Limits
from sandbox.printed_text import PrintedText
from sandbox.sandbox import (
    ColumnProfile,
    ExecutionResult,
    FileProfile,
    OutputFigure,
    OutputFile,
    OutputTable,
    OutputText,
    StateLoss,
    TableProfile,
)
from tests.fake_sandbox import FakeSandbox, chart
from tools.code_cleaning import INSTALL_NOTE, MAGIC_NOTE, SHELL_NOTE, clean_code
from tools.plain_text import plain
from tools.python_exec_tool import PythonExecTool
from tools.result_text import MOST_CHARS, result_text
from tools.tool_interface import ToolError, ToolResult
from wording import Sentence


@pytest.mark.parametrize(
    ("written", "run", "notes"),
    [
        (
            "```python\n%matplotlib inline\n!pip install -q lifelines\nprint(9)\n```",
            "\n\nprint(9)",
            (MAGIC_NOTE, INSTALL_NOTE),
        ),
        ("~~~\nprint(1)\n~~~\n", "print(1)", ()),
        ("%%time\nx = 1", "\nx = 1", (MAGIC_NOTE,)),
        ("%time df.sum()", "df.sum()", (MAGIC_NOTE,)),
        ("if x:\n    !ls\n    print(1)", "if x:\n    pass\n    print(1)", (SHELL_NOTE,)),
        ("pip install foo\nprint(1)", "\nprint(1)", (INSTALL_NOTE,)),
        ("%load_ext a\r\nprint(1)\r\n", "\nprint(1)\n", (MAGIC_NOTE,)),
    ],
)
def test_fences_and_notebook_commands_are_taken_out_with_a_word(written: str, run: str, notes: tuple[str, ...]) -> None:
    cleaned = clean_code(written)
    assert (cleaned.code, cleaned.notes) == (run, notes)


@pytest.mark.parametrize(
    "inside",
    ['s = """\n%d items\n!x\n"""', "x = (7\n%2)", "x = 7 \\\n%2", "f('''```\n%a\n```''')", "y = [\n!= \n]"],
)
def test_signs_inside_strings_and_expressions_are_left_alone(inside: str) -> None:
    assert clean_code(inside).code == inside
    assert clean_code(f"{inside}\n%who").code == f"{inside}\n"


@pytest.mark.parametrize("broken", ["1 +", "print('", "%", "\0", "(" * 5_000])
def test_code_that_is_not_python_is_left_to_python(broken: str) -> None:
    assert clean_code(broken).code.strip() in (broken, "")


def test_a_cell_in_another_language_is_refused() -> None:
    with pytest.raises(ToolError, match="Only Python runs here, not %%bash"):
        clean_code("%%bash\nls")


def test_silent_code_is_told_to_have_finished() -> None:
    assert result_text(ExecutionResult()) == "Finished without output. To see something, print it or put it last."


def test_warnings_are_no_failure() -> None:
    told = result_text(ExecutionResult(stdout="42\n", stderr="FutureWarning: palette\n"))
    assert told == "42\nstderr:\nFutureWarning: palette"


def test_everything_that_a_cell_made_is_named() -> None:
    result = ExecutionResult(
        value="7",
        charts=(chart("a.png"), chart("b\n.png")),
        figures=(OutputFigure(name="fig_1", json="{}"),),
        files=(OutputFile(name="out.csv", kind="file", content=b"x"),),
        notices=(Sentence("{n} more charts were left out.", {"n": 3}),),
    )
    assert result_text(result).split("\n") == [
        "7",
        "Charts that the person sees now: 'a.png', 'b\\n.png'.",
        "Interactive charts that the person sees now: 'fig_1'.",
        "Files offered to the person for download: 'out.csv'.",
        "3 more charts were left out.",
    ]


def test_a_short_table_is_told_whole_and_a_long_one_by_its_beginning() -> None:
    short = OutputTable(columns=("", "n"), rows=(("a", 1), ("b", None)), row_count=2, index_columns=1)
    rows = tuple((number, "x" * 200) for number in range(5_000))
    long = OutputTable(columns=("i", "text"), rows=rows, row_count=8_760)

    told = result_text(ExecutionResult(tables=(short, long))).split("\n")
    assert told[:4] == ["Table 1, which the person sees: 2 rows, 2 columns:", " | n", "a | 1", "b | None"]
    assert told[4] == "Table 2, which the person sees: 8,760 rows, 2 columns; the first 8 rows:"
    assert told[6] == f"0 | {'x' * 60}… (200 characters)"
    assert len(told) == 4 + 2 + 8


def test_of_a_wide_table_the_first_columns_are_told() -> None:
    table = OutputTable(columns=tuple(f"c{n}" for n in range(500)), rows=(tuple(range(500)),), row_count=1)
    told = result_text(ExecutionResult(tables=(table,)))
    assert "c29 | … 470 more columns" in told
    assert len(told) < 1_000


@pytest.mark.parametrize(
    "make",
    [
        lambda: ExecutionResult(stdout="\n".join("x" * 100 for _ in range(50_000))),
        lambda: ExecutionResult(stdout=str(list(range(200_000)))),
        lambda: ExecutionResult(stdout="a" * 99_999, stderr="b" * 99_999, value="c" * 99_999, error="d" * 99_999),
        lambda: ExecutionResult(
            tables=tuple(
                OutputTable(columns=("a",) * 30, rows=(("y" * 99,) * 30,) * 20, row_count=20) for _ in range(9)
            )
        ),
    ],
)
def test_what_the_model_reads_stays_short(make: Callable[[], ExecutionResult]) -> None:
    told = result_text(make(), ("A note.",))
    assert len(told) < MOST_CHARS + 100
    assert told.endswith("A note.")


def test_of_long_output_head_and_tail_stay_and_the_error_is_whole() -> None:
    stdout = "first\n" + "line\n" * 20_000 + "last\n"
    told = result_text(ExecutionResult(stdout=stdout, error="ValueError: bad"))
    assert told.startswith("first\n")
    assert "last\nError:\nValueError: bad" in told
    assert "characters cut here" in told


def test_pictures_written_as_letters_are_removed() -> None:
    picture = base64.b64encode(hashlib.shake_256(b"1").digest(60_000)).decode()
    told = result_text(ExecutionResult(stdout=f"before data:image/png;base64,{picture} after\n{'x' * 1_200}\n"))
    assert told.startswith("before [encoded data removed: 80,022 characters] after\n")
    assert told.endswith("x" * 1_200)
    wrapped = base64.encodebytes(hashlib.shake_256(b"2").digest(60_000)).decode()
    assert "encoded data removed" in result_text(ExecutionResult(stdout=wrapped))


def test_control_characters_and_overwritten_lines_are_gone() -> None:
    bar = "".join(f"{n}/20000\r" for n in range(20_000))
    assert plain(f"{bar}ok\n") == "ok\n"
    assert plain("one\r\ntwo\r") == "one\ntwo"
    assert plain("\x1b[31mred\x1b[0m \x1b]0;title\x07a\0b\u202ec\td") == "red abc\td"
    assert plain("\r" * 100_000 + "\x1b]" * 50_000) == ""


@pytest.mark.parametrize(("loss", "told"), [(loss, "All variables and imports are gone") for loss in StateLoss])
def test_every_loss_of_state_is_told_in_words(loss: StateLoss, told: str) -> None:
    assert told in result_text(ExecutionResult(state_lost=loss))


def test_a_time_out_is_told_with_its_seconds() -> None:
    assert result_text(ExecutionResult(timed_out=True, duration_s=60.4)) == (
        "Stopped after 60 seconds: the code ran too long. Make it faster or do less."
    )


SALES = FileProfile(
    name="sales 2024.csv",
    size=10,
    tables=(
        TableProfile(
            variable="df",
            rows=2,
            columns=tuple(ColumnProfile(name=name, type="text", missing=0) for name in ("Net\u00a0sales", "Qty ")),
            recipe="df = ...",
        ),
    ),
)


def run(code: str, *results: ExecutionResult, files: tuple[FileProfile, ...] = (SALES,)) -> ToolResult:
    return PythonExecTool(FakeSandbox(*results), files=lambda: files).run({"python_code": code})


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (
            "Traceback ...\nKeyError: 'Net sales'",
            "Columns of the uploaded files, by their exact names: 'Net\\xa0sales', 'Qty '.",
        ),
        (
            "FileNotFoundError: [Errno 2] No such file or directory: 'sales.csv'",
            "Files that exist: '/data/sales 2024.csv'. Do not make up data in place of a file.",
        ),
        (
            "ModuleNotFoundError: No module named 'lifelines'",
            "It cannot be installed from here, for there is no network.",
        ),
        ("URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", "There is no network here"),
        ("OSError: [Errno 30] Read-only file system: '/data/x'", "Write to /outputs or /tmp."),
        ("AttributeError: 'DataFrame' object has no attribute 'applymap'", "DataFrame.map"),
        ("OSError: [Errno 28] No space left on device", "Write less"),
    ],
)
def test_a_failure_comes_with_what_helps_to_mend_it(error: str, hint: str) -> None:
    result = run("f()", ExecutionResult(error=error))
    assert not result.ok
    assert hint in result.text


def test_of_many_columns_the_nearest_names_are_told() -> None:
    columns = tuple(ColumnProfile(name=f"col_{n}", type="integer", missing=0) for n in range(6_000))
    wide = FileProfile(
        name="w.csv", size=1, tables=(TableProfile(variable="df", rows=1, columns=columns, recipe="df = ..."),)
    )
    told = run("df['kol_512']", ExecutionResult(error="KeyError: 'kol_512'"), files=(wide,)).text
    assert "'col_512'" in told
    assert len(told) < 400


def test_the_folders_of_other_products_are_corrected() -> None:
    code = "pd.read_csv('/mnt/data/sales.csv')"
    missing = "FileNotFoundError: [Errno 2] No such file or directory: '/mnt/data/sales.csv'"
    told = run(code, ExecutionResult(error=missing)).text
    assert "Uploaded files lie in /data, what code writes lies in /outputs" in told
    assert "'/data/sales 2024.csv'" in told
    assert "lie in /data" not in run(code, ExecutionResult(error="NameError: name 'x' is not defined")).text


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        ("NameError: name 'pd' is not defined", "import pandas as pd"),
        (
            "ImportError: `Import tabulate` failed. Use pip or conda to install the tabulate package.",
            "cannot be installed",
        ),
        ("ModuleNotFoundError: No module named 'xlsxwriter'", 'engine="openpyxl"'),
        ("ValueError: Image export requires the Kaleido package", "call fig.show()"),
        ("The code used more memory than there is, 2048 MB.", "duckdb or polars"),
    ],
)
def test_a_slip_is_answered_with_the_way_out(error: str, hint: str) -> None:
    assert hint in run("work()", ExecutionResult(error=error)).text


def test_a_loss_that_the_error_tells_is_not_told_again() -> None:
    lost = "The code used more memory than there is, 2048 MB. Python was started anew."
    told = run("work()", ExecutionResult(error=lost, state_lost=StateLoss.MEMORY, notices=(Sentence(lost),))).text
    assert told.count("more memory than there is") == 1
    assert "Begin with the imports again." in told


def test_without_a_file_the_model_is_told_not_to_make_data_up() -> None:
    result = run("open('a.csv')", ExecutionResult(error="FileNotFoundError: a.csv"), files=())
    assert "/data holds no file: ask the person to upload one. Do not make up data." in result.text


def test_pip_in_a_subprocess_is_answered_too() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-m', 'pip', 'install', 'lifelines'])"
    assert INSTALL_NOTE in run(code, ExecutionResult(stderr="ERROR: No matching distribution")).text


def test_what_is_printed_comes_first_and_then_the_result() -> None:
    execution = ExecutionResult(stdout="9\n", duration_s=0.1)
    tool = PythonExecTool(FakeSandbox(execution))
    assert list(tool.stream({"python_code": "```\nprint(9)\n```"})) == [
        OutputText("stdout", "9\n"),
        ToolResult(text="9", execution=execution),
    ]
    assert tool.shown({"python_code": "```\nprint(9)\n```"}) == "print(9)"


def test_closing_the_stream_closes_the_running_code() -> None:
    sandbox = FakeSandbox(ExecutionResult(stdout="9\n"), held=threading.Event())
    stream = PythonExecTool(sandbox).stream({"python_code": "loop()"})
    next(stream)
    stream.close()
    assert sandbox.closed_early == 1


def test_stop_interrupts_the_sandbox() -> None:
    sandbox = FakeSandbox()
    PythonExecTool(sandbox).stop()
    assert sandbox.interrupts == 1


def test_the_description_states_what_is_installed_and_which_limits_hold() -> None:
    tool = PythonExecTool(FakeSandbox(), limits=Limits(seconds=30, memory_mb=1024))
    assert "Installed: numpy 2.4.6, pandas 3.1.1." in tool.description
    assert "30 seconds a call, 1,024 MB of memory, no network" in tool.description
    assert "duckdb 2.0.1." in PythonExecTool(FakeSandbox(), packages=[("duckdb", "2.0.1")]).description
    assert tool.schema()["function"]["parameters"]["required"] == ["python_code"]


def test_a_print_that_was_cut_twice_is_told_once_with_its_whole_length() -> None:
    printed = PrintedText(100_000)
    printed.add(f"first\n{'x' * 127_500}{'y' * 127_500}\nlast\n".encode())
    stdout, _ = printed.whole()
    notice = Sentence("More than {limit} characters were printed; the middle of it was left out.", {"limit": 100_000})
    told = result_text(ExecutionResult(stdout=stdout, notices=(notice,)))
    assert re.findall(r"… (.*) …", told) == ["251,012 of 255,012 characters cut here"]
    assert "More than" not in told
    assert told.startswith("first\nx")
    assert told.endswith("y\nlast")
