"""Values, figures and archives that nobody can mean; each ends in words, and none ends the app."""

import hashlib
import io
import resource
import tempfile
import zipfile
import zlib
from pathlib import Path

from tests.isolation.properties import Bench, Property, result_of, says

_WHOLE = 10 << 30
"""What a bomb would be when it is unpacked."""
_MOST_GROWTH_MB = 100
_BOOK = Path(__file__).resolve().parent.parent / "tables" / "below_a_title.xlsx"
_CODES = (
    "import matplotlib.pyplot as plt; plt.figure(figsize=(2000, 2000), dpi=300).savefig('/outputs/a.png')",
    "plt.close('all'); plt.figure(figsize=(1e6, 1e6)); plt.plot([1, 2]); plt.show()",
    "plt.close('all'); plt.plot(range(10**9))",
    "plt.close('all'); plt.title('A' * 10**6); plt.plot([1, 2]); None",
    "plt.close('all')\nfor _ in range(100): plt.figure()",
    "plt.close('all')\nimport numpy as np, pandas as pd\npd.DataFrame(np.zeros((1, 10**7)))",
    "pd.DataFrame([[0] * 5], columns=['A' * 10**6] * 5)",
    "pd.DataFrame({'a': [float('nan'), float('inf'), 10**400, 1j, object(), b'\\xff', '\\ud800', '\\0']})",
    "nested = []\nfor _ in range(100_000): nested = [nested]\nnested",
    "from IPython.display import JSON, display\ndisplay(JSON(nested))",
    "pd.DataFrame({'a': [nested]})",
    "del nested\n10 ** 10 ** 5",
    "'A' * 200_000_000",
    "class Refuses:\n    def __repr__(self): raise SystemExit\nRefuses()",
    "class Endless:\n    def __repr__(self): return repr(self)\nEndless()",
    "import plotly.graph_objects as go; go.Figure(go.Scatter(y=np.zeros(5_000_000)))",
    "np.zeros(10**13)",
    "raise Exception('A' * 50_000_000)",
    "import sys; sys.setrecursionlimit(10**9)\ndef call(): call()\ncall()",
    "eval('(' * 100_000)",
    "eval('-' * 1_000_000 + '1')",
    "import base64; print(base64.b64encode(bytes(50_000_000)))",
    "display(*range(100_000))",
)


def _without_words(bench: Bench) -> str:
    """The codes that are neither told of nor shown, and those after which nothing works."""
    bad = []
    for code in _CODES:
        result = result_of(bench.sandbox, code, 3)
        after = result_of(bench.sandbox, "6 * 7")
        if result.error == "" or result.error == "The code failed." or after.value != "42":
            bad.append(f"{code[:60]!r}: {result.error!r}, then {after.error!r}")
    return "\n".join(bad) or "none"


def _deflated(before: bytes, repeated: bytes) -> bytes:
    """What unpacks to ``before`` and then ``repeated`` until it is many gigabytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = packer.compress(before) + packer.flush(zlib.Z_FULL_FLUSH)
    times = (1 << 20) // len(repeated)
    block = packer.compress(repeated * times) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + block * (_WHOLE // (times * len(repeated))) + packer.flush()


def _zipped(name: str, packed: bytes, others: dict[str, bytes], size: int) -> bytes:
    """An archive whose last file is packed already, and says that it unpacks to ``size`` bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for other, content in others.items():
            archive.writestr(other, content)
        archive.writestr(name, packed)
        begin = archive.getinfo(name).header_offset
    data = bytearray(file.getvalue())
    for start in (begin + 8, data.rindex(b"PK\x01\x02") + 10):
        data[start : start + 2] = zipfile.ZIP_DEFLATED.to_bytes(2, "little")
        data[start + 14 : start + 18] = size.to_bytes(4, "little")
    return bytes(data)


def _bombs() -> dict[str, bytes]:
    lines = _deflated(b"a,b\n", b"1,2\n")
    with zipfile.ZipFile(_BOOK) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = next(name for name in parts if name.startswith("xl/worksheets/sheet"))
    head = parts.pop(sheet).partition(b"<sheetData>")[0] + b"<sheetData>"
    rows = _deflated(head, b'<row><c t="inlineStr"><is><t>x</t></is></c></row>')
    return {
        "bomb.zip": _zipped("bomb.csv", lines, {}, 0xFFFFFFFE),
        "bomb.csv.gz": b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + lines + bytes(8),
        "bomb.xlsx": _zipped(sheet, rows, parts, 0xFFFFFFFE),
        "lying.xlsx": _zipped(sheet, rows, parts, 1000),
    }


def _told_of_bombs(bench: Bench) -> str:
    """What is said of each when it is added, and how much the app has grown."""
    told = []
    with tempfile.TemporaryDirectory() as folder, bench.another() as sandbox:
        for name, content in _bombs().items():
            Path(folder, name).write_bytes(content)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for source in sorted(Path(folder).iterdir()):
            told.append(str(sandbox.profile(sandbox.put_file(source.name, source)).problem))
            told.append(result_of(sandbox, "print(6 * 7)").stdout)
        copied = result_of(sandbox, "import shutil; shutil.copy('/data/bomb.zip', '/outputs/bomb.zip'); None").files
        is_whole = [hashlib.sha256(file.content).digest() for file in copied] == [
            hashlib.sha256(Path(folder, "bomb.zip").read_bytes()).digest()
        ]
        unpack = "import zipfile; zipfile.ZipFile('/data/bomb.zip').extractall('/tmp')"
        end = "no" if "No space left on device" in str(result_of(sandbox, unpack).error) else "too much"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    return f"{told} {end} free space {is_whole} {grown < _MOST_GROWTH_MB or grown}"


ABSURDITIES = (
    Property("a value or a figure that nobody can mean ends in words", _without_words, says("none")),
    Property(
        "an archive bomb is unpacked nowhere",
        _told_of_bombs,
        lambda text: "None" not in text and text.count("42\\n") == 4 and text.endswith("no free space True True"),
    ),
)
