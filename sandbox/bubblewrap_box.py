"""One sandbox without an engine: a process of this machine in namespaces of its own, from its start to its removal."""

import contextlib
import os
import secrets
import signal
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sandbox.analysis_environment import AnalysisEnvironment
from sandbox.box_folder import BoxFolder, sweep_box_folders
from sandbox.bubblewrap import bubblewrap_version, counts_processes, new_user
from sandbox.bubblewrap_command import HostPaths, bubblewrap_command
from sandbox.connection import Connection, ConnectionLost
from sandbox.control_group import ControlGroup, make_control_group, sweep_control_groups
from sandbox.docker_gaps import FILES_UNCOUNTED, NO_GROUP, SHARED_KERNEL
from sandbox.instance import INSTANCE_LABEL, instance_labels
from sandbox.limits import Limits
from sandbox.options import BackendChoice
from sandbox.process_stream import ProcessStream
from sandbox.sandbox import SandboxError
from sandbox.watcher import watch_over
from wording import Sentence

SAME_USER = Sentence(
    "Outside of its namespaces the code is your own user: what the system counts for each user, as watched files, "
    "it shares with you."
)
SYSTEM_READABLE = Sentence("The code can read, not change, the programs of this machine in /usr.")
_SECONDS_TO_END = 2
# The kernel ends a sandbox with the thread that started it, so that must be one which lasts as long as the program.
_starter = ThreadPoolExecutor(1, "bubblewrap starter")
_swept = threading.Event()


def _run(command: list[str], stream: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, stdin=stream, stdout=stream, stderr=subprocess.PIPE, cwd="/")


class BubblewrapBox:
    """A locked-down process with the files in place and Python ready in it.

    Raises ``SandboxError`` when it cannot be had; whatever was begun is removed then.
    """

    backend = BackendChoice.BUBBLEWRAP

    def __init__(self, limits: Limits, files: Mapping[str, Path], environment: AnalysisEnvironment) -> None:
        version = bubblewrap_version()
        environment.check()
        self._environment = environment
        if not _swept.is_set():
            _swept.set()
            sweep_control_groups()
            sweep_box_folders()
        instance, user = instance_labels()[INSTANCE_LABEL], new_user()
        watch_over("bubblewrap", instance)
        self._stream = ProcessStream()
        self._process: subprocess.Popen[bytes] | None = None
        self._group: ControlGroup | None = None
        self._folder = BoxFolder(instance)
        try:
            for name, source in files.items():
                self.put(name, source)
            self._group = make_control_group(limits, instance, secrets.token_hex(8))
            self._process = self._start(limits, environment, user)
            self.connection = self._started(limits, self._process)
        except BaseException:
            self.remove()
            raise
        self.isolation = f"bubblewrap {version}, user namespaces"
        self.gaps = tuple(self._gaps(user))

    def _start(self, limits: Limits, environment: AnalysisEnvironment, user: int) -> "subprocess.Popen[bytes]":
        group = self._group
        paths = HostPaths(
            environment=environment.folder,
            python=environment.base,
            data=self._folder.data,
            etc=self._folder.etc,
            font_lists=environment.font_lists,
            memory_events=group.memory_events if group else "",
        )
        command = bubblewrap_command(limits, paths, user=user, count_processes=counts_processes(user))
        return _starter.submit(_run, [*(group.entry if group else ()), *command], self._stream.theirs.fileno()).result()

    def _started(self, limits: Limits, process: "subprocess.Popen[bytes]") -> Connection:
        self._stream.started()
        threading.Thread(target=self._watch, args=(process,), name="bubblewrap watch", daemon=True).start()
        connection = Connection(self._stream, limits)
        try:
            connection.wait_ready()
        except ConnectionLost as error:
            self.hang_up()
            raise SandboxError(
                "Python does not start in the sandbox: {reason}. Look for the cause with: python -m sandbox doctor",
                reason=(self._complaint(process) or str(error)).rstrip("."),
            ) from error
        return connection

    def _complaint(self, process: "subprocess.Popen[bytes]") -> str:
        """The last line that bubblewrap or the main process wrote to its standard error."""
        self._end(process)
        told = process.stderr.read(1 << 16) if process.stderr else b""
        return told.decode("utf-8", "replace").strip().rpartition("\n")[2][:500]

    def _gaps(self, user: int) -> Iterator[Sentence]:
        yield SHARED_KERNEL
        if self._group is None:
            yield NO_GROUP
        if not user:
            yield SAME_USER
        yield FILES_UNCOUNTED
        yield SYSTEM_READABLE

    @property
    def has_ended(self) -> bool:
        return not self.connection.alive or self._process is None or self._process.poll() is not None

    @property
    def is_current(self) -> bool:
        return self._environment.is_current

    def put(self, name: str, source: Path) -> None:
        self._folder.put(name, source)

    def keep_only(self, names: Iterable[str]) -> None:
        self._folder.keep_only(names)

    def hang_up(self) -> None:
        self._stream.close()

    def remove(self) -> None:
        self.hang_up()
        if self._process:
            self._end(self._process)
            if self._process.stderr:
                self._process.stderr.close()
        if self._group:
            self._group.remove()
        self._folder.remove()

    def _watch(self, process: "subprocess.Popen[bytes]") -> None:
        """When bubblewrap is killed its process 1 may live on, and would keep whoever reads from it waiting."""
        process.wait()
        self.hang_up()

    @staticmethod
    def _end(process: "subprocess.Popen[bytes]") -> None:
        """It ends by itself once it is hung up on; when not in time, its process 1 is killed and takes all others."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END)
            return
        with contextlib.suppress(OSError):  # it may end at this moment
            for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
        process.kill()
        process.wait()
