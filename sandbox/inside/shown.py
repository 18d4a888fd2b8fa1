"""Collects what a cell shows besides printed text: its value, tables, figures and charts, each within limits."""

import base64
import hashlib
import html
import json
import re
import sys
from typing import Any

from matplotlib.figure import Figure

from sandbox.inside.box_settings import BoxLimits
from sandbox.inside.charts import Charts, is_drawing
from sandbox.inside.frames import Header
from sandbox.inside.png import is_png
from sandbox.inside.tables import encode_table, table_of

VALUE_CHARS = 10_000
PLOTLY_TYPE = "application/vnd.plotly.v1+json"
_MORE_ROWS = "The table has {rows} rows; the first {shown} are shown. Save it whole: df.to_csv('/outputs/table.csv')"
_NOT_TEXT = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_to_json = json.JSONEncoder(separators=(",", ":")).encode

Bundle = dict[str, Any]
"""An object in IPython's mime types."""


class Shown:
    """What the running cell has shown so far."""

    def __init__(self, limits: BoxLimits, charts: Charts) -> None:
        self._limits = limits
        self._charts = charts
        self._messages: list[tuple[Header, bytes]] = []
        self._counts = {"table": 0, "figure": 0}
        self._known: set[bytes] = set()
        """Tables and figures of this cell, to show each once however often code asks for it."""

    def take(self) -> list[tuple[Header, bytes]]:
        """All of it, as messages for the supervisor, and begin anew. Draws the charts."""
        try:
            for kind, content in self._charts.report():
                self._add_chart_report(kind, content)
        finally:
            for kind, count in self._counts.items():
                limit = self._limits.tables if kind == "table" else self._limits.charts
                if count > limit:
                    self.notice(
                        "{count} more tables or figures are not shown. Show fewer in one cell.", count=count - limit
                    )
            messages, self._messages = self._messages, []
            self._counts = dict.fromkeys(self._counts, 0)
            self._known.clear()
        return messages

    def show(self, shown: object) -> bool:
        """Take an object that is a table, a chart or an interactive figure; False when it is none of these."""
        if isinstance(shown, Figure):
            self._charts.show(shown)
        elif is_drawing(shown):
            pass
        elif _is_plotly(shown):
            self._add_figure(shown.to_json().encode())  # type: ignore[attr-defined]
        else:
            return self._show_table(shown)
        return True

    def show_bundle(self, bundle: Bundle) -> str:
        """Take what IPython made of an object. Gives the text that stands for it, empty when it is shown otherwise."""
        if PLOTLY_TYPE in bundle:
            figure = {key: value for key, value in bundle[PLOTLY_TYPE].items() if key in ("data", "layout", "frames")}
            self._add_figure(_to_json(figure).encode())
        elif picture := bundle.get("image/png"):
            self._add_picture(base64.b64decode(picture) if isinstance(picture, str) else picture)
        else:
            return _text_of(bundle)
        return ""

    def show_value(self, text: str) -> None:
        """Take the last expression as text."""
        if len(text) > VALUE_CHARS:
            self.notice(
                "The value has {count} characters; the first {shown} are shown. Print the part that matters.",
                count=len(text),
                shown=VALUE_CHARS,
            )
            text = text[:VALUE_CHARS] + "…"
        if text:
            self._messages.append(({"type": "value"}, text.encode(errors="replace")))

    def notice(self, template: str, **values: str | int) -> None:
        """Say that something was cut or left out."""
        self._messages.append(({"type": "notice"}, _to_json({"template": template, "values": values}).encode()))

    def _show_table(self, shown: object) -> bool:
        try:
            table = table_of(shown)
            if table is None:
                return False
            if self._counts["table"] > self._limits.tables:
                self._counts["table"] += 1
                return True
            payload, rows = encode_table(table, self._limits.table_rows, self._limits.table_bytes)
        except Exception:  # noqa: BLE001 - cells and names may be objects of the user's; the text form is the way out
            return False
        if not self._is_new("table", payload) or self._counts["table"] > self._limits.tables:
            return True
        self._messages.append(({"type": "table"}, payload))
        if rows < table.row_count:
            self.notice(_MORE_ROWS, rows=table.row_count, shown=rows)
        if table.left_out:
            self.notice(
                "{count} more columns of the table are not shown. Choose columns to see them.", count=table.left_out
            )
        return True

    def _is_new(self, kind: str, content: bytes) -> bool:
        """Whether it was not shown before, and counts it then."""
        key = hashlib.sha256(content).digest()
        is_new = key not in self._known
        self._known.add(key)
        self._counts[kind] += is_new
        return is_new

    def _add_figure(self, content: bytes) -> None:
        if not self._is_new("figure", content):
            return
        if len(content) > self._limits.chart_bytes:
            self.notice("A figure is too large to be shown. Save it instead: fig.write_html('/outputs/figure.html')")
        elif self._counts["figure"] <= self._limits.charts:
            self._messages.append(({"type": "figure"}, content))

    def _add_picture(self, content: bytes) -> None:
        if is_png(content[:64], self._limits.chart_pixels) and len(content) <= self._limits.chart_bytes:
            self._messages.append(({"type": "chart"}, content))
        else:
            self.notice("A picture is too large to be shown. Save it instead, in /outputs.")

    def _add_chart_report(self, kind: str, content: bytes | str) -> None:
        if isinstance(content, bytes):
            self._messages.append(({"type": "chart"}, content))
        elif kind == "failed":
            self.notice("A chart could not be drawn: {reason}. Correct it and draw it again.", reason=content[:500])
        elif kind == "left_out":
            self.notice("{count} more charts are not shown. Draw fewer in one cell.", count=int(content))
        else:
            self._messages.append(({"type": kind}, content.encode(errors="surrogateescape")))


def _text_of(bundle: Bundle) -> str:
    plain = str(bundle.get("text/plain", ""))
    if not plain.startswith("<IPython.core.display."):
        return plain
    if text := bundle.get("text/markdown") or bundle.get("text/latex"):
        return str(text)
    return html.unescape(_NOT_TEXT.sub("", str(bundle.get("text/html", "")))).strip()


def _is_plotly(shown: object) -> bool:
    plotly = sys.modules.get("plotly.basedatatypes")
    return plotly is not None and isinstance(shown, plotly.BaseFigure)


def take_over_plotly(shown: Shown) -> None:
    """Let plotly's figures be shown by us whichever way code asks for it; there is no browser to open."""
    import plotly.basedatatypes
    import plotly.io

    def show(figure: Any, *_: object, **__: object) -> None:
        shown.show(figure if _is_plotly(figure) else plotly.basedatatypes.BaseFigure(figure))

    plotly.basedatatypes.BaseFigure.show = show
    plotly.io.show = show
