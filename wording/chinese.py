"""The Chinese for each English template; places such as ``{name}`` stay as they are."""

from wording.chinese_agents import AGENTS
from wording.chinese_analysis import ANALYSIS
from wording.chinese_page import PAGE

CHINESE: dict[str, str] = {**PAGE, **ANALYSIS, **AGENTS}
