"""Text cut into comparable words: English stems and Chinese phrases, with their places; knows no table."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

HAN = r"\u3400-\u9fff"
_HAN_RUN = re.compile(f"[{HAN}]+")
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOIN = re.compile(r"[\s_\-]*的?")
LONGEST_PHRASE = 8


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text in lower case and where it stands; ``joined`` when only a blank or 的 parts it from the last."""

    text: str
    start: int
    end: int
    joined: bool = False


def stem(word: str) -> str:
    """An English word without the endings of number and tense; anything else in lower case."""
    word = word.lower()
    if len(word) < 4 or not word.isascii():
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x")):
        if word.endswith(ending):
            return word[: -len(ending)] + instead
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def is_han(text: str) -> bool:
    return bool(_HAN_RUN.search(text))


def name_words(name: str) -> tuple[str, ...]:
    """The words of a column's name: ``trafficFine_amount`` gives traffic, fine, amount; Chinese stays whole."""
    parted = _CAMEL.sub(" ", name)
    parted = re.sub(f"(?<=[{HAN}])(?=[^{HAN}])|(?<=[^{HAN}])(?=[{HAN}])", " ", parted)
    return tuple(word.lower() for word in _WORD.findall(parted))


def tokens(text: str, phrases: Collection[str]) -> list[Token]:
    """The words of a question; runs of Chinese are cut into the longest known ``phrases``, the rest is left out."""
    found: list[Token] = []
    for word in _WORD.finditer(text):
        place = word.start()
        for piece in re.split(f"([{HAN}]+)", word[0]):
            if _HAN_RUN.fullmatch(piece):
                found += _phrases_of(piece, place, phrases)
            elif piece:
                found.append(Token(piece.lower(), place, place + len(piece)))
            place += len(piece)
    ends = [0, *(token.end for token in found)]
    return [replace(t, joined=bool(_JOIN.fullmatch(text[end : t.start]))) for end, t in zip(ends, found, strict=False)]


def _phrases_of(run: str, offset: int, phrases: Collection[str]) -> list[Token]:
    found, at = [], 0
    while at < len(run):
        for size in range(min(LONGEST_PHRASE, len(run) - at), 0, -1):
            if run[at : at + size] in phrases:
                found.append(Token(run[at : at + size], offset + at, offset + at + size))
                break
        else:
            size = 1
        at += size
    return found


def han_pieces(word: str) -> frozenset[str]:
    """The pieces of a Chinese word by which it can be named, from two characters on; the word itself, too."""
    if not is_han(word):
        return frozenset()
    ends = ((a, b) for a in range(len(word)) for b in range(a + 2, min(a + LONGEST_PHRASE, len(word)) + 1))
    return frozenset(word[a:b] for a, b in ends) | {word}
