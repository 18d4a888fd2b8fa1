"""A box without any process, for tests of what starts boxes and gives them up: it answers each cell at once."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from sandbox.connection import Connection
from sandbox.options import BackendChoice
from sandbox.sandbox import ExecutionResult, SandboxError
from wording import Sentence

_numbers = itertools.count(1)


class _Answers:
    packages = (("pandas", "2.9"), ("Never_Listed", "1"))

    def execute(self, code: str, timeout: float | None = None, size: int = 0) -> Iterator[ExecutionResult]:
        yield ExecutionResult(value=code)

    def interrupt(self) -> None:
        """Nothing runs."""


class FakeBox:
    backend = BackendChoice.DOCKER
    isolation = "none"
    gaps: tuple[Sentence, ...] = ()

    def __init__(self) -> None:
        self.number = next(_numbers)
        self.connection = cast("Connection", _Answers())
        self.has_ended = False
        self.is_removed = False
        self.current: bool | SandboxError = True
        self.files: list[str] = []

    @property
    def is_current(self) -> bool:
        if isinstance(self.current, SandboxError):
            raise self.current
        return self.current

    def put(self, name: str, source: Path) -> None:
        self.files.append(name)

    def keep_only(self, names: Iterable[str]) -> None:
        self.files = [name for name in self.files if name in set(names)]

    def hang_up(self) -> None:
        self.has_ended = True

    def remove(self) -> None:
        self.has_ended = self.is_removed = True
