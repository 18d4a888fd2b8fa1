"""A language model that is asked no more once its chat has cost as much as it may."""

from collections.abc import Callable, Generator

from agents.models.language_model import LanguageModelInterface, ModelError, ModelRequest, Piece
from agents.stop_signal import StopSignal
from wording import Sentence


class GuardedLanguageModel(LanguageModelInterface):
    """``why_not`` is asked before each request; a sentence from it is told in place of a reply."""

    def __init__(self, language_model: LanguageModelInterface, why_not: Callable[[], Sentence | None]) -> None:
        self._language_model = language_model
        self._why_not = why_not

    def stream(self, request: ModelRequest, stop: StopSignal) -> Generator[Piece, None, None]:
        reason = self._why_not()
        if reason:
            raise ModelError(reason.template, **reason.values)
        yield from self._language_model.stream(request, stop)
