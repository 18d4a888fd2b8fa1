"""The sandbox from a terminal: ``python -m sandbox doctor``, ``build``, ``run`` and ``profile``."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

from sandbox.backends import choose_backend, new_sandbox, prepare_backend
from sandbox.cell_view import OutputFolder, plain, profile_line, profile_text, result_line, show_result
from sandbox.doctor import Verdict, examine
from sandbox.limits import limits_from_environment
from sandbox.options import SandboxOptions, backend_choice, switch
from sandbox.sandbox import ExecutionResult, Sandbox, SandboxError
from wording import Language, ToldError, preferred_language

_ENV_FILE = Path(__file__).resolve().parent.parent / ".env"
_FAILED, _INTERRUPTED = 1, 130
_IDLE_SECONDS = 1200


@dataclass(frozen=True, slots=True)
class Site:
    """The settings of this machine that the sandbox has."""

    sandboxes: SandboxOptions
    language: Language

    def sandbox(self) -> Sandbox:
        """A new sandbox; what it needs is made first if need be, which the error stream tells line by line."""
        prepare_backend(self.sandboxes, lambda line: print(line, file=sys.stderr, flush=True))
        return new_sandbox(self.sandboxes, _IDLE_SECONDS)


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 when the sandbox fails, which is then told in one sentence on the error stream."""
    options = _parser().parse_args(arguments)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal that cannot show a character
    environment = _environment()
    language = _language(environment)
    try:
        return _COMMANDS[options.command](Site(_sandboxes(environment), language), options)
    except ToldError as error:
        print(plain(error.sentence.in_language(language)), file=sys.stderr)
        return _FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # The reader left; nothing more can be written, not even by Python as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED


def doctor(site: Site, options: argparse.Namespace) -> int:
    code = 0
    for finding in examine(site.sandboxes):
        print(f"{finding.verdict:<6}{plain(finding.sentence.in_language(site.language))}", flush=True)
        code = _FAILED if finding.verdict is Verdict.FAULT else code
    return code


def build(site: Site, options: argparse.Namespace) -> int:
    for line in choose_backend(site.sandboxes).prepare():
        print(line, flush=True)
    return 0


def run(site: Site, options: argparse.Namespace) -> int:
    """As with ``python CELL.py``, code that fails gives exit code 1; each JSON line says so itself."""
    codes = [_code(path) for path in options.cells]
    has_failed = False
    folder = OutputFolder(options.out)
    with closing(site.sandbox()) as sandbox:
        for path in options.file:
            found = sandbox.profile(sandbox.put_file(path.name, path), sample_rows=0)
            if found.problem:
                print(plain(found.problem.in_language(site.language)), file=sys.stderr)
        for number, code in enumerate(codes, 1):
            result = _shown_while_it_runs(sandbox, code, options)
            has_failed |= not result.ok
            charts, files = folder.keep(number, result)
            if options.json:
                print(result_line(result, charts, files), flush=True)
            else:
                show_result(result, [*charts, *files], sys.stdout, site.language)
    return _FAILED if has_failed and not options.json else 0


def profile(site: Site, options: argparse.Namespace) -> int:
    with closing(site.sandbox()) as sandbox:
        found = sandbox.profile(sandbox.put_file(options.path.name, options.path))
    if options.json:
        print(profile_line(found))
    if found.problem:
        print(plain(found.problem.in_language(site.language)), file=sys.stderr)
        return _FAILED
    if not options.json:
        print(profile_text(found, site.language))
    return 0


_COMMANDS = {"doctor": doctor, "build": build, "run": run, "profile": profile}


def _shown_while_it_runs(sandbox: Sandbox, code: str, options: argparse.Namespace) -> ExecutionResult:
    for event in sandbox.execute(code, options.timeout):
        if isinstance(event, ExecutionResult):
            return event
        if not options.json:
            stream = sys.stdout if event.stream == "stdout" else sys.stderr
            print(plain(event.text), end="", file=stream, flush=True)
    raise SandboxError("The sandbox gave no result. Run: python -m sandbox doctor")


def _code(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise SandboxError("There is no file {path}. Check its name and folder.", path=path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SandboxError("{path} cannot be read as UTF-8 text. Name a Python file.", path=path) from error


def _environment() -> dict[str, str]:
    """As the app sees it: the environment, then the file ``.env``."""
    try:
        from_file = dotenv_values(_ENV_FILE, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        from_file = {}
    return {name: value for name, value in from_file.items() if value} | dict(os.environ)


def _sandboxes(environment: Mapping[str, str]) -> SandboxOptions:
    def text(name: str) -> str:
        return environment.get(name, "").strip()

    folder = text("SANDBOX_VENV")
    return SandboxOptions(
        backend=backend_choice(text("SANDBOX")),
        limits=limits_from_environment(environment),
        runtime=text("SANDBOX_RUNTIME"),
        base_image=text("SANDBOX_BASE_IMAGE"),
        environment=Path(folder).expanduser() if folder else None,
        execution_log=text("EXECUTION_LOG"),
        execution_log_code=switch("EXECUTION_LOG_CODE", text("EXECUTION_LOG_CODE") or "no"),
    )


def _language(environment: Mapping[str, str]) -> Language:
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    return preferred_language(next((environment[name] for name in names if environment.get(name)), None))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="Run Python in a locked-down sandbox.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("doctor", help="say what is missing and the command that mends it")
    commands.add_parser(
        "build", help="build the image, or the environment for bubblewrap, if it is missing or outdated"
    )
    cells = commands.add_parser("run", help="run cells, one after the other, in one sandbox")
    cells.add_argument("cells", nargs="+", type=Path, metavar="CELL.py", help="a file with the code of one cell")
    cells.add_argument(
        "--file",
        action="append",
        default=[],
        type=Path,
        help="a file to bring to /data; its tables are loaded under its name",
    )
    cells.add_argument("--timeout", type=_seconds, help="seconds for one cell")
    cells.add_argument("--json", action="store_true", help="one JSON line a cell; code that fails is then no failure")
    cells.add_argument("--out", type=Path, help="a folder for charts and files")
    table = commands.add_parser("profile", help="say what a file holds")
    table.add_argument("path", type=Path, metavar="FILE")
    table.add_argument("--json", action="store_true", help="as one JSON line")
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("give a number above zero")
    return seconds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
