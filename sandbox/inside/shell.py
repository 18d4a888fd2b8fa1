"""IPython's shell, fitted to a place without terminal, history or notebook: it shows through ``Shown``."""

import asyncio
import contextlib
import re
import sys
import warnings
from collections.abc import Coroutine, Iterator
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell

from sandbox.inside.shown import Shown
from sandbox.inside.traces import cell_name, short_trace

# What is worth making of an object; IPython knows more, only for it to be thrown away here.
_MIME_TYPES = ["text/plain", "text/markdown", "text/latex", "text/html", "image/png"]
_SCALARS = frozenset({int, float, complex, bool, str, bytes})
_BEYOND_PYTHON = re.compile(r"[%!?]|^[ \t]*(?:[,;/]|>>>|In \[)|\A\s|\A\w*\s*\Z", re.MULTILINE)
"""Where code may be a command of IPython's, an indented piece, a copied session, or one bare name, as ``exit`` is."""


class _Compiler(CachingCompiler):  # type: ignore[misc]
    """Names cells by their number."""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return cell_name(number)


class _Formatter(DisplayFormatter):  # type: ignore[misc]
    """Shows tables and charts itself, and leaves the rest to IPython."""

    def format(self, obj: object, include: Any = None, exclude: Any = None) -> Any:
        if type(obj) in _SCALARS:
            # They have no other form than their text; to find that out takes longer than most cells do.
            return {"text/plain": self.formatters["text/plain"](obj)}, {}
        return ({}, {}) if self.parent.shown.show(obj) else super().format(obj, include, exclude)


class _Publisher(DisplayPublisher):  # type: ignore[misc]
    """Takes what ``display`` publishes: text is printed where it happens."""

    def publish(self, data: Any, metadata: Any = None, *_: Any, **__: Any) -> None:
        if text := self.shell.shown.show_bundle(data):
            print(text)  # noqa: T201 - printing is what it is for

    def clear_output(self, wait: bool = False) -> None:
        """Output that has been sent cannot be taken back."""


class _ValueHook(DisplayHook):  # type: ignore[misc]
    """Takes the value of the last expression."""

    def __call__(self, result: object = None) -> None:
        code = self.shell.running_code
        if result is None or (";" in code and self.semicolon_at_end_of_expression(code)):
            return
        bundle, _ = self.shell.display_formatter.format(result)
        self.shell.shown.show_value(self.shell.shown.show_bundle(bundle))


class Shell(InteractiveShell):  # type: ignore[misc]
    """One namespace for all cells of a session."""

    def __init__(self, shown: Shown, own_folders: tuple[str, ...]) -> None:
        self.shown = shown
        self.own_folders = own_folders
        self.running_code = ""
        self._runner: asyncio.Runner | None = None
        super().__init__(
            compiler_class=_Compiler,
            displayhook_class=_ValueHook,
            display_pub_class=_Publisher,
            cache_size=0,
            automagic=False,
            colors="nocolor",
            loop_runner=self._run_async,
        )
        self.execution_count = 0
        warnings.filterwarnings("ignore", "To exit: use", UserWarning)

    def execute(self, code: str) -> BaseException | None:
        """Run a cell and give what it raised; leaving by ``sys.exit()`` is no error."""
        self.execution_count += 1
        self.running_code = code
        result = self.run_cell(code)
        error = result.error_before_exec or result.error_in_exec
        return None if isinstance(error, SystemExit) and not error.code else error

    def transform_cell(self, raw_cell: str) -> str:
        """What is plainly Python needs no translation, which takes longer than most cells do."""
        if self.input_transformers_post or _BEYOND_PYTHON.search(raw_cell):
            return str(super().transform_cell(raw_cell))
        return f"{raw_cell}\n"

    def ask_exit(self) -> None:
        """``exit`` and ``quit`` end the cell, not the process."""
        raise SystemExit

    def init_virtualenv(self) -> None:
        """There is one set of packages, and it is on the path."""

    def init_history(self) -> None:
        self.history_manager = HistoryManager(shell=self, parent=self, enabled=False)

    def init_display_formatter(self) -> None:
        self.display_formatter = _Formatter(parent=self, active_types=_MIME_TYPES)

    def enable_gui(self, gui: str | None = None) -> None:
        """There is no screen."""

    def enable_matplotlib(self, gui: str | None = None) -> tuple[str, str]:
        """``%matplotlib`` has nothing to change: every figure is shown as it is."""
        return "inline", "agg"

    def showtraceback(self, exc_tuple: Any = None, *_: Any, **__: Any) -> None:
        """The error of a cell is reported with its result; only those of an object's own display are printed."""
        if exc_tuple is not None:
            print(short_trace(exc_tuple[1], self.own_folders), file=sys.stderr)  # noqa: T201 - see above

    def showsyntaxerror(self, *_: Any, **__: Any) -> None:
        """As ``showtraceback``."""

    def showindentationerror(self) -> None:
        """As ``showtraceback``."""

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        """IPython would keep all that is printed in memory."""
        yield

    def _run_async(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """One event loop for the session, so that tasks live from cell to cell."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(coroutine)
