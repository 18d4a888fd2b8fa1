"""The console: ask about files from a terminal or a script; ``python -m analysis --help``."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from agents.events import ApprovalAsked, Failed, Stopped
from agents.models.local_servers import local_servers
from analysis.analysis import Analysis, ModelChoice
from analysis.console_view import JsonView, Saver, TextView, View
from analysis.model_choice import first_choice
from analysis.quiet_view import QuietView
from analysis.record import Entry, ReplayEnded
from analysis.run import Run
from sandbox.backends import new_sandbox, prepare_backend
from sandbox.sandbox import Sandbox
from settings import EFFORTS, Settings, load_settings
from wording import Language, Sentence, ToldError, preferred_language, say

_FAILED, _INTERRUPTED, _TERMINATED = 1, 130, 143
_REPLAY = "replay"


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0, or 1 when something failed, which is then told in one sentence on the error stream."""
    options = _parser().parse_args(arguments)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal that cannot show a character
    language = preferred_language(_locale())
    view = _view(options, language)
    try:
        settings = load_settings()
        language = settings.language or language
        view = _view(options, language)
        with closing(_analysis(settings, options)) as analysis:
            return Console(analysis, view, language, replays=options.replay).work(options)
    except ToldError as error:
        view.show_error(error.sentence)
        _tell(error.sentence, language)
        return _FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # The reader left; nothing more can be written, not even by Python as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED


