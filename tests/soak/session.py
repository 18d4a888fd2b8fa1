"""One person's session that does what breaks sandboxes, and knows at each moment what its counter must be."""

import hashlib
import random
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sandbox.sandbox import ExecutionResult, OutputText, SandboxError, StateLoss
from sandbox.session_sandbox import SessionSandbox
from tests.soak.ledger import Ledger

_COUNT = "n = globals().get('n', 0) + 1\nprint(n)"
_ON = "print('on', flush=True)\n"
_STUBBORN = _ON + "import time\nwhile True:\n    try: time.sleep(100)\n    except KeyboardInterrupt: pass"
_FORKS = "import os, time\nfor _ in range(500):\n    if os.fork() == 0: time.sleep(60); os._exit(0)"
_MEMORY = "blocks = []\nwhile True: blocks.append(bytearray(50_000_000))"
_FULL = "try:\n    with open('/outputs/full', 'wb') as file:\n        while True: file.write(bytes(1 << 20))\n"
_FULL += "except OSError as error: print(error.errno)\nimport os; os.remove('/outputs/full')"
_FILE = "import hashlib, os\ncontent = os.urandom({size})\nopen('/outputs/{name}', 'wb').write(content)\n"
_FILE += "print(hashlib.sha256(content).hexdigest())"
_HASH = "import hashlib; print(hashlib.sha256(open('/data/{name}', 'rb').read()).hexdigest())"
_KILLED = "import os; os.kill(os.getpid(), 9)"
_ALL_KILLED = f"import os; os.kill(-1, 9)\n{_KILLED}"
_GONE = "variables of earlier cells"


