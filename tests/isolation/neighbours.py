"""What one session has of another: its time, its memory, its queues and its files."""

import tempfile
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import cast

from tests.isolation.properties import Bench, Probe, Property, result_of, says, seen

_HOGS = {
    "processes that spin": """
import os
for _ in range(8):
    if os.fork() == 0:
        while True: pass
print('begun', flush=True)
while True: pass
""",
    "a fork bomb": """
import os, time
print('begun', flush=True)
while True:
    try:
        if os.fork() == 0: time.sleep(0.05); os._exit(0)
    except OSError: pass
""",
    "a flood of text": "print('begun', flush=True)\nwhile True: print('A' * 1000)",
    "code that takes all memory": """
print('begun', flush=True)
import os
while True:
    if os.fork() == 0:
        blocks = []
        while True: blocks.append(bytearray(1 << 20))
    os.wait()
""",
}
_HOLD = """
import ctypes, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
open('/dev/shm/secret', 'w').write('x')
shared = libc.shmget(4711, 4096, 0o1666)
name = socket.socket(socket.AF_UNIX); name.bind(b'\\0secret'); name.listen()
queue = libc.mq_open(b'/secret', os.O_CREAT | os.O_RDWR, 0o666, None)
watches = []
while len(watches) < 300 and (watch := libc.inotify_init1(0)) >= 0: watches.append(watch)
pipes = [os.pipe() for _ in range(20)]
for pipe in pipes:
    try: fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, 1 << 20)
    except OSError: pass
"""
_LOOK = """
import ctypes, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
print(os.listdir('/dev/shm'), libc.shmget(4711, 4096, 0o666), libc.mq_open(b'/secret', os.O_RDWR))
try: socket.socket(socket.AF_UNIX).connect(b'\\0secret'); print('connected')
except OSError as error: print(error.strerror)
"""
_TAKE = """
import ctypes, fcntl, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.inotify_init1(0) >= 0, fcntl.fcntl(os.pipe()[1], fcntl.F_GETPIPE_SZ))
"""
_LEAVE = """
import os
os.environ['LEFT'] = 'CANARY'
for folder in '/tmp', '/outputs', '/dev/shm': open(f'{folder}/left', 'w').write('CANARY')
print(os.getuid())
"""
_FIND = """
import glob, os
print([path for folder in ('/tmp', '/outputs', '/dev/shm', '/data') for path in glob.glob(f'{folder}/left')],
      os.environ.get('LEFT'))
"""


def _beside(hog: str) -> Probe:
    """What a neighbour's cell says within its time while that code runs."""

    def probe(bench: Bench) -> str:
        result_of(bench.neighbour, "import pandas as pd")
        with closing(cast("Generator[object, None, None]", bench.sandbox.execute(hog, 60))) as events:
            next(events)
            return seen(result_of(bench.neighbour, "print(pd.Series(range(1000)).sum())", 5))

    return probe


def _seen_beside(hold: str, look: str) -> Probe:
    """What a neighbour's cell prints while that code's variables live."""

    def probe(bench: Bench) -> str:
        held = result_of(bench.sandbox, hold)
        result = result_of(bench.neighbour, look)
        bench.sandbox.restart()
        return f"{held.error or ''}{result.stdout}{result.error or ''}"

    return probe


def _same_name(bench: Bench) -> str:
    """What each of two sessions reads in a file of one name."""
    texts = []
    with tempfile.TemporaryDirectory() as folder:
        for sandbox, text in (bench.sandbox, "first"), (bench.neighbour, "second"):
            source = Path(folder, text)
            source.write_text(text)
            sandbox.put_file("same.csv", source)
        for sandbox in (bench.sandbox, bench.neighbour):
            texts.append(result_of(sandbox, "print(open('/data/same.csv').read())").stdout.strip())
            sandbox.remove_file("same.csv")
    return " ".join(texts)


def _left_by_another(bench: Bench) -> str:
    with bench.another() as first:
        result_of(first, _LEAVE)
    with bench.another() as second:
        return result_of(second, _FIND).stdout


NEIGHBOURS = (
    *(Property(f"a neighbour of {name} is answered", _beside(code), says("499500")) for name, code in _HOGS.items()),
    Property(
        "queues, sockets and shared memory are the session's own",
        _seen_beside(_HOLD, _LOOK),
        says("[] -1 -1\nConnection refused"),
    ),
    Property(
        "what the kernel counts for each user is the session's own",
        _seen_beside(_HOLD, _TAKE),
        says("True 65536"),
        gaps={"podman-rootless": "the kernel counts all users of one person's Podman as that person, too"},
    ),
    Property("two files of one name stay apart", _same_name, says("first second")),
    Property("a new session finds nothing of one before it", _left_by_another, says("[] None")),
)
