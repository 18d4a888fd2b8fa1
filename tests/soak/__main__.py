"""``python -m tests.soak``: SOAK_MINUTES (10), SOAK_SESSIONS (20), SOAK_SEED, SANDBOX (auto). Exits 1 on any loss."""

import faulthandler
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from sandbox.backends import DockerBackend, choose_backend, new_sandbox, prepare_backend
from sandbox.bubblewrap_box import BubblewrapBox
from sandbox.docker_address import engine_address
from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.limits import Limits
from sandbox.open_sandboxes import close_all
from sandbox.options import BackendChoice, SandboxOptions, backend_choice
from sandbox.session_sandbox import SessionSandbox
from tests.engine_proxy import EngineProxy
from tests.soak.ledger import Ledger
from tests.soak.leftovers import counts_now, leaked
from tests.soak.session import SoakSession

_LIMITS = Limits(memory_mb=512, tmp_mb=32, outputs_mb=32, shm_mb=32, file_size_mb=32, processes=64)
_SECONDS_TO_FINISH = 180


def main() -> int:
    """Print the seed, then what was done, lost and left."""
    minutes, sessions = float(os.environ.get("SOAK_MINUTES", 10)), int(os.environ.get("SOAK_SESSIONS", 20))
    seed = int(os.environ.get("SOAK_SEED", random.randrange(1_000_000)))
    print(f"SOAK_SEED={seed}: {sessions} sessions for {minutes:g} minutes", flush=True)
    options = SandboxOptions(limits=_LIMITS, backend=backend_choice(os.environ.get("SANDBOX", "")))
    prepare_backend(options, print)
    # So that an engine that is away is away, and no other backend stands in for it.
    is_docker = isinstance(choose_backend(options), DockerBackend)
    options = replace(options, backend=BackendChoice.DOCKER if is_docker else BackendChoice.BUBBLEWRAP)
    with tempfile.TemporaryDirectory(prefix="soak-") as name, _own_folders(Path(name)):
        return _soak(Path(name), options, (minutes, sessions, seed))


@contextmanager
def _own_folders(folder: Path) -> Iterator[None]:
    """Whatever is written beside the sandboxes goes where it can be counted."""
    os.environ["XDG_STATE_HOME"] = tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = None


def _soak(folder: Path, options: SandboxOptions, plan: tuple[float, int, int]) -> int:
    engine = DockerEngine() if options.backend is BackendChoice.DOCKER else None
    minutes, sessions, seed = plan
    ledger, over = Ledger(), threading.Event()

    def fresh() -> SessionSandbox:
        return new_sandbox(options, 1200)

    def kill(sandbox: SessionSandbox) -> None:
        _kill_box(engine, sandbox)

    # Once before counting, for what stays until the program ends.
    with closing(fresh()) as first:
        list(first.execute("1"))
    before = counts_now(engine, folder)
    people = [SoakSession(number, seed, fresh, kill, ledger, folder) for number in range(sessions)]
    threads = [threading.Thread(target=each.live, args=(over,), name="soak") for each in people]
    with _faulty_engine(engine, folder, ledger, seed):
        for thread in threads:
            thread.start()
        over.wait(minutes * 60)
        over.set()
    stuck = _wait_for(threads)
    close_all()
    for file in folder.glob("*.bin"):
        file.unlink()
    left = leaked(lambda: counts_now(engine, folder), before)
    return _report(ledger, {"stuck sessions": stuck, **{f"leaked {name}": count for name, count in left.items()}})


@contextmanager
def _faulty_engine(engine: DockerEngine | None, folder: Path, ledger: Ledger, seed: int) -> Iterator[None]:
    """An engine that breaks off, hangs or is away every now and then."""
    if engine is None:
        yield
        return
    proxy, over = EngineProxy(folder / "engine", engine_address()[0]), threading.Event()
    usual, os.environ["DOCKER_HOST"] = os.environ.get("DOCKER_HOST"), proxy.address
    thread = threading.Thread(target=_make_trouble, args=(proxy, ledger, random.Random(seed), over))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        # What runs goes on through the proxy; what is started or removed from now on needs it no longer.
        os.environ.pop("DOCKER_HOST")
        if usual is not None:
            os.environ["DOCKER_HOST"] = usual
        with ledger.engine_trouble("ended"):
            proxy.close()


def _make_trouble(proxy: EngineProxy, ledger: Ledger, chance: random.Random, over: threading.Event) -> None:
    while not over.wait(chance.uniform(15, 45)):
        kind = chance.choice(("cut", "hang", "refuse"))
        with ledger.engine_trouble(kind):
            if kind == "cut":
                proxy.cut()
                continue
            begin, end = (proxy.hang, proxy.go_on) if kind == "hang" else (proxy.refuse, proxy.come_back)
            begin()
            over.wait(chance.uniform(1, 12))
            end()


def _kill_box(engine: DockerEngine | None, sandbox: SessionSandbox) -> None:
    box = sandbox._box
    if isinstance(box, DockerContainer) and engine:
        engine.remove(box._name)
    elif isinstance(box, BubblewrapBox) and box._process:
        os.kill(box._process.pid, signal.SIGKILL)


def _wait_for(threads: list[threading.Thread]) -> int:
    """How many have not come to their end; where they are is printed."""
    deadline = time.monotonic() + _SECONDS_TO_FINISH
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    stuck = sum(thread.is_alive() for thread in threads)
    if stuck:
        faulthandler.dump_traceback()
    return stuck


def _report(ledger: Ledger, left: dict[str, int]) -> int:
    for complaint in ledger.complaints:
        print(complaint)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(ledger.counts.items())))
    losses = {kind: ledger.counts[kind] for kind in ("lost answers", "wrong answers")} | left
    for kind, count in losses.items():
        print(f"{kind:<24}{count:>6}")
    return 1 if any(losses.values()) else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # A thread that is stuck must not keep the process.
    os._exit(code) if threading.active_count() > 1 and code else sys.exit(code)
