"""A small process that outlives ours, however that ends, and removes what it has left; runs nobody's code.

Sandboxes end by themselves when their program does. This is for what only others can remove: folders, control groups,
containers that were made and not started, volumes of an engine that was busy.
"""

import functools
import logging
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parent.parent
_LOGGER = logging.getLogger(__name__)
_SECONDS_TO_TRY = 60
_PAUSE = 0.5
_one_at_a_time = threading.Lock()
Watched = Literal["docker", "bubblewrap"]


def watch_over(kind: Watched, instance: str) -> None:
    """Have everything of that kind removed that this process, as ``instance`` names it, still holds at its end.

    Where no more processes can be started that is left to the next program; sandboxes can be used all the same.
    """
    with _one_at_a_time:
        try:
            _started(kind, instance)
        except OSError as error:
            _LOGGER.warning("What a sudden end leaves behind waits for the next start: %s", error)


@functools.cache
def _started(kind: Watched, instance: str) -> "subprocess.Popen[bytes]":
    # Its input is a pipe that nobody writes to: it ends with us. Its output is nobody's, or whoever reads ours to the
    # end would have to wait for it. It is not in our session because Ctrl-C is not meant for it.
    return subprocess.Popen(
        [sys.executable, "-m", "sandbox.watcher", kind, instance],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def main(kind: str, instance: str) -> None:
    """Wait for the end of the watched process, then tidy up until nothing is left or a minute has passed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin.buffer.read()
    is_tidy = _docker_is_tidy if kind == "docker" else _bubblewrap_is_tidy
    deadline = time.monotonic() + _SECONDS_TO_TRY
    while not is_tidy(instance) and time.monotonic() < deadline:
        time.sleep(_PAUSE)


# The imports stand in the functions because most of the time this process does nothing but wait.


def _docker_is_tidy(instance: str) -> bool:
    from sandbox.docker_engine import DockerEngine
    from sandbox.instance import is_alive, remains, sweep
    from sandbox.sandbox import SandboxError

    try:
        with DockerEngine() as engine:
            sweep(engine)
            return not is_alive(instance) and not remains(engine, instance)
    except SandboxError:
        return False


def _bubblewrap_is_tidy(instance: str) -> bool:
    from sandbox.box_folder import sweep_box_folders
    from sandbox.control_group import sweep_control_groups
    from sandbox.instance import is_alive

    groups_are_gone, folders_are_gone = sweep_control_groups(), sweep_box_folders()
    return groups_are_gone and folders_are_gone and not is_alive(instance)


if __name__ == "__main__":
    main(*sys.argv[1:])
