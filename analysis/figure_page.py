"""An interactive figure as one web page that works offline and can reach nothing, whatever the figure holds."""

from plotly.offline import get_plotlyjs

from sandbox.sandbox import OutputFigure

_MAY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; worker-src blob:"
)
_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{may}">
<style>html, body, #chart {{ margin: 0; height: 100%; }}</style>
<script>{plotly}</script></head>
<body><div id="chart"></div><script type="application/json" id="figure">{figure}</script>
<script>
const figure = JSON.parse(document.getElementById("figure").textContent);
Plotly.newPlot("chart", figure.data, figure.layout, {{responsive: true}});
</script></body></html>
"""


def figure_page(figure: OutputFigure) -> bytes:
    """The page; the figure stands in it as data alone, since no ``<`` of it can open or end an element."""
    data = figure.json.replace("<", "\\u003c")
    return _PAGE.format(may=_MAY, plotly=get_plotlyjs(), figure=data).encode("utf-8", "replace")
