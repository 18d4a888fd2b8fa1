"""What every cell may rely on: puts back what a cell before it may have replaced, and says that nobody types here."""

import _signal  # type: ignore[import-not-found]  # signal's own functions make an enum of each answer, 64 times a cell
import builtins
import getpass
import io
import pdb
import signal
import sys
import threading
from typing import NoReturn

NO_KEYBOARD = "There is no keyboard here. Write the value into the code instead of asking for it."

# Bound here, because code may replace the names in their modules.
_builtins = vars(builtins)
_set_handler, _handler_of = _signal.signal, _signal.getsignal
_set_timer, _set_mask = _signal.setitimer, _signal.pthread_sigmask
_TIMERS = (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF)
_HOOKS = ("stdin", "stdout", "stderr", "excepthook", "breakpointhook", "unraisablehook")


def no_keyboard(*_: object, **__: object) -> NoReturn:
    """Stands in for all that would wait for somebody to type."""
    raise EOFError(NO_KEYBOARD)


class NoKeyboard(io.TextIOBase):
    """The standard input of a place where nobody types."""

    read = readline = readlines = __next__ = no_keyboard

    def fileno(self) -> int:
        return 0


def take_keyboard_away() -> None:
    """Let all that would wait for somebody to type fail at once, with one sentence."""
    import IPython.core.debugger
    import matplotlib._blocking_input

    sys.stdin = NoKeyboard()
    sys.breakpointhook = no_keyboard
    builtins.input = no_keyboard
    getpass.getpass = no_keyboard
    IPython.core.debugger.set_trace = no_keyboard
    pdb.set_trace = pdb.post_mortem = pdb.pm = no_keyboard
    matplotlib._blocking_input.blocking_input_loop = no_keyboard


class Baseline:
    """The interpreter's state before any user code. What cells add to it stays; what they replaced is put back."""

    def __init__(self) -> None:
        self._names = dict(_builtins)
        self._hooks = {name: getattr(sys, name) for name in _HOOKS}
        self._handlers = {int(number): _handler_of(number) for number in signal.valid_signals()}
        self._set_hook = setattr
        self._recursion_limit = sys.getrecursionlimit()
        self._set_recursion_limit = sys.setrecursionlimit
        self._tracers = (
            (sys.gettrace, sys.settrace),
            (sys.getprofile, sys.setprofile),
            (threading.gettrace, threading.settrace),
            (threading.getprofile, threading.setprofile),
        )

    def restore(self) -> None:
        """Take the state back. The built-in functions come first, for all the rest relies on them."""
        _builtins.update(self._names)
        self._set_recursion_limit(self._recursion_limit)
        for tracer, set_tracer in self._tracers:
            if tracer() is not None:
                set_tracer(None)
        for name, hook in self._hooks.items():
            self._set_hook(sys, name, hook)
        for timer in _TIMERS:
            _set_timer(timer, 0)
        for number, handler in self._handlers.items():
            if _handler_of(number) is not handler and handler is not None:
                _set_handler(number, handler)
        _set_mask(_signal.SIG_SETMASK, ())


def allow_interrupts(allowed: bool) -> None:
    """Whether Ctrl-C raises ``KeyboardInterrupt`` or does nothing."""
    _set_handler(_signal.SIGINT, _signal.default_int_handler if allowed else _signal.SIG_IGN)
