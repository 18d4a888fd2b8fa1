"""Everything a person is told in English is there in Chinese, with the same places, and nothing more is."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from wording import Sentence
from wording.chinese import CHINESE

ROOT = Path(__file__).parent.parent
PARTS = ("agents", "analysis", "benchmarks", "sandbox", "tools", "ui", "settings.py", "streamlit_app.py")
TELLERS = {"Sentence", "ToldError", "say", "tell", "_tell", "note", "notice", "_notice", "_ok"}
PLACE = re.compile(r"\{\w+\}")
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
SENTENCE = re.compile(r"[A-Z{].* .*[.:]|[A-Z{].*\. [A-Z].*")


def modules() -> dict[str, ast.Module]:
    """The code of all parts by its path."""
    files = [ROOT / part for part in PARTS if part.endswith(".py")]
    files += [path for part in PARTS for path in (ROOT / part).rglob("*.py")]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in files}


def telling_names(parsed: Iterable[ast.Module]) -> set[str]:
    """The functions and classes whose first argument is a template, with all subclasses of ``ToldError``."""
    classes = [node for module in parsed for node in ast.walk(module) if isinstance(node, ast.ClassDef)]
    names: set[str] = set()
    more = set(TELLERS)
    while not more <= names:
        names |= more
        more = {each.name for each in classes if names & {getattr(base, "id", "") for base in each.bases}}
    return names


def constants_of(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (each for target in targets for each in ast.walk(target)):
                if isinstance(name, ast.Name):
                    yield name.id, node.value


def strings_in(expression: ast.expr) -> set[str]:
    found = {node.value for node in ast.walk(expression) if isinstance(node, ast.Constant)}
    return {text for text in found if isinstance(text, str)}


def templates() -> dict[str, str]:
    """Each template a person can be told, with the module that tells it.

    A teller's first argument is the template itself, or names a constant; where it is a variable, every constant of
    the module that reads like a sentence counts.
    """
    parsed = modules()
    names = telling_names(parsed.values())
    constants: dict[str, set[str]] = {}
    for module in parsed.values():
        for name, value in constants_of(module):
            constants.setdefault(name, set()).update(strings_in(value))
    found: dict[str, str] = {}
    for path, module in parsed.items():
        for told in told_in(module, names):
            for text in meant(told, module, constants):
                found.setdefault(text, path)
    return found


def told_in(module: ast.Module, names: set[str]) -> Iterator[ast.expr]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in names:
                yield node.args[0]
        elif isinstance(node, ast.Dict):
            # As the sandbox's own programs send a sentence.
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "template" and isinstance(value, ast.Constant):
                    yield value


def meant(told: ast.expr, module: ast.Module, constants: dict[str, set[str]]) -> set[str]:
    if isinstance(told, ast.IfExp):
        return meant(told.body, module, constants) | meant(told.orelse, module, constants)
    if isinstance(told, ast.Constant):
        return {told.value} if isinstance(told.value, str) else set()
    if isinstance(told, ast.Name) and CONSTANT.fullmatch(told.id):
        return constants[told.id]
    if isinstance(told, ast.Name | ast.Subscript):
        own = set().union(*(strings_in(value) for _, value in constants_of(module)))
        return {text for text in own if SENTENCE.fullmatch(text) and text.count("\n") < 2}
    return set()


def test_everything_that_is_told_has_its_chinese() -> None:
    missing = {text: path for text, path in templates().items() if text not in CHINESE}
    assert missing == {}


def test_no_chinese_is_left_over() -> None:
    assert set(CHINESE) - set(templates()) == set()


def test_each_translation_keeps_its_places() -> None:
    def places(text: str) -> list[str]:
        return sorted(PLACE.findall(text))

    assert {english for english, chinese in CHINESE.items() if set(places(english)) != set(places(chinese))} == set()


def test_each_translation_is_chinese_with_chinese_punctuation() -> None:
    plain = [chinese for chinese in CHINESE.values() if not re.search(r"[\u4e00-\u9fff]", PLACE.sub("", chinese))]
    assert plain == []
    assert [chinese for chinese in CHINESE.values() if re.search(r"[\u4e00-\u9fff][.,;:?!]", chinese)] == []


def test_a_sentence_is_told_in_chinese_with_its_values() -> None:
    assert Sentence("{name} was removed.", {"name": "a.csv"}).in_language("zh") == "已移除 a.csv。"
