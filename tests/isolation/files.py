"""What goes in as a file and what comes out as one: never more than was meant, never another, always as it was."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from sandbox.sandbox import ExecutionResult
from tests.isolation.backends import LIMITS
from tests.isolation.properties import Bench, Probe, Property, holds_all, result_of, says, seen

_LINKS = """
import os, socket
os.symlink('/etc/passwd', 'chart.png'); os.symlink('/proc/1/environ', 'environ.txt')
os.symlink('/dev/zero', 'zero.bin')
os.symlink('/tmp', 'folder'); os.symlink('/', 'all'); os.symlink('loop', 'loop')
os.mkfifo('pipe.png'); os.mkdir('folder.png')
bound = socket.socket(socket.AF_UNIX); bound.bind('socket.png')
deep = '.'
for _ in range(200): deep += '/d'; os.mkdir(deep)
open(deep + '/deep.txt', 'w').close()
open('real.csv', 'w').write('x')
"""
_FLIP = """
import os, threading
flipping = True
def flip():
    while flipping:
        open('new', 'w').write('mine'); os.rename('new', 'flip.txt')
        os.symlink('/etc/passwd', 'link'); os.rename('link', 'flip.txt')
threading.Thread(target=flip).start()
"""
_NAMES = """
import os
names = [b'a\\nb', '\\u202egnp.exe'.encode(), b'-rf', b'CON', b'..hidden', b'\\xff\\xfe', b'x' * 250, b'a\\\\b', b' ']
for name in names: open(b'/outputs/' + name, 'w').close()
"""
_PICTURES = """
open('page.png', 'w').write('<html><script>alert(1)</script></html>')
open('program.png', 'wb').write(b'\\x7fELF' + bytes(100))
open('half.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')
open('huge.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR' + b'\\x7f\\xff\\xff\\xff' * 2 + bytes(50))
open('drawn.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
"""
_GROW = """
import threading
growing = open('growing.txt', 'wb')
growing.write(bytes(8 << 20))
def grow():
    while not growing.closed:
        try: growing.write(bytes(1 << 16)); growing.flush()
        except (OSError, ValueError): return
        if growing.tell() > 10 << 20: growing.seek(0)
threading.Thread(target=grow).start()
"""
_CLEAR = """
import os, shutil
growing = None if 'growing' not in globals() else growing.close()
for entry in list(os.scandir('/outputs')):
    shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)
"""
_CHANGE = """
import os
def tried(attempt):
    try: return attempt()
    except OSError: return 'refused'
print([tried(attempt) for attempt in (
    lambda: open('/data/given.csv', 'a'), lambda: open('/data/new', 'w'), lambda: os.remove('/data/given.csv'),
    lambda: os.chmod('/data/given.csv', 0o777), lambda: os.rename('/data/given.csv', '/data/b.csv'),
    lambda: os.symlink('/etc/passwd', '/data/link'), lambda: os.truncate('/data/given.csv', 0),
)].count('refused'), open('/data/given.csv').read())
"""


def _handed_back(code: str, tell: Callable[[ExecutionResult], object]) -> Probe:
    """What comes of a cell that leaves files, in a folder without any."""

    def probe(bench: Bench) -> str:
        result = result_of(bench.sandbox, code)
        result_of(bench.sandbox, _CLEAR)
        return f"{tell(result)}" if result.error is None else seen(result)

    return probe


def _names(result: ExecutionResult) -> list[str]:
    return sorted(file.name for file in (*result.charts, *result.files))


def _flipped(bench: Bench) -> str:
    """What ever was read while a name was a file of the code's and a link by turns."""
    result_of(bench.sandbox, _FLIP)
    results = [result_of(bench.sandbox, "None") for _ in range(20)]
    result_of(bench.sandbox, "flipping = False")
    return str({file.content for each in results for file in each.files} - {b"mine", b""})


def _sizes(result: ExecutionResult) -> str:
    total = sum(len(file.content) for file in result.files)
    return f"{len(result.files) <= LIMITS.files} {total <= LIMITS.total_bytes} {len(result.notices)}"


def _written_while_read(bench: Bench) -> str:
    """What is told of a file to which a thread of the code's writes on and on; when it does so is up to chance."""
    results = [result_of(bench.sandbox, _GROW)]
    while not results[-1].notices and len(results) < 50:
        results.append(result_of(bench.sandbox, "None"))
    result_of(bench.sandbox, _CLEAR)
    largest = max(len(file.content) for result in results for file in result.files)
    return f"{largest <= 11 << 20} {' '.join(map(str, results[-1].notices))}"


def _there_and_back(bench: Bench) -> str:
    """The names of files that did not come back as they were."""
    contents = {"empty": b"", "one": b"x", "all.bin": bytes(range(256)), "Grüße 中.bin": os.urandom(4 << 20)}
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            source = Path(folder, name)
            source.write_bytes(content)
            stored = bench.sandbox.put_file(name, source)
            result = result_of(
                bench.sandbox, f"import shutil; shutil.copy('/data/{stored}', '/outputs/{stored}'); None"
            )
            if [hashlib.sha256(file.content).digest() for file in result.files] != [hashlib.sha256(content).digest()]:
                wrong.append(name)
            bench.sandbox.remove_file(stored)
    return f"{wrong}"


def _given(names: tuple[str, ...], code: str) -> Probe:
    """What a cell prints in a sandbox that was given a file under each of these names before it started."""

    def probe(bench: Bench) -> str:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "source")
            source.write_text("x = 1\n")
            stored = [bench.sandbox.put_file(name, source) for name in names]
            bench.sandbox.restart()
            told = seen(result_of(bench.sandbox, code))
            for name in stored:
                bench.sandbox.remove_file(name)
            return told

    return probe


FILES = (
    Property(
        "links, pipes, sockets and folders are not handed back",
        _handed_back(_LINKS, _names),
        says("['real.csv']"),
    ),
    Property("a file that becomes a link while it is read shows nothing else", _flipped, says("set()")),
    Property(
        "every name is made harmless",
        _handed_back(
            _NAMES,
            lambda result: [
                name for name in _names(result) if not name.isprintable() or set(name) & set("/\\") or len(name) > 250
            ],
        ),
        says("[]"),
    ),
    Property(
        "only what is a picture is one",
        _handed_back(_PICTURES, lambda result: (result.charts, len(result.files))),
        says("((), 5)"),
    ),
    Property(
        "one file under many names is counted each time",
        _handed_back(
            "import os\nopen('all.bin', 'wb').write(bytes(20 << 20))\n"
            "for number in range(1000): os.link('all.bin', f'{number}.bin')",
            _sizes,
        ),
        lambda text: text.startswith("True True ") and not text.endswith(" 0"),
    ),
    Property(
        "a file that is written while it is read has an end, and that is told",
        _written_while_read,
        holds_all("True", "still being written"),
    ),
    Property("files arrive as they are, in both directions", _there_and_back, says("[]")),
    Property("what was given cannot be changed", _given(("given.csv",), _CHANGE), says("7 x = 1")),
    Property(
        "a file that was given stands in for no library",
        _given(
            ("pandas.py", "sitecustomize.py", "json.py", "../../opt/venv/x.py"),
            "import json, pandas, os\nprint(pandas.DataFrame([1]).shape, json.dumps(1), len(os.listdir('/data')))",
        ),
        says("(1, 1) 1 4"),
    ),
)
