"""The libraries that code finds in every sandbox: the program's own list, and a person's that comes on top of it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from sandbox.sandbox import SandboxError
from wording import Sentence

Packages = tuple[tuple[str, str], ...]
"""Names and versions."""

_IMAGE = Path(__file__).resolve().parent / "image"
REQUIREMENTS = _IMAGE / "requirements.txt"
EXTRA_REQUIREMENTS = _IMAGE / "extra-requirements.txt"
"""A person's own list, which need not be there; the same form, exact versions only."""
_SHOWN_PATH = "sandbox/image/extra-requirements.txt"
_PIP_OPTION = re.compile(r"\s-")
"""Where pip ends a requirement, be it within quotes."""
_MISSING = re.compile(
    r"^(?:ModuleNotFoundError: No module named '(?P<module>\w{1,100})'"
    r"|ImportError: (?:Missing optional dependency '|`Import )(?P<optional>\w{1,100})\b)",
    re.MULTILINE | re.ASCII,
)


def installed_packages(running: Packages | None = None) -> Packages:
    """Names and versions of the listed libraries, without those they need in turn.

    Of a ``running`` sandbox only what it really has: a list may be newer than it is.
    """
    listed = _listed(*map(_changed, (REQUIREMENTS, EXTRA_REQUIREMENTS)))
    if running is None:
        return listed
    versions = {_plain_name(name): version for name, version in running}
    return tuple((name, versions[_plain_name(name)]) for name, _ in listed if _plain_name(name) in versions)


def extra_requirements() -> str:
    """The person's list, one exact version a line, without comments; empty when there is none.

    Raises ``SandboxError`` for a line that is anything else.
    """
    for line in _extra_lines():
        if _pinned(line) is None:
            raise SandboxError(
                "{path} has the line {line}, which is no exact version. Write one library a line, for example "
                "wordcloud==1.9.4.",
                path=_SHOWN_PATH,
                line=line[:100],
            )
    return "".join(f"{line}\n" for line in _extra_lines())


def missing_library(error: str, running: Packages) -> Sentence | None:
    """What to do when a traceback ends with a library that is not installed; None for all other errors."""
    found = _MISSING.search(error)
    if not found:
        return None
    return Sentence(
        "The library {name} is not installed in the sandbox. Installed: {installed}. To add a library, write it with "
        "its exact version into {path}, run python -m sandbox build, and restart Python.",
        {
            "name": found["module"] or found["optional"],
            "installed": ", ".join(f"{name} {version}" for name, version in installed_packages(running)),
            "path": _SHOWN_PATH,
        },
    )


def extras_failed(lines: str) -> SandboxError:
    """That the person's list could not be installed, with the last lines that pip wrote."""
    return SandboxError(
        "The libraries of {path} cannot be installed beside the sandbox's own. Correct what the last lines name, then "
        "run: python -m sandbox build\n{lines}",
        path=_SHOWN_PATH,
        lines=lines,
    )


@lru_cache(maxsize=1)
def _listed(*_changed: tuple[Path, int, int]) -> Packages:
    """Read again only when a list has changed, for this is asked many times a second."""
    listed = REQUIREMENTS.read_text("utf-8").partition("# What those need")[0]
    return (*_pins(_lines(listed)), *_pins(_extra_lines()))


def _changed(path: Path) -> tuple[Path, int, int]:
    try:
        status = path.stat()
    except OSError:
        return path, 0, 0
    return path, status.st_mtime_ns, status.st_size


def _plain_name(name: str) -> str:
    """As names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _extra_lines() -> list[str]:
    try:
        return list(_lines(EXTRA_REQUIREMENTS.read_text("utf-8-sig", "replace")))
    except OSError:
        return []


def _lines(text: str) -> Iterator[str]:
    """What counts of a list of requirements: lines without comments and blank ones."""
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines())
    return (line for line in lines if line)


def _pins(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and versions of what pip installs here."""
    for pin in filter(None, map(_pinned, lines)):
        if pin.marker is None or pin.marker.evaluate():
            (version,) = pin.specifier
            yield pin.name, version.version


def _pinned(line: str) -> Requirement | None:
    """The requirement of a line that is an exact version, perhaps with extras and a marker, and nothing else."""
    try:
        requirement = Requirement(line)
    except InvalidRequirement:
        return None
    versions = [each.version for each in requirement.specifier if each.operator == "=="]
    is_exact = len(versions) == len(requirement.specifier) == 1 and not versions[0].endswith("*")
    return requirement if is_exact and not _PIP_OPTION.search(line) else None
