"""What code made, each with its download: charts, plotly figures, tables, other files."""

import streamlit as st
from plotly.exceptions import PlotlyError

from analysis.export import Output
from sandbox.inside.png import PNG_SIGNATURE
from sandbox.sandbox import OutputFigure, OutputFile, OutputTable
from ui.language import tell
from ui.safe_figure import CONFIG, safe_figure
from ui.safe_markdown import escaped
from ui.table_frame import table_frame


def draw_output(output: Output) -> None:
    """The thing itself and a button that downloads it under its unique name."""
    match output.made:
        case OutputFile(kind="chart"):
            _draw_chart(output.made, output.name)
            _draw_download(output)
        case OutputFigure():
            _draw_figure(output.made, f"figure-{output.position}")
            _draw_download(output)
        case OutputTable():
            _draw_table(output.made)
            _draw_download(output, _row_count(output.made))
        case OutputFile():
            _draw_download(output, _size(len(output.made.content)))


def _draw_chart(chart: OutputFile, name: str) -> None:
    if not chart.content.startswith(PNG_SIGNATURE):
        st.caption(tell("This chart is not a PNG picture and is not shown. Download it to look at it."))
        return
    # Streamlit decodes a picture that is wider than asked for; asked for its own width, it hands the bytes on.
    width = int.from_bytes(chart.content[16:20], "big")
    st.image(chart.content, width=max(width, 1), output_format="PNG", alt=escaped(name))


def _draw_figure(figure: OutputFigure, key: str) -> None:
    safe = safe_figure(figure.json)
    try:
        if safe is None:
            raise ValueError
        st.plotly_chart(safe[0], key=key, config=CONFIG)
    except (PlotlyError, ValueError, TypeError):
        st.caption(tell("This figure cannot be drawn here. Download it, or ask for a plain chart."))
        return
    if safe[1]:
        st.caption(tell("The background of a map comes from the internet, so it is left out here."))


def _draw_table(table: OutputTable) -> None:
    frame = table_frame(table.columns, table.rows)
    pinned = {name: st.column_config.Column(pinned=True) for name in frame.columns[: table.index_columns]}
    st.dataframe(frame, hide_index=True, column_config=pinned)


def _draw_download(output: Output, remark: str = "") -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        is_chart = output.kind == "chart"
        st.download_button(
            escaped(output.name),
            output.made.content if isinstance(output.made, OutputFile) and is_chart else output.content,
            file_name=output.name,
            mime="image/png" if is_chart else "application/octet-stream",
            key=f"download-{output.position}",
            help=tell("Download"),
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        if remark:
            st.caption(remark)


def _row_count(table: OutputTable) -> str:
    if len(table.rows) < table.row_count:
        return tell("Rows: the first {shown} of {rows}", shown=f"{len(table.rows):,}", rows=f"{table.row_count:,}")
    return tell("Rows: {rows}", rows=f"{table.row_count:,}")


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{max(size, 100) / 1e3:,.1f} kB"
