"""Which models to offer a person, and which are shut down when, as dated data; a server's own list comes first."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.models.language_model import ModelError
from agents.models.local_servers import LocalServer
from agents.models.profiles import model_profile, server_profile
from wording import Sentence

Group = Literal["fast", "balanced", "strong", "other", "local"]
GROUPS: tuple[Group, ...] = ("fast", "balanced", "strong", "other", "local")
_NAMED = 6
_NOT_FOR_TALKING = re.compile(
    r"embed|whisper|tts|transcri|audio|voxtral|realtime|live|image|dall-e|sora|moderation|davinci|babbage|ocr|rerank"
    r"|wanx|computer-use|deep-research|-instruct-\d{4}$",
    re.I,
)
_SHUT_DOWN = "OpenAI shut {model} down on {date}. Choose {successor} in its place, or a server that still has it."


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be chosen; ``efforts`` are the words by which it can be told how long to think."""

    name: str
    base_url: str
    efforts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retirement:
    """When a vendor shut, or will shut, a model down, and what it recommends instead."""

    day: date
    successor: str


# Vendors' own words on what each is for, cheapest first within a group.
_CATALOGUE: Mapping[str, Mapping[Group, tuple[str, ...]]] = {
    # https://developers.openai.com/api/docs/guides/deployment-checklist and .../pricing, 2026-11
    "OpenAI": {
        "fast": ("gpt-6-luna",),
        "balanced": ("gpt-6.1-terra",),
        "strong": ("gpt-6.1-sol", "gpt-6.2-astra"),
    },
    # https://api-docs.deepseek.com/quick_start/pricing, 2026-11-15
    "DeepSeek": {"fast": ("deepseek-flash",), "strong": ("deepseek-v4-pro",)},
    # https://mistral.ai/pricing/api, 2026-10-29
    "Mistral": {
        "fast": ("mistral-small-latest",),
        "balanced": ("mistral-medium-latest",),
        "strong": ("mistral-large-4",),
    },
    # https://help.aliyun.com/en/model-studio/deep-thinking, 2026-11
    "Qwen": {"balanced": ("qwen-plus",), "strong": ("qwen3.8-max",)},
}
# https://developers.openai.com/api/docs/deprecations, 2026-11. Only what OpenAI itself offers is meant.
_RETIRED: Mapping[date, Mapping[str, tuple[str, ...]]] = {
    date(2026, 10, 23): {
        "gpt-6.1-sol": ("o1", "o1-pro", "o3-mini", "gpt-4", "gpt-4-turbo"),
        "gpt-6.1-terra": ("o4-mini",),
        "gpt-6-luna": ("gpt-3.5-turbo", "gpt-4.1-nano", "gpt-4o-2024-05-13"),
    },
    date(2026, 12, 11): {
        "gpt-6.1-sol": ("gpt-5", "gpt-5-pro", "o3", "o3-pro"),
        "gpt-6.1-terra": ("gpt-5-mini",),
        "gpt-6-luna": ("gpt-5-nano",),
    },
    date(2027, 1, 14): {"gpt-6-luna": ("gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini")},
    date(2027, 4, 1): {"gpt-6.1-sol": ("gpt-5.1",), "gpt-6-luna": ("gpt-5.4-nano",)},
}


def model_groups(
    base_url: str, offered: Iterable[str] = (), local: Iterable[LocalServer] = ()
) -> dict[Group, tuple[Offer, ...]]:
    """What to choose from, by group; empty groups are left out.

    ``offered`` is what the server lists, if it was asked; of a vendor's many models those that cannot be talked to, the
    retired and the dated are left out.
    """
    known = _CATALOGUE.get(server_profile(base_url).name, {})
    listed = tuple(dict.fromkeys(offered))
    named = {name for names in known.values() for name in names}
    groups: dict[Group, tuple[Offer, ...]] = {
        group: tuple(_offer(name, base_url) for name in names if not listed or name in listed)
        for group, names in known.items()
    }
    others = _talking(listed, base_url) if known else listed
    groups["other"] = tuple(_offer(name, base_url) for name in others if name not in named)
    groups["local"] = tuple(_offer(name, server.base_url) for server in local for name in server.models)
    return {group: groups[group] for group in GROUPS if groups.get(group)}


def _talking(listed: Sequence[str], base_url: str) -> list[str]:
    """In the order of the alphabet."""
    return sorted(
        name
        for name in listed
        if not _NOT_FOR_TALKING.search(name)
        and not retirement(name, base_url)
        and not any(_is_snapshot(name, other) for other in listed)
    )


def cheap_model(base_url: str, model: str) -> str:
    """The cheapest model at that server for small tasks; ``model`` itself where none is known."""
    fast = _CATALOGUE.get(server_profile(base_url).name, {}).get("fast", ())
    return fast[0] if fast else model


def retirement(model: str, base_url: str) -> Retirement | None:
    """When that server's vendor shuts the model down, if that is known."""
    if server_profile(base_url).name != "OpenAI":
        return None
    for day, successors in _RETIRED.items():
        for successor, names in successors.items():
            if any(model == name or _is_snapshot(model, name) for name in names):
                return Retirement(day, successor)
    return None


def end_of_model(model: str, base_url: str, today: date) -> Sentence | None:
    """A sentence for a person: when its vendor shuts the model down, or that it did, and what to choose instead."""
    end = retirement(model, base_url)
    if end is None:
        return None
    values = {"model": model, "date": end.day.isoformat(), "successor": end.successor}
    if end.day < today:
        return Sentence(_SHUT_DOWN, values)
    return Sentence("OpenAI's last day for {model} is {date}. Its successor is {successor}.", values)


def unknown_model(model: str, base_url: str, server: str, offered: Sequence[str]) -> ModelError:
    """What to do when ``server`` does not know the model, although it offers others."""
    end = end_of_model(model, base_url, date.max)
    if end:
        return ModelError(end.template, **end.values)
    others = [name for name in offered if name != model]
    close = difflib.get_close_matches(model, others, n=_NAMED, cutoff=0.4)
    named = list(dict.fromkeys([*close, *others]))[:_NAMED]
    if not named:
        return ModelError("{server} does not know the model {model}. Choose another model.", server=server, model=model)
    return ModelError(
        "{server} does not know the model {model}. Choose one that it offers, such as: {models}.",
        server=server,
        model=model,
        models=", ".join(name[:80] for name in named),
    )


def _is_snapshot(model: str, name: str) -> bool:
    """Whether the model is that one, by a name with a date."""
    rest = model.removeprefix(f"{name}-") if model.startswith(f"{name}-") else ""
    return rest[:2] == "20" and rest.replace("-", "").isdigit()


def _offer(name: str, base_url: str) -> Offer:
    return Offer(name, base_url, model_profile(name).efforts)
