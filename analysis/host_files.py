"""Files of this machine that a question names: FileAccessAgent opens them, and only from the allowed folders."""

import re
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

from agents.events import Failed, Finished, Stopped
from agents.file_access_agent import FileAccessAgent
from agents.models.language_model import LanguageModelInterface
from agents.stop_signal import StopSignal
from analysis.files import AnalysisFiles
from analysis.record import Entry, FileAdded, FileRemoved
from sandbox.sandbox import FileProfile, Sandbox
from settings import Settings
from tools.file_access_tool import FileAccessTool

_QUOTED = re.compile(r"[\"'`“”‘’「」]([^\"'`“”‘’「」\n]+)[\"'`“”‘’「」]")
_WORD = re.compile(r"[^\s\"'`“”‘’「」，。；：！？（）、,;:!?()]+")
_ASCII_WORD = re.compile(r"[\w./\\-]+\w", re.ASCII)
_Version = tuple[int, int]


class HostFiles:
    """Opens each file that is named once, and again when it has changed since."""

    def __init__(self, sandbox: Sandbox, files: AnalysisFiles, settings: Settings) -> None:
        self._files = files
        self._folders = settings.allowed_folders
        self._model = settings.file_model
        self._profiles: list[FileProfile] = []
        self._tool = FileAccessTool(
            sandbox,
            self._folders,
            most_bytes=settings.max_upload_mb * 1_000_000,
            sample_rows=settings.sample_rows,
            opened=self._profiles.append,
        )
        self._opened: dict[Path, tuple[_Version, list[str]]] = {}

    def open_named(
        self, question: str, language_model: LanguageModelInterface, stop: StopSignal
    ) -> Generator[Entry, None, None]:
        """What happens while the files named in the question are opened; ends with Failed or Stopped if that fails."""
        for written, path in named_files(question, self._folders):
            version, names = self._opened.get(path, (None, []))
            if version == _version(path):
                continue
            yield from self._forget(names)
            agent = FileAccessAgent(language_model, [self._tool], model=self._model)
            with closing(agent.stream(f'{question}\n\nOpen this file and no other: "{written}"', stop)) as events:
                for event in events:
                    yield from self._adopt(path)
                    if not isinstance(event, Finished):
                        yield event
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


def named_files(text: str, folders: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    """Each existing file that the text names, as it is written there and as a real path."""
    candidates = dict.fromkeys(
        word.strip().rstrip(".") for pattern in (_QUOTED, _WORD, _ASCII_WORD) for word in pattern.findall(text)
    )
    found: dict[Path, str] = {}
    for written in candidates:
        for folder in folders:
            if "." in written and len(written) < 1_000 and (folder / written).is_file():
                found.setdefault((folder / written).resolve(), written)
    yield from ((written, path) for path, written in found.items())


def _version(path: Path) -> _Version:
    state = path.stat()
    return state.st_mtime_ns, state.st_size
