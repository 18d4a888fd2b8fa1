"""A language model whose requests are counted: how each ended and what it took."""

from collections.abc import Callable, Generator
from contextlib import closing

from agents.events import Usage
from agents.models.language_model import LanguageModelInterface, ModelError, ModelReply, ModelRequest, Piece
from agents.stop_signal import StopSignal

CountRequest = Callable[[str, str, Usage], None]
"""Called with the model, how the request ended (ok, failed, stopped) and its tokens."""


class CountedLanguageModel(LanguageModelInterface):
    """Changes nothing of what is asked and answered."""

    def __init__(self, language_model: LanguageModelInterface, count: CountRequest) -> None:
        self._language_model = language_model
        self._count = count

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        outcome, usage = "stopped", Usage()
        try:
            with closing(self._language_model.stream(request, stop)) as pieces:
                for piece in pieces:
                    if isinstance(piece, ModelReply):
                        outcome, usage = "ok", piece.usage
                    yield piece
        except ModelError:
            outcome = "failed"
            raise
        finally:
            self._count(request.model, outcome, usage)
