"""What an agent tells while it works, as frozen values in the order in which things happened."""

from dataclasses import dataclass, field

from sandbox.sandbox import OutputFigure, OutputFile, OutputTable, OutputText, StateLoss
from wording import Sentence


@dataclass(frozen=True, slots=True)
class TextWritten:
    """A piece of the model's text. Pieces that follow each other make one text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningWritten:
    """A piece of what the model thinks before it answers, or of a summary of that; not part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeWritten:
    """Lines of the code of a call that is still being written, the reply's ``number``-th from 0; they may never run.

    What runs comes whole with ``CallStarted``.
    """

    number: int
    tool: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one model call, as the server counted them; zero when it did not say."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
        )


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """A model has replied; ``usage`` is what this one call took. It comes before what the reply leads to."""

    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool is called; ``code`` is the Python about to run, or the JSON arguments of any other tool."""

    call_id: str
    tool: str
    code: str


@dataclass(frozen=True, slots=True)
class CodeReviewed:
    """A second model has read the code of a call before it runs; without ``is_good`` it is sent back for the reason."""

    call_id: str
    is_good: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """The code of a call waits for the person."""

    call_id: str
    code: str


@dataclass(frozen=True, slots=True)
class ApprovalGiven:
    """The person has decided; ``code`` is what runs, perhaps changed, if it is approved."""

    call_id: str
    is_approved: bool
    code: str


@dataclass(frozen=True, slots=True)
class OutputWritten:
    """Printed text of a running call."""

    call_id: str
    output: OutputText


@dataclass(frozen=True, slots=True)
class ValueShown:
    """The last expression of a cell, as text."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class TableMade:
    call_id: str
    table: OutputTable


@dataclass(frozen=True, slots=True)
class ChartMade:
    """A PNG chart."""

    call_id: str
    chart: OutputFile


@dataclass(frozen=True, slots=True)
class FigureMade:
    """An interactive plotly figure."""

    call_id: str
    figure: OutputFigure


@dataclass(frozen=True, slots=True)
class FileMade:
    """Any other file to download."""

    call_id: str
    file: OutputFile


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFinished:
    """A call ended; ``error`` is the traceback or the refusal that the model read, None when all went well."""

    call_id: str
    ok: bool
    error: str | None = None
    timed_out: bool = False
    interrupted: bool = False
    state_lost: StateLoss | None = None
    lost_before: bool = False
    """Variables of earlier cells were gone already when this one began."""
    duration_s: float = 0.0
    notices: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The model's server asked for patience; ``seconds`` until the next try."""

    reason: Sentence
    seconds: float

    @property
    def sentence(self) -> Sentence:
        """The whole of it for a person."""
        return Sentence(
            "{reason} Trying again in {seconds} s.", {"reason": self.reason, "seconds": f"{self.seconds:g}"}
        )


@dataclass(frozen=True, slots=True)
class Finished:
    """The question is answered; ``text`` is the last reply whole, ``notice`` what a person must know about it."""

    text: str
    usage: Usage = field(default_factory=Usage)
    notice: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The question ended without an answer; the sentence says why and what to do next."""

    reason: Sentence


@dataclass(frozen=True, slots=True)
class Stopped:
    """The person stopped it."""


Event = (
    TextWritten
    | ReasoningWritten
    | CodeWritten
    | ModelCalled
    | CallStarted
    | CodeReviewed
    | ApprovalAsked
    | ApprovalGiven
    | OutputWritten
    | ValueShown
    | TableMade
    | ChartMade
    | FigureMade
    | FileMade
    | CallFinished
    | Waiting
    | Finished
    | Failed
    | Stopped
)
