"""A sandbox without Docker for tests that are about something else: it records what it is asked and runs nothing."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sandbox.sandbox import (
    ColumnProfile,
    ExecutionResult,
    FileProfile,
    OutputFile,
    OutputText,
    ReadingChoices,
    Sandbox,
    SandboxError,
    SandboxState,
    SandboxStatus,
    TableProfile,
)
from wording import Sentence

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63902fdff21f00044d024a1343a7ea0000000049454e44ae426082"
)
"""A whole picture of one pixel."""


class FakeSandbox(Sandbox):
    """Gives one written result a cell, and an empty good one when none is left.

    While ``held`` is given and not set, a cell runs on; ``interrupt`` ends it.
    """

    def __init__(self, *results: ExecutionResult | SandboxError, held: threading.Event | None = None) -> None:
        self._results = list(results)
        self._held = held
        self._interrupted = threading.Event()
        self.codes: list[str] = []
        self.files: dict[str, bytes] = {}
        self.profiles: dict[str, FileProfile] = {}
        """What ``profile`` answers for a name, instead of a table of one column."""
        self.choices: dict[str, ReadingChoices | None] = {}
        """With which choices each file was looked into last."""
        self.packages: tuple[tuple[str, str], ...] = (("numpy", "2.4.6"), ("pandas", "3.1.1"))
        self.interrupts = 0
        self.closed_early = 0
        self.restarts = 0
        self.closed = False
        self.waiting: Sentence | None = None
        self.lost_variables = False
        """What the status says until the next cell or restart."""

    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        self.codes.append(code)
        self.lost_variables = False
        result = self._results.pop(0) if self._results else ExecutionResult(duration_s=0.1)
        if isinstance(result, SandboxError):
            raise result
        self._interrupted.clear()
        try:
            yield from _printed(result)
            if self._held is not None:
                while not self._held.is_set() and not self._interrupted.wait(0.01):
                    pass
            yield replace(result, interrupted=True) if self._interrupted.is_set() else result
        except GeneratorExit:
            self.closed_early += 1
            raise

    def put_file(self, name: str, source: Path) -> str:
        self.files[name] = source.read_bytes()
        return name

    def remove_file(self, name: str) -> None:
        self.files.pop(name, None)

    def profile(self, name: str, sample_rows: int = 5, choices: ReadingChoices | None = None) -> FileProfile:
        self.choices[name] = choices
        return self.profiles.get(name) or FileProfile(name=name, size=len(self.files[name]), tables=(small_table(),))

    def put_known_file(self, profile: FileProfile, source: Path) -> None:
        self.put_file(profile.name, source)
        self.profiles[profile.name] = profile

    def interrupt(self) -> None:
        self.interrupts += 1
        self._interrupted.set()

    def restart(self) -> None:
        self.restarts += 1
        self.lost_variables = False

    @property
    def status(self) -> SandboxStatus:
        state = SandboxState.CLOSED if self.closed else SandboxState.IDLE
        return SandboxStatus(
            state=state,
            isolation="none",
            packages=self.packages,
            lost_variables=self.lost_variables,
            waiting=self.waiting,
        )

    def close(self) -> None:
        self.closed = True


def _printed(result: ExecutionResult) -> Iterator[OutputText]:
    if result.stdout:
        yield OutputText("stdout", result.stdout)
    if result.stderr:
        yield OutputText("stderr", result.stderr)


def small_table() -> TableProfile:
    """Two rows of one column."""
    column = ColumnProfile(name="a", type="integer", missing=0, distinct=2, minimum=1, maximum=2)
    return TableProfile(variable="df", rows=2, columns=(column,), recipe="df = ...", sample=((1,), (2,)))


def chart(name: str = "chart_1.png") -> OutputFile:
    return OutputFile(name=name, kind="chart", content=PNG)
