"""The console on a real chat-completions server: text for people, JSON for scripts, one sentence for a failure."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agents.events import CallStarted, CodeWritten, Waiting
from agents.models.catalogue import end_of_model
from agents.models.server_client import OPENAI_URL
from analysis.__main__ import main
from analysis.console_view import Saver, TextView, visible
from analysis.record import Entry
from analysis.sample import SAMPLE_DICTIONARY, SAMPLE_FILE
from sandbox.sandbox import ExecutionResult, OutputFigure, OutputFile, OutputTable, OutputText, StateLoss
from settings import ROOT, settings_table
from tests.chat_server import ChatServer, Reply, calls, refuses, says
from tests.docker_fixtures import sandbox_image
from tests.fake_sandbox import PNG, FakeSandbox, chart
from wording import Sentence, ToldError

__all__ = ["sandbox_image"]

CSV = b"a\n1\n2\n"
WIDE = OutputTable(columns=("city", "n"), rows=tuple((f"town\n{n}", n / 3) for n in range(12)), row_count=300)
CELL = ExecutionResult(
    stdout="rows: 2\n",
    value="2",
    tables=(WIDE,),
    charts=(chart("chart.png"),),
    figures=(OutputFigure(name="map", json='{"data": []}'),),
    files=(OutputFile(name="../result.csv", kind="file", content=b"a\r\n"),),
    notices=(Sentence("{number} charts are not shown.", {"number": 3}),),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder with one data file, and no locale."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "sales.csv").write_bytes(CSV)
    return tmp_path


@pytest.fixture
def run_console(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs the console on a fake sandbox; gives its exit code and what it wrote to both streams."""

    def run(server: ChatServer, *arguments: str, sandbox: FakeSandbox | None = None) -> tuple[int, str, str]:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-CANARY")
        monkeypatch.setattr("analysis.__main__.prepare_backend", lambda *_: None)
        monkeypatch.setattr("analysis.__main__.new_sandbox", lambda *_: sandbox or FakeSandbox())
        code = main(arguments)
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


Run = Callable[..., tuple[int, str, str]]
COST = "$ 20 tokens in (0 cached), 10 out (0 reasoning): <$0.0001.\n"
"""Of a question with two model calls."""


