"""What helps a model to mend its failed code: the names that do exist, and the limits that it ran into."""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sandbox.sandbox import FileProfile
from tools.file_context import quoted
from tools.version_hints import VERSION_HINTS

CHAINED = (
    "An assignment to a part of a part changed nothing (ChainedAssignmentError): a slice is a copy in pandas 3. "
    'Assign with df.loc[rows, "column"] = ..., and give the result of replace or fillna back to the column.'
)
NO_NETWORK = "There is no network here, and trying again will not change that. Work with the files in /data."
NO_INSTALLATION = (
    "It cannot be installed from here, for there is no network. Use what is installed, or tell the person which "
    "library to add."
)
_NAMES = 40
_ERROR_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What exists around the code: the files brought in, and the installed packages with their versions."""

    files: Sequence[FileProfile] = ()
    packages: Sequence[tuple[str, str]] = ()


def hints(error: str, surroundings: Surroundings) -> list[str]:
    """Hints for the end of a traceback, most telling first; none when nothing is known about such an error."""
    found: list[str] = []
    error = error[-_ERROR_CHARS:]
    for pattern, hint in _HINTS:
        match = pattern.search(error)
        if match:
            found += [hint] if isinstance(hint, str) else hint(match, surroundings)
    return list(dict.fromkeys(found))


def files_told(files: Sequence[FileProfile]) -> str:
    """The paths that do exist."""
    if not files:
        return "/data holds no file: ask the person to upload one. Do not make up data."
    names = ", ".join(quoted(f"/data/{file.name}", 261) for file in files[:_NAMES])
    return f"Files that exist: {names}. Do not make up data in place of a file."


def packages_told(packages: Sequence[tuple[str, str]]) -> str:
    """Installed packages with their versions, on one line."""
    return ", ".join(f"{name} {version}" for name, version in packages)


def _column_names(files: Sequence[FileProfile]) -> list[str]:
    return [column.name for file in files for table in file.tables for column in table.columns]


def _about_key(match: re.Match[str], surroundings: Surroundings) -> Iterator[str]:
    names = list(dict.fromkeys(_column_names(surroundings.files)))
    if not names:
        return
    close = difflib.get_close_matches(match["key"].strip("'\"[]"), names[:5_000], n=5, cutoff=0.6)
    shown = ", ".join(quoted(name, 100) for name in (close if len(names) > _NAMES and close else names[:_NAMES]))
    more = f", and {len(names) - _NAMES:,} more (see list(df.columns))" if len(names) > _NAMES else ""
    yield (
        f"Columns of the uploaded files, by their exact names: {shown}{more}. "
        "A table that your code made may have others: print(list(df.columns))."
    )


def _about_file(match: re.Match[str], surroundings: Surroundings) -> Iterator[str]:
    yield files_told(surroundings.files)


def _about_versions(match: re.Match[str], surroundings: Surroundings) -> Iterator[str]:
    """Versions of the libraries that the error names: what it says is missing may be older or newer."""
    error = match.string
    named = [
        (name, version)
        for name, version in surroundings.packages
        if re.search(rf"\b{re.escape(_IMPORTED_AS.get(name, name))}\b", error)
        or any(word in error for word in _CLASSES.get(name, ()))
    ]
    if named:
        yield f"Installed: {packages_told(named)}."


_IMPORTED_AS = {"scikit-learn": "sklearn"}
_CLASSES = {"pandas": ("'DataFrame'", "'Series'", "DataFrame.", "DataFrameGroupBy")}
_Hint = str | Callable[[re.Match[str], Surroundings], Iterator[str]]
_KNOWN: tuple[tuple[str, _Hint], ...] = (
    (r"(?m)^(?:\w+\.)*KeyError: (?P<key>.+)", _about_key),
    (r"UndefinedVariableError: name (?P<key>'[^']*')", _about_key),
    (r"ColumnNotFoundError: (?P<key>.+)", _about_key),
    (r'Referenced column (?P<key>"[^"]*") not found', _about_key),
    (r"FileNotFoundError|No such file or directory|No files found that match", _about_file),
    (
        r"(?:ModuleNotFoundError|ImportError): (?:No module named|Missing optional dependency|`Import [\w.]+` failed)",
        NO_INSTALLATION,
    ),
    (r"No module named '?xlsxwriter", 'Write Excel files with engine="openpyxl".'),
    (
        r"[Kk]aleido",
        "Plotly figures cannot be written as pictures here. Put the figure last or call fig.show(): the person sees "
        'it. For a download use fig.write_html("/outputs/NAME.html").',
    ),
    (
        r"NameError: name '(?:pd|np|plt|px|sns)' is not defined",
        "Imports come first: import pandas as pd, import numpy as np, import matplotlib.pyplot as plt, "
        "import plotly.express as px, import seaborn as sns.",
    ),
    (
        r"gaierror|URLError|name resolution|Network is unreachable|ConnectionRefusedError|MaxRetryError"
        r"|Name or service not known|NewConnectionError",
        NO_NETWORK,
    ),
    (r"Read-only file system|PermissionError", "/data is read-only. Write to /outputs or /tmp."),
    (r"No space left on device", "/outputs and /tmp are small. Write less, and remove what is not needed."),
    (
        r"MemoryError|Unable to allocate|used more memory than there is",
        "Use less memory: read only the columns you need, or use duckdb or polars.",
    ),
    *VERSION_HINTS,
    (r"(?:AttributeError|TypeError|ImportError): ", _about_versions),
)
_HINTS = tuple((re.compile(pattern, re.M), hint) for pattern, hint in _KNOWN)
