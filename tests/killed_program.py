"""A program with five sessions that compute, each in a way of its own that is hard to end, for tests that kill it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from tests.inside_fixtures import ROOT

FIVE_CELLS = (
    "while True: pass",
    "import signal, time\nfor n in signal.valid_signals() - {9, 19}: signal.signal(n, signal.SIG_IGN)\n"
    "while True: time.sleep(100)",
    "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "import os, time\nfor _ in range(50):\n    if os.fork() == 0: os.setsid(); time.sleep(1000)\nsum(range(10**12))",
    "import sys\nwhile True: sys.stdout.write('x' * 1000)",
)
_PROGRAM = """
import sys, threading
from sandbox.{module} import {sandbox}
from sandbox.instance import INSTANCE_LABEL, instance_labels
begun = threading.Barrier({count} + 1)
def compute(code):
    events = {sandbox}().execute("print('on', flush=True)\\n" + code)
    next(events)
    begun.wait()
    list(events)
for code in {cells!r}:
    threading.Thread(target=compute, args=(code,)).start()
begun.wait()
print(instance_labels()[INSTANCE_LABEL], flush=True)
"""


@contextmanager
def five_computing_sessions(kind: Literal["docker", "bubblewrap"]) -> Iterator[tuple[int, str]]:
    """The number of the process and its name as an instance; it has to be killed within the block."""
    module, sandbox = f"{kind}_sandbox", f"{kind.title()}Sandbox"
    program = _PROGRAM.format(module=module, sandbox=sandbox, cells=FIVE_CELLS, count=len(FIVE_CELLS))
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield process.pid, process.stdout.readline().strip()
