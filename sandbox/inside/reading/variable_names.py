"""Makes a Python variable name from a file name or a sheet name."""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Container

_LONGEST = 40
_TAKEN = frozenset(
    {"pd", "np", "df", "plt", "px", "go", "sns", "pl", "pa", "pc", "sm", "st", "display", "get_ipython", "in", "out"}
    | {"pandas", "numpy", "scipy", "stats", "sklearn", "statsmodels", "matplotlib", "seaborn", "plotly", "polars"}
    | {"duckdb", "pyarrow", "openpyxl", "ipython", "os", "re", "io", "sys", "json", "math", "csv", "gzip", "zipfile"}
    | {"pathlib", "random", "time", "datetime", "collections", "itertools", "functools", "string", "statistics"}
)
"""Names that code for tables takes for granted."""


def unique(name: str, taken: Container[str]) -> str:
    """The name, with a number if it is taken."""
    number, found = 2, name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def variable_name(*parts: str) -> str:
    """Such as ``sales`` for ``Sales.csv``; Chinese and other letters stay."""
    text = unicodedata.normalize("NFKC", "_".join(parts)).lower()
    name = re.sub(r"_+", "_", re.sub(r"\W", "_", text)).strip("_")[:_LONGEST].strip("_")
    if not name:
        return "table"
    if not name.isidentifier():
        name = f"table_{name}"
    if not name.isidentifier():
        return "table"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name) or hasattr(builtins, name) or name in _TAKEN:
        return f"{name}_table"
    return name
