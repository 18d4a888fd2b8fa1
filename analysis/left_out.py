"""What looks like a figure in an answer but says nothing of the data: code, names, list numbers, conventions."""

import re
from collections.abc import Iterable

_NOUNS = (
    "columns?|variables?|features?|factors?|categor(?:y|ies)|groups?|charts?|plots?|graphs?|figures?|tables?|steps?|"
    "findings?|reasons?|ways|things|parts?|types?|kinds?|insights?|takeaways?|observations?|recommendations?|"
    "suggestions?|questions?|options?|predictors?|drivers?|patterns?|decimals?|digits|sections?|files?"
)
_LABELS = "step|figure|fig|table|chart|plot|section|part|point|item|option|question|phase|appendix"
_SOFTWARE = (
    "version|python|pandas|numpy|scipy|matplotlib|plotly|seaborn|polars|duckdb|gpt|llama|qwen|claude|gemini|版本"
)
_SMALL = r"(?<![\w.,/-])(?:10|[1-9])"
_CODE = (
    r"(?s:```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z))",
    r"(?<!`)(`{1,2})(?!`)[^\n]{1,500}?(?<!`)\1(?!`)",
    r"\]\([^)\n]{0,500}\)|\bhttps?://\S+|\bwww\.\S+",
    r"(?<![\w./-])(?=[\w./-]{0,99}[A-Za-z][\w-]*\.)[\w./-]{1,99}\.[A-Za-z]{2,5}\b",
    r"(?<![\w-])[\w-]{1,99}\.(?:csv|tsv|xlsx?|png|json|parquet|py|ipynb|pdf|zip)\b",
)
_CONVENTIONS = (
    # Versions and network addresses.
    r"(?<![\w.])v?\d+(?:\.\d+){2,}(?!\w)",
    rf"\b(?:{_SOFTWARE})[\s-]?v?\d+(?:\.\d+)*",
    # List numbers, headings, labels, ordinals.
    r"^[ \t>*#_-]*[(（]?\d{1,2}[.)、）:：](?!\d)(?=[ \t*_]*\S)|^[ \t]*\|[ \t]*\d{1,2}[ \t]*(?=\|)|\[\^?\d{1,2}\]",
    r"[①-⑳⑴-⒇]|\d\ufe0f?\u20e3",
    rf"\b(?:{_LABELS})\s#?\d{{1,2}}(?![\d%]|[.,]\d)|\b(?:no|nr|fig)\.\s?\d+|#\d+",
    r"第\s?\d+|(?:步骤|图表?|(?<![代发列报年])表|附录|问题|选项|方案)\s?\d{1,2}(?![\d.%％])",
    # Conventions of statistics.
    r"(?<!\d)\d{1,4}(?:\.\d{1,4})?\s?[%％](?:\s|-|的)?"
    r"(?:confidence|credible|prediction|CIs?\b|interval|significance|level\b|置信|显著)",
    r"(?:confidence|置信)(?:\s(?:level|interval)|度|水平|区间)?s?(?:\s(?:of|at|is)|\s?[为是=:：（(])?\s?(?:80|9\d(?:\.\d)?)\s?[%％]",
    r"(?:significance(?:\slevel)?|显著性?(?:水平)?)(?:\s(?:of|at|is)|\s?[为是=:：（(])?\s?(?:0?\.\d{1,3}|(?:10|5|1)\s?[%％])",
    r"(?:\bp(?:[\s-]?values?)?|p\s?值|显著性)(?:\s(?:is|are|was|were))?\s?"
    r"(?:[<>≤≥＜＞]=?|below|under|less than|above|小于|低于|大于|高于)\s?0?\.(?:10?|050?|010?|0*1)(?!\d)",
    r"(?:α|alpha)\s?=\s?0?\.\d+|\b1\.5\s?(?:[×x*]|times|倍)?\s?(?:the\s)?(?:IQR|interquartile|四分位)",
    r"\b\d+-fold\b(?=\scross|\sCV)|\d{1,2}\s?折交叉",
    r"\b24/7\b|(?<![\d/.])\d{1,2}/\d{1,2}(?![\d/])|[一二两三四五六七八九十]分之[一二两三四五六七八九]",
    # How a method is set, and what a rate is counted by.
    r"\b\d{1,3}-(?:unit|point|step|level|second|minute|hour|day|week|month|year)s?\b|\b(?:1|one) unit\b",
    r"\b\d{1,3}\s(?:minute|hour|day|week|month|year)\s(?:rolling|moving|window|average|lag)\b",
    r"\d{1,3}\s?(?:日|天|小时|周|个月|年|期)(?:移动|滚动)",
    r"\b\d{1,5}\s(?:trees|estimators|bins|folds|iterations|epochs|neighbou?rs|lags)\b",
    r"\b(?:per|(?:for )?(?:every|each)(?:\sadditional)?)\s\$?\d{1,3}(?:,?\d{3}){0,2}\b(?!\s?%|\.\d)",
    r"每(?:增加|上升|提高|多)?\s?\d{1,6}(?![\d.%％])",
    r"(?<=[A-Za-z)}])\^\{?-?\d{1,3}\}?",
    # How many are shown or listed, which the data does not say.
    r"\b(?:top|bottom|first|last|next|previous)[\s-]\d{1,3}\b(?!\s?[%％]|[.,]\d)",
    r"(?:(?<![此目之以先当提午])前|最后|(?<![周年月期])末)\s?\d{1,3}(?![\d.%％万亿])",
    rf"{_SMALL}\s(?:most\s)?(?:[a-z-]+\s)?(?:{_NOUNS})\b",
    rf"{_SMALL}\s?(?:个(?!百分)|种|类|项|条|步|张|列|幅|份|方面|大(?!于))|小数点?后\s?\d|\d\s?位(?:小数|有效)",
)
_CODE_PATTERNS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _CODE)
_CONVENTION_PATTERNS = tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in _CONVENTIONS)


def without_code(text: str, names: Iterable[str] = ()) -> str:
    """The text with blanks for code, addresses, file names and for those of ``names`` that hold a digit."""
    for pattern in _CODE_PATTERNS:
        text = pattern.sub(_blank, text)
    small = text.lower()
    present = [
        name for name in names if name.lower() in small and re.search(r"\d", name) and re.search(r"[^\W\d]", name)
    ]
    for name in sorted(present, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _blank, text, flags=re.IGNORECASE)
    return text


def without_conventions(text: str) -> str:
    """The text with blanks for list numbers, ordinals, versions, small counts of things and statistical habits."""
    for pattern in _CONVENTION_PATTERNS:
        text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return "".join(sign if sign == "\n" else " " for sign in match[0])
