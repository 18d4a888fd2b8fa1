"""Files of this machine that a question names: FileAccessAgent opens them, and only from the allowed folders."""

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from agents.events import Failed, Finished, Stopped, TextWritten
from agents.file_access_agent import FileAccessAgent
from agents.models.language_model import LanguageModelInterface
from agents.stop_signal import StopSignal
from analysis.files import AnalysisFiles
from analysis.record import Entry, FileAdded, FileRemoved
from sandbox.sandbox import FileProfile, Sandbox
from settings import Settings
from tools.file_access_tool import FileAccessTool

_QUOTED = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'|`([^`\n]+)`|“([^”\n]+)”|‘([^’\n]+)’|「([^」\n]+)」")
_WORD = re.compile(r"[^\s\"'`“”‘’「」，。；：！？（）、,;:!?()]+")
_ASCII_WORD = re.compile(r"[\w./\\-]+\w", re.ASCII)
_Version = tuple[int, int] | None


class HostFiles:
    """Opens each file that is named once, and again when it has changed since."""

    def __init__(self, sandbox: Sandbox, files: AnalysisFiles, settings: Settings) -> None:
        self._files = files
        self._folders = settings.allowed_folders
        self._profiles: list[FileProfile] = []
        self._tool = FileAccessTool(
            sandbox,
            self._folders,
            most_bytes=settings.max_upload_mb * 1_000_000,
            sample_rows=settings.sample_rows,
            opened=self._profiles.append,
        )
        self._opened: dict[Path, tuple[_Version, list[str]]] = {}

    def note(self, path: Path, name: str) -> None:
        """A file that was brought in already, as ``name``: naming it does not open it again."""
        self._opened[path.resolve()] = _version(path), [name]

    def open_named(
        self, question: str, language_model: LanguageModelInterface, model: str, stop: StopSignal
    ) -> Generator[Entry, None, None]:
        """What happens while the files named in the question are opened; ends with Failed or Stopped if that fails."""
        for written, path in named_files(question, self._folders):
            version, names = self._opened.get(path, (None, []))
            is_open = version == _version(path) if names else written in self._files
            if is_open:
                continue
            yield from self._forget(names)
            agent = FileAccessAgent(language_model, [self._tool], model=model)
            with closing(agent.stream(f'{question}\n\nOpen this file and no other: "{written}"', stop)) as events:
                for event in events:
                    yield from self._adopt(path)
                    # Its words are set apart from those of the answer, which come next.
                    yield TextWritten("\n\n") if isinstance(event, Finished) else event
                    if isinstance(event, Failed | Stopped):
                        return

    def _adopt(self, path: Path) -> Iterator[Entry]:
        while self._profiles:
            profile = self._profiles.pop()
            self._files.adopt(profile)
            _, names = self._opened.get(path, (None, []))
            self._opened[path] = _version(path), [*names, profile.name]
            yield FileAdded(profile)

    def _forget(self, names: list[str]) -> Iterator[Entry]:
        for name in names:
            if name in self._files:
                self._files.remove(name)
                yield FileRemoved(name)


def named_files(text: str, folders: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """Each existing file that the text names, as it is written there and as a real path; hidden files are none."""
    found: set[Path] = set()
    for pattern in (_QUOTED, _WORD, _ASCII_WORD):
        for match in pattern.finditer(text):
            written = match[match.lastindex or 0].strip().rstrip(".")
            for path in (folder / written for folder in folders if _may_name_file(written)):
                if _is_file(path) and path.resolve() not in found:
                    found.add(path.resolve())
                    yield written, path.resolve()


def _may_name_file(written: str) -> bool:
    return "." in written and not any(part.startswith(".") and part.strip(".") for part in Path(written).parts)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # too long to be a name
        return False


def _version(path: Path) -> _Version:
    try:
        state = path.stat()
    except OSError:  # gone since it was found
        return None
    return state.st_mtime_ns, state.st_size
