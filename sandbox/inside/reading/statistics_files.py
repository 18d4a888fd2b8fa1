"""Plans how the files of Stata, SAS and SPSS are read; their columns have types and labels already."""

import struct
from pathlib import Path

from pyreadstat import ReadstatError

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.notes import DAMAGED, Note, Unreadable, note
from sandbox.inside.reading.recipe import ReadingPlan, Recipe, run
from sandbox.inside.reading.source import Source
from sandbox.inside.reading.table_layout import name_notes

_MOST_BYTES = 500_000_000
_DAMAGED = (ValueError, KeyError, IndexError, OverflowError, OSError, struct.error, ReadstatError)


def plan_stata(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    """Labels stand for their values, unless two values have the same label."""
    return [
        _plan(source, Recipe(variable, "read_stata", source.python), note("Read as Stata."), "convert_categoricals")
    ]


def plan_sas(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    form = "sas7bdat" if source.head(92)[84:92] == b"SAS FILE" else "xport"
    encoding = choices.encoding or ("infer" if form == "sas7bdat" else "cp1252")
    arguments = {"format": form, "encoding": encoding}
    return [_plan(source, Recipe(variable, "read_sas", source.python, arguments), note("Read as SAS."))]


def plan_spss(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    if source.original:
        raise Unreadable(note("SPSS files cannot be read inside an archive. Unpack it and upload the files in it."))
    return [_plan(source, Recipe(variable, "read_spss", source.python), note("Read as SPSS."), "convert_categoricals")]


def _plan(source: Source, recipe: Recipe, told: Note, label_option: str = "") -> ReadingPlan:
    recipe.before = source.before
    if Path(source.path).stat().st_size > _MOST_BYTES:
        raise Unreadable(
            note(
                "The file has more than {limit} MB, which is too much to read. Save a part of it.",
                limit=_MOST_BYTES // 10**6,
            )
        )
    notes = [told]
    try:
        table = run(str(recipe), recipe.variable)
    except _DAMAGED as error:
        if not label_option:
            raise Unreadable(DAMAGED) from error
        recipe.arguments[label_option] = False
        notes.append(note("The labels of values are not unique, so the values themselves are read."))
        try:
            table = run(str(recipe), recipe.variable)
        except _DAMAGED:
            raise Unreadable(DAMAGED) from error
    names = tuple(map(str, table.columns))
    return ReadingPlan(
        variable=recipe.variable, recipe=str(recipe), notes=[*notes, *name_notes(names)], rows=len(table)
    )
