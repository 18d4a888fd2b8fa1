"""Profiles of files that were looked into before, kept in memory by what the files hold."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path

from sandbox.sandbox import FileProfile

_MOST = 20


class ProfileCache:
    """Of one session and gone with it, because profiles hold cells. The longest unused profile makes room."""

    def __init__(self) -> None:
        self._profiles: OrderedDict[Hashable, FileProfile] = OrderedDict()

    def profile_of(self, path: Path, wishes: Hashable, look: Callable[[], FileProfile]) -> FileProfile:
        """The profile of this content under the same ``wishes``; else what ``look`` finds, kept if it has tables."""
        try:
            with path.open("rb") as file:
                key = (hashlib.file_digest(file, "sha256").digest(), wishes)
        except OSError:
            return look()
        if key in self._profiles:
            self._profiles.move_to_end(key)
            return self._profiles[key]
        profile = look()
        if profile.tables:
            self._profiles[key] = profile
        while len(self._profiles) > _MOST:
            self._profiles.popitem(last=False)
        return profile

    def clear(self) -> None:
        self._profiles.clear()
