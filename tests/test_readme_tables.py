"""Both READMEs name every setting with its true default, and hold the same examples and pictures."""

import re
from pathlib import Path

import pytest

from settings import settings_table

ROOT = Path(__file__).resolve().parents[1]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]
ROW = re.compile(r"^\| `(?P<name>[A-Z_]+)` \| (?:`(?P<default>[^`]*)`)? ?\|", re.M)


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_every_setting_stands_in_the_readme_with_its_default(readme: Path) -> None:
    rows = {row["name"]: row["default"] or "" for row in ROW.finditer(readme.read_text(encoding="utf-8"))}
    assert list(rows) == [setting.name for setting in settings_table()]
    for setting in settings_table():
        if setting.name != "ALLOWED_FOLDERS":  # its default is said in words
            assert rows[setting.name] == setting.default


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.name)
def test_every_file_that_a_readme_names_is_there(readme: Path) -> None:
    text = readme.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_both_readmes_say_the_same_commands() -> None:
    blocks = [re.findall(r"```(?:sh|python)\n(.*?)```", path.read_text(encoding="utf-8"), re.S) for path in READMES]
    english, chinese = ([_commands(block) for block in each] for each in blocks)
    assert english == chinese


def _commands(block: str) -> list[str]:
    """The lines without their comments and without quoted words, which are in the reader's language."""
    return [re.sub(r'"[^"]*"', '""', line.split(" #")[0]).rstrip() for line in block.splitlines()]
