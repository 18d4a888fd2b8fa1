"""``python -m sandbox`` as a person or a script calls it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.cell_view import OutputFolder, plain
from sandbox.sandbox import ExecutionResult, OutputFigure, OutputFile
from tests.docker_fixtures import sandbox_image

__all__ = ["sandbox_image"]

KEYS = ["stdout", "stderr", "error", "timed_out", "state_lost", "duration_s", "charts", "files"]
LOAD = "import pandas as pd\ndf = pd.read_csv('/data/given.csv')\nprint(len(df))\n"
DRAW = "import matplotlib.pyplot as plt\ndf.plot()\ndf.to_csv('/outputs/table.csv')\nNone\n"


def call(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sandbox", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, timeout=300)


@pytest.fixture
def cells(tmp_path: Path) -> dict[str, Path]:
    files = {"given.csv": "a,b\n1,2\n3,4\n", "load.py": LOAD, "draw.py": DRAW}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in files}


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_cells_share_their_variables_and_give_a_json_line_each(cells: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    done = call("run", "--json", "--file", cells["given.csv"], "--out", out, cells["load.py"], cells["draw.py"])
    assert (done.returncode, done.stderr) == (0, "")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert list(first) == list(second) == KEYS
    assert (first["stdout"], first["error"], first["charts"]) == ("2\n", None, [])
    assert (len(second["charts"]), second["files"]) == (1, ["cell2-table.csv"])
    assert (out / second["charts"][0]).read_bytes().startswith(b"\x89PNG")
    assert (out / "cell2-table.csv").read_text() == ",a,b\n0,1,2\n1,3,4\n"


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_cells_find_the_tables_of_the_files_loaded(cells: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text("print(given.b.sum(), df is given)")
    done = call("run", "--json", "--file", cells["given.csv"], tmp_path / "use.py")
    result = json.loads(done.stdout)
    assert (result["error"], result["stdout"]) == (None, "6 True\n")


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_failing_and_endless_cells_are_json_results_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "fail.py").write_text("1 / 0")
    (tmp_path / "endless.py").write_text("print('begun')\nwhile True: pass")
    log = {"EXECUTION_LOG": str(tmp_path / "log"), "EXECUTION_LOG_CODE": "yes"}
    done = call("run", "--json", "--timeout", "1", tmp_path / "fail.py", tmp_path / "endless.py", **log)
    failed, endless = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0
    assert "ZeroDivisionError" in failed["error"]
    assert (endless["timed_out"], endless["state_lost"], endless["stdout"]) == (True, None, "begun\n")
    logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(each["outcome"], each["limits_hit"]) for each in logged] == [("error", []), ("timeout", ["seconds"])]
    assert logged[0]["code"] == "1 / 0"


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_a_cell_that_fails_gives_a_shell_exit_code_1_and_the_later_ones_run(cells: dict[str, Path]) -> None:
    cells["load.py"].write_text("1 / 0")
    cells["draw.py"].write_text("print('later')")
    done = call("run", cells["load.py"], cells["draw.py"])
    assert done.returncode == 1
    assert done.stdout.endswith("ZeroDivisionError: division by zero\nlater\n")


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_a_person_reads_text(tmp_path: Path) -> None:
    (tmp_path / "cell.py").write_text("print('\\x1b[31mred\\x1b[0m')\n'the value'")
    done = call("run", tmp_path / "cell.py")
    assert (done.returncode, done.stdout) == (0, "red\n'the value'\n")


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_a_file_is_profiled(cells: dict[str, Path]) -> None:
    done = call("profile", "--json", cells["given.csv"])
    (table,) = json.loads(done.stdout)["tables"]
    assert (table["rows"], [each["name"] for each in table["columns"]]) == (2, ["a", "b"])
    told = call("profile", cells["given.csv"]).stdout
    assert "2 rows, 2 columns" in told


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_a_file_without_a_table_is_one_sentence_and_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    done = call("profile", path, LC_ALL="C.UTF-8")
    sentence = "This is a picture, not a table. Upload a CSV, Excel, Parquet or JSON file.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)
    done = call("profile", "--json", path, LC_ALL="C.UTF-8")
    assert (done.returncode, done.stderr, json.loads(done.stdout)["tables"]) == (1, sentence, [])


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_doctor_and_a_build_that_is_not_needed_end_well() -> None:
    done = call("doctor")
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("ok    Python runs in a sandbox")
    assert call("build").stdout.splitlines()[-1] == "The sandbox image is up to date."


def test_without_an_engine_each_command_ends_with_one_sentence(cells: dict[str, Path], tmp_path: Path) -> None:
    nowhere = f"unix://{tmp_path}/none.sock"
    doctor = call("doctor", DOCKER_HOST=nowhere, SANDBOX="docker", LC_ALL="C.UTF-8")
    assert doctor.returncode == 1
    assert doctor.stdout.startswith("fault Docker is not running.")
    for command in (["run", cells["load.py"]], ["build"], ["profile", cells["given.csv"]]):
        done = call(*command, DOCKER_HOST=nowhere, SANDBOX="docker", LC_ALL="C.UTF-8")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("Docker is not running.")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("SANDBOX_SECONDS", "soon", "SANDBOX_SECONDS is soon. Give a number above zero, for example 60.\n"),
        (
            "EXECUTION_LOG_CODE",
            "true",
            "EXECUTION_LOG_CODE must be one of: yes, no. Correct it in .env or the environment.\n",
        ),
    ],
)
def test_a_wrong_setting_is_told(name: str, value: str, told: str, cells: dict[str, Path]) -> None:
    done = call("run", cells["load.py"], LC_ALL="C.UTF-8", **{name: value})
    assert (done.returncode, done.stderr) == (1, told)


def test_a_cell_that_is_not_there_or_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\xff\x00")
    for name, told in (
        ("none.py", f"There is no file {tmp_path / 'none.py'}. Check its name and folder.\n"),
        ("binary.py", f"{tmp_path / 'binary.py'} cannot be read as UTF-8 text. Name a Python file.\n"),
    ):
        done = call("run", tmp_path / name, LC_ALL="C.UTF-8")
        assert (done.returncode, done.stderr) == (1, told)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_that_is_none_is_refused(seconds: str, cells: dict[str, Path]) -> None:
    assert call("run", "--timeout", seconds, cells["load.py"]).returncode == 2


def result(*names: str) -> ExecutionResult:
    files = tuple(OutputFile(name=name, kind="file", content=name.encode()) for name in names)
    return ExecutionResult(files=files, figures=(OutputFigure(name="plot", json="{}"),))


def test_files_get_safe_names_and_are_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "cell1-a.csv").write_text("mine")
    folder = OutputFolder(tmp_path)
    names = folder.keep(1, result("a.csv", "../../etc/passwd", "a:b?.txt", "a.csv"))[1]
    assert names == [
        "cell1-plot.json",
        "cell1-a (2).csv",
        "cell1-.._.._etc_passwd",
        "cell1-a_b_.txt",
        "cell1-a (3).csv",
    ]
    assert (tmp_path / "cell1-a.csv").read_text() == "mine"
    assert (tmp_path / "cell1-.._.._etc_passwd").read_bytes() == b"../../etc/passwd"
    assert folder.keep(2, result("a.csv"))[1] == ["cell2-plot.json", "cell2-a.csv"]


def test_a_terminal_is_not_driven_by_what_code_prints() -> None:
    assert plain("\x1b]0;title\x07a\x1b[2Jb\u202ec\r\td\n") == "]0;titleabc\td\n"
