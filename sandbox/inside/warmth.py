"""Makes the zygote warm: imports what most cells need and uses it once, so that no cell waits for it."""

import importlib
import importlib.metadata
import io
import platform

import matplotlib.pyplot as plt
import pandas as pd

ALL_COLUMNS = 200
LINE_CHARS = 1000
_READS_FILES = ("sandbox.inside.table", "sandbox.inside.reading.delimited")
"""Modules that compile many patterns when they are imported; nearly every upload needs them."""


def warm_up() -> None:
    """Set pandas to print every column, and go once through what nearly every analysis does."""
    pd.set_option("display.max_columns", ALL_COLUMNS)
    pd.set_option("display.width", LINE_CHARS)
    frame = pd.read_csv(io.StringIO("a,b,c\n1,2,x\n2,4,y\n3,5,x\n"))
    str(frame.describe()), str(frame.groupby("c").mean()), frame[["a", "b"]].corr()
    figure, axes = plt.subplots()
    axes.plot(frame["a"], frame["b"], label="x")
    axes.legend()
    axes.set_title("x")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    plt.close("all")
    for name in _READS_FILES:
        importlib.import_module(name)


def python_version() -> str:
    return platform.python_version()


def packages() -> dict[str, str]:
    """Name and version of everything that is installed."""
    return {each.name: each.version for each in importlib.metadata.distributions()}
