"""Imports point one way, and each outside library is known to as few files as can be."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("sandbox", "tools", "agents", "analysis", "ui", "benchmarks", "wording")
MAY_IMPORT = {
    "wording": set[str](),
    "sandbox": {"wording"},
    "tools": {"sandbox", "wording"},
    "agents": {"tools", "sandbox", "wording"},
    "analysis": {"agents", "tools", "sandbox", "wording", "settings"},
    "ui": {"analysis", "agents", "tools", "sandbox", "wording", "settings"},
    "benchmarks": {"analysis", "agents", "tools", "sandbox", "wording", "settings"},
}
OURS = {*PACKAGES, "settings", "streamlit_app", "tests"}
ONLY_IN = {
    "streamlit": ("ui/", "streamlit_app.py"),
    "prometheus_client": ("analysis/metrics.py",),
    "pydantic": ("analysis/chat_lines.py",),
    "openai": ("agents/models/server_client.py", "benchmarks/"),
    "httpx": (),
    "httpx2": (),
    "docker": ("sandbox/docker_", "benchmarks/"),
    "llm_sandbox": ("benchmarks/",),
    "requests": ("sandbox/docker_errors.py",),
    "urllib3": ("sandbox/docker_errors.py",),
    "settings": ("analysis/", "ui/", "benchmarks/", "streamlit_app.py"),
    "pandas": ("sandbox/inside/", "ui/", "analysis/", "benchmarks/"),
}
READ_SETTINGS = ("streamlit_app.py", "analysis/__main__.py", "benchmarks/")
COME_WITH_DOCKER = {"requests", "urllib3", "pywintypes"}  # whose errors its library raises
INSIDE = {path.stem for path in (ROOT / "sandbox" / "inside").rglob("*.py")}  # siblings, as plain files in the image
UNSAFE_WITH_SANDBOX_BYTES = {"pickle", "marshal", "shelve", "joblib", "pyarrow", "dill", "cloudpickle"}


def sources() -> Iterator[Path]:
    yield from (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    yield from (path for path in (ROOT / "settings.py", ROOT / "streamlit_app.py") if path.exists())


def imported(path: Path) -> set[str]:
    """Full names of the modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.update({node.module} if node.module and not node.level else {"." * node.level})
    return names


def names_from(path: Path, module: str) -> set[str]:
    """What a file takes from a module by name."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in nodes if node.module == module for alias in node.names}


def first_part(name: str) -> str:
    return name.split(".")[0]


EVERY_SOURCE = [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in sources()]


@pytest.mark.parametrize("path", EVERY_SOURCE)
def test_imports_point_one_way(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    if package not in MAY_IMPORT:
        return
    ours = {first_part(name) for name in imported(path)} & OURS
    assert ours - {package} <= MAY_IMPORT[package]


@pytest.mark.parametrize("path", EVERY_SOURCE)
def test_what_runs_in_the_sandbox_imports_nothing_of_ours_but_itself(path: Path) -> None:
    relative = path.relative_to(ROOT).as_posix()
    if relative.startswith("sandbox/inside/"):
        ours = {name for name in imported(path) if first_part(name) in OURS}
        assert {name for name in ours if not name.startswith("sandbox.inside")} == set()


@pytest.mark.parametrize("path", EVERY_SOURCE)
def test_each_library_is_known_to_few_files(path: Path) -> None:
    relative = path.relative_to(ROOT).as_posix()
    for name in {first_part(name) for name in imported(path)} & set(ONLY_IN):
        assert relative.startswith(ONLY_IN[name]), f"{name} may be imported in {ONLY_IN[name]} only"


@pytest.mark.parametrize("path", EVERY_SOURCE)
def test_settings_are_read_only_where_the_parts_are_put_together(path: Path) -> None:
    if "load_settings" in names_from(path, "settings"):
        assert path.relative_to(ROOT).as_posix().startswith(READ_SETTINGS)


@pytest.mark.parametrize("path", EVERY_SOURCE)
def test_nothing_that_could_run_a_strangers_bytes_is_imported_on_the_host(path: Path) -> None:
    if not path.relative_to(ROOT).as_posix().startswith("sandbox/inside/"):
        assert {first_part(name) for name in imported(path)} & UNSAFE_WITH_SANDBOX_BYTES == set()


@pytest.mark.parametrize("package", [package for package in PACKAGES if (ROOT / package).exists()])
def test_each_package_opens_with_its_rule(package: str) -> None:
    rule = ast.get_docstring(ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8")))
    assert rule
    assert rule.endswith(".")


@pytest.mark.parametrize("path", EVERY_SOURCE)
def test_each_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_only_what_the_requirements_name_is_imported() -> None:
    listed = {
        line.split("==")[0].strip().lower().replace("-", "_")
        for file in ("requirements.txt", "sandbox/image/requirements.txt")
        for line in (ROOT / file).read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    developers_only = {"llm_sandbox"}  # the benchmark compares with it
    known = OURS | developers_only | INSIDE | COME_WITH_DOCKER | set(sys.stdlib_module_names) | {""}
    names = {"dotenv": "python_dotenv", "IPython": "ipython", "sklearn": "scikit_learn", "PIL": "pillow"}
    outside = {first_part(name) for path in sources() for name in imported(path)} - known
    assert {name for name in outside if names.get(name, name).lower() not in listed} == set()
