"""Tells statements about the data from greetings, offers and questions, by their words alone."""

import re
from collections.abc import Iterable, Iterator

_CLAIM = re.compile(
    r"\b(?:higher|highest|lower|lowest|larger|largest|smaller|smallest|greater|greatest|more|most|fewer|fewest|less|least|"
    r"increas|decreas|ris(?:e|es|ing)|rose|f(?:a|e)ll|drop|grow|grew|declin|correlat|averag|mean|median|significan|strong|"
    r"weak|depend|driv|caus|contribut|affect|influenc|associat|relat|outlier|missing|duplicat|skew|trend|peak|dominat|"
    r"doubl|half|majority|minority|main|twice)\w*"
    r"|[最更较]|比.{1,20}[高低多少大小]|[增减升降]|相关|平均|显著|主要|影响|导致|趋势|异常|缺失|重复|峰|多数|少数|倍|成正比|成反比",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:I|we|you)(?:'ll|’ll|'d|’d|\s(?:can|could|may|might|would|will|should|want|need|like))\b"
    r"(?!\s(?:clearly\s)?(?:see|observe|say|conclude|tell))|\blet me\b|\blet's\b"
    r"|\bfeel free\b|\bplease\b(?!\snote)|\bwould you\b|\bask me\b|\bhappy to\b|\b(?:upload|try)\b"
    r"|可以(?!看|发现|得|推|认为)|能够|能帮|帮[您你]|[您你]想|请(?!注意)|如果|如需|欢迎|建议[您你]|我会|我将|[?？]\s*\Z",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)、])")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")


def own_statements(text: str) -> str:
    """The text with blanks for the sentences that offer or ask, and for the items of a list that an offer opens."""
    lines = []
    within_offer = False
    for line in text.split("\n"):
        if not (within_offer and (_ITEM.match(line) or not line.strip())):
            within_offer = bool(_OFFER.search(line)) and line.rstrip(" *_").endswith((":", "："))
            lines.append("".join(_blank_offer(part) for part in re.split(r"(?<=[.!?])(?=\s)|(?<=[。！？])", line)))
        else:
            lines.append(" " * len(line))
    return "\n".join(lines)


def data_claims(text: str, names: Iterable[str]) -> Iterator[str]:
    """The sentences that say something of a column; ``names`` are the columns."""
    plain_names = {name.replace("_", " ").lower() for name in names if len(name) > 1}
    for sentence in _SENTENCE_END.split(own_statements(text)):
        words = sentence.replace("_", " ").lower()
        if _CLAIM.search(sentence) and any(name in words for name in plain_names):
            yield sentence


def _blank_offer(sentence: str) -> str:
    return " " * len(sentence) if _OFFER.search(sentence) else sentence
