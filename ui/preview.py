"""What a file holds: its first rows, its columns, and how it is read."""

import pandas as pd
import streamlit as st

from analysis.analysis import AnalysisFile
from sandbox.sandbox import Cell, ColumnProfile, TableProfile
from ui.language import tell, tell_markdown, tell_sentence
from ui.printable import printable
from ui.safe_markdown import escaped
from ui.table_frame import table_frame
from wording import Sentence

_TYPES = {
    "integer": Sentence("whole number"),
    "number": Sentence("number"),
    "text": Sentence("text"),
    "date": Sentence("date"),
    "boolean": Sentence("yes/no"),
    "empty": Sentence("empty"),
}


def draw_preview(file: AnalysisFile, number: int, *, is_open: bool) -> None:
    """One folded block a file, one set of tabs a table; ``number`` tells the blocks apart."""
    with st.expander(_label(file), expanded=is_open, icon=":material/table:", key=f"preview-{number}-{is_open}"):
        if file.profile.problem:
            st.warning(tell_markdown(file.profile.problem), icon=":material/warning:")
        for table in file.profile.tables:
            if len(file.profile.tables) > 1:
                st.markdown(f"**{escaped(table.variable)}** · {escaped(_shape(table))}")
            _draw_table(table)


def _label(file: AnalysisFile) -> str:
    name = f"**{escaped(file.name)}**"
    match file.profile.tables:
        case ():
            return name
        case (table,):
            return f"{name} · {_shape(table)}"
        case tables:
            return f"{name} · {tell('{count} tables', count=len(tables))}"


def _shape(table: TableProfile) -> str:
    if len(table.columns) == 1:
        return tell("{rows} rows, 1 column", rows=f"{table.rows:,}")
    return tell("{rows} rows, {columns} columns", rows=f"{table.rows:,}", columns=len(table.columns))


def _draw_table(table: TableProfile) -> None:
    for note in table.notes:
        st.caption(f":material/info: {tell_markdown(note)}")
    rows, columns, recipe = st.tabs([tell("First rows"), tell("Columns"), tell("How it is read")])
    with rows:
        st.dataframe(table_frame([column.name for column in table.columns], table.sample), hide_index=True)
    with columns:
        st.dataframe(_column_frame(table.columns), hide_index=True)
    with recipe:
        st.code(printable(table.recipe), language="python", wrap_lines=True)


def _column_frame(columns: tuple[ColumnProfile, ...]) -> pd.DataFrame:
    names = (tell("Column"), tell("Type"), tell("Missing"), tell("Distinct"), tell("Smallest"), tell("Largest"))
    rows: list[tuple[Cell, ...]] = [
        (column.name, _type(column), column.missing, column.distinct, _text(column.minimum), _text(column.maximum))
        for column in columns
    ]
    return table_frame(names, rows)


def _type(column: ColumnProfile) -> str:
    return tell_sentence(_TYPES[column.type]) if column.type in _TYPES else column.type


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)
