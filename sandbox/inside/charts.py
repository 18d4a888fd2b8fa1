"""Makes matplotlib's figures into PNG pictures once a cell is over, each picture once; draws nothing of its own."""

import functools
import io
import itertools
import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib._pylab_helpers import Gcf
from matplotlib.artist import Artist
from matplotlib.container import Container
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

PADDING_INCHES = 0.1
READABLE_DPI = 72
MAX_OVERHANG = 2
"""How many times its own size a picture may become so that nothing of it is cut off."""

Report = tuple[str, bytes | str]


@dataclass(slots=True)
class _State:
    """What a figure looked like at some time, and the files under the output folder that show just that."""

    is_blank: bool
    picture: bytes | None = None
    paths: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Followed:
    """One figure. It is held only if it is to be drawn at the end of the cell, whatever becomes of it until then."""

    number: int
    states: list[_State] = field(default_factory=list)
    held: Any = None


class Charts:
    """Follows the figures of the running cell."""

    def __init__(self, outputs: str, longest_side: int, most: int, most_bytes: int) -> None:
        self._outputs = os.path.realpath(outputs)
        self._longest_side = longest_side
        self._most = most
        self._most_bytes = most_bytes
        self._numbers = itertools.count()
        self._followed: WeakKeyDictionary[Any, _Followed] = WeakKeyDictionary()
        self._entries: dict[int, _Followed] = {}
        self._pictures = 0
        self._failures: list[str] = []
        self._last_shown: Any = None
        self._save = Figure.savefig
        self._follow_matplotlib()

    def show(self, figure: Any) -> None:
        """Show a figure at the end of the cell, even if it is closed until then."""
        self._entry(figure).held = figure

    def report(self) -> Iterator[Report]:
        """What the cell drew, in the order in which it began to: ``chart`` with a PNG, ``saved`` or ``copy`` with the
        path of a file; then ``failed`` with why a figure cannot be drawn, and ``left_out`` with how many were too many.
        All figures are closed."""
        try:
            for figure in _open_figures():
                self.show(figure)
            entries = [entry for _, entry in sorted(self._entries.items())]
            for entry in entries:
                if entry.held is not None:
                    self._capture(entry, entry.held)
            for state in itertools.chain.from_iterable(entry.states for entry in entries):
                yield from self._report_state(state)
            yield from (("failed", failure) for failure in self._failures)
            if self._pictures > self._most:
                yield "left_out", str(self._pictures - self._most)
        finally:
            self._forget()

    def _forget(self) -> None:
        Gcf.destroy_all()
        for entry in self._entries.values():
            entry.states, entry.held = [], None
        self._entries, self._failures = {}, []
        self._pictures, self._last_shown = 0, None

    def _report_state(self, state: _State) -> Iterator[Report]:
        is_shown = state.is_blank
        if state.picture:
            is_shown = True
            yield "chart", state.picture
        for path in state.paths:
            if os.path.isfile(path):  # noqa: PTH113 - what pathlib adds is not needed here
                yield "copy" if is_shown else "saved", os.path.relpath(path, self._outputs)
                is_shown = True

    def _entry(self, figure: Any) -> _Followed:
        entry = self._followed.setdefault(figure, _Followed(next(self._numbers)))
        return self._entries.setdefault(entry.number, entry)

    def _follow_matplotlib(self) -> None:
        mpl.rcParams["figure.max_open_warning"] = 0
        warnings.filterwarnings("ignore", "More than .* figures have been opened", RuntimeWarning)
        begin, save, save_current = Figure.__init__, Figure.savefig, plt.savefig

        @functools.wraps(begin)
        def init(figure: Any, *args: Any, **values: Any) -> None:
            begin(figure, *args, **values)
            self._followed[figure] = _Followed(next(self._numbers))

        @functools.wraps(save)
        def savefig(figure: Any, fname: Any, **values: Any) -> Any:
            has_changed = figure.stale
            result = save(figure, fname, **values)
            self._note_saved(figure, fname, values.get("format"), has_changed)
            return result

        @functools.wraps(save_current)
        def savefig_of_current(*args: Any, **values: Any) -> Any:
            if self._last_shown is not None and not plt.get_fignums():
                return self._last_shown.savefig(*args, **values)
            return save_current(*args, **values)

        Figure.__init__, Figure.savefig, Figure.show = init, savefig, lambda figure, warn=True: self.show(figure)
        plt.savefig, plt.show = savefig_of_current, self._show_all

    def _show_all(self, *_: object, block: bool | None = None, **__: object) -> None:
        """As with a window: one has looked at the figures, they are closed, and the next plot begins a new one."""
        if block is False or (block is None and plt.isinteractive()):
            return
        for figure in _open_figures():
            self._last_shown = figure
            self._capture(self._entry(figure), figure)
        Gcf.destroy_all()

    def _note_saved(self, figure: Any, target: object, kind: str | None, has_changed: bool) -> None:
        if not isinstance(target, str | os.PathLike):
            return
        path = os.path.realpath(os.fspath(target))
        suffix = Path(path).suffix[1:]
        kind = (kind or suffix or mpl.rcParams["savefig.format"]).lower()
        if not path.startswith(self._outputs + os.sep):
            return
        entry = self._entry(figure)
        if kind == "png":
            if has_changed or not entry.states:
                entry.states.append(_State(_is_blank(figure)))
            entry.states[-1].paths.append(path if suffix else f"{path}.png")
            figure.stale = False
        elif len(self._entries) <= self._most:
            entry.held = figure

    def _capture(self, entry: _Followed, figure: Any) -> None:
        """Draw a figure, unless there is a picture of it as it is now."""
        entry.held = None
        known = entry.states[-1] if entry.states and not figure.stale else None
        if known and (known.picture or any(map(os.path.isfile, known.paths))):
            return
        if _is_blank(figure):
            return
        self._pictures += 1
        if self._pictures <= self._most:
            entry.states.append(_State(False, self._draw(figure)))
            figure.stale = False

    def _draw(self, figure: Any) -> bytes | None:
        dpi, size = figure.dpi, figure.get_size_inches()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for share in (1, 0.5, 0.25):
                    picture = self._draw_within(figure, dpi, self._longest_side * share - 1)
                    if len(picture) <= self._most_bytes:
                        return picture
            self._failures.append("it is too large")
        except Exception as error:  # noqa: BLE001 - figures may hold code of the user's, which raises what it likes
            self._failures.append(f"{type(error).__name__}: {error}")
        finally:
            figure.dpi = dpi
            figure.set_size_inches(size, forward=False)
        return None

    def _draw_within(self, figure: Any, dpi: float, longest_side: float) -> bytes:
        """A picture of at most so many pixels a side; its size is cut before its letters become too small to read."""
        size = figure.get_size_inches()
        figure.dpi = max(min(dpi, longest_side / max(size)), min(dpi, READABLE_DPI))
        size = np.minimum(size, longest_side / figure.dpi)
        figure.set_size_inches(size, forward=False)
        figure.draw_without_rendering()
        box = figure.get_tightbbox().padded(PADDING_INCHES)
        if not np.isfinite(box.extents).all() or (np.array(box.size) > MAX_OVERHANG * size + 1).any():
            box = Bbox.from_bounds(0, 0, *size)
        figure.dpi = min(figure.dpi, longest_side / max(box.size))
        buffer = io.BytesIO()
        self._save(figure, buffer, format="png", dpi=figure.dpi, bbox_inches=box)
        return buffer.getvalue()


def is_drawing(shown: object, depth: int = 3) -> bool:
    """Whether an object is only what a plotting function hands back, not worth showing as text."""
    if isinstance(shown, Artist | Container) or type(shown).__module__.startswith("seaborn.axisgrid"):
        return True
    parts: Iterable[object] = ()
    if isinstance(shown, list | tuple):
        parts = itertools.islice(shown, 100)
    elif isinstance(shown, dict):
        parts = itertools.islice(shown.values(), 100)
    elif isinstance(shown, np.ndarray) and shown.dtype == object:
        parts = itertools.islice(shown.flat, 100)
    return depth > 0 and any(is_drawing(part, depth - 1) for part in parts)


def _open_figures() -> list[Any]:
    return [manager.canvas.figure for manager in Gcf.get_all_fig_managers()]


def _is_blank(figure: Any) -> bool:
    if any(getattr(figure, kind) for kind in ("texts", "images", "lines", "patches", "artists", "legends")):
        return False
    return not any(
        axes.has_data() or axes.texts or axes.tables or axes.artists or axes.get_title() for axes in figure.axes
    )
