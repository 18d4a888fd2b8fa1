"""What code can use up; the next cell works after each."""

from sandbox.sandbox import ExecutionResult, OutputText, StateLoss
from tests.isolation.absurdities import ABSURDITIES
from tests.isolation.properties import Bench, Property, holds_all, result_of, says, seen

_FULL = """
blocks = bytearray(400 << 20)
for folder in '/tmp', '/outputs', '/dev/shm':
    try:
        with open(f'{folder}/full', 'wb') as file:
            while True: file.write(bytes(1 << 20))
    except OSError: pass
import os, time
try:
    for _ in range(500):
        if os.fork() == 0: time.sleep(60); os._exit(0)
except OSError: pass
print('full', flush=True)
while True: time.sleep(1)
"""


def _ended_when_all_is_used_up(bench: Bench) -> str:
    """What a stop tells when memory, folders and processes are used up at once; the next cell and a restart follow."""
    with bench.another() as sandbox:
        for result in sandbox.execute(_FULL, 60):
            if isinstance(result, OutputText):
                sandbox.interrupt()
        assert isinstance(result, ExecutionResult)
        # On a busy machine the host may not wait until a hundred processes have ended.
        was_replaced = result.state_lost is StateLoss.CONTAINER_GONE
        told = ["replaced" if was_replaced else "stopped" if result.interrupted else seen(result)]
        listed = "import os\nprint(*(name for f in ('/tmp', '/outputs') for name in os.listdir(f) if name == 'full'))"
        told.append(result_of(sandbox, listed).stdout.strip())
        sandbox.restart()
        told.append(result_of(sandbox, listed).stdout.strip())
    return ", ".join(told)


def _ends_told_apart(bench: Bench) -> str:
    """How many different things are told of three ends that the kernel reports alike."""
    codes = {"block = bytearray(4 << 30)": 20, "import os; os.kill(os.getpid(), 9)": 20, "sum(range(10**12))": 0.5}
    return str(len({bench.seen(code, seconds) for code, seconds in codes.items()}))


EXHAUSTION = (
    Property(
        "too much memory ends in words",
        "block = bytearray(4 << 30)",
        lambda text: "memory" in text.lower(),
    ),
    Property("want of memory, a kill and a time-out are told apart", _ends_told_apart, says("3")),
    Property(
        "a sandbox in which all is used up can be stopped, used and begun anew",
        _ended_when_all_is_used_up,
        lambda text: text.strip() in ("stopped, full full,", "replaced, ,"),
    ),
    Property(
        "more processes get no more processor time",
        """
import os, time
began = time.monotonic()
for _ in range(4):
    if os.fork() == 0:
        while time.monotonic() < began + 2: pass
        os._exit(0)
for _ in range(4): os.wait()
used, passed = os.times(), time.monotonic() - began
print(used.children_user + used.children_system < 1.2 * passed)
""",
        says("True"),
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
for file in held: os.close(file)
""",
        lambda text: "refused" in text or "memory" in text.lower(),
    ),
    Property(
        "too little shared memory is a crash that is told",
        """
from multiprocessing.shared_memory import SharedMemory
block = SharedMemory(create=True, size=48 << 20)
block.buf[:] = bytes(48 << 20)
""",
        holds_all("crashed", "SIGBUS"),
    ),
    Property(
        "too many files to hand back are counted, and that is told",
        """
for number in range(10_000): open(f'/outputs/{number}.txt', 'w').close()
""",
        holds_all("more files were left in the sandbox"),
    ),
    *ABSURDITIES,
)
