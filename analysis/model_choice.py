"""Which model answers, and where it is: a server's, one of this machine, or the analyst that needs none."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from agents.models.catalogue import cheap_model, end_of_model
from agents.models.language_model import LanguageModelInterface
from agents.models.local_servers import LocalServer
from agents.models.offline.model import NAME as OFFLINE
from agents.models.offline.model import OfflineLanguageModel
from agents.models.openai_model import OpenAILanguageModel
from agents.models.reply_cache import CachedLanguageModel
from agents.models.server_client import OPENAI_URL
from analysis.model_lists import ModelLists
from sandbox.sandbox import FileProfile
from settings import Settings
from wording import Sentence

__all__ = ["OFFLINE", "LanguageModels", "ModelChoice", "first_choice"]

MODEL_LISTS = ModelLists()
"""Of the process: chats with the same server and key share a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which model answers and where it is; ``effort`` None and ``base_url`` empty leave that to the server.

    The model ``offline`` is no language model and needs neither.
    """

    model: str
    effort: str | None = None
    api_key: str = field(default="", repr=False)
    base_url: str = ""
    local_url: str = ""
    """Of a server on this machine that answers instead; the key does not go there."""

    @property
    def is_offline(self) -> bool:
        return self.model == OFFLINE

    @property
    def url(self) -> str:
        """Where the model is asked."""
        return self.local_url or self.base_url or OPENAI_URL

    @property
    def address(self) -> tuple[str, str]:
        """Key and base URL, as the client of the server takes them."""
        return ("", self.local_url) if self.local_url else (self.api_key, self.base_url)

    @property
    def lacks_key(self) -> bool:
        """Nothing can be asked: OpenAI itself is meant, and it wants a key."""
        return not self.is_offline and self.url == OPENAI_URL and not self.api_key

    @property
    def end(self) -> Sentence | None:
        """That its vendor shuts the model down, or did, and what to choose instead."""
        return end_of_model(self.model, self.url, date.today())

    def small_task_model(self, wanted: str = "") -> str:
        """The model for reviewing and reading: ``wanted``, or the cheapest known at the server, or this one."""
        if self.is_offline or self.local_url:
            return self.model
        return wanted or cheap_model(self.url, self.model)


def first_choice(settings: Settings, find_local: Callable[[], Sequence[LocalServer]]) -> ModelChoice:
    """What the settings name; with neither key nor address a server of this machine, or else the offline analyst.

    ``find_local`` is called only in that case.
    """
    choice = ModelChoice(
        model=settings.model,
        effort=settings.reasoning_effort,
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
    )
    if choice.is_offline or choice.api_key or choice.base_url:
        return choice
    found = [(model, server.base_url) for server in find_local() for model in server.models]
    named = [each for each in found if each[0] == settings.model]
    model, url = next(iter([*named, *found]), (OFFLINE, ""))
    return ModelChoice(model=model, effort=settings.reasoning_effort, local_url=url)


class LanguageModels:
    """Gives the same client as long as its address stays: it remembers what its server refuses."""

    def __init__(
        self, settings: Settings, tables: Callable[[], Sequence[FileProfile]], dictionary: Callable[[], str]
    ) -> None:
        self._settings = settings
        self._offline = OfflineLanguageModel(tables, dictionary)
        self._lock = threading.Lock()
        self._client: tuple[tuple[str, str], OpenAILanguageModel] | None = None

    def of(self, choice: ModelChoice) -> LanguageModelInterface:
        if choice.is_offline:
            return self._offline
        server, cache = self._server(choice.address), self._settings.model_cache
        return CachedLanguageModel(server, server.server, cache) if cache else server

    def offered(self, choice: ModelChoice) -> tuple[str, ...]:
        """What the server of the choice lists; it is asked in the background, so it is nothing at first.

        Nobody is asked where no key is known, nor a server of this machine, whose models are known already.
        """
        if choice.is_offline or choice.local_url or choice.lacks_key:
            return ()
        return MODEL_LISTS.of(choice.address, lambda: self._server(choice.address).models())

    def _server(self, address: tuple[str, str]) -> OpenAILanguageModel:
        with self._lock:
            if self._client is None or self._client[0] != address:
                self._client = address, OpenAILanguageModel(*address, api=self._settings.model_api)
            return self._client[1]
