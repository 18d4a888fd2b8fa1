"""The warm Python: imports the libraries once, then forks from that a process for each session or file."""

import gc
import os
import resource
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import numpy as np

from sandbox.inside.baseline import allow_interrupts
from sandbox.inside.box_settings import BoxSettings, read_settings
from sandbox.inside.cell import CellRunner, end_joblib_workers, pool_processes
from sandbox.inside.frames import Header, decode_json, encode_json
from sandbox.inside.link import Link
from sandbox.inside.processes import die_first, die_with, reap_many, set_dumpable, unmap_clean_pages
from sandbox.inside.seccomp import forbid_dangerous_calls
from sandbox.inside.warmth import packages, python_version, warm_up

SPARE_FILES = 16
"""So many descriptors are held back, so that a cell that has used up all the others can still be reported."""
_own_modules: dict[str, ModuleType] = {}
_HERE = str(Path(__file__).parent)
# Bound here: a cell may replace the names in their modules.
_close, _copy_file, _open = os.close, os.dup2, os.open
_limits, _set_limits = resource.getrlimit, resource.setrlimit


def be_zygote(settings_text: str, address: str, supervisor: Link) -> NoReturn:
    """Fork what the supervisor asks for until it is gone."""
    settings = read_settings(settings_text)
    sys.argv[:] = [""]
    # Last, so that no file of the user's stands in for a library.
    sys.path.append(settings.outputs)
    _make_folders()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    warm_up()
    runner = CellRunner(settings)
    allow_interrupts(False)
    _hide_own_modules()
    gc.collect()
    # What is there now is shared with all workers, as long as their garbage collection leaves it alone.
    gc.freeze()
    unmap_clean_pages()
    supervisor.send({"type": "ready", "python": python_version(), "packages": packages()})
    supervisor_pid = os.getppid()
    kind, connection = _fork_until_forked(supervisor)
    _confine(supervisor_pid)
    if kind == "profile":
        _profile(settings, Link.from_file(connection))
    else:
        _serve(settings, runner, Link.from_file(connection), address)
    os._exit(0)


def _fork_until_forked(supervisor: Link) -> tuple[str, int]:
    """The zygote stays in here for good; what comes out is a new process, with its kind and its connection."""
    while True:
        try:
            order, _, (connection,) = supervisor.receive()
        except (EOFError, OSError):
            os._exit(0)
        if _fork_twice(supervisor):
            supervisor.close()
            return str(order["kind"]), connection
        os.close(connection)


def _fork_twice(supervisor: Link) -> bool:
    """True in a new process that is the supervisor's own child, because its parent ends at once."""
    try:
        if between := os.fork():
            os.waitpid(between, 0)
            return False
    except OSError:
        supervisor.send({"type": "barren"})
        return False
    try:
        pid = os.fork()
    except OSError:
        supervisor.send({"type": "barren"})
        os._exit(0)
    if pid:
        supervisor.send({"type": "forked", "pid": pid})
        os._exit(0)
    return True


def _make_folders() -> None:
    """The folders that libraries expect; a restart removes them with everything else."""
    for name in ("HOME", "IPYTHONDIR", "MPLCONFIGDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        Path(os.environ[name]).mkdir(parents=True, exist_ok=True)


def _confine(supervisor_pid: int) -> None:
    """What every process gets that works for the user; from here on it has no more rights than its code needs."""
    os.setsid()
    die_with(supervisor_pid)
    set_dumpable(True)
    die_first()
    forbid_dangerous_calls()


def _profile(settings: BoxSettings, link: Link) -> None:
    """Look into one file, say what it holds, and be gone."""
    # Our own code alone runs here; no process that a cell has left can look in.
    set_dumpable(False)
    sys.modules.update(_own_modules)
    sys.path.insert(0, _HERE)
    order, wishes, _ = link.receive()
    path = Path(settings.data, Path(order["name"]).name)
    profile_file = import_module("sandbox.inside.table").profile_file
    if path.is_file():
        answer = profile_file(str(path), order["sample_rows"], **decode_json(wishes.decode() or "{}"))
    else:
        problem = {"template": "There is no file {name} in the sandbox. Add it again.", "values": {"name": path.name}}
        answer = {"name": path.name, "size": 0, "tables": [], "problem": problem}
    link.send({"type": "profile"}, encode_json(answer).encode())


def _serve(settings: BoxSettings, runner: CellRunner, link: Link, address: str) -> None:
    """Run cells until the supervisor is gone. While code runs no connection is open that it could use."""
    _make_folders()
    os.chdir(settings.outputs)
    np.random.seed()
    link.send({"type": "idle"})
    while True:
        try:
            order, code, files = link.receive()
        except (EOFError, OSError):
            return
        reap_many()
        _print_into(*files)
        link.close()
        _hold_back_files(SPARE_FILES)
        report = runner.run(code.decode())
        end_joblib_workers()
        kept = pool_processes()
        _hold_back_files(0)
        done: Header = {"type": "done", "outcome": "error" if report.error else "ok", "keep": kept}
        messages = (*report.messages, (done, report.error.encode(errors="replace")))
        link = Link.report(address, [({**header, "cell": order["cell"]}, payload) for header, payload in messages])
        # Later than the report, which somebody waits for.
        nowhere = _open(os.devnull, os.O_RDWR)
        _print_into(nowhere, nowhere)


def _hold_back_files(count: int) -> None:
    """Leave all descriptors but so many to the code."""
    _, most = _limits(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        _set_limits(resource.RLIMIT_NOFILE, (max(most - count, 3), most))


def _print_into(stdout: int, stderr: int) -> None:
    """Let all that is printed go there; the two descriptors themselves are closed."""
    _copy_file(stdout, 1)
    _copy_file(stderr, 2)
    for file in {stdout, stderr} - {1, 2}:
        _close(file)


def _hide_own_modules() -> None:
    """Code in the sandbox has no business with them, and may have modules of the same name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "sandbox"]:
        _own_modules[name] = sys.modules.pop(name)
