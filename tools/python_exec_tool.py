"""Runs a model's Python in the sandbox and tells the model what came of it; nothing ever runs on the host."""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from typing import Any, cast

from sandbox.limits import Limits
from sandbox.sandbox import ExecutionResult, FileProfile, OutputText, Sandbox
from tools.code_cleaning import INSTALL_NOTE, asks_to_install, clean_code
from tools.repair_hints import CHAINED, Surroundings, files_told, hints, packages_told
from tools.result_text import result_text
from tools.tool_interface import ToolInterface, ToolResult

_CODE = "python_code"
_WRONG_FOLDERS = ("/mnt/data", "/content/", "/kaggle/")


class PythonExecTool(ToolInterface):
    """``files`` tells which files were brought in, so that a failed look-up can be answered with what exists."""

    name = "execute_python_code"
    aliases = (
        "python", "python3", "python_exec", "python_code", "run_python", "run_python_code", "execute_python",
        "execute_code", "run_code", "exec_python", "code_interpreter", "ipython", "jupyter", "container.exec",
    )  # fmt: skip
    code_parameter = _CODE
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {_CODE: {"type": "string", "description": "Python source, whole and ready to run."}},
        "required": [_CODE],
        "additionalProperties": False,
    }

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        limits: Limits | None = None,
        packages: Iterable[tuple[str, str]] = (),
        files: Callable[[], Iterable[FileProfile]] = tuple,
    ) -> None:
        self._sandbox = sandbox
        self._limits = limits or Limits()
        self._packages = tuple(packages)
        self._files = files

    @property
    def description(self) -> str:
        installed = packages_told(self._installed())
        return (
            "Runs Python in the session's sandbox and returns what it prints, its last expression, its error if it "
            "fails, and the names of the charts and files it made. Variables stay from call to call. Uploaded files "
            "are in /data (read-only); write to /outputs. "
            f"Limits: {self._limits.seconds:g} seconds a call, {self._limits.memory_mb:,} MB of memory, no network, "
            "no installation, no input()." + (f" Installed: {installed}." if installed else "")
        )

    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        with closing(self.stream(arguments)) as items:
            return next(item for item in items if isinstance(item, ToolResult))

    def stream(self, arguments: Mapping[str, Any]) -> Generator[OutputText | ToolResult, None, None]:
        cleaned = clean_code(arguments[_CODE])
        # What a sandbox hands out is a generator, whose closing interrupts the code.
        output = cast("Generator[OutputText | ExecutionResult, None, None]", self._sandbox.execute(cleaned.code))
        with closing(output):
            for item in output:
                if isinstance(item, OutputText):
                    yield item
                else:
                    notes = (*cleaned.notes, *self._notes(cleaned.code, item))
                    yield ToolResult(text=result_text(item, notes), ok=item.ok, execution=item)

    def shown(self, arguments: Mapping[str, Any]) -> str:
        return clean_code(arguments[_CODE]).code

    def stop(self) -> None:
        self._sandbox.interrupt()

    def _installed(self) -> tuple[tuple[str, str], ...]:
        return self._packages or self._sandbox.status.packages

    def _notes(self, code: str, result: ExecutionResult) -> list[str]:
        surroundings = Surroundings(files=tuple(self._files()), packages=self._installed())
        notes = hints(result.error, surroundings) if result.error else []
        if result.error and "No such file" in result.error and any(folder in code for folder in _WRONG_FOLDERS):
            notes.append(
                "Uploaded files lie in /data, what code writes lies in /outputs (/mnt/data is the same folder)."
            )
            notes.append(files_told(surroundings.files))
        if "ChainedAssignmentError" in result.stderr:
            notes.append(CHAINED)
        if asks_to_install(code):
            notes.append(INSTALL_NOTE)
        return list(dict.fromkeys(notes))
