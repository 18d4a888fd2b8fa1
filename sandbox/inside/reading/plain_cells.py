"""Makes a value of a table plain: text, number or boolean, as JSON and a page can show it."""

import datetime
import decimal
import json
import math
from typing import Any

import numpy as np
import pandas as pd

Cell = str | int | float | bool | None
_LONGEST = 80
_EXACT = 2**53


def plain_cell(value: Any) -> Cell:
    """A value as text, number or boolean that JSON and JavaScript keep exactly; None when missing."""
    if isinstance(value, str):
        return _shortened(value)
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, decimal.Decimal):
        value = float(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else str(value)
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | dict | tuple):
        return _shortened(json.dumps(value, ensure_ascii=False, default=str))
    return _shortened(str(value))


def _shortened(text: str) -> str:
    """Long text cut, with its length; nothing that cannot be encoded."""
    clean = text.replace("\0", "")
    if len(clean) > _LONGEST:
        clean = f"{clean[:_LONGEST]}… ({len(clean)} characters)"
    return clean if clean.isascii() else clean.encode("utf-8", "replace").decode("utf-8")
