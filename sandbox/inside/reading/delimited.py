"""Plans how a delimited text is read: CSV and its relatives."""

from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.inside.reading.arrow_frame import LongTable
from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.column_types import judge
from sandbox.inside.reading.dialect import WIDE_BLANKS, Dialect, find_dialect, read_rows, usual_width
from sandbox.inside.reading.notes import NO_DATA, Note, Unreadable, note
from sandbox.inside.reading.recipe import ReadingPlan, Recipe, run
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.table_header import find_header
from sandbox.inside.reading.table_layout import group_notes, header_notes, name_columns, name_notes, place_columns
from sandbox.inside.reading.text_encoding import TextFacts, look_at_text
from sandbox.inside.reading.text_notes import read_as_notes
from sandbox.inside.reading.type_arguments import Habits, add_types, converted_columns, names_cells, settle
from sandbox.inside.reading.whole_text import Place, WholeText, quotes_are_text, read_carefully, read_uniform

_SAMPLE_CHARACTERS = 500_000
_SAMPLE_ROWS = 300
_LONGEST_LINE = 20_000_000
_MOST_COLUMNS = 20_000
_ONE_COLUMN_WORDS = 3


def plan_delimited(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    """One table; raises ``Unreadable`` when the text is none."""
    if source.original is None and source.is_large():
        with TemporaryDirectory() as folder:
            for spread in (True, False):
                if plan := _plan_large(source, variable, choices, Path(folder, "sample"), spread):
                    return [plan]
    return [_seen(source, choices).plan(variable)]


def _plan_large(source: Source, variable: str, choices: Choices, place: Path, spread: bool) -> ReadingPlan | None:
    """None where the sample is not as plain a text as duckdb needs."""
    from sandbox.inside.reading.large_text import sample_of  # rarely needed, and duckdb is slow to load

    if spread and source.gzipped:
        return None
    place.write_bytes(sample_of(source, spread=spread))
    try:
        return _seen(replace(source, path=str(place), gzipped=False), choices).plan_large(
            source, variable, is_spread=spread
        )
    except Unreadable:
        return None


def _seen(source: Source, choices: Choices) -> "_DelimitedText":
    facts = look_at_text(source, choices.encoding)
    sample, whole = _sample(source, facts)
    if not sample.strip('\ufeff \t\r\n,;|"'):
        raise Unreadable(NO_DATA)
    dialect = find_dialect(sample, choices.delimiter)
    return _DelimitedText(source, facts, dialect, _Sample(sample, whole, choices))


@dataclass(frozen=True, slots=True)
class _Sample:
    """The beginning of the text, whether that is all of it, and what a person says of it."""

    text: str
    whole: bool
    choices: Choices


def _sample(source: Source, facts: TextFacts) -> tuple[str, bool]:
    """Enough text to have a few whole lines."""
    with source.open_text(facts.encoding, "replace") as file:
        text = file.read(_SAMPLE_CHARACTERS)
        while (
            len(text) < _LONGEST_LINE
            and max(text.count("\n"), text.count("\r")) < 3
            and (more := file.read(_SAMPLE_CHARACTERS))
        ):
            text += more
        whole = not file.read(1)
    if not whole and "\n" not in text and "\r" not in text:
        raise Unreadable(
            note(
                "The first line is longer than {limit} million characters. Check what the file is.",
                limit=_LONGEST_LINE // 10**6,
            )
        )
    return text.replace("\0", ""), whole


class _DelimitedText:
    """One text, seen with one dialect."""

    def __init__(self, source: Source, facts: TextFacts, dialect: Dialect, sample: _Sample) -> None:
        self.source, self.facts, self.dialect = source, facts, dialect
        self.sample = sample
        self.notes: list[Note] = []
        rows = list(islice(read_rows(StringIO(sample.text, newline=""), dialect), _SAMPLE_ROWS))
        if 1 < len(rows) < _SAMPLE_ROWS and not sample.whole:
            rows.pop()
        if dialect.hinted:
            rows[0] = (1, [])
        self.header = find_header([row for _, row in rows], sample.choices.header_row)
        self.first_cells = set(rows[0][1])
        lines = [line for line, _ in rows]
        data = self.header.data
        widths = [len(row) for _, row in rows[data:] if row]
        self.width = usual_width(widths) or len(self.header.names)
        self.place = Place(
            row=data, line=lines[data] if data < len(lines) else facts.lines + 1, width=len(self.header.names)
        )
        self._check_is_table([row for _, row in rows])

    def plan(self, variable: str) -> ReadingPlan:
        text = self._read()
        without_quotes = self._without_quotes(text)
        if without_quotes:
            return without_quotes.plan(variable)
        recipe = Recipe(variable, "read_csv", self.source.python, before=self.source.before)
        self._add_layout(recipe)
        placed = place_columns(recipe, self.header, text)
        if "names" not in recipe.arguments and not self._pandas_agrees(recipe, placed.names):
            name_columns(recipe, self.header, placed.names)
        cautious = recipe.with_text_only()
        grouped = group_notes(placed.names, [text.columns[place] for place in placed.positions])
        readings = [
            judge(name, text.columns[place]) for name, place in zip(placed.names, placed.positions, strict=True)
        ]
        long = LongTable(recipe, readings, [text.columns[place] for place in placed.positions])
        del text.columns
        habits = Habits(self.dialect.delimiter, choices=self.sample.choices)
        type_notes = add_types(recipe, readings, text.rows * len(readings), habits)
        return ReadingPlan(
            variable=variable,
            recipe=str(recipe),
            cautious_recipe=str(cautious),
            notes=[
                *read_as_notes(self.facts, self.dialect, len(self.header.names)),
                *self.notes,
                *header_notes(self.header),
                *placed.notes,
                *grouped,
                *name_notes(placed.names),
                *type_notes,
            ],
            rows=text.rows,
            converted=converted_columns(readings),
            names_cells=names_cells(recipe, readings),
            frame=long.frame,
        )

    def plan_large(self, file: Source, variable: str, *, is_spread: bool) -> ReadingPlan | None:
        """How the whole file is read of which this is a sample; None if that takes more than duckdb does."""
        from sandbox.inside.reading.large_text import MOST_COLUMNS, LargeText  # rarely needed, and slow to load

        dialect, facts = self.dialect, self.facts
        text = read_uniform(self.source, facts, dialect, replace(self.place, width=self.width))
        if text is None and not is_spread:
            text = read_carefully(self.source, facts, dialect, self.place)
        if text is None or text.is_odd or facts.encoding not in ("utf-8", "utf-8-sig") or facts.errors != "strict":
            return None
        if self.width != len(self.header.names) or len(dialect.delimiter) > 1 or dialect.skip_blanks:
            return None
        placed = place_columns(Recipe(variable, "", ""), self.header, text)
        if text.left_out or len(placed.names) > MOST_COLUMNS:
            return None
        readings = [
            judge(name, text.columns[place]) for name, place in zip(placed.names, placed.positions, strict=True)
        ]
        columns, notes = settle(readings, Habits(dialect.delimiter, choices=self.sample.choices))
        names = dict(zip(placed.positions, placed.names, strict=True))
        large = LargeText(
            source=file,
            sample=self.source.path,
            is_spread=is_spread,
            dialect=dialect,
            skipped_lines=self.place.line - 1,
            names=tuple(names.get(place, f"unused_{place}") for place in range(self.width)),
            columns=columns,
            notes=[
                *read_as_notes(self.facts, self.dialect, len(self.header.names)),
                *header_notes(self.header),
                *placed.notes,
                *name_notes(placed.names),
                *notes,
            ],
        )
        return large.plan(variable)

    def _read(self) -> WholeText:
        text = read_uniform(self.source, self.facts, self.dialect, replace(self.place, width=self.width))
        if text is None:
            return read_carefully(self.source, self.facts, self.dialect, self.place)
        if self.width > len(self.header.names):
            text.long_rows, text.first_long_line = text.rows, self.place.line
        elif any(not name.startswith("Unnamed: ") for name in self.header.names[self.width :]):
            text.short_rows, text.first_short_line = text.rows, self.place.line
        return text

    def _check_is_table(self, rows: list[list[str]]) -> None:
        columns = len(self.header.names)
        if columns > _MOST_COLUMNS:
            raise Unreadable(
                note(
                    "The table has {columns} columns; at most {limit} can be read. Upload the columns that you need.",
                    columns=columns,
                    limit=_MOST_COLUMNS,
                )
            )
        cells = [cell for row in rows for cell in row if cell.strip()]
        if not cells:
            raise Unreadable(NO_DATA)
        words = sum(len(cell.split()) for cell in cells) / len(cells)
        if (
            columns == 1
            and words > _ONE_COLUMN_WORDS
            and not self.source.name.lower().endswith((".csv", ".tsv", ".tab"))
        ):
            raise Unreadable(note("This is running text, not a table. Upload a CSV, Excel, Parquet or JSON file."))

    def _without_quotes(self, text: WholeText) -> "_DelimitedText | None":
        """The same text with quotation marks as text, if it makes sense only so."""
        line = text.open_quote_line or (0 if text.is_well_quoted else text.broken_cell_line)
        if not line or not self.dialect.quotes or len(self.dialect.delimiter) > 1:
            return None
        above_data = self.sample.text.split("\n", self.place.line - 1)[: self.place.line - 1]
        names_quoted = any('"' in line for line in above_data)
        place = replace(self.place, width=self.width if text.open_quote_line == 0 else self.place.width)
        if not names_quoted and quotes_are_text(self.source, self.facts, self.dialect, place):
            other = _DelimitedText(self.source, self.facts, replace(self.dialect, quotes=False), self.sample)
            other.notes.append(
                note(
                    "Quotation marks are read as text, because the one in line {line} would swallow what follows.",
                    line=line,
                )
            )
            return other
        if text.open_quote_line:
            raise Unreadable(
                note(
                    "A quotation mark in line {line} is never closed. Close or remove it and upload the file anew.",
                    line=line,
                )
            )
        return None

    def _add_layout(self, recipe: Recipe) -> None:
        """Encoding, delimiter, quotes and what stands above the data."""
        facts, dialect, arguments = self.facts, self.dialect, recipe.arguments
        if facts.nuls:
            modules, content = self.source.python_bytes()
            recipe.before = [*self.source.before, f"import {', '.join(sorted([*modules, 'io']))}"]
            recipe.source = f'io.BytesIO({content}.replace(b"\\0", b""))'
        elif self.source.gzipped:
            arguments["compression"] = "gzip"
        if dialect.delimiter != ",":
            arguments["sep"] = dialect.delimiter
        if dialect.delimiter == WIDE_BLANKS:
            arguments["engine"] = "python"
        if facts.encoding != "utf-8":
            arguments["encoding"] = facts.encoding
        if facts.errors != "strict":
            arguments["encoding_errors"] = facts.errors
        if not dialect.quotes:
            arguments["quoting"] = 3
        if dialect.escape:
            arguments["escapechar"] = dialect.escape
        if dialect.skip_blanks:
            arguments["skipinitialspace"] = True

    def _pandas_agrees(self, recipe: Recipe, names: tuple[str, ...]) -> bool:
        """Whether pandas finds the same column names; asked rather than guessed."""
        if "skiprows" not in recipe.arguments and set(names) <= self.first_cells:
            return True
        only_names = replace(recipe, arguments=recipe.arguments | {"nrows": 0})
        try:
            return [*run(str(only_names), recipe.variable).columns] == list(names)
        except ValueError:
            return False