def events(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_json_gives_one_event_a_line_and_the_charts_in_the_folder(run_console: Run, folder: Path) -> None:
    with ChatServer(calls("plot()", text="Let me see."), says("Two", " rows.")) as server:
        arguments = ("--file", "sales.csv", "--ask", "Rows?", "--json", "--out", "made")
        code, out, err = run_console(server, *arguments, sandbox=FakeSandbox(CELL))
    assert (code, err) == (0, "")
    kinds = (
        "file_added question text code_written usage code output value table chart figure file call_finished "
        "text text usage answer"
    )
    assert [event["type"] for event in events(out)] == kinds.split()
    by_type = {event["type"]: event for event in events(out)}
    assert by_type["file_added"]["tables"][0]["rows"] == 2
    assert by_type["code"] | {"call_id": ""} == {
        "type": "code", "call_id": "", "tool": "execute_python_code", "code": "plot()"
    }  # fmt: skip
    assert (by_type["output"]["stream"], by_type["output"]["text"]) == ("stdout", "rows: 2\n")
    assert (by_type["table"]["rows"][1], by_type["table"]["row_count"]) == (["town\n1", 1 / 3], 300)
    assert by_type["call_finished"]["notices"] == ["3 charts are not shown."]
    assert by_type["answer"]["text"] == "Two rows."
    paths = {kind: by_type[kind]["path"] for kind in ("chart", "figure", "file")}
    assert paths == {kind: str(Path("made", name)) for kind, name in
                     (("chart", "chart.png"), ("figure", "map.html"), ("file", "result.csv"))}  # fmt: skip
    assert (folder / "made/chart.png").read_bytes() == PNG
    assert (folder / "made/result.csv").read_bytes() == b"a\r\n"


def test_text_shows_code_output_tables_and_where_things_were_saved(run_console: Run, folder: Path) -> None:
    with ChatServer(calls("x = 1\nplot(x)"), says("Two rows.")) as server:
        code, out, err = run_console(server, "--file", "sales.csv", "--ask", "Rows?", sandbox=FakeSandbox(CELL))
    assert (code, err) == (0, "")
    table = "\n".join(["city    n", *(f"town {number}  {number / 3:.6g}" for number in range(10)), "… 300 rows in all"])
    saved = "\n".join(f"Saved: {Path('outputs', name)}" for name in ("chart.png", "map.html", "result.csv"))
    assert out == (
        "sales.csv: 2 rows, 1 columns\n> Rows?\n  | x = 1\n  | plot(x)\nrows: 2\n2\n"
        f"{table}\n{saved}\n3 charts are not shown.\nTwo rows.\n"
        f"{COST}"
    )


def test_quiet_gives_the_answer_what_was_saved_and_errors(run_console: Run) -> None:
    failed = ExecutionResult(stdout="half\n", error="ValueError: no")
    arguments = ("--file", "sales.csv", "--ask", "Rows?", "--quiet")
    with ChatServer(calls("fail()", text="First."), calls("plot()", text="Again."), says("Two rows.")) as server:
        code, out, err = run_console(server, *arguments, sandbox=FakeSandbox(failed, CELL))
    saved = "".join(f"Saved: {Path('outputs', name)}\n" for name in ("chart.png", "map.html", "result.csv"))
    assert (code, out, err) == (0, f"  ! ValueError: no\n{saved}Two rows.\n", "")


def test_quiet_still_shows_the_code_that_waits_for_a_yes(run_console: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPROVE_CODE", "yes")
    monkeypatch.setattr("builtins.input", lambda prompt: "yes")
    with ChatServer(calls("x = 1\nx"), says("One.")) as server:
        _, out, _ = run_console(server, "--ask", "x?", "--quiet", sandbox=FakeSandbox(ExecutionResult(value="1")))
    assert out == "  | x = 1\n  | x\nOne.\n"


def test_long_output_is_folded(run_console: Run) -> None:
    printed = "".join(f"line {number}\n" for number in range(25)) + "end"
    cell = ExecutionResult(stdout="x" * 500 + "\n" + printed, value="v")
    with ChatServer(calls("go()"), says("Done.")) as server:
        _, out, _ = run_console(server, "--ask", "Go?", sandbox=FakeSandbox(cell))
    lines = out.splitlines()
    assert lines[2] == "x" * 200 + "…"
    assert lines[21:24] == ["line 18", "… 7 more lines; --json gives all", "Done."]


@pytest.fixture
def no_server_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.__main__.local_servers", lambda: ())


@pytest.mark.docker
@pytest.mark.usefixtures("no_server_here", "sandbox_image")
def test_without_a_key_questions_in_two_languages_get_right_figures_and_a_chart_each(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = ("Which factors contribute most to accidents?", "按城市和农村比较事故数")
    asks = [part for question in questions for part in ("--ask", question)]
    assert main(["--file", str(SAMPLE_FILE), *asks, "--json", "--out", "made"]) == 0
    out = events(capsys.readouterr().out)
    turns = [number for number, event in enumerate(out) if event["type"] == "question"]
    for turn in (out[turns[0] : turns[1]], out[turns[1] :]):
        assert [event["path"] for event in turn if event["type"] == "chart"]
        assert len([event for event in turn if event["type"] == "answer"]) == 1
    with SAMPLE_FILE.open(newline="") as rows:
        accidents = Counter[str]()
        for row in csv.DictReader(rows):
            accidents[row["urban_area"]] += int(row["accidents"])
    answer = next(event["text"] for event in out[turns[1] :] if event["type"] == "answer").replace(",", "")
    assert all(str(total) in answer for total in accidents.values())


@pytest.mark.usefixtures("no_server_here")
def test_a_model_named_in_the_call_is_not_replaced_when_the_key_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("analysis.__main__.prepare_backend", lambda *_: None)
    monkeypatch.setattr("analysis.__main__.new_sandbox", lambda *_: FakeSandbox())
    assert main(["--model", "o3", "--ask", "Rows?"]) == 1
    end, missing = capsys.readouterr().err.splitlines()
    assert end == str(end_of_model("o3", OPENAI_URL, date.today()))
    assert missing.startswith("No key for the language model is set.")


def test_questions_share_one_chat_and_one_sandbox(run_console: Run) -> None:
    sandbox = FakeSandbox()
    with ChatServer(calls("x = 1"), says("One."), calls("print(x)"), says("Still one.")) as server:
        code, _, _ = run_console(server, "--ask", "Set x", "--ask", "Show x", sandbox=sandbox)
        assert [message["content"] for message in server.requests[2]["messages"][-2:]] == ["One.", "Show x"]
    assert (code, sandbox.codes, sandbox.closed) == (0, ["x = 1", "print(x)"], True)


def test_options_choose_the_model_and_the_dictionary_goes_to_it(run_console: Run) -> None:
    with ChatServer(says("Yes.")) as server:
        arguments = (
            "--model",
            "o4-mini",
            "--effort",
            "high",
            "--dictionary",
            str(SAMPLE_DICTIONARY["en"]),
            "--ask",
            "?",
        )
        assert run_console(server, *arguments)[0] == 0
        assert (server.requests[0]["model"], server.requests[0]["reasoning_effort"]) == ("o4-mini", "high")
        assert "- accidents: accidents on the section" in server.requests[0]["messages"][-1]["content"]
        assert server.keys == ["sk-CANARY"]


def test_a_question_that_fails_ends_it_with_one_sentence_and_exit_code_1(run_console: Run) -> None:
    with ChatServer(refuses("Incorrect API key provided: sk-CANARY", status=401)) as server:
        code, out, err = run_console(server, "--ask", "Rows?", "--ask", "And now?", "--json")
    assert code == 1
    assert [event["type"] for event in events(out)] == ["question", "error"]
    assert err == events(out)[-1]["text"] + "\n"
    assert len(err.splitlines()) == 1 and "key" in err
    assert "CANARY" not in out + err


def test_with_the_server_down_it_ends_with_one_sentence_and_exit_code_1(run_console: Run) -> None:
    with ChatServer() as server:
        pass
    code, out, err = run_console(server, "--ask", "Rows?", "--ask", "And now?")
    waiting = r"The model's server does not answer. Trying again in (0\.[567]|1|1\.[123]) s.\n"
    assert code == 1
    assert re.fullmatch(rf"> Rows\?\n{waiting}{waiting}", out)
    assert len(err.splitlines()) == 1 and server.url in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--file", "absent.csv"), "There is no file absent.csv. Check its name and folder."),
        (("--dictionary", "absent.md"), "There is no file absent.md. Check its name and folder."),
        (("--ask", "  "), "The question is empty. Type what you want to know."),
    ],
)
def test_what_cannot_be_used_is_told_before_any_model_is_asked(
    run_console: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    with ChatServer() as server:
        code, out, err = run_console(server, *arguments, "--json")
    assert (code, err.startswith(sentence), len(err.splitlines())) == (1, True, 1)
    assert events(out)[-1] == {"type": "error", "text": err.strip()}


def test_a_wrong_setting_is_told_in_one_sentence(run_console: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_ROUNDS", "many")
    with ChatServer() as server:
        code, out, err = run_console(server, "--ask", "Rows?")
    assert (code, out) == (1, "")
    assert err == "MAX_ROUNDS must be a whole number of at least 1. Correct it in .env or the environment.\n"


def test_a_sandbox_that_cannot_start_is_told_in_one_sentence(run_console: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Off(FakeSandbox):
        def put_file(self, name: str, source: Path) -> str:
            raise ToldError("Docker is not running. Start it.")

    with ChatServer() as server:
        code, _, err = run_console(server, "--file", "sales.csv", "--ask", "Rows?", sandbox=Off())
    assert (code, err) == (1, "Docker is not running. Start it.\n")


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(run_console: Run, folder: Path) -> None:
    with ChatServer(calls("plot()"), says("Done."), repeat=True) as server:
        code, _, err = run_console(server, "--ask", "Plot", "--out", "sales.csv", sandbox=FakeSandbox(CELL))
    assert code == 1
    assert err.startswith("sales.csv cannot be written: ") and err.endswith("Choose another folder with --out.\n")


def test_nothing_that_exists_is_written_over(run_console: Run, folder: Path) -> None:
    (folder / "made").mkdir()
    (folder / "made/chart.png").write_bytes(b"mine")
    with ChatServer(*[calls("plot()"), says("Done.")] * 2) as server:
        asks = ("--ask", "Plot", "--ask", "Again")
        run_console(server, *asks, "--out", "made", sandbox=FakeSandbox(CELL, CELL))
    assert (folder / "made/chart.png").read_bytes() == b"mine"
    assert sorted(path.name for path in (folder / "made").glob("chart*")) == ["chart-2.png", "chart-3.png", "chart.png"]


def test_code_is_shown_as_it_is_written_and_once_more_only_when_it_is_another(tmp_path: Path) -> None:
    stream = io.StringIO()
    view = TextView(stream, Saver(tmp_path), "en")
    view.show(CodeWritten(0, "t", "x = 1\n"))
    assert stream.getvalue() == "  | x = 1\n"
    entries: tuple[Entry, ...] = (CodeWritten(0, "t", "x"), CodeWritten(1, "t", "y"), CallStarted("a", "t", "x = 1\nx"))
    for entry in entries:
        view.show(entry)
    assert stream.getvalue() == "  | x = 1\n  | x\n"
    view.show(CallStarted("b", "t", "y"))
    entries = (CodeWritten(0, "t", "z"), Waiting(Sentence("Busy."), 2), CallStarted("c", "t", "z"))
    for entry in entries:
        view.show(entry)
    assert stream.getvalue().splitlines()[2:] == ["  | y", "  | z", "Busy. Trying again in 2 s.", "  | z"]


def test_links_into_the_sandbox_are_their_words(run_console: Run) -> None:
    pieces = [
        "See ![",
        "the chart](sandbox:/mnt/",
        "data/a.png), [table](/outputs/a.csv), a[0](x) ",
        "[b](https://b.de)!",
    ]
    with ChatServer(says(*pieces, " [open")) as server:
        _, out, _ = run_console(server, "--ask", "Plot")
    assert out.splitlines()[1] == "See the chart, table, a[0](x) [b](https://b.de)! [open"


def test_output_cannot_steer_the_terminal(run_console: Run) -> None:
    hostile = ExecutionResult(stdout="\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m\x00\u202eabc\x9b31m\n")
    with ChatServer(calls("print()"), says("Done\x1b[A.")) as server:
        _, out, _ = run_console(server, "--ask", "Print", sandbox=FakeSandbox(hostile))
    assert out == "> Print\n  | print()\nred\ufffd\ufffdabc\ufffd31m\nDone.\n" + COST
    assert visible("a\r\nb\rc\td") == "a\nb\rc\td"


def test_a_traceback_is_shown_with_its_notices(run_console: Run) -> None:
    failed = ExecutionResult(error="ZeroDivisionError: division by zero")
    with ChatServer(calls("1/0"), says("It fails.")) as server:
        _, out, _ = run_console(server, "--ask", "Divide", sandbox=FakeSandbox(failed))
    assert out == "> Divide\n  | 1/0\n  ! ZeroDivisionError: division by zero\nIt fails.\n" + COST


def typing(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_questions_are_typed_until_exit(run_console: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "Hello\n\n exit \nnever asked\n")
    with ChatServer(says("Hi.")) as server:
        code, out, _ = run_console(server)
    assert (code, out) == (
        0,
        "Ask about your data. To leave, type exit.\n> Hi.\n"
        + COST.replace("20", "10").replace("10 out", "5 out")
        + "> > ",
    )


def test_the_end_of_the_input_ends_it_and_a_failed_question_does_not(
    run_console: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "Hello\nHello again\n")
    with ChatServer(refuses("No.", status=401), says("Hi.")) as server:
        code, out, err = run_console(server, "--json")
    assert code == 1
    assert [event["type"] for event in events(out)] == ["question", "error", "question", "text", "usage", "answer"]
    assert len(err.splitlines()) == 1


def test_it_speaks_the_language_of_the_setting_or_of_the_locale(
    run_console: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "wording.sentence.CHINESE", {"Ask about your data. To leave, type exit.": "请就您的数据提问。输入 exit 退出。"}
    )
    for name, value in (("LANGUAGE", "zh"), ("LANG", "zh_CN.UTF-8")):
        typing(monkeypatch, "exit\n")
        monkeypatch.setenv(name, value)
        with ChatServer() as server:
            assert run_console(server)[1] == "请就您的数据提问。输入 exit 退出。\n> "
        monkeypatch.delenv(name)


class InterruptedSandbox(FakeSandbox):
    """Presses Ctrl-C while its code runs, and once more after each interrupt that is not enough."""

    def __init__(self, presses: int) -> None:
        super().__init__()
        self._presses = presses

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        self.codes.append(code)
        yield OutputText("stdout", "working\n")
        os.kill(os.getpid(), signal.SIGINT)
        self._interrupted.wait()
        yield ExecutionResult(interrupted=True)

    def interrupt(self) -> None:
        self.interrupts += 1
        if self.interrupts < self._presses:
            os.kill(os.getpid(), signal.SIGINT)
        else:
            self._interrupted.set()


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_stops_the_question_and_a_second_one_goes_on_to_the_code(run_console: Run, presses: int) -> None:
    sandbox = InterruptedSandbox(presses)
    # A process started in the background has Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with ChatServer(calls("loop()")) as server:
        code, out, err = run_console(server, "--ask", "Loop", "--ask", "Never", "--json", sandbox=sandbox)
    assert (code, err, sandbox.interrupts) == (130, "", presses)
    assert [event["type"] for event in events(out)] == [
        "question",
        "code_written",
        "usage",
        "code",
        "output",
        "call_finished",
        "stopped",
    ]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_file_named_in_the_question_is_opened_from_the_current_folder(run_console: Run) -> None:
    replies: tuple[Reply, ...] = (calls(("open_data_file", {"path": "sales.csv"})), says("Two rows."), says("Two."))
    with ChatServer(*replies) as server:
        code, out, _ = run_console(server, "--ask", "How many rows has sales.csv?", "--json")
        assert [body["model"] for body in server.requests] == ["gpt-4o", "gpt-4o", "o3-mini"]
    types = [event["type"] for event in events(out)]
    kinds = "question usage code file_added call_finished text usage text text usage answer"
    assert (code, types) == (0, kinds.split())


@pytest.mark.docker
@pytest.mark.usefixtures("sandbox_image")
def test_the_whole_way_from_the_sample_to_a_chart(tmp_path: Path) -> None:
    load = "import pandas as pd\ndf = pd.read_csv('/data/traffic_accidents.csv')\nprint(len(df))"
    draw = "df.plot.scatter(x='average_speed', y='accidents')"
    replies = (calls(load), says("8760 rows."), calls(draw), says("Here it is."))
    with ChatServer(*replies) as server:
        defaults = {each.name: "" for each in settings_table() if each.name != "SANDBOX_BASE_IMAGE"}
        arguments = ("--file", str(SAMPLE_FILE), "--ask", "How many rows?", "--ask", "Draw it.", "--json")
        done = subprocess.run(
            [sys.executable, "-m", "analysis", *arguments, "--out", str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, **defaults, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test"},
            capture_output=True,
            text=True,
            timeout=300,
        )
    assert (done.returncode, done.stderr) == (0, "")
    types = [event["type"] for event in events(done.stdout)]
    assert [types.count(kind) for kind in ("file_added", "code", "output", "chart", "answer")] == [1, 2, 1, 1, 2]
    (path,) = tmp_path.iterdir()
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert [event["path"] for event in events(done.stdout) if event["type"] == "chart"] == [str(path)]


@pytest.mark.parametrize(
    ("said", "codes", "told"),
    [
        ("yes\n", ["plot()"], "rows: 2"),
        ("Too slow.\n", [], "did not let this code run: Too slow."),
        ("", [], "did not let"),
    ],
)
def test_with_the_setting_code_runs_only_once_the_person_says_yes(
    run_console: Run, monkeypatch: pytest.MonkeyPatch, said: str, codes: list[str], told: str
) -> None:
    monkeypatch.setenv("APPROVE_CODE", "yes")
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    sandbox = FakeSandbox(CELL)
    with ChatServer(calls("plot()"), says("Done.")) as server:
        code, out, _ = run_console(server, "--ask", "Rows?", sandbox=sandbox)
    assert (code, sandbox.codes) == (0, codes)
    assert "Run this code?" in out
    assert told in server.requests[1]["messages"][-1]["content"]


KILLED = ExecutionResult(error="Killed", state_lost=StateLoss.TIMEOUT)


def test_with_replay_earlier_code_runs_again_before_the_next_question(run_console: Run) -> None:
    sandbox = FakeSandbox(CELL, KILLED)
    with ChatServer(calls("plot()"), says("Two."), calls("loop()"), says("Too long."), says("Back.")) as server:
        asks = ("--ask", "Plot", "--ask", "Loop", "--ask", "And now?")
        code, out, err = run_console(server, *asks, "--replay", "--json", sandbox=sandbox)
        assert "All 1 succeeded: their variables" in server.requests[-1]["messages"][-1]["content"]
    assert (code, err, sandbox.codes) == (0, "", ["plot()", "loop()", "plot()"])
    kinds = [event["type"] for event in events(out)]
    assert kinds.count("chart") == 1
    assert kinds[-7:] == ["replay_begun", "cell_replayed", "replay_ended", "question", "text", "usage", "answer"]
    assert events(out)[-6] == {"type": "cell_replayed", "number": 1, "count": 1}


def test_without_it_lost_variables_stay_lost(run_console: Run) -> None:
    sandbox = FakeSandbox(CELL, KILLED)
    with ChatServer(calls("plot()"), says("Two."), calls("loop()"), says("Too long."), says("Gone.")) as server:
        run_console(server, "--ask", "Plot", "--ask", "Loop", "--ask", "And now?", sandbox=sandbox)
    assert sandbox.codes == ["plot()", "loop()"]


def test_who_types_is_told_of_lost_variables_once_and_brings_them_back_with_a_word(
    run_console: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("replay\nSet a and b\nLoop\nHello\nreplay\n"))
    failed = ExecutionResult(error="NameError: b")
    sandbox = FakeSandbox(ExecutionResult(), ExecutionResult(), KILLED, ExecutionResult(), failed)
    replies = (calls("a = 1"), calls("b = a"), says("Set."), calls("loop()"), says("Too long."), says("Hi."))
    with ChatServer(*replies) as server:
        code, out, err = run_console(server, sandbox=sandbox)
    assert (code, sandbox.codes) == (0, ["a = 1", "b = a", "loop()", "a = 1", "b = a"])
    assert err == "No variables are lost, so there is nothing to run again. Ask about your data.\n"
    told = "Variables of earlier code are gone. To run that code again, type replay.\n"
    assert out.count(told) == 1
    assert out[out.index(told) :] == (
        f"{told}> Hi.\n$ 10 tokens in (0 cached), 5 out (0 reasoning): <$0.0001.\n"
        "> Running the earlier code again…\n1 of 2\n  | b = a\n  ! NameError: b\n"
        "The earlier code ran again up to 2 of 2, which failed. The variables of the code before it are back; ask for "
        "the others anew.\n> \n"
    )


def test_a_stopped_replay_asks_nothing_more(run_console: Run) -> None:
    class InterruptedLast(InterruptedSandbox):
        """The third cell, which is the replay's, goes on until Ctrl-C."""

        def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
            if len(self.codes) == 2:
                while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                    time.sleep(0.01)
                yield from super().execute(code, timeout)
            else:
                self.codes.append(code)
                yield ExecutionResult() if len(self.codes) == 1 else KILLED

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with ChatServer(calls("a = 1"), says("Set."), calls("loop()"), says("Too long.")) as server:
        asks = ("--ask", "Set a", "--ask", "Loop", "--ask", "Never")
        code, out, err = run_console(server, *asks, "--replay", "--json", sandbox=InterruptedLast(1))
    assert (code, err) == (130, "")
    assert [events(out)[-1][key] for key in ("type", "stopped", "done")] == ["replay_ended", True, 0]
