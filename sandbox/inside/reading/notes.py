"""Sentences about a file, as template and values that any face can say in its language; decides nothing."""

from typing import TypedDict

Value = str | int


class Note(TypedDict):
    """An English template with ``{places}`` and the plain values for them."""

    template: str
    values: dict[str, Value]


class Unreadable(Exception):
    """The file gives no table; ``problem`` says why and what to do."""

    def __init__(self, problem: Note) -> None:
        super().__init__(problem["template"])
        self.problem = problem


def note(template: str, **values: Value) -> Note:
    return {"template": template, "values": values}


NO_DATA = note("The file has no data. Check that it was saved completely and upload it anew.")
DAMAGED = note("The file is damaged or was cut short. Save it again and upload it anew.")
LOCKED = note("The workbook is protected by a password. Save it without a password and upload that.")


def quoted(text: str, limit: int = 60) -> str:
    """Text of the file on one line, in quotes, with blanks and control characters made visible."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def listed(texts: list[str], most: int = 3) -> str:
    """The first few texts, quoted, with a sign that there are more."""
    return ", ".join(quoted(text, 30) for text in texts[:most]) + (", …" if len(texts) > most else "")
