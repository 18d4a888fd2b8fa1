"""Plans how the files of Stata, SAS and SPSS are read; their columns have types and labels already."""

import struct
from contextlib import suppress
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
        _plan(
            source,
            Recipe(variable, "read_stata", source.python, before=source.before),
            note("Read as Stata."),
            "convert_categoricals",
        )
    ]


def plan_sas(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    head = source.head(92)
    if b"LIBV8" in head[:48]:
        return [_plan_new_transport(source, variable)]
    if head[84:92] == b"SAS FILE":
        form, encodings = "sas7bdat", [choices.encoding or "infer"]
    else:
        form, encodings = "xport", [choices.encoding] if choices.encoding else ["utf-8", "cp1252"]
    for encoding in encodings[:-1]:
        with suppress(Unreadable):
            return [_plan_sas(source, variable, form, encoding)]
    return [_plan_sas(source, variable, form, encodings[-1])]


def _plan_sas(source: Source, variable: str, form: str, encoding: str) -> ReadingPlan:
    arguments = {"format": form, "encoding": encoding}
    recipe = Recipe(variable, "read_sas", source.python, arguments, before=source.before)
    return _plan(source, recipe, note("Read as SAS."))


def _plan_new_transport(source: Source, variable: str) -> ReadingPlan:
    """The eighth version of SAS's transport format, which pandas does not read."""
    before, path = source.python_path(variable)
    text = "\n".join([*before, "import pyreadstat", f"{variable} = pyreadstat.read_xport({path})[0]"])
    try:
        table = run(text, variable)
    except _DAMAGED as error:
        raise Unreadable(DAMAGED) from error
    names = tuple(map(str, table.columns))
    return ReadingPlan(
        variable=variable, recipe=text, notes=[note("Read as SAS."), *name_notes(names)], rows=len(table)
    )


def plan_spss(source: Source, variable: str, choices: Choices) -> list[ReadingPlan]:
    before, path = source.python_path(variable)
    recipe = Recipe(variable, "read_spss", path, before=before)
    return [_plan(source, recipe, note("Read as SPSS."), "convert_categoricals")]


def _plan(source: Source, recipe: Recipe, told: Note, label_option: str = "") -> ReadingPlan:
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
