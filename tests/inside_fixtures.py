"""A sandbox without an engine: its main process as a plain process of this machine, with folders of the test's own."""

import contextlib
import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sandbox.connection import Connection
from sandbox.limits import Limits
from sandbox.protocol import box_settings
from sandbox.sandbox import ExecutionResult, OutputText

ROOT = Path(__file__).resolve().parent.parent
SUPERVISOR = ROOT / "sandbox" / "inside" / "supervisor.py"
LIMITS = Limits(seconds=60, grace_seconds=1)
_PR_CAPBSET_DROP = 24
_CAPABILITIES = 41


def sandbox_python() -> str:
    """An interpreter with the packages of the image; without one these tests are skipped, but never in CI."""
    if sys.platform != "linux":
        pytest.skip("the inside of the sandbox runs on Linux only")
    python = os.environ.get("SANDBOX_PYTHON", str(ROOT / ".sandbox-venv" / "bin" / "python"))
    if not Path(python).exists():
        reason = f"no {python}. Make it: make setup-dev (or name another one in SANDBOX_PYTHON)"
        pytest.fail(reason, pytrace=False) if os.environ.get("CI") == "true" else pytest.skip(reason)
    return python


def drop_capabilities() -> None:
    """A test that runs as root must not let the sandbox have what no container's user has."""
    prctl = ctypes.CDLL(None).prctl
    for capability in range(_CAPABILITIES):
        prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


class PipeStream:
    """The pipes of a process, as the connection wants them."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin and process.stdout
        self._stdin, self._stdout = process.stdin, process.stdout
        self.flows = threading.Event()
        """Nothing is read while it is not set."""
        self.flows.set()

    def read(self, size: int, /) -> bytes:
        self.flows.wait()
        return os.read(self._stdout.fileno(), size)

    def write(self, data: bytes, /) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._stdin.fileno(), rest) :]

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._stdin.close()


@dataclass
class Box:
    """A running sandbox and where its folders lie on this machine."""

    connection: Connection
    stream: PipeStream
    process: "subprocess.Popen[bytes]"
    folder: Path

    @property
    def outputs(self) -> Path:
        return self.folder / "outputs"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, code: str, timeout: float | None = None) -> ExecutionResult:
        """The result of one cell."""
        *_, result = self.connection.execute(code, timeout)
        assert isinstance(result, ExecutionResult)
        return result

    def printed(self, code: str) -> str:
        """What a cell that ends well prints."""
        result = self.run(code)
        assert (result.error, result.stderr) == (None, "")
        return result.stdout

    def events(self, code: str, timeout: float | None = None) -> list[OutputText | ExecutionResult]:
        return list(self.connection.execute(code, timeout))

    def close(self) -> None:
        self.connection.close()
        self.process.wait(10)
        if self.process.stdout:
            self.process.stdout.close()


def start_process(folder: Path, limits: Limits = LIMITS, memory_events: str = "") -> "subprocess.Popen[bytes]":
    for name in ("data", "outputs", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    settings = box_settings(
        limits, data=f"{folder}/data", outputs=f"{folder}/outputs", tmp=f"{folder}/tmp", memory_events=memory_events
    )
    return subprocess.Popen(
        [sandbox_python(), "-I", "-B", str(SUPERVISOR), settings],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "OPENAI_API_KEY": "sk-canary"},
        preexec_fn=drop_capabilities,
        start_new_session=True,
    )


def connect_box(folder: Path, limits: Limits = LIMITS, memory_events: str = "") -> Box:
    """A new sandbox that may not be ready yet."""
    process = start_process(folder, limits, memory_events)
    stream = PipeStream(process)
    return Box(Connection(stream, limits), stream, process, folder)


StartBox = Callable[..., Box]


@pytest.fixture
def start_box(tmp_path: Path) -> Iterator[StartBox]:
    """Starts a sandbox for this test alone."""
    boxes: list[Box] = []

    def start(limits: Limits = LIMITS, memory_events: str = "", *, wait: bool = True) -> Box:
        box = connect_box(tmp_path, limits, memory_events)
        boxes.append(box)
        if wait:
            box.connection.wait_ready()
        return box

    yield start
    for box in boxes:
        box.close()


_shared: list[Box] = []


@pytest.fixture
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """A sandbox without variables and files. It is the same process for all tests, as long as none breaks it."""
    if not _shared:
        _shared.append(connect_box(tmp_path_factory.mktemp("box")))
        _shared[0].connection.wait_ready()
    box = _shared[0]
    yield box
    if box.connection.alive and box.process.poll() is None:
        box.connection.restart()
    else:
        _shared.remove(box)
        box.close()


@pytest.fixture(scope="session", autouse=True)
def no_box_is_left() -> Iterator[None]:
    yield
    while _shared:
        _shared.pop().close()
