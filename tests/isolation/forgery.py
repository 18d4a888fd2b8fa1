"""What code can make the host believe, and whom it can end: frames, signals, leftovers."""

from tests.isolation.properties import Property, holds_all, says

# Finds the socket over which a worker reports, and says there what it likes.
_REPORT = """
import json, os, socket, struct
def report(content):
    for line in open('/proc/net/unix'):
        if '@sandbox-' in line:
            s = socket.socket(socket.AF_UNIX)
            s.settimeout(2)
            s.connect('\\0' + line.split()[-1][1:])
            try: s.sendall(content); s.recv(1)
            except OSError: pass
def frame(head, payload=b''):
    text = json.dumps(head).encode()
    return struct.pack('>II', len(text), len(payload)) + text + payload
forged = frame({'type': 'done', 'outcome': 'ok', 'lost': 'memory', 'execution': 'x', 'keep': [1]})
"""

FORGERY = (
    Property(
        "forged frames are text",
        """
import json, os, struct
head = json.dumps({'type': 'done', 'outcome': 'ok', 'execution': 'x'}).encode()
os.write(1, struct.pack('>II', len(head), 0) + head)
os.write(2, b'\\x01\\0\\0\\0\\0\\0\\0\\x05EVIL!')
print('end')
""",
        holds_all("done", "end"),
    ),
    Property(
        "no way to the host's stream is open",
        """
import os
open_files = []
for file in range(3, 256):
    try: open_files.append((file, os.fstat(file).st_mode, os.write(file, b'forged')))
    except OSError: pass
print(open_files)
for path, flags in ('/proc/1/fd/1', os.O_WRONLY), ('/proc/1/mem', os.O_RDWR):
    try: print(path, os.write(os.open(path, flags), b'forged'))
    except OSError as error: print('refused')
""",
        says("[]\nrefused\nrefused"),
        gaps={"runsc": "gVisor lets code write to its own session's stream; the host takes nothing from it on trust"},
    ),
    Property(
        "the supervisor's environment cannot be read",
        "try: print(open('/proc/1/environ').read())\nexcept OSError: print('refused')",
        says("refused"),
        gaps={"runsc": "gVisor lets it be read; it holds only the fixed list"},
    ),
    Property(
        "nobody types",
        "import os, sys\nfor read in sys.stdin.read, input:\n    try: read()\n    except EOFError: print('end')\n"
        "os.close(0)",
        says("end\nend"),
    ),
    Property(
        "replaced built-ins last for a cell",
        "import builtins, json, os, sys\nbuiltins.print = builtins.open = builtins.compile = json.dumps = None\n"
        "os.write = None; sys.stdout = None; sys.excepthook = None",
        lambda text: "started anew" not in text,
    ),
    Property("a process that ends itself is told", "import os; os._exit(0)", holds_all("ended the Python process")),
    Property("a crash is told", "import ctypes; ctypes.string_at(0)", holds_all("crashed", "SIGSEGV")),
    Property("an exit is an error of the code", "import sys; sys.exit()", lambda text: "started anew" not in text),
    Property(
        "no signal reaches the supervisor",
        """
import os, signal
kept = 1
for number in signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV:
    try: os.kill(1, number)
    except OSError: pass
print('alive')
""",
        lambda text: text == "alive\n",
        gaps={"runsc": "gVisor lets code end process 1 of its own sandbox; a new one takes its place"},
    ),
    Property(
        "a worker that stops itself is ended",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        holds_all("longer than 1 s"),
        timeout=1,
    ),
    Property(
        "nothing runs on after its cell",
        """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(2); open('/outputs/late.txt', 'w').write('x'); print('late')
    os._exit(0)
print('begun')
""",
        says("begun"),
    ),
    Property(
        "timers and tracers end with their cell",
        "import signal, sys\nsignal.signal(signal.SIGALRM, lambda *_: 1 / 0)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.5, 0.1)\nsys.settrace(lambda *_: None)",
        says(""),
    ),
    Property(
        "text in pieces and broken text arrive",
        "import os\nfor byte in 'é中'.encode(): os.write(1, bytes([byte]))\nos.write(1, b'\\xff!')",
        says("é中\ufffd!"),
    ),
    Property(
        "what ends all other processes ends no session",
        "import os, time; os.kill(-1, 9); time.sleep(2)",
        lambda text: True,
    ),
    Property(
        "a report of another process than the worker is not taken",
        _REPORT + "if os.fork() == 0: report(b'\\0' + forged); os._exit(0)\nos.wait(); print('to the end')",
        says("to the end"),
    ),
    Property(
        "what a worker forges is of its own cell alone",
        _REPORT + "report(b'\\0' + forged + frame({'type': 'file', 'name': '/etc/passwd'}, b'x')); print('on')",
        lambda text: "memory" not in text and "passwd" not in text,
    ),
    Property(
        "nonsense in the place of a report ends no more than its own process",
        _REPORT + "report(b'\\0' + b'\\xff' * 100_000)",
        lambda text: True,
        timeout=3,
    ),
    Property(
        "nobody learns of the host's number for an execution",
        """
import gc, re, sys
texts = [each for each in gc.get_objects() if isinstance(each, dict)]
names = {str(key) for each in texts for key in list(each)} & {'execution', 'timeout_s'}
print(sorted(names), [n for n in sys.modules if n.startswith('sandbox')])
""",
        says("[] []"),
    ),
    Property(
        "control characters do not reach the reader",
        "print('\\x1b]0;title\\x07\\x1b[2J\\x1b[31mred\\x1b[0m\\0\\x08!')",
        says("red!"),
    ),
    Property(
        "the time that a cell took is the host's own",
        "import time\ntime.time = time.monotonic = time.perf_counter = lambda: -5\nprint(time.time())",
        says("-5"),
    ),
)
