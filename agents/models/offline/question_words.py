"""The words by which a question tells period, number, calculation and direction, as patterns in English and Chinese."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from agents.models.offline.known_table import Part
from wording import Language

Aggregate = Literal["mean", "sum", "median", "count", "min", "max"]
Period = Literal["hour", "day", "week", "month", "quarter", "year"]

_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBER_WORDS: Mapping[str, int] = {
    word: number for words in (_ENGLISH, "一二三四五六七八九十") for number, word in enumerate(words, 1)
}
NUMBER = rf"(\d{{1,4}}|{'|'.join(NUMBER_WORDS)})"
PERIODS: Mapping[Period, str] = {
    "hour": r"\bhourly\b|\b(?:by|per|each|every)\s+hour\b|[按每逐](?:个)?小时",
    "day": r"\bdaily\b|\b(?:by|per|each|every)\s+day\b|[按每逐](?:天|日)",
    "week": r"\bweekly\b|\b(?:by|per|each|every)\s+week\b|[按每逐](?:个)?(?:周|星期)",
    "month": r"\bmonthly\b|\b(?:by|per|each|every)\s+month\b|[按每逐](?:个)?月(?:份)?|月度",
    "quarter": r"\bquarterly\b|\b(?:by|per|each|every)\s+quarter\b|[按每逐](?:个)?季度?|季度",
    "year": r"\b(?:yearly|annual(?:ly)?)\b|\b(?:by|per|each|every)\s+year\b|[按每逐]年|年度",
}
WEEKDAYS: Mapping[Language, Sequence[str]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
WEEKEND: Mapping[Language, tuple[str, str]] = {"en": ("working day", "weekend"), "zh": ("工作日", "周末")}
DATE_PARTS: Mapping[Part, str] = {
    "hour": r"\bhours? of (?:the |a )?day\b|一天中的?(?:哪|每)?一?个?(?:小时|钟点)",
    "weekend": r"\bweek-?ends?\b|周末|工作日|双休日",
    "weekday": r"\bweek-?days?\b|\bdays? of (?:the )?week\b|星期几|周几|每周.{0,3}哪.?天",
}
PERIOD_WORDS: Mapping[str, tuple[str, str]] = {
    "hour": ("hour", "小时"),
    "day": ("day", "天"),
    "week": ("week", "周"),
    "month": ("month", "个月"),
    "quarter": ("quarter", "季度"),
    "year": ("year", "年"),
}
PERIOD_NAMES: Mapping[str, Period] = {
    "hour": "hour", "小时": "hour", "day": "day", "天": "day", "日": "day", "week": "week", "周": "week",
    "month": "month", "月": "month", "quarter": "quarter", "季度": "quarter", "year": "year", "年": "year",
}  # fmt: skip
WHICH_PERIOD = re.compile(
    r"\b(?:which|what|best|worst|busiest|quietest|strongest|weakest|slowest|peak)\s+(hour|day|week|month|quarter|year)\b"
    r"|(?:哪一?个?|最[好差忙旺高低]的?)(小时|天|日|周|月|季度|年)",
    re.IGNORECASE,
)
HORIZON = re.compile(
    rf"(?:next|coming|following|未来|接下来|今后|后|下)\s*{NUMBER}?\s*个?\s*({'|'.join(PERIOD_NAMES)})", re.IGNORECASE
)
COUNT = re.compile(
    rf"(?:top|first|bottom|last|best|worst|largest|biggest|highest|lowest|smallest|前|后|最\S{{1,2}}的?)\s*{NUMBER}\b"
    rf"|\b{NUMBER}\s+(?:most|least|largest|biggest|highest|lowest|smallest|best|worst|top)"
    rf"|(?:前|后|最\S的)\s*{NUMBER}",
    re.IGNORECASE,
)
AGGREGATES: tuple[tuple[Aggregate, str], ...] = (
    ("median", r"\bmedian\b|中位数?|中值"),
    ("mean", r"\b(?:average|avg|mean)\b|平均|均值"),
    ("sum", r"\b(?:total|sum|overall amount|altogether)\b|总和|合计|总计|总额|总量|总共|求和|总(?=[^体的结])"),
    ("min", r"\b(?:minimum|min|smallest|lowest|cheapest|earliest)\b|最小|最低|最少|最便宜"),
    ("max", r"\b(?:maximum|max|largest|highest|biggest|most expensive|latest)\b|最大|最高|最多|最贵"),
    (
        "count",
        r"\b(?:how many|number of|count)\b|多少[个条名次人笔家天行单]|天数|行数|几个|个数|数量|计数|条数|人数",
    ),
)
BY_WHAT = re.compile(r"\b(?:by|per|for each|for every)\s+(?:the\s+|each\s+)?([a-z]{3,})")
LOWEST = re.compile(
    r"\b(?:lowest|smallest|fewest|least|bottom|cheapest|worst|minimum|shortest|youngest|fastest)\b|最低|最少|最小|最差|最便宜|最快|最年轻|后\d|倒数",
    re.IGNORECASE,
)
RANKS = re.compile(r"\b(?:\w{3,}est|most|least|top|bottom|best|worst)\b|最|倒数|排名", re.IGNORECASE)
SUPERLATIVE = re.compile(r"est\b|\bexpensive\b|[贵慢快]|便宜|年轻", re.IGNORECASE)
"""Words that name a measure and say which end of it is meant."""
BY = re.compile(
    r"(?:\b(?:by|per|each|every|across|between|among|within|grouped by|for each|depending on|split by)\s+"
    r"(?:the\s+|different\s+|each\s+)?|按照?|依照?|根据|每个?|各个?|不同的?|分|之间)[`\"'“「]?$",
    re.IGNORECASE,
)
IN = re.compile(r"\b(?:in|for|at)\s+(?:the\s+|different\s+)?[`\"'“]?$|在[`“「]?$", re.IGNORECASE)
"""Groups by a category, but names a measure just as well."""
AND = re.compile(
    r"[`\"'”」]?\s*(?:,|，|、|\band\b|&|\+|和|与|及|以及|\bby\b|\bx\b|×)+\s*(?:the\s+|by\s+|in the\s+|按)?[`\"'“「]?"
)
UP, DOWN = r"higher|more|greater|larger|rising|increas\w*", r"lower|fewer|less|smaller|falling|decreas\w*|reduc\w*"
DIRECTION_BEFORE = re.compile(rf"\b(?:({UP})|({DOWN}))\s+(?:the\s+|in\s+)?(?:\w+\s)?$", re.IGNORECASE)
DIRECTION_BEHIND = re.compile(r"^[^，,。、]{0,4}?(?:越|更)(?:(高|多|大|快|好)|(低|少|小|慢|差))")
TABLE_ONLY = re.compile(
    r"\b(?:as|in) (?:a )?table\b|\b(?:without|no) (?:a )?(?:chart|plot|graph)s?\b|用?表格|列成表|不要图", re.IGNORECASE
)
TIME_PHRASES = re.compile(
    r"\b(?:over|through|with|across) (?:the )?time\b|\btime series\b|随着?时间|时间趋势|时间序列", re.IGNORECASE
)
_SUFFIX = r"\.(?:csv|tsv|txt|xlsx?|xlsm|ods|parquet|feather|jsonl?|gz)"
HOURS = re.compile(
    r"(?:\b(?:by|per|each|every)\s+(?:the\s+)?)?\bhours?\s+of\s+(?:the\s+|a\s+)?day\b|\bhourly\b"
    r"|\b(?:by|per|each|every)\s+(?:the\s+)?hours?\b|(?:一天中的?)?(?:哪|[按每逐各])?一?个?(?:小时|钟点)",
    re.IGNORECASE,
)
"""Where a table has no date but the hour of the day, that column."""
FILES = re.compile(rf"[\"'`“][^\"'`”\n]+{_SUFFIX}[\"'`”]|[A-Za-z0-9_./\\()-]+{_SUFFIX}(?![A-Za-z])", re.IGNORECASE)
NOT_DONE = re.compile(
    r"(?<!^)(?<!\bme )(?<!\bknow )(?<!\bsee )(?<!\band )\bwhere\b|\b(?:only|except|excluding|without)\b"
    r"|\b(?:if(?!\s+(?:we|you|i|one)\b)|since|before|after|until)\b|(?<![\w.])(?:19|20)\d\d(?!\w)"
    r"|\bat night\b|[今去]年|[上本]个?[月周季]"
    r"|\b(?:last|past|this|previous)\s+(?:\d+\s+)?(?:hour|day|week|month|quarter|year)s?\b"
    r"|\bwhen\s+(?:it|there)\b"
    r"|\b(?:above|over|below|under|more than|less than|at least|at most)\s+[$€£]?\d+"
    r"|(?:超过|高于|低于|大于|小于|不足)[\d一二三四五六七八九十]|只看|仅|除了|不含|不包括|以前|以后|之前|之后|以来|夜间|晚上|(?:19|20)\d\d年?",
    re.IGNORECASE,
)
SAYS_HOW: Sequence[str] = (
    *PERIODS.values(),
    *DATE_PARTS.values(),
    *(pattern for _, pattern in AGGREGATES),
    *(each.pattern for each in (WHICH_PERIOD, HORIZON, COUNT, LOWEST, RANKS, TIME_PHRASES, TABLE_ONLY)),
    *(each.pattern for each in (DIRECTION_BEFORE, DIRECTION_BEHIND)),
)
"""All words that say over which period and in which way, not of what."""
