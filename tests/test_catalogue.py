"""What a person may choose from, and what is said of a model that is gone."""

import re
from datetime import date
from pathlib import Path

import pytest

from agents.models import catalogue
from agents.models.catalogue import Offer, Retirement, cheap_model, end_of_model, model_groups, retirement
from agents.models.language_model import ModelError
from agents.models.local_servers import LocalServer
from agents.models.server_client import OPENAI_URL
from agents.stop_signal import StopSignal
from tests.chat_server import ChatServer, refuses
from tests.openai_fixtures import model_at, request

OWN = "http://10.0.0.5:9000/v1"


def names(groups: dict[catalogue.Group, tuple[Offer, ...]]) -> dict[str, list[str]]:
    return {group: [offer.name for offer in offers] for group, offers in groups.items()}


def test_a_vendors_models_are_grouped_by_what_they_are_for() -> None:
    groups = model_groups(OPENAI_URL)
    assert list(groups) == ["fast", "balanced", "strong"]
    assert groups["fast"][0] == Offer("gpt-6-luna", OPENAI_URL, ("none", "low", "medium", "high", "xhigh", "max"))


def test_of_a_vendors_list_those_that_can_be_talked_to_are_offered_once_each() -> None:
    none = ["whisper-1", "text-embedding-3-large", "gpt-4o-realtime-preview", "gpt-image-2", "o3-mini", "gpt-5"]
    offered = ["gpt-6-luna", "gpt-6.1-sol", "gpt-new", "gpt-5.4", "gpt-5.4-2026-03-05", *none]
    assert names(model_groups(OPENAI_URL, offered)) == {
        "fast": ["gpt-6-luna"], "strong": ["gpt-6.1-sol"], "other": ["gpt-5.4", "gpt-new"]
    }  # fmt: skip


def test_of_any_other_server_all_models_are_offered_and_those_of_this_machine_too() -> None:
    local = [LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("gpt-oss:20b", "gemma3"))]
    groups = model_groups(OWN, ["b", "a", "b"], local)
    assert names(groups) == {"other": ["b", "a"], "local": ["gpt-oss:20b", "gemma3"]}
    assert groups["local"] == (
        Offer("gpt-oss:20b", "http://127.0.0.1:11434/v1", ("low", "medium", "high")),
        Offer("gemma3", "http://127.0.0.1:11434/v1", ()),
    )
    assert model_groups(OWN) == {}


def test_small_tasks_go_to_the_cheapest_model_that_is_known() -> None:
    assert cheap_model(OPENAI_URL, "gpt-6.2-astra") == "gpt-6-luna"
    assert cheap_model("https://api.mistral.ai/v1", "mistral-large-4") == "mistral-small-latest"
    assert cheap_model(OWN, "mine") == "mine"


@pytest.mark.parametrize(
    ("model", "url", "expected"),
    [
        ("o3-mini", OPENAI_URL, Retirement(date(2026, 10, 23), "gpt-6.1-sol")),
        ("o3-mini-2025-01-31", OPENAI_URL, Retirement(date(2026, 10, 23), "gpt-6.1-sol")),
        ("gpt-4o", OPENAI_URL, Retirement(date(2027, 1, 14), "gpt-6-luna")),
        ("gpt-5-mini", OPENAI_URL, Retirement(date(2026, 12, 11), "gpt-6.1-terra")),
        ("gpt-5.4", OPENAI_URL, None),
        ("gpt-6-luna", OPENAI_URL, None),
        ("o3-mini", OWN, None),
    ],
)
def test_a_retired_model_is_known_at_its_vendor_alone(model: str, url: str, expected: Retirement | None) -> None:
    assert retirement(model, url) == expected


def test_the_end_of_a_model_is_told_before_and_after_its_day() -> None:
    before, day, after = (end_of_model("o3-mini", OPENAI_URL, date(2026, 10, number)) for number in (1, 23, 24))
    assert str(before) == str(day) == "OpenAI's last day for o3-mini is 2026-10-23. Its successor is gpt-6.1-sol."
    assert str(after) == (
        "OpenAI shut o3-mini down on 2026-10-23. Choose gpt-6.1-sol in its place, or a server that still has it."
    )
    assert end_of_model("gpt-6-luna", OPENAI_URL, date.max) is None


def test_a_retired_model_leads_to_its_successor() -> None:
    assert str(catalogue.unknown_model("o3-mini", OPENAI_URL, OPENAI_URL, ["gpt-6-luna"])) == (
        "OpenAI shut o3-mini down on 2026-10-23. Choose gpt-6.1-sol in its place, or a server that still has it."
    )


def test_nothing_that_is_offered_is_retired() -> None:
    offered = [offer for offers in model_groups(OPENAI_URL).values() for offer in offers]
    assert [offer.name for offer in offered if retirement(offer.name, OPENAI_URL)] == []


def test_an_unknown_model_is_answered_with_the_models_that_are_there() -> None:
    unknown = refuses("The model `gpt-4` does not exist", status=404, code="model_not_found")
    with ChatServer(unknown, models=("z", "gpt-4o")) as server, pytest.raises(ModelError) as caught:
        list(model_at(server).stream(request("gpt-4"), StopSignal()))
    assert str(caught.value) == (
        f"{server.url} does not know the model gpt-4. Choose one that it offers, such as: gpt-4o, z."
    )


def test_every_table_says_where_it_comes_from_and_when() -> None:
    source = Path(catalogue.__file__).read_text(encoding="utf-8")
    assert len(re.findall(r"# https://\S+.*20\d\d-\d\d", source)) == 5
