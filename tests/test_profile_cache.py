"""A file that was looked into before is not looked into again, as long as it holds the same and the same is wanted."""

from pathlib import Path

from sandbox.profile_cache import ProfileCache
from sandbox.sandbox import FileProfile, ReadingChoices, TableProfile


class Looks:
    """Counts how often a file is really looked into."""

    def __init__(self, *, is_table: bool = True) -> None:
        tables = (TableProfile(variable="sales", rows=1, columns=(), recipe=""),) if is_table else ()
        self.profile = FileProfile(name="sales.csv", size=3, tables=tables)
        self.count = 0

    def __call__(self) -> FileProfile:
        self.count += 1
        return self.profile


def test_the_same_content_is_looked_into_once(tmp_path: Path) -> None:
    cache, looks = ProfileCache(), Looks()
    for name in ("1", "2"):
        (tmp_path / name).write_bytes(b"a\n1\n")
        assert cache.profile_of(tmp_path / name, "sales.csv", looks) is looks.profile
    assert looks.count == 1


def test_other_content_or_other_wishes_are_looked_into(tmp_path: Path) -> None:
    cache, looks, path = ProfileCache(), Looks(), tmp_path / "1"
    for content, wishes in [(b"a\n1\n", ReadingChoices()), (b"a\n2\n", ReadingChoices()), (b"a\n2\n", "other")]:
        path.write_bytes(content)
        cache.profile_of(path, wishes, looks)
    assert looks.count == 3


def test_what_went_wrong_is_tried_again(tmp_path: Path) -> None:
    cache, looks, path = ProfileCache(), Looks(is_table=False), tmp_path / "1"
    path.write_bytes(b"a")
    cache.profile_of(path, "", looks)
    cache.profile_of(path, "", looks)
    cache.profile_of(tmp_path / "gone", "", looks)
    assert looks.count == 3


def test_only_a_few_are_kept_and_none_after_the_session(tmp_path: Path) -> None:
    cache, looks, path = ProfileCache(), Looks(), tmp_path / "1"
    path.write_bytes(b"a")
    for wishes in range(21):
        cache.profile_of(path, wishes, looks)
    cache.profile_of(path, 20, looks)
    assert looks.count == 21
    cache.profile_of(path, 0, looks)
    assert looks.count == 22
    cache.clear()
    cache.profile_of(path, 0, looks)
    assert looks.count == 23
