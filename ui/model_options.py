"""What the model picker offers, under which label, and what each stands for; plain values, no Streamlit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.models.catalogue import Group, model_groups
from agents.models.local_servers import LocalServer
from agents.models.profiles import model_profile
from agents.models.server_client import OPENAI_URL
from analysis.model_choice import OFFLINE, ModelChoice
from ui.language import tell_sentence
from ui.printable import printable
from wording import Sentence

_GROUPS: dict[Group, Sentence] = {
    "fast": Sentence("fast"),
    "balanced": Sentence("balanced"),
    "strong": Sentence("strong"),
    "other": Sentence("other"),
    "local": Sentence("on this machine"),
}
_OFFLINE_NAME = Sentence("Offline analyst")
_USUAL_EFFORT = "medium"


@dataclass(frozen=True, slots=True)
class Option:
    """A line of the picker; ``local_url`` is that of a server on this machine."""

    model: str
    label: str
    local_url: str = ""

    @property
    def key(self) -> str:
        """Its name for the widget, the same in every language."""
        return key_of(self.model, self.local_url)


def model_options(
    choice: ModelChoice, preset: str, servers: Sequence[LocalServer], listed: Sequence[str] = ()
) -> dict[str, Option]:
    """What is chosen and what is set, then by group, then the one that needs no server; one of each label.

    ``listed`` is what the server of the choice says it offers, if that is known.
    """
    groups = model_groups(choice.base_url or OPENAI_URL, listed, servers)
    is_grouped = bool(groups.keys() - {"other", "local"})
    offered = [
        Option(
            offer.name,
            _label(offer.name, group) if is_grouped or group == "local" else printable(offer.name),
            offer.base_url if group == "local" else "",
        )
        for group, offers in groups.items()
        for offer in offers
    ]
    offered.append(Option(OFFLINE, tell_sentence(_OFFLINE_NAME)))
    known = {option.key for option in offered}
    own = (Option(choice.model, printable(choice.model), choice.local_url), Option(preset, printable(preset)))
    others = (option for option in own if option.key not in known)
    by_label = {option.label: option for option in (*others, *offered)}
    return {option.key: option for option in by_label.values()}


def key_of(model: str, local_url: str = "") -> str:
    return f"{model}\n{local_url}" if local_url else model


def chosen(choice: ModelChoice, key: str) -> ModelChoice:
    """The choice with another model, which is offered or was typed; an effort that it lacks goes."""
    model, _, local_url = key.partition("\n")
    efforts = efforts_of(model)
    effort = choice.effort
    if efforts and effort is not None and effort not in efforts:
        effort = _USUAL_EFFORT if _USUAL_EFFORT in efforts else None
    return replace(choice, model=model.strip() or choice.model, local_url=local_url, effort=effort)


def efforts_of(model: str) -> tuple[str, ...]:
    """How long it can be told to think, if it can be told that."""
    return () if model == OFFLINE else model_profile(model).efforts


def _label(name: str, group: Group) -> str:
    return f"{printable(name)} · {tell_sentence(_GROUPS[group])}"
