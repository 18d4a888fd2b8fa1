"""The sandbox of one session without an engine: bubblewrap on this machine, for those who want no other."""

from pathlib import Path

from sandbox.analysis_environment import AnalysisEnvironment
from sandbox.bubblewrap_box import BubblewrapBox
from sandbox.limits import Limits
from sandbox.session_sandbox import SessionSandbox


class BubblewrapSandbox(SessionSandbox):
    """Keeps its code in a process of its own, in namespaces that hold nothing else; Linux only.

    ``environment`` is the folder of the virtual environment with the libraries, by default ``.sandbox-venv``.
    """

    def __init__(
        self, limits: Limits | None = None, *, environment: Path | None = None, idle_seconds: float = 1200
    ) -> None:
        super().__init__(
            lambda files: BubblewrapBox(limits or Limits(), files, AnalysisEnvironment(environment)),
            idle_seconds=idle_seconds,
        )
