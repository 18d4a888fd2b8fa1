"""Finds the columns that a question names: by name, synonym, value, meaning or near spelling, English or Chinese."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from agents.models.offline.known_table import Column, KnownTable, Role
from agents.models.offline.roles import flag_words
from agents.models.offline.stems import Token, han_pieces, is_han, name_words, stem, tokens
from agents.models.offline.vocabulary import CONCEPTS_OF, STOP, WEAK, concepts, keys_of

ENOUGH = 0.4
BY_NAME, BY_VALUE, BY_MEANING, BY_SPELLING, WEAK_WORD = 1.0, 0.9, 0.45, 0.8, 0.3
NEAR = 0.84
_TIME_WORDS = frozenset(("time", "date", "时间", "日期"))


class Match(StrEnum):
    """How surely words mean a column."""

    NAME = "name"
    """By a word or value of its own, or by synonyms of its whole name."""
    SYNONYM = "synonym"
    """By a synonym of a part of its name, or by a near spelling."""
    WEAK = "weak"
    """By its description or by a single Chinese character alone."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A column named in a question between two places, and those of its values that were named."""

    column: Column
    start: int
    end: int
    values: tuple[str, ...] = ()
    match: Match = Match.NAME


@dataclass(frozen=True, slots=True)
class _Hit:
    weight: float
    value: str | None = None
    is_best: bool = False
    """Whether the word fits no column better."""


@dataclass(slots=True)
class _Index:
    """For each word, concept or Chinese piece: the columns that it may mean and how strongly."""

    table: KnownTable
    names: dict[str, dict[int, _Hit]] = field(default_factory=dict)
    values: dict[str, dict[int, _Hit]] = field(default_factory=dict)
    meanings: dict[str, dict[int, _Hit]] = field(default_factory=dict)
    whole: dict[tuple[str, ...], int] = field(default_factory=dict)
    """Whole names, as their words."""
    longest: int = 0
    phrases: set[str] = field(default_factory=set)
    """The Chinese that is known, by which a question is cut into words."""

    def __post_init__(self) -> None:
        for at, column in enumerate(self.table.columns):
            words = tuple(stem(word) for word in name_words(column.name))
            self.whole.setdefault(words, at)
            self.longest = max(self.longest, len(words))
            for key, part in _name_keys(column.name).items():
                self.names.setdefault(key, {})[at] = _Hit(part * (WEAK_WORD if key in WEAK else BY_NAME))
            for value, keys in _value_keys(column).items():
                for key in keys - STOP:
                    self.values.setdefault(key, {})[at] = _Hit(BY_VALUE, value)
            for key in _text_keys(column.meaning) - STOP - WEAK:
                self.meanings.setdefault(key, {})[at] = _Hit(BY_MEANING)
        own = (*self.names, *self.values, *self.meanings, *CONCEPTS_OF)
        self.phrases.update(key for key in own if is_han(key))

    def exact(self, words: Sequence[Token]) -> tuple[int, int] | None:
        """The column whose whole name the words begin with, and in how many words; the longest wins."""
        for size in range(min(len(words), self.longest), 0, -1):
            said = tuple(stem(word.text) for word in words[:size])
            column = self.whole.get(said)
            if column is not None and not (size == 1 and said[0] in STOP and len(said[0]) < 4):
                return column, size
        return None

    def candidates(self, token: Token) -> dict[int, _Hit]:
        """The columns that a word may mean, each with its strongest hit; the rarer the word the stronger."""
        found: dict[int, _Hit] = {}
        if token.text in STOP or token.text.isdigit():
            return found
        for key in {token.text, stem(token.text)} | concepts(token.text):
            for index in (self.names, self.values, self.meanings):
                hits = index.get(key, {})
                for at, hit in hits.items():
                    weight = hit.weight / len(hits)
                    if at not in found or weight > found[at].weight:
                        found[at] = _Hit(weight, hit.value)
        found = found or self._near(token)
        top = max((hit.weight for hit in found.values()), default=0.0) - 1e-9
        return {at: replace(hit, is_best=hit.weight >= top) for at, hit in found.items()}

    def _near(self, token: Token) -> dict[int, _Hit]:
        if len(token.text) < 5 or is_han(token.text) or token.text in CONCEPTS_OF:
            return {}
        near = difflib.get_close_matches(stem(token.text), [key for key in self.names if len(key) > 3], 1, NEAR)
        hits = self.names[near[0]] if near else {}
        return {at: _Hit(BY_SPELLING * hit.weight / len(hits)) for at, hit in hits.items()}


@lru_cache(maxsize=16)
def _index_of(table: KnownTable) -> _Index:
    return _Index(table)


