"""The sample data that comes with the app, what its columns mean, and questions to begin with, as data."""

from collections.abc import Mapping
from pathlib import Path

from wording import Language

_DATA = Path(__file__).resolve().parent.parent / "data"

SAMPLE_FILE = _DATA / "traffic_accidents.csv"
SAMPLE_DICTIONARY: Mapping[Language, Path] = {
    "en": _DATA / "traffic_accidents_dictionary.md",
    "zh": _DATA / "traffic_accidents_dictionary.zh.md",
}
STARTER_QUESTIONS: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "Which factors contribute most to how often accidents happen?",
        "Which areas are at the highest risk of accidents?",
        "How do traffic fines influence the number of accidents?",
        "What amount of fine would be best for reducing accidents?",
        "Do higher fines go with lower speeds or fewer accidents?",
    ),
    "zh": (
        "哪些因素对事故发生频率的影响最大？",
        "哪些区域的事故风险最高？",
        "交通罚款如何影响事故数量？",
        "罚款定为多少最有利于减少事故？",
        "罚款越高，车速是否越低、事故是否越少？",
    ),
}
