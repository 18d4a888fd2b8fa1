"""What a file holds: its first rows, its columns, and how it is read."""

import pandas as pd
import streamlit as st

from analysis.analysis import Analysis, AnalysisFile
from sandbox.sandbox import Cell, ColumnProfile, TableProfile
from tools.dictionary_check import contradictions
from tools.joins import Join
from ui.language import tell, tell_markdown, tell_sentence
from ui.printable import printable
from ui.reading_choices import draw_reading_choices
from ui.safe_markdown import escaped
from ui.table_frame import table_frame
from wording import Sentence

_MOST_JOINS = 10
_TYPES = {
    "integer": Sentence("whole number"),
    "number": Sentence("number"),
    "text": Sentence("text"),
    "date": Sentence("date"),
    "boolean": Sentence("yes/no"),
    "empty": Sentence("empty"),
}


_HEADINGS = {
    "Column": Sentence("Column"),
    "Type": Sentence("Type"),
    "Missing": Sentence("Missing"),
    "Distinct": Sentence("Distinct"),
    "Smallest": Sentence("Smallest"),
    "Lower quarter": Sentence("Lower quarter"),
    "Median": Sentence("Median"),
    "Upper quarter": Sentence("Upper quarter"),
    "Largest": Sentence("Largest"),
    "Most frequent": Sentence("Most frequent"),
    "Examples": Sentence("Examples"),
}


def draw_preview(analysis: Analysis, number: int, *, is_open: bool) -> None:
    """One folded block for a file, one set of tabs for each table; ``number`` says which file."""
    file = analysis.files[number]
    with st.expander(_label(file), expanded=is_open, icon=":material/table:", key=f"preview-{number}-{is_open}"):
        if file.profile.problem:
            st.warning(tell_markdown(file.profile.problem), icon=":material/warning:")
            st.caption(tell("The file is in /data as it is; code can open it."))
        for table in file.profile.tables:
            if len(file.profile.tables) > 1:
                st.markdown(f"**{escaped(table.variable)}** · {escaped(_shape(table))}")
            _draw_table(table)
        for told in contradictions(analysis.dictionary, file.profile.tables):
            st.warning(tell_markdown(told), icon=":material/rule:")
        _draw_joins(analysis, file)
        draw_reading_choices(analysis, file, number)


def _draw_joins(analysis: Analysis, file: AnalysisFile) -> None:
    own = {table.variable for table in file.profile.tables}
    joins = [join for join in analysis.joins if join.many in own]
    for join in joins[:_MOST_JOINS]:
        st.caption(f":material/link: {tell_markdown(_told(join))}")
    if len(joins) > _MOST_JOINS:
        st.caption(tell("{count} more such guesses are left out.", count=f"{len(joins) - _MOST_JOINS:,}"))


def _told(join: Join) -> Sentence:
    values = {"column": f"{join.many}.{join.other}", "other": join.column, "table": join.one}
    if join.share is None:
        return Sentence("{column} seems to refer to {other} of {table}.", values)
    return Sentence(
        "{column} seems to refer to {other} of {table}: about {percent}% of its different values are there.",
        values | {"percent": f"{100 * join.share:.0f}"},
    )


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
    st.caption(_facts(table))
    rows, columns, recipe = st.tabs([tell("First rows"), tell("Columns"), tell("How it is read")])
    with rows:
        st.dataframe(table_frame([column.name for column in table.columns], table.sample), hide_index=True)
    with columns:
        st.dataframe(_column_frame(table.columns), hide_index=True)
    with recipe:
        st.code(printable(table.recipe), language="python", wrap_lines=True)


def _facts(table: TableProfile) -> str:
    """The variable, rows that repeat others, and columns that can name a row."""
    facts = [tell("In code: {variable}", variable=escaped(table.variable))]
    if table.duplicates is not None:
        facts.append(tell("Repeated rows: {count}", count=f"{table.duplicates:,}"))
    if table.keys:
        facts.append(tell("Each row has its own: {columns}", columns=escaped(", ".join(table.keys[:5]))))
    return " · ".join(facts)


def _column_frame(columns: tuple[ColumnProfile, ...]) -> pd.DataFrame:
    names = ("Column", "Type", "Missing", "Distinct")
    spread = ("Smallest", "Lower quarter", "Median", "Upper quarter", "Largest", "Most frequent", "Examples")
    rows: list[tuple[Cell, ...]] = [
        (column.name, _type(column), column.missing, column.distinct, *_spread(column)) for column in columns
    ]
    return table_frame([tell_sentence(_HEADINGS[name]) for name in (*names, *spread)], rows)


def _spread(column: ColumnProfile) -> tuple[str, ...]:
    quarters = [f"{column.quantiles[len(column.quantiles) * part // 4]:g}" for part in (1, 2, 3) if column.quantiles]
    return (
        _text(column.minimum),
        *(quarters or ("", "", "")),
        _text(column.maximum),
        ", ".join(f"{_text(value)} ({count:,})" for value, count in column.top[:5]),
        ", ".join(_text(value) for value in column.examples),
    )


def _type(column: ColumnProfile) -> str:
    return tell_sentence(_TYPES[column.type]) if column.type in _TYPES else column.type


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)
