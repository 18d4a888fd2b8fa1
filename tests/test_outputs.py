"""What is taken from the output folder after a cell, and what is not."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.inside.outputs_folder import OutputsFolder
from sandbox.sandbox import ExecutionResult
from tests.inside_fixtures import LIMITS, Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]

PLT = "import matplotlib.pyplot as plt\n"


def names(result: ExecutionResult) -> list[str]:
    assert result.error is None
    return [each.name for each in result.files]


def notices(result: ExecutionResult) -> str:
    return " ".join(map(str, result.notices))


def test_new_and_changed_files_are_handed_back_once(box: Box) -> None:
    write = "open('{}', 'w').write('{}')\n"
    assert names(box.run(write.format("a.csv", 1) + write.format("b.csv", 2))) == ["a.csv", "b.csv"]
    assert names(box.run("x = 1")) == []
    result = box.run(write.format("a.csv", 3))
    assert [(each.name, each.content) for each in result.files] == [("a.csv", b"3")]


def test_the_working_folder_is_the_output_folder(box: Box) -> None:
    assert box.printed("import os; print(os.getcwd())") == f"{box.outputs}\n"


@pytest.mark.parametrize(
    "content", [b"", b"x", bytes(range(256)), os.urandom(16 << 20)], ids=["0", "1", "all", "16 MiB"]
)
def test_files_arrive_as_they_are(box: Box, content: bytes) -> None:
    (box.data / "source").write_bytes(content)
    result = box.run(f"import shutil; shutil.copy({str(box.data / 'source')!r}, 'Grüße 中.bin')")
    (box.data / "source").unlink()
    assert names(result) == ["Grüße 中.bin"]
    assert hashlib.sha256(result.files[0].content).digest() == hashlib.sha256(content).digest()


def test_files_in_folders_get_names_of_their_own(box: Box) -> None:
    code = "import os\nfor d in 'ab': os.makedirs(f'out/{d}'); open(f'out/{d}/x.csv', 'w').write(d)"
    assert sorted(names(box.run(code))) == ["x (2).csv", "x.csv"]


def test_links_pipes_sockets_and_hidden_files_are_left_alone(box: Box) -> None:
    code = """
import os, socket
os.symlink('/etc/passwd', 'chart.png')
os.symlink('/dev/zero', 'zero.bin')
os.symlink('/tmp', 'folder')
os.mkfifo('pipe.png')
socket.socket(socket.AF_UNIX).bind('socket.png')
os.mkdir('folder.png')
os.makedirs('.ipynb_checkpoints')
open('.ipynb_checkpoints/x.csv', 'w').write('x')
open('real.csv', 'w').write('x')
"""
    result = box.run(code)
    assert (result.charts, names(result)) == ((), ["real.csv"])


def test_a_file_that_becomes_a_link_while_it_is_looked_for_is_not_followed(tmp_path: Path) -> None:
    folder = OutputsFolder(str(tmp_path))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.csv").write_text("x")
    assert [found.path for found in folder.changed()] == ["a/x.csv"]
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "a").symlink_to("/etc")
    for path in ("a/passwd", "a/x.csv", "../x", "b/../../x", "", "b", "/etc/passwd"):
        with pytest.raises(OSError):
            folder.open(path)
    assert folder.find("a/passwd") is None
    os.close(folder.open("b/x.csv"))


def test_a_huge_sparse_file_is_not_read(box: Box) -> None:
    result = box.run("open('x.bin', 'wb').truncate(10 << 30)")
    assert names(result) == []
    assert "x.bin was left in the sandbox: it is too large to hand back." in notices(result)


def test_too_many_files_are_counted(box: Box) -> None:
    result = box.run("for i in range(1000): open(f'{i}.txt', 'w').write('x')")
    assert len(result.files) == LIMITS.files
    assert f"{1000 - LIMITS.files} more files were left in the sandbox" in notices(result)


def test_all_files_together_have_a_limit(start_box: StartBox) -> None:
    box = start_box(replace(LIMITS, total_bytes=1_000_000))
    result = box.run("import os\nopen('0', 'wb').write(b'x' * 600_000)\nfor i in range(1, 9): os.link('0', str(i))")
    assert names(result) == ["0"]
    assert "too large to hand back" in notices(result)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.png", "b'<html><script>alert(1)</script></html>'", "file"),
        ("a.png", "b'\\x89PNG\\r\\n\\x1a\\n'", "file"),
        ("a.png", "b'\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR' + b'\\xff' * 20", "file"),
        ("a.svg", "b'<svg onload=\"x\"/>'", "file"),
    ],
)
def test_only_real_pictures_are_charts(box: Box, name: str, content: str, kind: str) -> None:
    result = box.run(f"open({name!r}, 'wb').write({content})")
    assert [(each.name, each.kind) for each in (*result.files, *result.charts)] == [(name, kind)]


def test_a_picture_of_an_earlier_cell_is_not_shown_again(box: Box) -> None:
    save = PLT + "plt.plot([{}, 2]); plt.savefig('chart.png'); plt.close()"
    first, second = box.run(save.format(1)), box.run(save.format(9))
    assert [each.name for each in (*first.charts, *second.charts)] == ["chart.png", "chart.png"]
    assert first.charts[0].content != second.charts[0].content
    assert box.run("plt.close()").charts == ()


def test_names_that_would_trick_a_reader_are_made_plain(box: Box) -> None:
    tricks = ("a\u202egnp.exe", "line\nbreak.csv", "-rf", "CON.txt", b"\xff.csv")
    for name in names(box.run(f"for name in {tricks!r}: open(name, 'w').write('x')")):
        assert name.isprintable()
        assert not name.startswith(("-", "CON."))


def test_a_cell_that_fails_or_crashes_still_hands_its_files_back(box: Box) -> None:
    write = "f = open('part.csv', 'w'); f.write('x'); f.close()\n"
    assert [each.name for each in box.run(write + "1 / 0").files] == ["part.csv"]
    assert [each.name for each in box.run(write + "import os; os._exit(1)").files] == ["part.csv"]
