"""Plans how the files in a zip archive are read, each as if it had come alone; unpacks no more than a bounded part."""

import errno
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.file_kind import identify
from sandbox.inside.reading.notes import DAMAGED, Unreadable, listed, note, quoted
from sandbox.inside.reading.planners import FAILURES, plan_tables
from sandbox.inside.reading.recipe import ReadingPlan, literal
from sandbox.inside.reading.source import Original, Source
from sandbox.inside.reading.variable_names import unique, variable_name

_MEMBER_BYTES = 60_000_000
"""The folder that one file at a time is unpacked to is small and in memory."""
_MOST_MEMBERS = 50
_PIECE = 1 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError)


def plan_archive(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    """The tables of all files in the archive, or of the one that is chosen."""
    with zipfile.ZipFile(source.path) as archive, TemporaryDirectory() as folder:
        look = _Archive(archive, source.path, Path(folder, "member"))
        names = [name for name in look.names() if choices.sheet in ("", name)]
        for name in names[:_MOST_MEMBERS]:
            look.add(name, variable if len(names) == 1 else variable_name(variable, PurePosixPath(name).stem), choices)
    if not look.plans:
        raise Unreadable(note("The archive holds no table that can be read. Unpack it and upload the files in it."))
    left_out = look.left_out + names[_MOST_MEMBERS:]
    if left_out:
        look.plans[0].notes.append(
            note("Files in the archive that are not read as tables: {files}.", files=listed(left_out, 10))
        )
    return look.plans


@dataclass(slots=True)
class _Archive:
    """An open archive and what was found in it so far."""

    archive: zipfile.ZipFile
    path: str
    place: Path
    """Where one file at a time is unpacked."""
    plans: list[ReadingPlan] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def names(self) -> Iterator[str]:
        """The files, without what a system adds by itself."""
        for item in self.archive.infolist():
            if item.flag_bits & 1:
                raise Unreadable(note("The archive is protected by a password. Unpack it and upload the files in it."))
            parts = PurePosixPath(item.filename).parts
            if not item.is_dir() and not any(part.startswith((".", "__MACOSX")) for part in parts):
                yield item.filename

    def add(self, name: str, variable: str, choices: Choices) -> None:
        if not self._unpack(name):
            self.left_out.append(name)
            return
        try:
            found, kind = identify(str(self.place))
            if kind == "archive":
                raise Unreadable(DAMAGED)
            content = f"zipfile.ZipFile({literal(self.path)}).read({literal(name)})"
            original = Original(
                name=PurePosixPath(name).name,
                before=("import io, zipfile",),
                reader=f"io.BytesIO({content})",
                content=content,
                unpacked=f"zipfile.ZipFile({literal(self.path)}).extract({literal(name)}, tempfile.mkdtemp())",
            )
            found = replace(found, original=original)
            plans = plan_tables(found, kind, variable, replace(choices, sheet=""))
        except (Unreadable, *FAILURES):
            self.left_out.append(name)
            return
        if kind == "text" and not any(plan.rows for plan in plans):
            self.left_out.append(name)
            return
        taken = {plan.variable for plan in self.plans}
        if any(plan.variable in taken for plan in plans):
            plans = plan_tables(found, kind, unique(variable, taken), replace(choices, sheet=""))
        for plan in plans:
            plan.notes.insert(0, note("File {file} of the archive.", file=quoted(name)))
        self.plans += plans

    def _unpack(self, name: str) -> bool:
        """Whether the file was unpacked whole; what the archive says of its size is not relied on."""
        size = 0
        try:
            with self.archive.open(name) as packed, self.place.open("wb") as file:
                while piece := packed.read(_PIECE):
                    size += len(piece)
                    if size > _MEMBER_BYTES:
                        return False
                    file.write(piece)
        except _BROKEN as error:
            if isinstance(error, OSError) and error.errno == errno.ENOSPC:
                return False
            raise Unreadable(DAMAGED) from error
        return True
