"""Every setting with its name, default and one line of help; read from the environment and from .env, never written."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from dotenv import dotenv_values

from sandbox.execution_log import OFF
from sandbox.limits import Limits, limits_from_environment
from sandbox.options import BackendChoice, SandboxOptions, backend_choice, switch
from sandbox.places import places_here
from wording import Language, ToldError, preferred_language

ROOT = Path(__file__).resolve().parent
ENV_FILE = ROOT / ".env"
EFFORTS = ("low", "medium", "high")
MODEL_APIS = ("auto", "chat", "responses")


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of the settings table; ``default`` is as a person would write it, empty when there is none."""

    name: str
    default: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings as values; a field is set by the variable of its name in capitals, ``limits`` by SANDBOX_ ones."""

    openai_api_key: str = field(default="", repr=False)
    openai_base_url: str = ""
    model: str = "o3-mini"
    model_api: Literal["auto", "chat", "responses"] = "auto"
    model_cache: Path | None = None
    reasoning_effort: str | None = "medium"
    file_model: str = "gpt-4o"
    review_code: bool = False
    review_model: str = ""
    approve_code: bool = False
    show_charts: bool = False
    max_rounds: int = 20
    max_prompt_tokens: int = 100_000
    spend_limit_usd: Decimal | None = None
    model_prices: Path | None = None
    sample_rows: int = 5
    max_upload_mb: int = 1100
    max_chat_mb: int = 500
    keep_chats_days: float = 7
    chats_folder: Path | None = None
    idle_minutes: float = 20
    allowed_folders: tuple[Path, ...] = (Path(), ROOT / "data")
    language: Language | None = None
    sandbox: BackendChoice = BackendChoice.AUTO
    sandbox_base_image: str = ""
    sandbox_runtime: str = ""
    sandbox_venv: Path | None = None
    sandbox_pool: int = 1
    sandbox_capacity: int | None = None
    sandbox_hours: float = 8
    execution_log: str = OFF
    execution_log_code: bool = False
    metrics_port: int | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def sandboxes(self) -> SandboxOptions:
        return SandboxOptions(
            backend=self.sandbox,
            limits=self.limits,
            runtime=self.sandbox_runtime,
            base_image=self.sandbox_base_image,
            environment=self.sandbox_venv,
            hours=self.sandbox_hours,
            execution_log=self.execution_log,
            execution_log_code=self.execution_log_code,
        )

    @property
    def shared_sandboxes(self) -> SandboxOptions:
        """For a process with many sessions: some are kept ready, and only so many are in use at once."""
        capacity = self.sandbox_capacity or places_here(self.limits.memory_mb, self.sandbox_pool)
        return replace(self.sandboxes, pool=self.sandbox_pool, capacity=capacity)


HELP = {
    "openai_api_key": "Key for the model's server.",
    "openai_base_url": "Address of an OpenAI-compatible server; empty means OpenAI itself.",
    "model": "Model that writes and runs Python.",
    "model_api": "Chat completions (chat) or the Responses API (responses); auto takes what suits server and model.",
    "model_cache": "File in which replies are kept, to answer the same request again without a model; empty: none.",
    "reasoning_effort": "How long a reasoning model thinks: low, medium or high; default leaves it to the server.",
    "file_model": "Model that loads the file named in a console question.",
    "review_code": "yes: a second model reads code before it runs and may send it back.",
    "review_model": "Model that does so; empty means the cheapest that is known at the server.",
    "approve_code": "yes: the person confirms or changes code before it runs.",
    "show_charts": "yes: a model that sees is shown the charts that its code drew; that takes tokens.",
    "max_rounds": "How many times the model may be asked for one question.",
    "max_prompt_tokens": "Tokens, about, from which on the older parts of a chat are shortened for the model.",
    "spend_limit_usd": "US dollars that one chat may cost before its model is asked no more; empty: no limit.",
    "model_prices": "File with prices of models, as analysis/prices.toml; empty means that file.",
    "sample_rows": "How many first rows of a table the model is shown; 0 shows none.",
    "max_upload_mb": "Largest file that can be added, in MB.",
    "max_chat_mb": "Tables, charts and files that one chat keeps in memory, in MB.",
    "keep_chats_days": "Days for which an unused chat is kept on disk, to be there after a restart; 0 keeps none.",
    "chats_folder": "Folder for that; empty means chats in the app's own state folder of this user.",
    "idle_minutes": "Minutes after which an unused sandbox is removed.",
    "allowed_folders": "Folders that the console may load files from, separated as in PATH.",
    "language": "en or zh; empty follows the browser on the page and the locale in the console.",
    "sandbox": "What keeps code in: docker, bubblewrap, or auto for Docker when it answers and else bubblewrap.",
    "sandbox_base_image": "Base that the sandbox image is built on; empty means the Dockerfile's own.",
    "sandbox_runtime": "Container runtime, for example runsc for gVisor; empty means Docker's default.",
    "sandbox_venv": "Folder of the libraries for bubblewrap; empty means .sandbox-venv beside the program.",
    "sandbox_pool": "Sandboxes that the page keeps ready for new sessions.",
    "sandbox_capacity": (
        "Sandboxes that the page has in use at once; empty: what fits in 75% of this machine's memory "
        "(set it where Docker runs on another)."
    ),
    "sandbox_hours": "Hours after which a sandbox is replaced, once nothing runs in it.",
    "execution_log": "One line of JSON for each piece of code that ran: off, stderr, or a file, which is rotated.",
    "execution_log_code": "yes: the code itself is in that log too.",
    "metrics_port": "Port of this machine where the app serves counters to Prometheus, at /metrics; empty: none.",
}
LIMIT_HELP = {
    "seconds": "Seconds that one piece of code may run.",
    "grace_seconds": "Seconds between interrupting code that is out of time and killing it.",
    "memory_mb": "Memory of a sandbox in MB, its temporary files included; there is no swap.",
    "cpus": "Processor cores.",
    "processes": "Processes and threads together; 64 is too few for joblib, polars and duckdb side by side.",
    "open_files": "Open files of one process.",
    "tmp_mb": "Size of /tmp in MB.",
    "outputs_mb": "Size of /outputs in MB.",
    "shm_mb": "Size of /dev/shm in MB.",
    "file_size_mb": "Largest file that code can write, in MB.",
    "output_chars": "Characters of printed text kept of one cell; the head and the tail stay.",
    "tables": "Tables shown of one cell.",
    "table_rows": "Rows kept of one table.",
    "table_bytes": "Bytes kept of one table.",
    "charts": "Charts shown of one cell.",
    "chart_bytes": "Bytes of one chart.",
    "chart_pixels": "Pixels on the longest side of a chart that is shown.",
    "files": "Files handed over of one cell.",
    "file_bytes": "Bytes of one file.",
    "total_bytes": "Bytes of everything that one cell hands over.",
}


def settings_table() -> tuple[Setting, ...]:
    """All settings in the order of the README."""
    plain, limits = Settings(), Limits()
    return (
        *(Setting(name.upper(), _written(getattr(plain, name)), text) for name, text in HELP.items()),
        *(Setting(f"SANDBOX_{name.upper()}", str(getattr(limits, name)), text) for name, text in LIMIT_HELP.items()),
    )


def _written(default: object) -> str:
    if isinstance(default, tuple):
        return "the current folder and data"
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "" if default is None else str(default)


def load_settings(environment: Mapping[str, str] | None = None, env_file: Path | None = None) -> Settings:
    """Settings from the environment, which wins, and from .env. Raises ``ToldError`` for a wrong value.

    A variable that is set but empty means the default, whatever the file says.
    """
    values = _file_values(env_file or ENV_FILE) | dict(os.environ if environment is None else environment)
    values = {name: value.strip() for name, value in values.items()}
    given = [name for name in HELP if values.get(name.upper())]
    read = {name: _READERS.get(name, _text)(name.upper(), values[name.upper()]) for name in given}
    return Settings(**read, limits=limits_from_environment(values))


def _file_values(path: Path) -> dict[str, str]:
    try:
        values = dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ToldError("{path} cannot be read. Save it as a UTF-8 text file that you may read.", path=path) from error
    return {name: value for name, value in values.items() if value}


def _text(name: str, value: str) -> str:
    return value


def _address(name: str, value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise ToldError("{name} must begin with http:// or https://. Correct it in .env or the environment.", name=name)
    return value


def _one_of(*choices: str) -> Callable[[str, str], str]:
    def read(name: str, value: str) -> str:
        if value.lower() not in choices:
            raise ToldError(
                "{name} must be one of: {choices}. Correct it in .env or the environment.",
                name=name,
                choices=", ".join(choices),
            )
        return value.lower()

    return read


def _effort(name: str, value: str) -> str | None:
    effort = _one_of(*EFFORTS, "default")(name, value)
    return None if effort == "default" else effort


_WHOLE = "{name} must be a whole number of at least {lowest}. Correct it in .env or the environment."
_ANY = "{name} must be a number of at least {lowest}. Correct it in .env or the environment."


def _number(kind: Callable[[str], float], lowest: float) -> Callable[[str, str], float]:
    def read(name: str, value: str) -> float:
        try:
            number = kind(value)
        except ValueError:
            number = float("nan")
        if not lowest <= number < float("inf"):
            raise ToldError(_WHOLE if kind is int else _ANY, name=name, lowest=lowest)
        return number

    return read


def _dollars(name: str, value: str) -> Decimal:
    return Decimal(str(_number(float, 0)(name, value)))


def _folders(name: str, value: str) -> tuple[Path, ...]:
    return tuple(Path(part.strip()).expanduser() for part in value.split(os.pathsep) if part.strip())


def _file(name: str, value: str) -> Path:
    return Path(value).expanduser()


def _language(name: str, value: str) -> Language:
    return preferred_language(value)


def _backend(name: str, value: str) -> BackendChoice:
    return backend_choice(value)


def _path(name: str, value: str) -> Path:
    return Path(value).expanduser()


_READERS: dict[str, Callable[[str, str], Any]] = {
    "openai_base_url": _address,
    "model_api": _one_of(*MODEL_APIS),
    "model_cache": _file,
    "reasoning_effort": _effort,
    "review_code": switch,
    "approve_code": switch,
    "execution_log_code": switch,
    "metrics_port": _number(int, 1),
    "show_charts": switch,
    "max_rounds": _number(int, 1),
    "max_prompt_tokens": _number(int, 1_000),
    "spend_limit_usd": _dollars,
    "model_prices": _file,
    "sample_rows": _number(int, 0),
    "max_upload_mb": _number(int, 1),
    "max_chat_mb": _number(int, 1),
    "keep_chats_days": _number(float, 0),
    "chats_folder": _path,
    "idle_minutes": _number(float, 0.1),
    "allowed_folders": _folders,
    "language": _language,
    "sandbox": _backend,
    "sandbox_venv": _path,
    "sandbox_pool": _number(int, 0),
    "sandbox_capacity": _number(int, 1),
    "sandbox_hours": _number(float, 0.1),
}
