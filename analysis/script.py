"""The code of an analysis as one script that runs anywhere, on the same tables under the same names; runs nothing."""

import ast
import re
from collections.abc import Iterable, Iterator

from agents.events import CallFinished, CallStarted
from analysis.record import Entry, FileAdded, FileRemoved
from sandbox.sandbox import FileProfile, TableProfile
from sandbox.session_tables import ALIAS
from tools.code_cleaning import clean_code
from tools.python_exec_tool import PythonExecTool
from tools.tool_interface import ToolError

_HEAD = '''"""The code of an analysis. Put the files that it reads into a folder data beside it, and start it there."""

import os

import pandas as pd

os.makedirs("outputs", exist_ok=True)
if "display" not in globals():
    display = print
'''
_FOLDERS = re.compile(r"""(?<=["'(:])/(data|outputs)/""")


def script_of(entries: Iterable[Entry]) -> str:
    """What was added and what ran without an error, in order; empty when no code did."""
    parts: list[str] = []
    codes: dict[str, str] = {}
    tables: dict[str, tuple[TableProfile, ...]] = {}
    alias, ran = "", False
    for entry in entries:
        match entry:
            case FileAdded(profile=profile):
                tables[profile.name] = profile.tables
                parts += _reading(profile)
            case FileRemoved(name=name):
                tables.pop(name, None)
            case CallStarted(call_id=call, tool=PythonExecTool.name, code=code):
                codes[call] = code
            case CallFinished(call_id=call, ok=True) if call in codes:
                only = [table.variable for each in tables.values() for table in each]
                if len(only) == 1 and alias != only[0]:
                    alias = only[0]
                    parts.append(f"{ALIAS} = {alias}\n")
                parts.append(_beside(_plain(codes.pop(call))))
                ran = True
    return "\n\n".join([_HEAD, *parts]) if ran else ""


def _reading(profile: FileProfile) -> Iterator[str]:
    for table in profile.tables:
        yield f"{_beside(table.recipe.strip())}\n"


def _plain(code: str) -> str:
    """The code if it is Python without a notebook around it, else the same as a remark."""
    try:
        cleaned = clean_code(code).code.strip()
        ast.parse(cleaned)
    except (ToolError, SyntaxError, ValueError):
        remark = "\n".join(f"# {line}" for line in code.splitlines())
        return f"# This piece runs in a notebook only:\n{remark}\n"
    return f"{cleaned}\n"


def _beside(code: str) -> str:
    """The same with the folders of the sandbox beside the script."""
    return _FOLDERS.sub(r"\1/", code)
