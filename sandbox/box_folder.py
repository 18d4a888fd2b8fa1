"""A private folder of the host that one sandbox without an engine sees: its ``/data``, and the names of its user."""

import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from sandbox.instance import is_alive
from sandbox.locks import state_folder
from sandbox.sandbox import SandboxError

_PREFIX = "box-"
_ETC = {
    "passwd": "root:x:0:0:root:/:/usr/sbin/nologin\nsandbox:x:10001:10001:sandbox:/tmp/home:/usr/sbin/nologin\n",
    "group": "root:x:0:\nsandbox:x:10001:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
}


class BoxFolder:
    """Made at once. Only this user of the host can enter it; what lies in it is readable for whoever is led in."""

    def __init__(self, instance: str) -> None:
        self.path = state_folder() / f"{_PREFIX}{instance}-{secrets.token_hex(8)}"
        self.data, self.etc = self.path / "data", self.path / "etc"
        try:
            self._make()
        except OSError as error:
            self.remove()
            raise SandboxError(
                "The sandbox's folder {folder} could not be made: {reason}. Mend that, then try again.",
                folder=self.path.parent,
                reason=str(error.strerror or error),
            ) from error

    def _make(self) -> None:
        for folder in (self.path, self.data, self.etc):
            folder.mkdir()
            folder.chmod(0o755)
        for name, text in _ETC.items():
            self._readable(self.etc / name).write_text(text)

    def put(self, name: str, source: Path) -> None:
        """A copy, there whole or not at all. Raises ``SandboxError``."""
        try:
            file = source.open("rb")
        except OSError as error:
            raise SandboxError("The file {name} cannot be read any more. Add it again.", name=name) from error
        part = self.path / "part"
        try:
            with file, self._readable(part).open("wb") as copy:
                shutil.copyfileobj(file, copy, 1 << 20)
            part.replace(self.data / name)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise SandboxError(
                "The file {name} could not be copied for the sandbox: {reason}. Free some space, then add it again.",
                name=name,
                reason=str(error.strerror or error),
            ) from error

    def keep_only(self, names: Iterable[str]) -> None:
        """Remove all other files."""
        kept = set(names)
        for file in list(self.data.iterdir()):
            if file.name not in kept:
                file.unlink()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    @staticmethod
    def _readable(path: Path) -> Path:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        path.chmod(0o644)
        return path


def sweep_box_folders() -> bool:
    """Remove the folders of processes that are gone; False when one could not be removed."""
    folders = state_folder().glob(f"{_PREFIX}*")
    dead = [each for each in folders if not is_alive(each.name.removeprefix(_PREFIX).partition("-")[0])]
    for folder in dead:
        shutil.rmtree(folder, ignore_errors=True)
    return not any(folder.exists() for folder in dead)
