"""The virtual environment with the libraries of the image, for sandboxes without an engine; made on this machine."""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from sandbox.locks import FileLock, state_folder
from sandbox.packages import EXTRA_REQUIREMENTS, REQUIREMENTS, extra_requirements, extras_failed
from sandbox.sandbox import SandboxError

DEFAULT_FOLDER = Path(__file__).resolve().parent.parent / ".sandbox-venv"
_LAST_LINES = 15
_CHART_FONTS = REQUIREMENTS.parent / "chart_fonts.py"
_FIND_FONTS = "import matplotlib.font_manager"


class AnalysisEnvironment:
    """One folder. It counts as made when it was made whole, from the list that is here now."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or DEFAULT_FOLDER).absolute()
        self._python = self.folder / "bin" / "python"
        self._stamp = self.folder / "stamp"

    @property
    def base(self) -> Path:
        """The folder of the Python that it was made with."""
        return self._python.resolve().parent.parent

    @property
    def is_current(self) -> bool:
        try:
            return self._python.exists() and self._stamp.read_text() == _content()
        except OSError:
            return False

    def check(self) -> None:
        """Raises ``SandboxError`` that names the command when it is missing or outdated."""
        if not self.is_current:
            raise SandboxError("The analysis environment is missing or outdated. Run: python -m sandbox build")

    def make(self) -> Iterator[str]:
        """Make it unless it is current, telling each step as a line of text.

        Waits while another process makes it. Raises ``SandboxError`` with the last lines when that fails.
        """
        lock = FileLock(state_folder() / "environment.lock")
        if not lock.acquire():
            yield "Another process is making the analysis environment; waiting for it."
            while not lock.acquire():
                time.sleep(0.5)
        try:
            if self.is_current:
                yield "The analysis environment is up to date."
                return
            yield from self._made()
        finally:
            lock.release()

    def _made(self) -> Iterator[str]:
        yield f"Making {self.folder}"
        yield from self._run([sys.executable, "-m", "venv", "--clear", str(self.folder)])
        pip = [str(self._python), "-m", "pip", "--disable-pip-version-check", "install", "--progress-bar=off"]
        yield from self._run([*pip, "--no-deps", "--only-binary=:all:", "-r", str(REQUIREMENTS)])
        if extra := extra_requirements():
            extra_list = self.folder / EXTRA_REQUIREMENTS.name
            extra_list.write_text(extra, "utf-8")
            pins = ["-c", str(REQUIREMENTS), "-r", str(extra_list)]
            yield from self._run([*pip, "--only-binary=:all:", *pins], extras_failed)
        yield "Looking for fonts"
        yield from self._run([str(self._python), "-I", str(_CHART_FONTS), "machine"])
        yield from self._run([str(self._python), "-I", "-c", _FIND_FONTS])
        self._stamp.write_text(_content())
        yield f"Made {self.folder}."

    def _run(self, command: list[str], failed: Callable[[str], SandboxError] | None = None) -> Iterator[str]:
        lines: list[str] = []
        environment = os.environ | {"MPLCONFIGDIR": str(self.folder / "fonts")}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment
        ) as process:
            try:
                for line in process.stdout or ():
                    lines = [*lines[1 - _LAST_LINES :], line.rstrip()]
                    yield lines[-1]
            except GeneratorExit:
                process.terminate()
                raise
        if process.returncode != 0 and failed:
            raise failed("\n".join(lines))
        if process.returncode != 0:
            raise SandboxError(
                "The analysis environment could not be made: {reason}. Check that packages can be downloaded from "
                "here, then run: python -m sandbox build\n{lines}",
                reason=(lines[-1] if lines else f"exit code {process.returncode}").rstrip("."),
                lines="\n".join(lines),
            )

    @property
    def font_lists(self) -> tuple[Path, ...]:
        """What matplotlib has found of fonts; to look for them takes seconds."""
        return tuple((self.folder / "fonts").glob("fontlist-*.json"))


def _content() -> str:
    parts = (REQUIREMENTS.read_bytes(), extra_requirements().encode(), _CHART_FONTS.read_bytes(), sys.version.encode())
    return hashlib.sha256(b"".join(parts)).hexdigest()