class Console:
    """One analysis between a keyboard, or given questions, and a view.

    ``replays``: before a question, earlier code runs again if its variables are lost.
    """

    def __init__(self, analysis: Analysis, view: View, language: Language, *, replays: bool) -> None:
        self._analysis = analysis
        self._view = view
        self._language = language
        self._replays = replays
        self._shown = 0

    def work(self, options: argparse.Namespace) -> int:
        """Add the files, then answer; gives the exit code."""
        end = self._analysis.choice.end
        if end:
            _tell(end, self._language)
        if options.dictionary:
            self._analysis.set_dictionary(_text_of(options.dictionary))
        for path in options.file:
            self._analysis.add_file(path.name, path)
            self._show(self._analysis.record.since(self._shown))
        return self._answer_given(options) if options.ask else self._answer_typed(options)

    def _answer_given(self, options: argparse.Namespace) -> int:
        """Up to the first question that fails: the next ones most often build on it."""
        for question in options.ask:
            if not (options.json or options.quiet):
                sys.stdout.write(f"> {question}\n")
            end = self._answer(question)
            if isinstance(end, Failed):
                return _FAILED
            if isinstance(end, Stopped | ReplayEnded):
                return _INTERRUPTED
        return 0

    def _answer_typed(self, options: argparse.Namespace) -> int:
        with suppress(ImportError):  # Windows has none; elsewhere it gives the prompt a history.
            import readline  # noqa: F401
        code, is_lost = 0, False
        if not options.json:
            sys.stdout.write(say("Ask about your data. To leave, type exit.", self._language) + "\n")
        for question in self._typed("" if options.json else "> "):
            end = self._replay() if question.lower() == _REPLAY else self._answer(question)
            code = _FAILED if isinstance(end, Failed) else code
            knew, is_lost = is_lost, bool(self._analysis.lost_cells)
            if is_lost and not (knew or options.json or options.replay):
                told = say("Variables of earlier code are gone. To run that code again, type replay.", self._language)
                sys.stdout.write(told + "\n")
        return code

    def _typed(self, prompt: str) -> Iterator[str]:
        """Questions until ``exit`` or the end of the input."""
        while True:
            try:
                text = input(prompt).strip()
            except EOFError:
                sys.stdout.write("\n" if prompt else "")
                return
            except KeyboardInterrupt:
                sys.stderr.write("\n" + say("To leave, type exit.", self._language) + "\n")
                continue
            if text.lower() in ("exit", "quit"):
                return
            if text:
                yield text

    def _answer(self, question: str) -> Entry:
        """How the question ended, or the replay before it when the person stopped that."""
        if self._replays and self._analysis.lost_cells:
            end = self._follow(self._analysis.replay())
            if not isinstance(end, ReplayEnded) or (end.failed and end.failed.interrupted):
                return end
        return self._follow(self._analysis.ask(question))

    def _replay(self) -> Entry | None:
        try:
            run = self._analysis.replay()
        except ToldError as error:
            _tell(error.sentence, self._language)
            return None
        return self._follow(run)

    def _follow(self, run: Run) -> Entry:
        begun = self._shown
        with _interrupt_stops(run):
            self._show(run.events(self._shown))
        self._view.show_spending(self._analysis.spending(self._analysis.record.since(begun)))
        end = self._analysis.record.since(self._shown - 1)[0]
        if isinstance(end, Failed):
            _tell(end.reason, self._language)
        return end

    def _show(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._view.show(entry)
            self._shown += 1
            if isinstance(entry, ApprovalAsked):
                self._decide(entry)

    def _decide(self, asked: ApprovalAsked) -> None:
        """The code runs with a yes; anything else is why it does not."""
        prompt = say("Run this code? Type yes, or what is wrong with it: ", self._language)
        try:
            said = input(prompt if isinstance(self._view, TextView) else "").strip()
        except EOFError:
            said = ""
        if said.lower() in ("y", "yes", "是"):
            self._analysis.approval.approve(asked.call_id, asked.code)
        else:
            self._analysis.approval.refuse(asked.call_id, said)


@contextmanager
def _interrupt_stops(run: Run) -> Iterator[None]:
    """Ctrl-C stops the question, and once more kills its code, without tearing apart a line being written."""

    def stop(*_: object) -> None:
        threading.Thread(target=run.stop, daemon=True).start()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _analysis(settings: Settings, options: argparse.Namespace) -> Analysis:
    choice = _choice(settings, options)
    return Analysis(sandbox=_sandbox(settings), choice=choice, settings=settings, opens_named_files=True)


def _choice(settings: Settings, options: argparse.Namespace) -> ModelChoice:
    """A model that is named in the call is never replaced by another one."""
    wanted = replace(settings, model=options.model or settings.model)
    choice = first_choice(wanted, local_servers)
    if options.model and choice.model != options.model:
        choice = ModelChoice(model=options.model, effort=settings.reasoning_effort)
    if options.effort:
        choice = replace(choice, effort=None if options.effort == "default" else options.effort)
    return choice


def _sandbox(settings: Settings) -> Sandbox:
    """A new sandbox; what it needs is made first if need be, which is told line by line."""
    prepare_backend(settings.sandboxes, lambda line: print(line, file=sys.stderr))
    return new_sandbox(settings.sandboxes, settings.idle_minutes * 60)


def _view(options: argparse.Namespace, language: Language) -> View:
    kind = JsonView if options.json else QuietView if options.quiet else TextView
    return kind(sys.stdout, Saver(options.out), language)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ToldError("There is no file {path}. Check its name and folder.", path=path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ToldError("{path} cannot be read. Save it as a UTF-8 text file that you may read.", path=path) from error


def _tell(sentence: Sentence, language: Language) -> None:
    sys.stderr.write(sentence.in_language(language) + "\n")


def _locale() -> str:
    return next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m analysis", description="Ask about data files in your own words.")
    parser.add_argument("--file", type=Path, action="append", default=[], metavar="F", help="a data file; repeatable")
    parser.add_argument("--dictionary", type=Path, metavar="F", help="a text file that says what the columns mean")
    parser.add_argument("--ask", action="append", default=[], metavar="Q", help="a question; repeatable")
    parser.add_argument("--model", metavar="M", help="the model, instead of the setting MODEL")
    parser.add_argument("--effort", choices=(*EFFORTS, "default"), metavar="E", help="instead of REASONING_EFFORT")
    parser.add_argument("--out", type=Path, default=Path("outputs"), metavar="DIR", help="where charts and files go")
    parser.add_argument("--replay", action="store_true", help="run earlier code again when its variables are lost")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="write each event as one line of JSON")
    shown.add_argument("--quiet", action="store_true", help="write answers, saved files and errors only")
    return parser


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_TERMINATED))  # so that sandbox and files are removed
    sys.exit(main(sys.argv[1:]))
