"""Properties of what code can use up, and of what it can make the host believe; the next cell works after each."""

from tests.isolation.properties import Property, holds_all, says

EXHAUSTION = (
    Property(
        "too much memory ends in words",
        "block = bytearray(4 << 30)",
        lambda text: "memory" in text.lower(),
    ),
    Property(
        "full folders are an error of the code",
        """
for folder in '/tmp', '/outputs', '/dev/shm':
    try:
        with open(f'{folder}/fill', 'wb') as file:
            while True: file.write(bytes(1 << 20))
    except OSError as error: print(error.strerror)
print('A' * 1_000_000)
import os
for folder in '/tmp', '/outputs', '/dev/shm': os.remove(f'{folder}/fill')
""",
        lambda text: text.startswith("No space left on device\n" * 3 + "AAAA"),
    ),
    Property(
        "empty files are counted",
        """
import os, shutil
os.mkdir('/tmp/many')
try:
    for made in range(40_000): os.close(os.open(f'/tmp/many/{made}', os.O_CREAT))
except OSError as error: print(error.errno)
shutil.rmtree('/tmp/many')
""",
        says("28"),
        gaps={
            "bubblewrap": "bubblewrap cannot limit the number of files; their memory counts in the control group",
            "podman": "Podman cannot limit the number of files; their memory counts in the container",
            "runsc": "gVisor does not limit the number of files; their memory counts in the container",
        },
    ),
    Property(
        "no file beyond the largest size, not even an empty one",
        "try: open('/outputs/x.bin', 'wb').truncate(10 << 30)\nexcept OSError as error: print(error.errno)\n"
        "import os; os.remove('/outputs/x.bin')",
        says("27"),
        gaps={"runsc": "gVisor lets an empty file be as large as it likes; the reader refuses it by its size"},
    ),
    Property(
        "a fork bomb is stopped",
        """
import os, time
try:
    for _ in range(500):
        if os.fork() == 0: time.sleep(60); os._exit(0)
    print('all')
except OSError as error: print(type(error).__name__)
""",
        says("BlockingIOError"),
        gaps={
            "runsc": "gVisor counts no processes; beyond the limit of the host it ends, and a new one takes its place"
        },
        timeout=20,
    ),
    Property(
        "threads are counted",
        "import threading, time\nfor _ in range(2000): threading.Thread(target=time.sleep, args=(3,)).start()",
        lambda text: "can't start new thread" in text,
        gaps={"runsc": "gVisor counts no threads"},
        timeout=20,
    ),
    Property(
        "open files are counted",
        "import os\nfiles = []\ntry:\n    while True: files.append(os.open('/dev/null', 0))\n"
        "except OSError as error: print(error.errno, len(files) < 1100)\nfor file in files: os.close(file)",
        says("24 True"),
    ),
    Property(
        "a loop in C is ended",
        "sum(range(10**12))",
        lambda text: "longer than 1 s" in text or "stopped after 1 s" in text,
        timeout=1,
    ),
    Property(
        "code that ignores every signal is ended",
        """
import signal, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: time.sleep(1)
""",
        lambda text: "longer than 1 s" in text,
        timeout=1,
    ),
    Property(
        "a flood of text is cut",
        "while True: print('A' * 1000)",
        lambda text: len(text) < 150_000 and "left out" in text,
        timeout=1,
    ),
    Property(
        "one endless line is cut",
        "import sys\nsys.stdout.write('A' * 30_000_000)\nNone",
        lambda text: len(text) < 150_000 and "left out" in text,
        timeout=20,
    ),
    Property(
        "memory without a name counts too",
        """
import os, mmap
held = []
try:
    for _ in range(4000):
        file = os.memfd_create('x')
        held.append(file)
        os.write(file, bytes(1 << 20))
except (OSError, MemoryError) as error: print('refused')
""",
        lambda text: "refused" in text or "memory" in text.lower(),
    ),
)

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
)
