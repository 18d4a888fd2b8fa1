"""Says in SQL how the text of a column is read, and counts in all rows of a file whether it can be."""

from dataclasses import dataclass
from typing import Any, Literal

from sandbox.inside.reading.date_formats import ISO
from sandbox.inside.reading.notes import Note, note, quoted
from sandbox.inside.reading.type_arguments import Decided

SqlType = Literal["BIGINT", "DOUBLE", "TIMESTAMP", "BOOLEAN", "VARCHAR"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlColumn:
    """A column as it is to be read."""

    name: str
    type: SqlType
    read: str
    """The expression that reads its text; the bare name where the file's reader can do it by the type."""
    tried: str
    """The same, but NULL for text that cannot be read."""
    missing: tuple[str, ...] = ()
    """Words that stand for missing."""
    is_text: bool = True
    """Whether the file holds text, so that there may be something else in it than the type promises."""

    @property
    def is_rewritten(self) -> bool:
        return self.read != sql_name(self.name)

    @property
    def counts(self) -> list[str]:
        """What to ask of all rows, in the order of ``Count``."""
        bare = sql_name(self.name)
        if self.type == "VARCHAR":
            return [f"count({bare})", "0", "NULL", "NULL"]
        if not self.is_text:
            return [f"count({bare})", "0", f"min({bare})", f"max({bare})"]
        words = ", ".join(map(sql_text, self.missing))
        filled = f"count({bare}) FILTER ({bare} NOT IN ({words}))" if words else f"count({bare})"
        # Numbers with leading zeros are codes, even if only the last rows of the file have them.
        zeros = f" + count_if({bare} LIKE '0_%' OR {bare} LIKE '-0_%')" if self.type == "BIGINT" else ""
        return [filled, f"{filled} - count({self.tried}){zeros}", f"min({self.tried})", f"max({self.tried})"]

    def checked(self, count: "Count") -> "SqlColumn":
        """The same, or text if any cell of the file is not what the sample promised."""
        return text_column(self.name) if count.strange else self


@dataclass(frozen=True, slots=True)
class Count:
    """What all rows of the file show of a column."""

    known: int
    strange: int
    """Cells that are not of the column's type."""
    least: Any
    most: Any


def text_column(name: str) -> SqlColumn:
    return SqlColumn(name=name, type="VARCHAR", read=sql_name(name), tried=sql_name(name))


def sql_column(column: Decided) -> SqlColumn:
    """How duckdb reads what pandas would read in the same way."""
    reading, bare = column.reading, sql_name(column.reading.name)
    missing = tuple(sorted(word for word in reading.missing if word.strip()))
    text = f"trim({bare})" if reading.padded else bare
    for word in missing:
        text = f"nullif({text}, {sql_text(word)})"
    for pattern, other in reading.respelled:
        text = f"regexp_replace({text}, {sql_text(pattern)}, {sql_text(other)}, 'g')"
    if reading.zoned:
        return text_column(reading.name)
    if reading.kind == "date" and column.date_format != ISO:
        call = f"({text}, {sql_text(column.date_format)})"
        return SqlColumn(
            name=reading.name, type="TIMESTAMP", read=f"strptime{call}", tried=f"try_strptime{call}", missing=missing
        )
    kind: SqlType
    if reading.kind == "number" and column.style:
        kind = "BIGINT" if reading.whole else "DOUBLE"
        if column.style.thousands:
            text = f"replace({text}, {sql_text(column.style.thousands)}, '')"
        if column.style.comma:
            text = f"replace({text}, ',', '.')"
    elif reading.kind in ("date", "boolean"):
        kind = "TIMESTAMP" if reading.kind == "date" else "BOOLEAN"
    else:
        return text_column(reading.name)
    read = bare if text == bare else f"CAST({text} AS {kind})"
    return SqlColumn(name=reading.name, type=kind, read=read, tried=f"TRY_CAST({text} AS {kind})", missing=missing)


def count_all(database: Any, reader: str, columns: list[SqlColumn]) -> tuple[int, list[Count]]:
    """The rows of the file and what they show of each column; one pass."""
    asked = [expression for column in columns for expression in column.counts]
    ((rows, *found),) = database.sql(f"SELECT {', '.join(['count(*)', *asked])} FROM {reader}").fetchall()  # noqa: S608
    return rows, [Count(*found[place : place + 4]) for place in range(0, len(found), 4)]


def zone_notes(columns: list[Decided]) -> list[Note]:
    return [
        note("Column {column} has times with a time zone; it stays text.", column=quoted(column.reading.name))
        for column in columns
        if column.reading.zoned
    ]


def stranger_notes(columns: list[SqlColumn], counts: list[Count]) -> list[Note]:
    """Says which columns stay text because of cells that the sample did not hold."""
    return [
        note(
            "Column {column} seemed to hold numbers or dates, but not all cells of the file do (others: {cells}); "
            "it stays text.",
            column=quoted(column.name),
            cells=count.strange,
        )
        for column, count in zip(columns, counts, strict=True)
        if count.strange
    ]


def sql_name(name: str) -> str:
    """A name as SQL writes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
