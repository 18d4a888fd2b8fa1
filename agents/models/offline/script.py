"""Readable Python for one question: reads the table if needed, computes, draws, prints figures, shows a table."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.models.offline.headings import ROWS
from agents.models.offline.helpers import HELPERS, NEEDS
from agents.models.offline.known_table import KnownTable

_IMPORTS = {
    r"\bjson\.": "import json",
    r"\bPath\(": "from pathlib import Path",
    r"\bplt\.": "import matplotlib.pyplot as plt",
    r"\bnp\.": "import numpy as np",
    r"\bpd\.": "import pandas as pd",
    r"\bsm\.": "import statsmodels.api as sm",
    r"\bstats\.": "from scipy import stats",
    r"\bBoosting\b": "from sklearn.ensemble import HistGradientBoostingRegressor as Boosting",
    r"\bpermutation_importance\b": "from sklearn.inspection import permutation_importance",
    r"\btrain_test_split\b": "from sklearn.model_selection import train_test_split",
    r"\bthreadpool_limits\b": "from threadpoolctl import threadpool_limits",
}

NONE_LEFT = "no rows are left"
_CHECK = f'if df.empty:\n    raise ValueError("{NONE_LEFT}")'

_DOLLARS = 'plt.rcParams["text.parse_math"] = False  # a dollar sign in a name is no formula'


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The parts of the code. ``values`` are assigned first, each as a literal, so that no text of the table is ever
    code; ``compute`` works on ``df`` and makes the frame ``table``; ``show`` prints the figures."""

    name: str
    values: Mapping[str, object]
    compute: str
    chart: str
    show: str
    result: str = "table"
    headings: Mapping[str, str] = field(default_factory=dict)
    """What the columns of the shown table are called for the person."""
    keeps: tuple[str, str] | None = None
    """A frame of ``compute`` that the code leaves behind, and the variable that it stays in."""


def python_of(
    script: Script, table: KnownTable, conditions: Sequence[str] = (), *, fresh: bool, with_chart: bool
) -> str:
    """The script as Python, over the rows that the ``conditions`` keep; with ``fresh`` the table is read again."""
    function = _function(script, conditions, with_chart)
    call = f"{script.name}({table.variable})"
    if script.keeps:
        call = f"summary, {script.keeps[1]} = {call}\nsummary"
    signs = [_DOLLARS] if with_chart and _has_dollars(table) else []
    parts = [_reading(table, fresh), *signs, *_helpers(function), function, call]
    code = "\n\n\n".join(part.strip("\n") for part in parts)
    imports = [line for used, line in _IMPORTS.items() if re.search(used, code)]
    return "\n".join(imports) + f"\n\n{code}\n"


def _function(script: Script, conditions: Sequence[str], with_chart: bool) -> str:
    literals = "\n".join(f"{name} = {value!r}" for name, value in script.values.items())
    columns = {name: heading for name, heading in script.headings.items() if name not in ROWS}
    rows = {name: heading for name, heading in script.headings.items() if name in ROWS}
    result = script.result + (f".rename(columns={columns!r})" if columns else "")
    result += f".rename_axis(index={rows!r})" if rows else ""
    result += f", {script.keeps[0]}" if script.keeps else ""
    narrowed = "\n".join([*conditions, _CHECK]) if conditions else ""
    parts = [literals, narrowed, script.compute, script.chart if with_chart else "", script.show, f"return {result}"]
    body = "\n\n".join(part.strip("\n") for part in parts if part.strip())
    return f"def {script.name}(df):\n{textwrap.indent(body, '    ')}"


def _reading(table: KnownTable, fresh: bool) -> str:
    """The recipe; unless ``fresh`` only where the variable does not hold this very file."""
    recipe, source = table.recipe.strip("\n"), (table.file, table.size)
    if fresh:
        return recipe
    held = f"if {table.variable!r} not in globals() or {table.variable}.attrs.get('source') != {source!r}:"
    return f"{held}\n{textwrap.indent(recipe, '    ')}\n    {table.variable}.attrs['source'] = {source!r}"


def _has_dollars(table: KnownTable) -> bool:
    return any("$" in text for column in table.columns for text in (column.name, *column.values))


def _helpers(function: str) -> list[str]:
    called = {name for name in HELPERS if re.search(rf"\b{name}\b", function)}
    called |= {needed for name in called for needed in NEEDS.get(name, ())}
    return [code for name, code in HELPERS.items() if name in called]
