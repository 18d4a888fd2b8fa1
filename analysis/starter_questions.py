"""Questions to begin with: those about the sample data, or some that fit a file of one's own."""

from collections.abc import Sequence

from agents.models.offline.guidance import examples
from agents.models.offline.roles import known_tables
from analysis.sample import SAMPLE_FILE, STARTER_QUESTIONS
from sandbox.sandbox import FileProfile
from wording import Language

_LONGEST = 200


def starter_questions(files: Sequence[FileProfile], dictionary: str, language: Language) -> tuple[str, ...]:
    """Without other files than the sample those about it, or else about the last table; any model understands them."""
    if all(file.name == SAMPLE_FILE.name for file in files):
        return STARTER_QUESTIONS[language]
    tables = known_tables(files, dictionary)
    questions = examples(tables[-1], language) if tables else ()
    return tuple(question for question in questions if len(question) <= _LONGEST)
