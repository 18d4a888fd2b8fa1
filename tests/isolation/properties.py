"""What a property is, and how it is tried on a sandbox."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from sandbox.sandbox import ExecutionResult, Sandbox, SandboxError


class Bench:
    """A sandbox to try things on, and more of its kind for what only shows between two."""

    def __init__(self, make: Callable[[], Sandbox]) -> None:
        self._make = make
        self.sandbox = make()
        self._neighbour: Sandbox | None = None

    @property
    def neighbour(self) -> Sandbox:
        """Another sandbox, the same for all properties."""
        if self._neighbour is None:
            self._neighbour = self._make()
        return self._neighbour

    @contextmanager
    def another(self) -> Iterator[Sandbox]:
        """One that ends with the block."""
        with closing(self._make()) as sandbox:
            yield sandbox

    def close(self) -> None:
        self.sandbox.close()
        if self._neighbour:
            self._neighbour.close()

    def seen(self, code: str, timeout: float = 30) -> str:
        """All that a cell prints, and all that the person is told of it."""
        return seen(result_of(self.sandbox, code, timeout))


Probe = Callable[[Bench], str]
Holds = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Property:
    """``probe`` is code to run as a cell, or what does more than that and tells what it saw; ``holds`` looks at it."""

    name: str
    probe: str | Probe
    holds: Holds
    gaps: Mapping[str, str] = field(default_factory=dict)
    """Why a backend cannot hold it, by how the backend's name begins."""
    timeout: float = 30
    """For a cell."""

    def gap(self, backend: str) -> str:
        """Empty when that backend has to hold it."""
        return next((why for name, why in self.gaps.items() if backend.startswith(name)), "")


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


def tried(each: Property, bench: Bench) -> Verdict:
    """Whether it holds, and the next cell works whatever became of it."""
    try:
        found = bench.seen(each.probe, each.timeout) if isinstance(each.probe, str) else each.probe(bench)
        after = result_of(bench.sandbox, "print(6 * 7)")
    except (SandboxError, StopIteration) as error:
        return Verdict(False, f"the sandbox gave up: {error}")
    works = after.stdout == "42\n" and after.error is None
    return Verdict(
        each.holds(found) and works, found if works else f"{found}\nthe next cell: {after.stdout} {after.error}"
    )


def seen(result: ExecutionResult) -> str:
    """All that a result says in words, but for the news that a sandbox before this one is gone."""
    told = [str(notice) for notice in result.notices if "replaced by a new one" not in str(notice)]
    return (
        "\n".join([result.stdout + result.stderr, *([result.error] if result.error else []), *told]).rstrip("\n") + "\n"
    )


def result_of(sandbox: Sandbox, code: str, timeout: float = 30) -> ExecutionResult:
    *_, result = sandbox.execute(code, timeout)
    assert isinstance(result, ExecutionResult)
    return result
