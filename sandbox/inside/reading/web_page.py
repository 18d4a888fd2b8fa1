"""Plans how the tables of a web page are read, which programs like to save under the name of a workbook."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import lxml.etree
import lxml.html

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.delimited import plan_delimited
from sandbox.inside.reading.notes import Unreadable, note
from sandbox.inside.reading.recipe import ReadingPlan, literal
from sandbox.inside.reading.source import Original, Source
from sandbox.inside.reading.text_encoding import look_at_text
from sandbox.inside.reading.variable_names import unique, variable_name

_MOST_BYTES = 60_000_000
_MOST_TABLES = 20
_NO_TABLE = note("This is a web page without a table. Upload a CSV, Excel, Parquet or JSON file.")


def plan_web_page(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    """One table for each that has rows and columns; the others only arrange the page."""
    encoding = look_at_text(source, choices.encoding).encoding
    content = source.head(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise Unreadable(
            note("A web page of more than {limit} MB cannot be read. Save it as CSV.", limit=_MOST_BYTES // 10**6)
        )
    try:
        page = lxml.html.fromstring(content, parser=lxml.html.HTMLParser(encoding=encoding))
    except (lxml.etree.LxmlError, ValueError) as error:
        raise Unreadable(_NO_TABLE) from error
    places = [number for number, table in enumerate(page.xpath("//table"), 1) if _is_table(table)]
    plans: list[ReadingPlan] = []
    for place in places[:_MOST_TABLES]:
        name = variable if len(places) == 1 else variable_name(variable, str(place))
        name = unique(name, {plan.variable for plan in plans})
        text = f"{name}_text"
        plans.append(_plan(source, text, _reading(source, encoding, place, text), name, choices))
    if not plans:
        raise Unreadable(_NO_TABLE)
    return plans


def _is_table(table: lxml.html.HtmlElement) -> bool:
    rows = table.xpath(".//tr")
    return len(rows) > 1 and max(len(row.xpath("./td|./th")) for row in rows) > 1 and not table.xpath(".//table")


def _reading(source: Source, encoding: str, place: int, text: str) -> tuple[str, ...]:
    """The lines that give the table as a file in memory called ``text``, of comma-separated lines."""
    modules, content = source.python_bytes()
    page = f"lxml.html.fromstring({content}, parser=lxml.html.HTMLParser(encoding={literal(encoding)}))"
    return (
        *source.before,
        f"import {', '.join(sorted([*modules, 'csv', 'io', 'lxml.html']))}",
        f'{text} = io.StringIO(newline="")',
        f"csv.writer({text}).writerows(",
        '    [" ".join(cell.text_content().split()) for cell in row]',
        f'    for row in {page}.xpath("(//table)[{place}]//tr")',
        ")",
        f"{text}.seek(0)",
    )


def _plan(source: Source, text: str, lines: tuple[str, ...], variable: str, choices: Choices) -> ReadingPlan:
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)  # noqa: S102 - made of our own words and of literals
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        content = names[text].getvalue().encode("utf-8", "replace")
        path.write_bytes(content)
        original = Original(name=source.name, before=lines, reader=text, content=f"{text}.getvalue().encode()")
        (plan,) = plan_delimited(
            Source(str(path), original=original), variable, replace(choices, encoding="utf-8", delimiter=",")
        )
    plan.notes[0] = note("Read as a table of a web page.")
    return plan
