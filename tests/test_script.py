"""The script of an analysis runs outside of the sandbox, on the same tables under the same names."""

import io
import json
import subprocess
import zipfile
from pathlib import Path

from agents.events import CallFinished, CallStarted, Event
from analysis.export import outputs_zip
from analysis.record import Entry, FileAdded, FileRemoved, QuestionAsked
from analysis.script import script_of
from sandbox.received import profile_of
from sandbox.sandbox import FileProfile
from tests.inside_fixtures import sandbox_python
from tests.table_fixtures import TableReader, look_at

__all__ = ["look_at"]
SALES = "Größe;Betrag;Tag\n007;1.844,92;01.02.2024\n08;k. A.;13.02.2024\n"


def profile(look_at: TableReader, folder: Path, name: str, content: str) -> FileProfile:
    """As the sandbox gives it: the file lies in /data."""
    (folder / "data").mkdir(exist_ok=True)
    path = folder / "data" / name
    path.write_text(content, encoding="cp1252")
    inside = json.dumps(look_at(path).profile).replace(str(folder / "data"), "/data")
    return profile_of(inside.encode(), name)


def cell(number: int, code: str, *, ok: bool = True) -> list[Event]:
    return [CallStarted(f"c{number}", "execute_python_code", code), CallFinished(call_id=f"c{number}", ok=ok)]


def run(script: str, folder: Path) -> str:
    (folder / "analysis.py").write_text(script, encoding="utf-8")
    command = [sandbox_python(), "-W", "error", "analysis.py"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=True).stdout


def test_the_script_gives_what_the_analysis_gave(look_at: TableReader, tmp_path: Path) -> None:
    entries: list[Entry] = [
        FileAdded(profile(look_at, tmp_path, "Umsätze.csv", SALES)),
        QuestionAsked("How much?"),
        *cell(1, "total = umsätze.Betrag.sum()\nprint(total, df.Tag.dt.month.tolist())"),
        *cell(2, "1 / 0", ok=False),
        FileAdded(profile(look_at, tmp_path, "b.csv", "id,n\n1,2\n")),
        *cell(3, "```python\nprint(b.n.sum() + total, open('/data/b.csv').read()[:2])\n```"),
        *cell(4, "open('/outputs/made.txt', 'w').write('x')\ndisplay(umsätze['Größe'].tolist())"),
        FileRemoved("Umsätze.csv"),
        *cell(5, "await something()\n%%bash\nls"),
    ]
    printed = run(script_of(entries), tmp_path).splitlines()
    assert printed == ["1844.92 [2, 2]", "1846.92 id", "['007', '08']"]
    assert (tmp_path / "outputs" / "made.txt").read_text() == "x"


def test_without_code_there_is_no_script() -> None:
    assert script_of([QuestionAsked("Hello?"), *cell(1, "1 / 0", ok=False)]) == ""


def test_the_zip_holds_the_script_under_a_free_name() -> None:
    content = outputs_zip([], "print(1)\n")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read("analysis.py") == b"print(1)\n"
