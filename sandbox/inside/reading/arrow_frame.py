"""Makes of cells that were read as text the table that pandas would read, without reading the file a second time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.testing import assert_frame_equal

from sandbox.inside.reading.column_reading import ColumnReading
from sandbox.inside.reading.column_types import without_blanks
from sandbox.inside.reading.date_formats import ISO
from sandbox.inside.reading.number_styles import PLAIN
from sandbox.inside.reading.recipe import Recipe, run

_WORTH_IT = 100_000
_COMPARED = 10_000


@dataclass(slots=True)
class LongTable:
    """A long table without peculiarities: cells as text, and what each column is."""

    recipe: Recipe
    readings: Sequence[ColumnReading]
    columns: list[Any]

    def frame(self) -> pd.DataFrame | None:
        """The table, if its first rows are the very ones that the recipe reads; None if not, and for a short one.

        To be asked once: the cells are let go.
        """
        try:
            return self._frame()
        finally:
            self.columns.clear()

    def _frame(self) -> pd.DataFrame | None:
        converters = [_converter(reading) for reading in self.readings]
        if "nrows" in self.recipe.arguments or len(self.columns[0]) < _WORTH_IT or not all(converters):
            return None
        first = replace(self.recipe, arguments=self.recipe.arguments | {"nrows": _COMPARED})
        try:
            assert_frame_equal(self._made(_COMPARED, converters), run(str(first), first.variable), rtol=1e-12, atol=0)
        except AssertionError:
            return None
        return self._made(len(self.columns[0]), converters)

    def _made(self, rows: int, converters: Sequence[Any]) -> pd.DataFrame:
        series = [
            convert(without_blanks(cells))
            for cells, convert in zip((column[:rows] for column in self.columns), converters, strict=True)
        ]
        frame: pd.DataFrame = pd.concat(series, axis=1)
        frame.columns = pd.Index([reading.name for reading in self.readings])
        return frame


def _converter(reading: ColumnReading) -> Callable[[Any], "pd.Series[Any]"] | None:
    """None for columns in which pandas does more than to convert each cell by itself."""
    if reading.missing or reading.padded or reading.respelled or reading.dtype == "Int64":
        return None
    if reading.kind == "number" and reading.styles and reading.styles[0] == PLAIN:
        kind = pa.int64() if reading.whole else pa.float64()
        return lambda cells: pd.Series(pc.cast(cells, kind).to_numpy())
    if reading.kind == "date" and reading.formats == (ISO,) and not reading.zoned:
        return lambda cells: pd.Series(pc.cast(cells, pa.timestamp("us")).to_numpy())
    if reading.kind == "text":
        return lambda cells: pd.Series(pd.array(cells, dtype="str"))
    return None
