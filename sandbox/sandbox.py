"""What a sandbox promises and the values it hands out; every backend and every fake implements ``Sandbox``."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

from wording import Sentence, ToldError

Cell = str | int | float | bool | None


class SandboxError(ToldError):
    """The sandbox itself failed: engine off, image missing. Failing user code is an ``ExecutionResult`` instead."""


class StateLoss(StrEnum):
    """Why the variables of the session are gone."""

    TIMEOUT = "timeout"
    INTERRUPT = "interrupt"
    MEMORY = "memory"
    CRASH = "crash"
    EXIT = "exit"
    CONTAINER_GONE = "container_gone"
    RESTART = "restart"


class SandboxState(StrEnum):
    """Where the sandbox stands between two questions."""

    NOT_STARTED = "not_started"
    WAITING = "waiting"
    STARTING = "starting"
    IDLE = "idle"
    BUSY = "busy"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxStatus:
    """What a person may know about it; ``isolation`` is as the engine reports it, for example ``Docker 29.0, runc``."""

    state: SandboxState
    isolation: str = ""
    gaps: tuple[Sentence, ...] = ()
    """What that isolation does not cover."""
    packages: tuple[tuple[str, str], ...] = ()
    """Listed libraries and their versions: of a sandbox that runs, what it has; else what a new one would have."""
    waiting: Sentence | None = None
    """What a person who waits for a sandbox is told; None when nobody does."""
    lost_variables: bool = False
    """The sandbox ended after the last cell: the next one will find no variables of earlier ones."""


@dataclass(frozen=True, slots=True)
class OutputText:
    """A piece of printed text, as it came."""

    stream: Literal["stdout", "stderr"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFile:
    """A file that code made. Its content is hostile: only a ``chart``, a PNG that was checked, is ever shown."""

    name: str
    kind: Literal["chart", "file"]
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputTable:
    """A table that code showed. ``rows`` may be fewer than ``row_count``; whole numbers above 2**53 come as text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...] = field(repr=False)
    row_count: int
    index_columns: int = 0
    """How many of the first columns are the table's row labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFigure:
    """A plotly figure as its JSON text, to be shown interactively."""

    name: str
    json: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellUsage:
    """What one cell took; None is what could not be counted."""

    cpu_s: float | None = None
    """Seconds of processor time of all its processes together."""
    peak_bytes: int | None = None
    """The most memory that its Python process held; files in memory and other processes are not in it."""
    bytes_in: int = 0
    """What was sent to the sandbox to have it run."""
    bytes_out: int = 0
    """What the sandbox sent back, printed text and files included."""
    limits_hit: tuple[str, ...] = ()
    """Names of the ``Limits`` that ended it or cut what it gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionResult:
    """What one cell did. Failing code is a result, not an exception."""

    stdout: str = ""
    stderr: str = ""
    value: str = ""
    """The last expression as text, short; empty when there was none or when it is a table or chart."""
    error: str | None = None
    """The traceback, trimmed to the user's own code; None when the cell ended well."""
    timed_out: bool = False
    interrupted: bool = False
    state_lost: StateLoss | None = None
    lost_before: bool = False
    """Variables of earlier cells were gone already when this one began."""
    duration_s: float = 0.0
    """Wall time by the host's clock, in seconds."""
    tables: tuple[OutputTable, ...] = ()
    charts: tuple[OutputFile, ...] = ()
    figures: tuple[OutputFigure, ...] = ()
    files: tuple[OutputFile, ...] = ()
    notices: tuple[Sentence, ...] = ()
    """What was cut or left out, and what happened to the variables."""
    usage: CellUsage = CellUsage()

    @property
    def ok(self) -> bool:
        return self.error is None and not self.timed_out and not self.interrupted and self.state_lost is None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChoices:
    """What a person decides about the reading of a file; what is left empty is decided by the file itself."""

    encoding: str = ""
    """As Python names it, for example ``cp1252``."""
    delimiter: str = ""
    header_row: int | None = None
    """The row with the column names, counted from 1; 0 when there are none."""
    date_order: Literal["", "day", "month"] = ""
    """Which comes first where both are possible."""
    decimal: Literal["", ".", ","] = ""
    sheet: str = ""
    """The only sheet of a workbook, or table of a database or archive, to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile:
    """One column. ``type`` is integer, number, text, date, boolean or empty; ``missing`` counts cells."""

    name: str
    type: str
    missing: int
    distinct: int | None = None
    minimum: Cell = None
    maximum: Cell = None
    quantiles: tuple[float, ...] = field(default=(), repr=False)
    """Of numbers, at equal distances from the smallest to the largest; empty for other columns and wide tables."""
    top: tuple[tuple[Cell, int], ...] = field(default=(), repr=False)
    """The most frequent values and how often each occurs; all values where they are few."""
    examples: tuple[Cell, ...] = field(default=(), repr=False)
    """The first different values."""
    marks: tuple[int, ...] = field(default=(), repr=False)
    """Of whole numbers and text the smallest hashes of its different values, by which columns can be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableProfile:
    """One table of a file: what it holds and the Python that reads it (``recipe`` assigns it to ``variable``)."""

    variable: str
    rows: int
    columns: tuple[ColumnProfile, ...]
    recipe: str
    notes: tuple[Sentence, ...] = ()
    sample: tuple[tuple[Cell, ...], ...] = field(default=(), repr=False)
    """The first rows, in the order of ``columns``."""
    duplicates: int | None = None
    """Rows that repeat an earlier one; None when they were not counted."""
    is_in_memory: bool = True
    """Whether the variable holds the rows; that of a very large file is a duckdb relation that reads them anew."""
    names_cells: bool = True
    """Whether the recipe has cells of the file in it, or parts of them."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns without gaps in which no value repeats, so that each can name a row; measured numbers are none."""
        whole = [column for column in self.columns if column.type in ("integer", "text", "date")]
        return tuple(each.name for each in whole if each.missing == 0 and each.distinct == self.rows > 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProfile:
    """What an uploaded file holds; ``problem`` says why it has no table, if it has none."""

    name: str
    size: int
    """In bytes."""
    tables: tuple[TableProfile, ...] = ()
    problem: Sentence | None = None


class Sandbox(ABC):
    """Code runs here and nowhere else. One sandbox serves one session; its methods are called by one thread at a time,
    except ``interrupt``, ``status`` and ``close``, which any thread may call."""

    @abstractmethod
    def execute(self, code: str, timeout: float | None = None) -> Iterator[OutputText | ExecutionResult]:
        """Run one cell: its text as it is printed, then, last, one ``ExecutionResult``.

        ``timeout`` is in seconds and defaults to the limit. Starts the sandbox if needed; raises ``SandboxError`` when
        that fails. Closing the iterator early interrupts the code.
        """

    @abstractmethod
    def put_file(self, name: str, source: Path) -> str:
        """Copy a host file to ``/data/NAME``, read-only to the code, and give the name it got.

        The name is made safe and unique. The file reappears when the sandbox has to be replaced, so ``source`` must
        stay until ``remove_file`` or ``close``.
        """

    @abstractmethod
    def remove_file(self, name: str) -> None:
        """Take a file out of ``/data`` and its variables away; a name that is not there is no error."""

    @abstractmethod
    def profile(self, name: str, sample_rows: int = 5, choices: ReadingChoices | None = None) -> FileProfile:
        """Detect and read ``/data/NAME`` inside the sandbox, in a process apart from the session's.

        From the next cell on its tables are variables of the session under the names in the profile, which no table
        of another file has; the only table of a session is ``df`` too. They are loaded, by their recipes, when code
        first names them, and again after a restart.
        """

    @abstractmethod
    def put_known_file(self, profile: FileProfile, source: Path) -> None:
        """Have a file in ``/data`` that an earlier sandbox looked into: same name, same variables, not read anew."""

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the running cell and keep its variables where it allows that; a second call kills it."""

    @abstractmethod
    def restart(self) -> None:
        """Forget all variables and outputs; the files in ``/data`` stay."""

    @property
    @abstractmethod
    def status(self) -> SandboxStatus: ...

    @abstractmethod
    def close(self) -> None:
        """Remove everything that this sandbox holds; it can be called twice."""
