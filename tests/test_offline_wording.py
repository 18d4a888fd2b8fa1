"""Everything the offline analyst says is there in both languages, with the same places."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

from agents.models import offline
from agents.models.offline.figures import Figures, Unprinted
from agents.models.offline.sentences import fill, fill_each

PLACE = re.compile(r"\{\w+(?::q)?\}")
HAN = re.compile(r"[\u4e00-\u9fff]")


def pairs() -> Iterator[tuple[str, str]]:
    for module in walk_packages(offline.__path__, "agents.models.offline."):
        for value in vars(import_module(module.name)).values():
            yield from pairs_in(value)


def pairs_in(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(text, str) for text in value):
        if HAN.search(value[1]) and not HAN.search(value[0]) and "\\" not in value[1]:  # else it is a pattern
            yield value
    elif isinstance(value, dict | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from pairs_in(each)


PAIRS = sorted(set(pairs()))


def test_there_are_pairs() -> None:
    assert len(PAIRS) > 150


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0][:50])
def test_both_languages_have_the_same_places_and_their_own_punctuation(pair: tuple[str, str]) -> None:
    english, chinese = pair
    assert set(PLACE.findall(english)) == set(PLACE.findall(chinese))
    assert not re.search(r"[\u4e00-\u9fff][,;:?!]|[\u4e00-\u9fff]\.(?!\w)", chinese)


def test_a_place_is_filled_by_a_value_or_a_printed_figure() -> None:
    pair = ("{name:q} has {rows} rows", "{name:q} 有 {rows} 行")
    assert fill(pair, "en", Figures({"rows": 1200}), name="a`b\n[x](y)") == "`a'b [x](y)` has 1,200 rows"
    assert fill(pair, "zh", Figures({"rows": 0.5, "name": "{rows}"})) == "`{rows}` 有 0.5 行"
    assert fill_each(pair, "en", [Figures({"rows": None, "name": 1})]) == "- `1` has – rows"
    with pytest.raises(Unprinted):
        fill(pair, "en", name="a")
