"""A plotly figure from the sandbox that draws what it holds and loads nothing from anywhere."""

import json
import re
from typing import Any

_LOADED = frozenset({"source", "geojson", "tiles", "url", "sprite", "glyphs", "accesstoken", "topojsonURL"})
_PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=\s]*")
_STYLES = frozenset({"normal", "italic", "white-bg"})
_TILE_TRACE = re.compile(r"(?:scatter|choropleth|density)(map(?:box)?)")
_OUTLINE_TRACES = frozenset({"choropleth", "scattergeo"})
_CHARACTERS = 20_000_000

_LAYERS = ("coastlines", "land", "ocean", "lakes", "rivers", "countries", "subunits")
_NO_SHAPES = {"type": "GeometryCollection", "geometries": list[Any]()}
_NO_OUTLINES = {"type": "Topology", "arcs": [], "objects": dict.fromkeys(_LAYERS, _NO_SHAPES)}
CONFIG = {
    "displaylogo": False,
    # Plotly appends a file name to this address; after "#" it means nothing.
    "topojsonURL": f"data:application/json,{json.dumps(_NO_OUTLINES, separators=(',', ':'))}#",
}


def safe_figure(text: str) -> tuple[dict[str, Any], bool] | None:
    """The figure, and whether it has a map that now lacks its background; None when the text holds no figure."""
    if len(text) > _CHARACTERS:
        return None
    try:
        figure = json.loads(text)
        if not isinstance(figure, dict) or not isinstance(figure.get("data"), list):
            return None
        safe = {key: _safe(figure[key]) for key in ("data", "layout", "frames") if key in figure}
    except (ValueError, RecursionError):
        return None
    return safe, _blank_maps(safe)


def _safe(value: Any) -> Any:
    if isinstance(value, list):
        return [_safe(item) for item in value]
    if isinstance(value, dict):
        return {key: _safe_entry(key, item) for key, item in value.items()}
    return value


def _safe_entry(key: str, value: Any) -> Any:
    # In an update the key is a path such as "images[0].source".
    name = re.split(r"[.\[]", re.sub(r"(?:\[\d*\])+$", "", key))[-1]
    if name in _LOADED and isinstance(value, str):
        return value if _PICTURE.fullmatch(value) else None
    if name == "style" and not (isinstance(value, str) and value in _STYLES):
        return "white-bg"
    return _safe(value)


def _blank_maps(figure: dict[str, Any]) -> bool:
    layout = figure.get("layout")
    if not isinstance(layout, dict):
        layout = figure["layout"] = {}
    kinds = [trace.get("type") for trace in figure["data"] if isinstance(trace, dict)]
    tiled = [found[1] for kind in kinds if isinstance(kind, str) and (found := _TILE_TRACE.fullmatch(kind))]
    subplots = {str(trace["subplot"]) for trace in figure["data"] if isinstance(trace, dict) and "subplot" in trace}
    names = [name for name in {*tiled, *subplots, *layout} if re.fullmatch(r"map(?:box)?\d*", name)]
    for name in names:
        old = layout.get(name)
        layout[name] = (old if isinstance(old, dict) else {}) | {"style": "white-bg"}
    return bool(names) or not _OUTLINE_TRACES.isdisjoint(kind for kind in kinds if isinstance(kind, str))
