"""What leaves this machine: with no sample rows no cell of a file is in any request that the app puts together."""

import json
from pathlib import Path

import pytest

from analysis.analysis import Analysis, ModelChoice
from analysis.sample import SAMPLE_DICTIONARY, SAMPLE_FILE
from sandbox.inside.frames import encode_json
from sandbox.received import Malformed, profile_of
from sandbox.sandbox import ExecutionResult, FileProfile
from settings import Settings
from tests.chat_server import ChatServer, calls, says
from tests.fake_sandbox import FakeSandbox
from tests.table_fixtures import TableReader, look_at
from tools.file_context import dictionary_context, file_context

__all__ = ["look_at"]
TOLD = "wohnort;betrag;wann;ware\nXanten;4711,5;31.12.2019;Zwieback\nYsop;n.v.;30.12.2019;Quark\nTotal;4711,5;;\n"
CELLS = ("Xanten", "Ysop", "4711", "2019", "Zwieback", "Quark", "n.v.", "Total")


def profile_for(look_at: TableReader, path: Path, sample_rows: int) -> FileProfile:
    """As it reaches the host."""
    return profile_of(encode_json(look_at(path, sample_rows=sample_rows).profile).encode(), path.name)


@pytest.fixture(autouse=True)
def own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(("rows", "leaves"), [(0, False), (5, True)])
def test_only_with_sample_rows_do_cells_leave(rows: int, leaves: bool, look_at: TableReader, tmp_path: Path) -> None:
    path = tmp_path / "ware.csv"
    path.write_text(TOLD)
    failed = ExecutionResult(error="KeyError: 'town'")
    sandbox = FakeSandbox(failed, ExecutionResult(stdout="done"))
    sandbox.profiles["ware.csv"] = profile_for(look_at, path, rows)
    with ChatServer(calls("ware['town']"), calls("print('done')"), says("Done.")) as server:
        analysis = Analysis(
            sandbox=sandbox,
            choice=ModelChoice(model="gpt-4.1", api_key="k", base_url=server.url),
            settings=Settings(sample_rows=rows),
        )
        analysis.add_file("ware.csv", path)
        analysis.set_dictionary("betrag: 0 to 100")
        list(analysis.ask("What is in it?").events())
        analysis.close()
    sent = json.dumps(server.requests, ensure_ascii=False)
    assert len(server.requests) == 3
    assert "wohnort" in sent
    assert [cell for cell in CELLS if cell in sent] == (list(CELLS) if leaves else [])


@pytest.mark.parametrize(
    ("name", "content", "is_shown"),
    [
        ("a.csv", "n,x\n1,k. A.\n2,3\n", False),
        ("a.csv", "n,tag\n1,3. März 2024\n2,4. März 2024\n", False),
        ("a.json", '[{"tag": "3. März 2024"}, {"tag": "4. März 2024"}]', False),
        ("a.csv", "regex=True,nullif(na_values)\n1,2\n3,4\n", True),
    ],
)
def test_a_recipe_is_held_back_when_it_has_cells_in_it_whatever_the_columns_are_called(
    name: str, content: str, is_shown: bool, look_at: TableReader, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    told = file_context(profile_for(look_at, path, 0), 0)
    assert ("pd." in told, "it names cells of the file" in told) == (is_shown, not is_shown)
    assert not any(cell in told for cell in ("k. A.", "März"))


def test_a_profile_that_does_not_say_what_its_recipe_holds_is_none(look_at: TableReader) -> None:
    profile = look_at(SAMPLE_FILE).profile
    del profile["tables"][0]["names_cells"]
    with pytest.raises(Malformed):
        profile_of(encode_json(profile).encode(), "a.csv")


def test_the_sample_is_told_in_few_words(look_at: TableReader) -> None:
    """A token of English and numbers is about three and a half characters."""
    told = file_context(profile_for(look_at, SAMPLE_FILE, 5))
    assert len(told) / 3.5 < 900
    assert len(dictionary_context(SAMPLE_DICTIONARY["en"].read_text(encoding="utf-8"))) / 3.5 < 400
