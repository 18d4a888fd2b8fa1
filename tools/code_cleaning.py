"""Turns what models send as Python into Python: fences go, notebook commands go with a word about why."""

import ast
import io
import re
import tokenize
from dataclasses import dataclass

from tools.tool_interface import ToolError

_FENCED = re.compile(r"\A\s*(`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*\n(?P<code>.*?)\n?[ \t]*\1\s*\Z", re.DOTALL)
_COMMAND = re.compile(r"^(?P<indent>[ \t]*)(?P<command>[%!].*|pip3?[ \t]+install\b.*)$")
_PYTHON_CELL = re.compile(r"%%(time|timeit|capture|prun)\b")
_INSTALL = re.compile(r"\b(?:pip3?|conda|mamba|apt|apt-get)\b\W{1,10}install\b")

INSTALL_NOTE = "Nothing can be installed: there is no network. Use what is installed."
MAGIC_NOTE = "Lines that begin with % were left out: notebook commands do not exist here and are not needed."
SHELL_NOTE = "Lines that begin with ! were left out: there is no shell. Use Python."


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedCode:
    """Code to run, and what the model should know about what was taken out."""

    code: str
    notes: tuple[str, ...] = ()


def asks_to_install(code: str) -> bool:
    """Whether the code runs pip or its like, as far as one can see."""
    return _INSTALL.search(code) is not None


def clean_code(written: str) -> CleanedCode:
    """Python without fences, magics and shell lines; raises ``ToolError`` when the cell is in another language."""
    fenced = _FENCED.match(written)
    code = (fenced["code"] if fenced else written).replace("\r\n", "\n")
    lines = code.split("\n")
    commands = {number for number, line in enumerate(lines) if _COMMAND.match(line)}
    if not commands or _parses(code):
        return CleanedCode(code=code)
    commands -= _inside(lines)
    notes: dict[str, None] = {}
    for number in sorted(commands):
        lines[number], note = _without_command(lines[number])
        notes[note] = None
    return CleanedCode(code="\n".join(lines), notes=tuple(notes))


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_command(line: str) -> tuple[str, str]:
    found = _COMMAND.match(line)
    indent, command = (found["indent"], found["command"]) if found else ("", line)
    if command.startswith("%%") and not _PYTHON_CELL.match(command):
        raise ToolError(f"Only Python runs here, not {command.split()[0][:40]}. Send Python code.")
    nothing = f"{indent}pass" if indent else ""
    if asks_to_install(command):
        return nothing, INSTALL_NOTE
    if command.startswith("!"):
        return nothing, SHELL_NOTE
    timed = re.match(r"%time\s+(?P<statement>.+)", command)
    return f"{indent}{timed['statement']}" if timed else nothing, MAGIC_NOTE


def _inside(lines: list[str]) -> set[int]:
    """The numbers of the lines that begin inside a string, a bracket or a continued line."""
    masked = [re.sub(r"^([ \t]*)[%!]+", r"\1_", line) for line in lines]
    inside = {number + 1 for number, line in enumerate(masked) if line.endswith("\\")}
    depth, row = 0, -1
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(masked)).readline):
            first, last = token.start[0] - 1, token.end[0] - 1
            if depth and first > row:
                inside.add(first)
            inside.update(range(first + 1, last + 1))
            row = last
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
    except (tokenize.TokenError, SyntaxError):
        pass  # broken code is left to Python, whose message the model understands
    return inside
