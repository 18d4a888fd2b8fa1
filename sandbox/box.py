"""What a sandbox runs its code in, whatever keeps the code in."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from sandbox.connection import Connection
from sandbox.options import BackendChoice
from wording import Sentence


class Box(Protocol):
    """One place where code runs, from its start to its removal: a container, or a process in namespaces of its own."""

    backend: BackendChoice
    connection: Connection
    isolation: str
    """What keeps the code in, as the backend reports it."""
    gaps: tuple[Sentence, ...]
    """What that does not cover."""

    @property
    def has_ended(self) -> bool: ...

    @property
    def is_current(self) -> bool:
        """Whether one that is started now would hold the same programs. Raises ``SandboxError``."""

    def put(self, name: str, source: Path) -> None:
        """Bring a host file to ``/data``. Raises ``SandboxError``."""

    def keep_only(self, names: Iterable[str]) -> None:
        """Take all other files out of ``/data``."""

    def hang_up(self) -> None:
        """Make it end by itself, without waiting for it."""

    def remove(self) -> None:
        """End it and remove all that it held."""
