"""A plotly figure from the sandbox reaches the page with its data, and with nothing that is loaded from elsewhere."""

import json
from typing import Any

import plotly.graph_objects as go
import pytest

from ui.safe_figure import CONFIG, safe_figure

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def made_safe(figure: Any) -> dict[str, Any]:
    safe = safe_figure(json.dumps(figure))
    assert safe is not None
    return safe[0]


def test_a_plain_figure_stays_as_it_is() -> None:
    figure = {
        "data": [{"type": "bar", "x": ["https://a.example", "b"], "y": [1, 2]}],
        "layout": {"title": {"text": "T"}},
    }
    assert safe_figure(json.dumps(figure)) == (figure, False)


def test_pictures_stay_only_when_they_are_in_the_figure() -> None:
    images = [{"source": "https://evil.example/x.png"}, {"source": "//evil.example"}, {"source": PICTURE}]
    safe = made_safe({"data": [], "layout": {"images": images, "template": {"layout": {"images": images}}}})
    kept = [{"source": None}, {"source": None}, {"source": PICTURE}]
    assert safe["layout"]["images"] == kept
    assert safe["layout"]["template"]["layout"]["images"] == kept


def test_updates_of_buttons_and_frames_load_nothing_either() -> None:
    change = {"images[0].source": "https://evil.example/x", "map.style": "https://evil.example/style.json"}
    safe = made_safe({"data": [], "layout": {"updatemenus": [{"buttons": [{"args": [change]}]}]}, "frames": [change]})
    harmless = {"images[0].source": None, "map.style": "white-bg"}
    assert safe["layout"]["updatemenus"][0]["buttons"][0]["args"] == [harmless]
    assert safe["frames"] == [harmless]


@pytest.mark.parametrize(
    ("kind", "subplot"), [("scattermap", "map"), ("choroplethmap", "map"), ("densitymapbox", "mapbox")]
)
def test_a_map_of_tiles_gets_a_plain_background(kind: str, subplot: str) -> None:
    style = {"version": 8, "sources": {"x": {"tiles": ["https://evil.example/{z}"]}}}
    for layout in ({}, {subplot: {"style": "open-street-map", "zoom": 3}}, {subplot: {"style": style}}):
        safe = safe_figure(
            json.dumps({"data": [{"type": kind, "geojson": "https://evil.example/x"}], "layout": layout})
        )
        assert safe is not None
        assert safe[1]
        assert safe[0]["layout"][subplot]["style"] == "white-bg"
        assert safe[0]["data"][0]["geojson"] is None
        assert "evil" not in json.dumps(safe[0])


def test_a_second_map_gets_a_plain_background_too() -> None:
    assert made_safe({"data": [{"type": "scattermap", "subplot": "map2"}]})["layout"]["map2"] == {"style": "white-bg"}


def test_outlines_of_countries_come_from_nowhere() -> None:
    safe = safe_figure(go.Figure(go.Scattergeo(lon=[2.3], lat=[48.8])).to_json())
    assert safe is not None
    assert safe[1]
    assert str(CONFIG["topojsonURL"]).startswith("data:application/json,{")


@pytest.mark.parametrize("kind", ["heatmap", "treemap"])
def test_charts_that_are_called_maps_are_no_maps(kind: str) -> None:
    assert safe_figure(json.dumps({"data": [{"type": kind}], "layout": {}})) == (
        {"data": [{"type": kind}], "layout": {}},
        False,
    )


def test_style_of_text_stays() -> None:
    font = {"data": [], "layout": {"font": {"style": "italic"}}}
    assert made_safe(font) == font


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"data": 1}', "nonsense", "[" * 100_000])
def test_what_is_no_figure_is_none(text: str) -> None:
    assert safe_figure(text) is None
