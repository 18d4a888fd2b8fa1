"""The Chinese for each English template; places such as ``{name}`` stay as they are."""

from wording.chinese_agents import AGENTS
from wording.chinese_analysis import ANALYSIS
from wording.chinese_answers import ANSWERS
from wording.chinese_bubblewrap import BUBBLEWRAP
from wording.chinese_files import FILES
from wording.chinese_operation import OPERATION
from wording.chinese_page import PAGE
from wording.chinese_sandbox import SANDBOX

CHINESE: dict[str, str] = {**PAGE, **ANALYSIS, **AGENTS, **ANSWERS, **SANDBOX, **BUBBLEWRAP, **FILES, **OPERATION}
