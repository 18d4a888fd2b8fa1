"""Says in SQL how the text of a column is read, and counts in all rows of a file whether it can be."""

from dataclasses import dataclass, fields, replace
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
    text: str = ""
    """The expression for its text: without blanks around it, NULL where it is missing, in a spelling that is read."""
    date_format: str = ""
    """Of a date; empty where none is needed."""
    by_type: bool = True
    """Whether the file's reader can read it by its type, without ``text``."""
    is_text: bool = True
    """Whether the file holds text, so that there may be something else in it than the type promises."""

    @property
    def read(self) -> str:
        """The expression that reads it."""
        return sql_name(self.name) if self.by_type else self._converted()

    @property
    def counts(self) -> list[str]:
        """What to ask of all rows, in the order of ``Count``."""
        bare = sql_name(self.name)
        if self.type == "VARCHAR":
            return [f"count({bare})", "0", "0", "NULL", "NULL"]
        if not self.is_text:
            return [f"count({bare})", "0", "0", f"min({bare})", f"max({bare})"]
        # A cast ignores blanks around a value, and taking them off all cells would take as long as reading them.
        tried = f"TRY_CAST({bare} AS {self.type})" if self.by_type else self._converted("TRY_")
        others = f"count(CASE WHEN {tried} IS NULL THEN {self.text} END)"
        known = f"count({tried}) + {others}"
        # Numbers with leading zeros are codes, even if only the last rows of the file have them.
        perhaps = " OR ".join(f"{bare} LIKE '{pattern}'" for pattern in ("0_%", "-0_%", " %"))
        zeros = f"count_if(CASE WHEN {perhaps} THEN regexp_matches(trim({bare}), '^-?0.') END)"
        strange = f"{others} + {zeros}" if self.type == "BIGINT" else others
        return [known, strange, f"count({bare}) - ({known})", f"min({tried})", f"max({tried})"]

    def checked(self, count: "Count") -> "SqlColumn":
        """The same, or text if any cell of the file is not what the sample promised."""
        if count.strange:
            return text_column(self.name)
        return replace(self, by_type=self.by_type and not count.missing)

    def _converted(self, attempt: str = "") -> str:
        if self.date_format:
            return f"{attempt}strptime({self.text}, {sql_text(self.date_format)})"
        return f"{attempt}CAST({self.text} AS {self.type})"


@dataclass(frozen=True, slots=True)
class Count:
    """What all rows of the file show of a column."""

    known: int
    strange: int
    """Cells that are not of the column's type."""
    missing: int
    """Cells that hold nothing but blanks or a word for missing."""
    least: Any
    most: Any


def text_column(name: str) -> SqlColumn:
    return SqlColumn(name=name, type="VARCHAR")


def sql_column(column: Decided) -> SqlColumn:
    """How duckdb reads what pandas would read in the same way."""
    reading = column.reading
    kind = _sql_type(column)
    if kind == "VARCHAR":
        return text_column(reading.name)
    trimmed = text = f"nullif(trim({sql_name(reading.name)}), '')"
    for word in sorted({word.strip(" ") for word in reading.missing} - {""}):
        text = f"nullif({text}, {sql_text(word)})"
    for pattern, other in reading.respelled:
        text = f"regexp_replace({text}, {sql_text(pattern)}, {sql_text(other)}, 'g')"
    if column.style and column.style.thousands:
        text = f"replace({text}, {sql_text(column.style.thousands)}, '')"
    if column.style and column.style.comma:
        text = f"replace({text}, ',', '.')"
    date_format = column.date_format if column.date_format != ISO else ""
    by_type = text == trimmed and not reading.padded and not date_format
    return SqlColumn(name=reading.name, type=kind, text=text, date_format=date_format, by_type=by_type)


def _sql_type(column: Decided) -> SqlType:
    reading = column.reading
    if reading.kind == "number" and column.style:
        return "BIGINT" if reading.whole else "DOUBLE"
    if reading.kind == "date" and not reading.zoned:
        return "TIMESTAMP"
    return "BOOLEAN" if reading.kind == "boolean" else "VARCHAR"


def count_all(database: Any, reader: str, columns: list[SqlColumn]) -> tuple[int, list[Count]]:
    """The rows of the file and what they show of each column; one pass."""
    asked = [expression for column in columns for expression in column.counts]
    ((rows, *found),) = database.sql(f"SELECT {', '.join(['count(*)', *asked])} FROM {reader}").fetchall()  # noqa: S608
    width = len(fields(Count))
    return rows, [Count(*found[place : place + width]) for place in range(0, len(found), width)]


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