def find_mentions(text: str, table: KnownTable, ignored: Sequence[tuple[int, int]] = ()) -> tuple[Mention, ...]:
    """The columns that ``text`` names, in its order; pieces between the places of ``ignored`` are passed over."""
    index = _index_of(table)
    words = [t for t in tokens(text, index.phrases) if not any(a < t.end and t.start < b for a, b in ignored)]
    hits = [index.candidates(token) for token in words]
    return tuple(_distinct(_runs(words, hits, index)))


def _runs(words: Sequence[Token], hits: Sequence[Mapping[int, _Hit]], index: _Index) -> Iterator[Mention]:
    at = 0
    while at < len(words):
        found = index.exact(words[at:]) or _best_run(words[at:], hits[at:], index.table.columns)
        if found is None:
            at += 1
            continue
        column, size = found
        match = _match(index, column, words[at : at + size])
        size += _is_mere_time(index.table.columns[column], words[at + size :])
        values = (hit[column].value for hit in hits[at : at + size] if column in hit)
        named = tuple(dict.fromkeys(value for value in values if value is not None))
        yield Mention(
            index.table.columns[column],
            words[at].start,
            words[at + size - 1].end,
            named,
            Match.NAME if named else match,
        )
        at += size


def _best_run(
    words: Sequence[Token], hits: Sequence[Mapping[int, _Hit]], columns: Sequence[Column]
) -> tuple[int, int] | None:
    """The column that the first words mean most clearly, and how many words say so."""
    best, best_score = None, ENOUGH - 1e-9
    for column in hits[0]:
        size = next((n for n in range(1, len(words)) if not _goes_on(column, words[n], hits[n])), len(words))
        score = sum(hit[column].weight for hit in hits[:size]) + _whole_name(columns[column], words[:size])
        if score > best_score + 1e-9:
            best, best_score = (column, size), score
    return best


def _goes_on(column: int, word: Token, hits: Mapping[int, _Hit]) -> bool:
    """Whether a next word still means ``column``: it stands close and fits no other column better."""
    return word.joined and column in hits and hits[column].is_best


def _is_mere_time(column: Column, following: Sequence[Token]) -> bool:
    """Whether the next word only says that the column is a time, as in "response time"."""
    is_time = column.role in {Role.DATE, Role.CYCLE, Role.YEAR}
    return bool(following) and not is_time and following[0].joined and following[0].text in _TIME_WORDS


def _whole_name(column: Column, words: Sequence[Token]) -> float:
    """What it counts for that the words hold the whole name, or nearly."""
    own = {stem(word) for word in name_words(column.name)} - WEAK
    said = {stem(word.text) for word in words}
    return len(own & said) / (len(own) or 1)


def _match(index: _Index, column: int, words: Sequence[Token]) -> Match:
    """How surely ``words`` mean the column when none of its values is among them."""
    if all(is_han(word.text) and len(word.text) == 1 for word in words) and len(words) < 2:
        is_whole = words[0].text == index.table.columns[column].name
        return Match.NAME if is_whole else Match.WEAK
    own = [word for word in name_words(index.table.columns[column].name) if word not in STOP | WEAK]
    pieces = {stem(word) for word in own} | {piece for word in own for piece in han_pieces(word)}
    if any(stem(word.text) in pieces for word in words):
        return Match.NAME
    said = {key for word in words for key in concepts(word.text)}
    if own and all(keys_of(word) & said for word in own):
        return Match.NAME
    by_name = any(column in index.names.get(key, {}) for key in said)
    by_spelling = not any(column in index.meanings.get(key, {}) for key in said)
    return Match.SYNONYM if by_name or by_spelling else Match.WEAK


def _distinct(mentions: Iterator[Mention]) -> Iterator[Mention]:
    """Each column once, where it is named first, with all its values that are named."""
    found: dict[str, Mention] = {}
    for mention in mentions:
        first = found.get(mention.column.name, mention)
        surest = min(first.match, mention.match, key=list(Match).index)
        values = tuple(dict.fromkeys((*first.values, *mention.values)))
        found[mention.column.name] = replace(first, values=values, match=surest)
    yield from found.values()


def _name_keys(name: str) -> dict[str, float]:
    """The words, concepts and Chinese pieces of a name, each with the part of its word that it covers."""
    keys: dict[str, float] = {}
    for word in name_words(name):
        for piece in {word} | han_pieces(word):
            for key in {piece, stem(piece)} | concepts(piece):
                keys[key] = max(keys.get(key, 0.0), len(piece) / len(word))
    return keys


def _value_keys(column: Column) -> dict[str, frozenset[str]]:
    named = dict(flag_words(column))
    for value in column.values if column.is_group else ():
        named[value] = named.get(value, frozenset()) | _text_keys(value)
    return named


def _text_keys(text: str) -> frozenset[str]:
    return keys_of(text) | {piece for word in name_words(text) for piece in han_pieces(word)}