class SoakSession:
    """Runs in a thread of its own until ``over`` is set. ``kill_box`` ends a sandbox from outside."""

    def __init__(
        self,
        number: int,
        seed: int,
        new_sandbox: Callable[[], SessionSandbox],
        kill_box: Callable[[SessionSandbox], None],
        ledger: Ledger,
        folder: Path,
    ) -> None:
        self._random = random.Random(f"{seed} {number}")
        self._name = f"session {number}"
        self._new_sandbox, self._kill_box = new_sandbox, kill_box
        self._ledger = ledger
        self._file = folder / f"{number}.bin"
        self._sandbox = new_sandbox()
        self._counter = 0
        self._may_be_gone = False
        """Whether this session itself has had its sandbox ended from outside since the last answer."""
        self._acts: dict[str, tuple[Callable[[], object], int]] = {
            "more counting": (lambda: None, 10),
            "uploads": (self._upload, 3),
            "files": (self._make_file, 4),
            "floods": (self._flood, 1),
            "stops": (self._stop, 4),
            "double stops": (self._stop_twice, 1),
            "early leaves": (self._leave, 2),
            "time-outs": (self._time_out, 3),
            "restarts": (self._restart, 2),
            "closed sessions": (self._close, 1),
            "killed containers": (self._lose_container, 2),
            "killed workers": (lambda: self._end_worker(StateLoss.CRASH, _KILLED), 1),
            "processes all killed": (lambda: self._end_worker(StateLoss.CRASH, _ALL_KILLED), 1),
            "ended workers": (lambda: self._end_worker(StateLoss.EXIT, "import os; os._exit(3)"), 1),
            "fork bombs": (lambda: self._run(_FORKS, timeout=5), 1),
            "memory bombs": (lambda: self._run(_MEMORY, timeout=20), 1),
            "full folders": (lambda: self._run(_FULL), 1),
        }

    def live(self, over: threading.Event) -> None:
        """Do one thing after the other, and look after each whether the counter is what it must be."""
        while not over.is_set():
            (kind,) = self._random.choices([*self._acts], [weight for _, weight in self._acts.values()])
            self._ledger.count(kind)
            self._acts[kind][0]()
            self._count()
        self._sandbox.close()

    # What a person does

    def _count(self) -> None:
        result = self._run(_COUNT)
        if result is None or result.state_lost is StateLoss.CONTAINER_GONE:
            return
        if not result.ok:
            self._complain("lost answers", f"the counter gave {result.error} {result.state_lost}")
        elif result.stdout != f"{self._counter + 1}\n":
            self._complain("wrong answers", f"{result.stdout!r} and not {self._counter + 1}")
        self._counter = int(result.stdout) if result.stdout.strip().isdigit() else 0

    def _upload(self) -> None:
        content = self._random.randbytes(self._random.randrange(2_000_000))
        self._file.write_bytes(content)
        began = time.monotonic()
        try:
            name = self._sandbox.put_file("upload.bin", self._file)
            result = self._run(_HASH.format(name=name))
            if result and result.ok:
                self._expect(result.stdout == f"{hashlib.sha256(content).hexdigest()}\n", "an upload is not whole")
            elif result and result.state_lost is None:
                self._complain("lost answers", f"an upload gave {result.error}")
            self._sandbox.remove_file(name)
        except SandboxError as error:
            self._excuse(error, began)

    def _make_file(self) -> None:
        name = f"{self._random.randrange(1000)}.bin"
        result = self._run(_FILE.format(size=self._random.randrange(3_000_000), name=name))
        if result and result.ok:
            hashes = [hashlib.sha256(file.content).hexdigest() for file in result.files if file.name == name]
            self._expect(hashes == [result.stdout.strip()], "a file did not come out as it was made")
        elif result and result.state_lost is None:
            self._complain("lost answers", f"a file gave {result.error}")

    def _stop(self) -> None:
        result = self._run(_ON + "while True: pass", on_text=self._sandbox.interrupt)
        self._expect(result is None or result.interrupted or _is_gone(result), "a stop did not stop")

    def _stop_twice(self) -> None:
        def stop() -> None:
            self._sandbox.interrupt()
            self._sandbox.interrupt()

        result = self._run(_STUBBORN, on_text=stop)
        self._expect(result is None or result.state_lost is not None, "two stops did not kill")

    def _leave(self) -> None:
        began = time.monotonic()
        try:
            with closing(self._sandbox.execute(_ON + "while True: pass")) as events:  # type: ignore[type-var]
                for event in events:
                    if isinstance(event, OutputText):
                        break
                    self._note(event, began)
        except SandboxError as error:
            self._excuse(error, began)

    def _time_out(self) -> None:
        result = self._run("while True: pass", timeout=0.5)
        self._expect(result is None or result.timed_out or _is_gone(result), "no time-out came")

    def _flood(self) -> None:
        result = self._run("for _ in range(300_000): print('x' * 100)")
        self._expect(result is None or _is_gone(result) or 0 < len(result.stdout) < 200_000, "a flood was not cut")

    def _restart(self) -> None:
        self._sandbox.restart()
        self._counter = 0

    # What is done to it

    def _end_worker(self, loss: StateLoss, code: str) -> None:
        result = self._run(code)
        self._expect(result is None or result.state_lost in (loss, StateLoss.CONTAINER_GONE), f"{loss} was not told")

    def _lose_container(self) -> None:
        self._may_be_gone = True
        result = self._run(_ON + "import time; time.sleep(30)", on_text=lambda: self._kill_box(self._sandbox))
        self._expect(result is None or _is_gone(result), "the end of a sandbox was not told")
        self._may_be_gone = False

    def _close(self) -> None:
        self._may_be_gone = True
        result = self._run(_ON + "while True: pass", on_text=self._sandbox.close)
        self._expect(result is None or _is_gone(result), "a closed session gave an answer")
        self._sandbox.close()
        self._sandbox, self._counter, self._may_be_gone = self._new_sandbox(), 0, False

    # One cell, and what it says of the variables

    def _run(
        self, code: str, timeout: float | None = None, on_text: Callable[[], None] | None = None
    ) -> ExecutionResult | None:
        """None when a sentence came in place of a result, as it may when the engine fails."""
        began = time.monotonic()
        try:
            for event in self._sandbox.execute(code, timeout):
                if isinstance(event, ExecutionResult):
                    self._note(event, began)
                    return event
                if on_text:
                    on_text()
                    on_text = None
        except SandboxError as error:
            self._excuse(error, began)
            return None
        self._complain("lost answers", f"no result for {code!r}")
        return None

    def _note(self, result: ExecutionResult, began: float) -> None:
        """From now on the counter is what it must be after this answer."""
        self._ledger.count("answers")
        if any(_GONE in str(notice) for notice in result.notices):
            self._counter = 0
        if result.state_lost:
            self._counter = 0
        if _is_gone(result) and not self._may_be_gone and not self._ledger.had_trouble(began):
            self._complain("lost answers", f"a sandbox ended by itself: {result.error}")

    def _excuse(self, error: SandboxError, began: float) -> None:
        if self._ledger.had_trouble(began):
            self._ledger.count("told in a sentence")
            time.sleep(1)
        else:
            self._complain("lost answers", str(error))

    def _expect(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            self._complain("wrong answers", otherwise)

    def _complain(self, kind: str, sentence: str) -> None:
        self._ledger.complain(kind, f"{self._name}: {sentence}")


def _is_gone(result: ExecutionResult) -> bool:
    return result.state_lost is StateLoss.CONTAINER_GONE
