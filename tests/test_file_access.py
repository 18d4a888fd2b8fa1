"""Only regular files below the allowed folders come in, never through a link, and whoever asks hears why not."""

import os
from pathlib import Path

import pytest

from agents.file_access_agent import FileAccessAgent
from sandbox.sandbox import FileProfile
from tests.fake_sandbox import FakeSandbox
from tests.scripted_model import ScriptedModel, asks, says
from tools.file_access_tool import FileAccessTool, FileRefused
from tools.tool_interface import ToolError
from wording import Sentence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    allowed = tmp_path / "allowed"
    (allowed / "sub").mkdir(parents=True)
    (allowed / "sales.csv").write_bytes(b"a\n1\n2\n")
    (allowed / "sub" / "deep.csv").write_bytes(b"b\n3\n")
    (tmp_path / "secret.csv").write_bytes(b"key\n1\n")
    return allowed


def refusal(tool: FileAccessTool, path: Path | str) -> str:
    with pytest.raises(FileRefused) as caught:
        tool.open(Path(path))
    return str(caught.value)


@pytest.mark.parametrize("written", ["sales.csv", "sub/deep.csv", "./sales.csv"])
def test_a_file_in_an_allowed_folder_comes_in_and_is_profiled(folder: Path, written: str) -> None:
    sandbox = FakeSandbox()
    opened: list[FileProfile] = []
    profile = FileAccessTool(sandbox, [folder], opened=opened.append).open(Path(written))

    name = Path(written).name
    assert sandbox.files == {name: (folder / written).read_bytes()}
    assert (profile.name, profile.tables[0].rows) == (name, 2)
    assert opened == [profile]


def test_an_absolute_path_and_one_from_the_working_directory_are_understood(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = FileAccessTool(FakeSandbox(), [folder])
    assert tool.open(folder / "sales.csv").name == "sales.csv"
    monkeypatch.chdir(folder.parent)
    assert tool.open(Path("allowed/sub/deep.csv")).name == "deep.csv"


def test_the_allowed_folder_itself_may_be_reached_through_a_link(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    assert FileAccessTool(FakeSandbox(), [link]).open(link / "sales.csv").name == "sales.csv"
    assert FileAccessTool(FakeSandbox(), [folder]).open(link / "sales.csv").name == "sales.csv"


@pytest.mark.parametrize(
    "written", ["../secret.csv", "sub/../../secret.csv", "sub/../sales.csv", "/etc/passwd", "missing.csv", "a\0b", ""]
)
def test_a_path_out_of_the_folders_is_refused_and_nothing_is_copied(folder: Path, written: str) -> None:
    sandbox = FakeSandbox()
    told = refusal(FileAccessTool(sandbox, [folder]), written)
    assert "is not in a folder that may be read" in told or "is not a regular file" in told
    assert sandbox.files == {}


def test_links_are_not_followed(folder: Path) -> None:
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "inner.csv").symlink_to(folder / "sales.csv")
    (folder / "out").symlink_to(folder.parent)
    sandbox = FakeSandbox()
    tool = FileAccessTool(sandbox, [folder])
    for written in ("link.csv", "inner.csv", "out/secret.csv", str(folder / "out" / "secret.csv")):
        assert "is not in a folder that may be read" in refusal(tool, written)
    assert sandbox.files == {}


@pytest.mark.parametrize("written", [".env", ".config/table.csv"])
def test_hidden_files_are_not_read(folder: Path, written: str) -> None:
    path = folder / written
    path.parent.mkdir(exist_ok=True)
    path.write_text("a\n1\n")
    sandbox = FakeSandbox()
    with pytest.raises(FileRefused, match="not in a folder that may be read"):
        FileAccessTool(sandbox, [folder]).open(path)
    assert sandbox.files == {}


def test_what_is_no_regular_file_is_refused_without_waiting(folder: Path) -> None:
    os.mkfifo(folder / "pipe.csv")
    tool = FileAccessTool(FakeSandbox(), [folder])
    assert refusal(tool, "pipe.csv") == "pipe.csv is not a regular file. Name a file with a table."
    assert refusal(tool, "sub") == "sub is not a regular file. Name a file with a table."


def test_a_file_over_the_limit_is_refused_with_both_sizes(folder: Path) -> None:
    with (folder / "big.csv").open("wb") as big:
        big.truncate(3_000_001)
    tool = FileAccessTool(FakeSandbox(), [folder], most_bytes=3_000_000)
    assert refusal(tool, "big.csv") == (
        "big.csv has 4 MB, more than the limit of 3 MB. Use a smaller file, or raise the limit in the settings."
    )


def test_a_file_that_is_swapped_while_it_is_copied_does_not_stay(folder: Path) -> None:
    class SwappingSandbox(FakeSandbox):
        def put_file(self, name: str, source: Path) -> str:
            source.unlink()
            source.symlink_to(folder.parent / "secret.csv")
            return super().put_file(name, source)

    sandbox = SwappingSandbox()
    assert "changed while it was read" in refusal(FileAccessTool(sandbox, [folder]), "sales.csv")
    assert sandbox.files == {}


def test_a_file_without_a_table_stays_as_it_is_and_its_true_size_is_told(folder: Path) -> None:
    sandbox = FakeSandbox()
    problem = Sentence("{name} is a picture. Choose another file.", {"name": "sales.csv"})
    sandbox.profiles["sales.csv"] = FileProfile(name="sales.csv", size=0, problem=problem)
    profile = FileAccessTool(sandbox, [folder]).open(Path("sales.csv"))
    assert profile == FileProfile(name="sales.csv", size=6, problem=problem)
    assert sandbox.files == {"sales.csv": b"a\n1\n2\n"}


def test_the_page_can_give_the_file_another_name(folder: Path) -> None:
    sandbox = FakeSandbox()
    assert FileAccessTool(sandbox, [folder]).open(folder / "sales.csv", "Umsätze.csv").name == "Umsätze.csv"
    assert list(sandbox.files) == ["Umsätze.csv"]


def test_a_refusal_is_told_to_the_model_as_its_mistake(folder: Path) -> None:
    with pytest.raises(ToolError, match="Files may be read from"):
        FileAccessTool(FakeSandbox(), [folder]).run({"path": "/etc/passwd"})


def test_the_agent_opens_the_file_that_a_message_names(folder: Path) -> None:
    sandbox = FakeSandbox()
    model = ScriptedModel(asks(("open_data_file", {"path": "sales.csv"})), says("sales.csv holds 2 rows."))
    agent = FileAccessAgent(model, [FileAccessTool(sandbox, [folder])])

    assert agent.task("Look into sales.csv") == "sales.csv holds 2 rows."
    assert list(sandbox.files) == ["sales.csv"]
    told = model.requests[1].messages[-1]
    assert told.role == "tool"
    assert "'a': integer, 2 different, 1 to 2" in told.text
