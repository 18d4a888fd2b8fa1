"""Where things lie inside the sandbox and how much may leave it; comes from the host as one JSON text."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxLimits:
    """The limits that are kept inside; names and units are those of the host's ``Limits``."""

    cpus: float
    grace_seconds: float
    output_chars: int
    tables: int
    table_rows: int
    table_bytes: int
    charts: int
    chart_bytes: int
    chart_pixels: int
    files: int
    file_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSettings:
    """Folders as the container has them; a sandbox that is a plain process names its own."""

    limits: BoxLimits
    data: str = "/data"
    outputs: str = "/outputs"
    tmp: str = "/tmp"  # noqa: S108 - the container's own tmpfs
    memory_events: str = ""
    """A cgroup file that counts kills for want of memory; empty means the usual places."""
    process_limits: Mapping[str, int] = field(default_factory=dict)
    """The kernel's limits for each process that nobody has set yet, by their names in the module ``resource``."""


def read_settings(text: str) -> BoxSettings:
    """Settings from JSON; names that this side does not know are left out. Raises ``ValueError`` or ``TypeError``."""
    given: dict[str, Any] = json.loads(text)
    limits = {each.name: given["limits"][each.name] for each in fields(BoxLimits)}
    folders = {each.name: given[each.name] for each in fields(BoxSettings) if each.name in given}
    return BoxSettings(**{**folders, "limits": BoxLimits(**limits)})
