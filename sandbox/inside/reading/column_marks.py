"""Draws a few hashes from the values of a column, by which it can be compared with a column of another table."""

from typing import Any

import numpy as np
import pandas as pd

from sandbox.inside.profile_limits import MOST_MARKS

_MOST_COLUMNS = 30
_FEWEST_VALUES = 5
_MOST_TEXTS = 100_000
_BITS = 15
"""So many fewer than 64 has a hash, that JSON keeps it exactly."""


def add_marks(table: pd.DataFrame, columns: list[dict[str, Any]]) -> None:
    """The smallest hashes of the different values, the same in two columns as far as their values are the same.

    Only for what may name or refer to a row, and not for long texts in great number, which would take long.
    """
    left = _MOST_COLUMNS
    for place, column in enumerate(columns):
        distinct = column["distinct"]
        if not left or not isinstance(distinct, int) or distinct < _FEWEST_VALUES:
            continue
        known = table.iloc[:, place].dropna()
        if column["type"] == "integer" and pd.api.types.is_numeric_dtype(known.dtype):
            values = known.to_numpy(dtype="int64")
        elif column["type"] == "text" and distinct <= _MOST_TEXTS:
            values = np.asarray(known.astype("str").unique(), dtype="object")
        else:
            continue
        left -= 1
        column["marks"] = _smallest(pd.util.hash_array(values, categorize=False) >> _BITS, distinct)


def _smallest(hashes: "np.ndarray[Any, Any]", distinct: int) -> list[int]:
    """Without sorting all of them: of evenly spread numbers the smallest lie below a limit that can be told before."""
    limit = (1 << (64 - _BITS)) * 4 * MOST_MARKS // distinct
    below = hashes[hashes < limit] if distinct > 8 * MOST_MARKS else hashes
    smallest: list[int] = np.unique(below)[:MOST_MARKS].tolist()
    return smallest
