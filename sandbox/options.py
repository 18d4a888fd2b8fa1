"""What the settings say of the sandboxes of a machine; starts and asks nothing."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sandbox.execution_log import OFF
from sandbox.limits import Limits
from wording import ToldError


class BackendChoice(StrEnum):
    """Values of the setting SANDBOX; ``auto`` takes Docker when it answers."""

    AUTO = "auto"
    DOCKER = "docker"
    BUBBLEWRAP = "bubblewrap"


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """What the settings say of the sandboxes of this machine."""

    backend: BackendChoice = BackendChoice.AUTO
    limits: Limits = field(default_factory=Limits)
    runtime: str = ""
    base_image: str = ""
    environment: Path | None = None
    """The folder of the analysis environment; None means the usual one."""
    pool: int = 0
    """How many sandboxes this process keeps ready."""
    capacity: int | None = None
    """How many it may have in use at once; None means as many as are asked for."""
    hours: float = 8
    """How long one may live."""
    execution_log: str = OFF
    """``off``, ``stderr`` or the path of a file."""
    execution_log_code: bool = False


def backend_choice(text: str) -> BackendChoice:
    """The setting SANDBOX as a value; empty means ``auto``. Raises ``ToldError``."""
    try:
        return BackendChoice(text.strip().lower() or BackendChoice.AUTO)
    except ValueError as error:
        raise ToldError(
            "{name} must be one of: {choices}. Correct it in .env or the environment.",
            name="SANDBOX",
            choices=", ".join(BackendChoice),
        ) from error


def switch(name: str, text: str) -> bool:
    """A setting that is yes or no. Raises ``ToldError`` for anything else."""
    if text.lower() not in ("yes", "no"):
        raise ToldError(
            "{name} must be one of: {choices}. Correct it in .env or the environment.", name=name, choices="yes, no"
        )
    return text.lower() == "yes"
