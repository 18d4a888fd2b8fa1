"""A session's sandbox knows when variables are gone, on boxes that only say what a test makes them say."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from sandbox.cell_result import LOST_BEFORE
from sandbox.connection import Connection, ConnectionLost
from sandbox.observer import Execution, SandboxObserver
from sandbox.packages import Packages
from sandbox.places import StoppedWaiting
from sandbox.sandbox import ExecutionResult, FileProfile, SandboxError, StateLoss, TableProfile
from sandbox.session_sandbox import SessionSandbox
from tests.docker_fixtures import wait_until
from tests.fake_box import FakeBox
from wording import Sentence

REPLACED = "The sandbox was replaced by a new one: variables of earlier cells are gone, the files in /data are there."
ENDED_BEFORE = ExecutionResult(lost_before=True, notices=(Sentence(LOST_BEFORE),))


class ScriptedBox(FakeBox):
    """Gives one written result a cell, and a good one when none is left; ``ConnectionLost`` ends it."""

    packages: Packages = (("pandas", "2.9"), ("Scikit_Learn", "1.0"), ("never-listed", "1"))

    def __init__(self, results: list[ExecutionResult | ConnectionLost], codes: list[str]) -> None:
        super().__init__()
        self.connection = cast("Connection", self)
        self._results = results
        self._codes = codes
        self.may_remove = threading.Event()
        self.may_remove.set()

    def execute(self, code: str, timeout: float | None = None, size: int = 0) -> Iterator[ExecutionResult]:
        self._codes.append(code)
        result = self._results.pop(0) if self._results else ExecutionResult()
        if isinstance(result, ConnectionLost):
            self.has_ended = True
            raise result
        yield result

    def profile(self, name: str, *_: object, size: int = 0) -> FileProfile:
        return FileProfile(name=name, size=1, tables=(TableProfile(variable="sales", rows=1, columns=(), recipe="r"),))

    def remove(self) -> None:
        assert self.may_remove.wait(20)
        super().remove()


class Session:
    """A sandbox whose boxes follow one script; ``codes`` is all that ran."""

    def __init__(self, *results: ExecutionResult | ConnectionLost) -> None:
        self.codes: list[str] = []
        self.boxes: list[ScriptedBox] = []
        self.files: dict[str, Path] = {}
        """What the last box was started with."""
        self.failure: SandboxError | None = None
        """What the next starts end in."""
        self._results = list(results)
        self.sandbox = SessionSandbox(self._start)

    def _start(self, files: Mapping[str, Path]) -> ScriptedBox:
        if self.failure:
            raise self.failure
        self.files = dict(files)
        self.boxes.append(ScriptedBox(self._results, self.codes))
        return self.boxes[-1]

    def run(self, code: str) -> ExecutionResult:
        *_, result = self.sandbox.execute(code)
        assert isinstance(result, ExecutionResult)
        return result

    @property
    def has_lost(self) -> bool:
        return self.sandbox.status.lost_variables


def told(result: ExecutionResult) -> list[str]:
    return [str(notice) for notice in result.notices]


def test_a_box_that_ended_takes_the_variables_with_it_until_the_next_cell_has_said_so() -> None:
    session = Session()
    assert not session.has_lost
    session.run("x = 1")
    assert not session.has_lost
    session.boxes[0].has_ended = True
    assert session.has_lost
    session.sandbox.profile("sales.csv")
    assert (len(session.boxes), session.has_lost) == (2, True)
    session.boxes[1].has_ended = True
    result = session.run("1")
    assert (told(result), result.lost_before, len(session.boxes)) == ([REPLACED], True, 3)
    assert not session.has_lost
    assert not session.run("1").lost_before


def test_a_box_in_which_nothing_ran_has_nothing_to_lose() -> None:
    session = Session()
    session.sandbox.profile("sales.csv")
    session.boxes[0].has_ended = True
    assert not session.has_lost
    result = session.run("1")
    assert (result.notices, result.lost_before) == ((), False)


def test_after_a_restart_nothing_counts_as_lost() -> None:
    session = Session()
    session.run("x = 1")
    session.boxes[0].has_ended = True
    session.sandbox.restart()
    assert not session.has_lost
    result = session.run("1")
    assert (result.notices, result.lost_before) == ((), False)


def test_python_that_ended_unseen_is_told_with_the_cell_also_when_a_table_is_loaded_before_it() -> None:
    session = Session(ExecutionResult(), ENDED_BEFORE)
    session.sandbox.profile("sales.csv")
    session.run("x = 1")
    result = session.run("sales")
    assert (told(result), result.lost_before) == ([LOST_BEFORE], True)
    loads = len(session.codes)
    assert not session.run("sales").lost_before
    assert "import pandas as pd\nr" not in session.codes[loads:]


def test_variables_lost_while_a_table_is_loaded_are_told_with_the_cell() -> None:
    for loss in (ExecutionResult(error="Killed", state_lost=StateLoss.MEMORY), ConnectionLost("Gone. Try again.")):
        session = Session(ExecutionResult(), loss)
        session.sandbox.profile("sales.csv")
        session.run("x = 1")
        result = session.run("sales")
        assert result.lost_before
        assert [text.startswith("Loading sales ended Python") for text in told(result)] == [True]
        assert not session.has_lost


def test_the_result_of_a_cell_does_not_wait_for_the_removal_of_its_box_but_closing_does() -> None:
    session = Session(ExecutionResult(), ConnectionLost("Gone. Try again."))
    session.run("1")
    box = session.boxes[0]
    box.may_remove.clear()
    assert session.run("2").state_lost is StateLoss.CONTAINER_GONE
    assert session.run("3").ok
    closing = threading.Thread(target=session.sandbox.close)
    closing.start()
    wait_until(lambda: session.boxes[1].is_removed)
    assert closing.is_alive()
    box.may_remove.set()
    closing.join()
    assert box.is_removed


def test_a_stop_of_the_wait_for_the_box_after_one_that_loading_ended_is_no_failure() -> None:
    session = Session(ConnectionLost("Gone. Try again."))
    session.sandbox.profile("sales.csv")
    session.failure = StoppedWaiting("The wait for a sandbox was stopped. Ask again.")
    result = session.run("sales")
    assert (result.interrupted, result.error) == (True, "Stopped before the code began.")
    session.failure = None
    assert session.run("1").ok


def test_tables_that_a_stop_left_out_are_loaded_with_the_next_cell(tmp_path: Path) -> None:
    class Stop(SandboxObserver):
        def executed(self, execution: Execution) -> None:
            if execution.number == 1:
                session.sandbox._held.stop_asked.set()

    session = Session()
    session.sandbox = SessionSandbox(session._start, observers=(Stop(),))
    (tmp_path / "1").write_bytes(b"")
    tables = tuple(TableProfile(variable=name, rows=1, columns=(), recipe=f"{name} = 1") for name in ("a", "b"))
    session.sandbox.put_known_file(FileProfile(name="1", size=0, tables=tables), tmp_path / "1")
    assert session.run("a + b").interrupted
    assert session.run("a + b").ok
    assert [code.rpartition("\n")[2] for code in session.codes] == ["a = 1", "b = 1", "a + b"]


def test_a_file_that_an_earlier_sandbox_looked_into_is_there_with_its_variables_and_is_not_read_anew(
    tmp_path: Path,
) -> None:
    source = tmp_path / "1"
    source.write_bytes(b"a\n1\n")
    session = Session()
    profile = FileProfile(
        name="sales.csv", size=4, tables=(TableProfile(variable="sales", rows=1, columns=(), recipe="sales = read()"),)
    )
    session.sandbox.put_known_file(profile, source)
    assert session.boxes == []
    assert session.run("sales.sum()").ok
    assert session.codes[0].endswith("sales = read()")
    assert session.codes[-1] == "sales.sum()"
    assert session.files == {"sales.csv": source}


def test_of_a_box_that_runs_the_listed_libraries_are_told_that_it_really_has() -> None:
    session = Session()
    before = dict(session.sandbox.status.packages)
    assert (before["pandas"], "numpy" in before) == ("3.1.1", True)
    session.run("1")
    assert session.sandbox.status.packages == (("pandas", "2.9"), ("scikit-learn", "1.0"))
    session.sandbox.close()
