"""What a property is, and how it is tried on a sandbox."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sandbox.sandbox import ExecutionResult, Sandbox

Holds = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Property:
    """``code`` is run as a cell; ``holds`` looks at all that it printed and all that the person is told."""

    name: str
    code: str
    holds: Holds
    gaps: Mapping[str, str] = field(default_factory=dict)
    """Why a backend cannot hold it, by the backend's name."""
    timeout: float = 30


@dataclass(frozen=True, slots=True)
class Verdict:
    """``seen`` is what was printed and told."""

    held: bool
    seen: str


def says(expected: str) -> Holds:
    """The text is exactly this, apart from white space around it."""
    return lambda text: text.strip() == expected.strip()


def holds_all(*parts: str) -> Holds:
    return lambda text: all(part in text for part in parts)


def tried(each: Property, sandbox: Sandbox) -> Verdict:
    """Whether it holds, and the next cell works whatever became of it."""
    seen = _seen(sandbox, each.code, each.timeout)
    after = _result(sandbox, "print(6 * 7)", 30)
    works = after.stdout == "42\n" and after.error is None
    return Verdict(
        each.holds(seen) and works, seen if works else f"{seen}\nthe next cell: {after.stdout} {after.error}"
    )


def _seen(sandbox: Sandbox, code: str, timeout: float) -> str:
    result = _result(sandbox, code, timeout)
    told = [str(notice) for notice in result.notices if "replaced by a new one" not in str(notice)]
    return (
        "\n".join([result.stdout + result.stderr, *([result.error] if result.error else []), *told]).rstrip("\n") + "\n"
    )


def _result(sandbox: Sandbox, code: str, timeout: float) -> ExecutionResult:
    *_, result = sandbox.execute(code, timeout)
    assert isinstance(result, ExecutionResult)
    return result
