"""A person's own libraries: their list, what of it the image and the analysis environment get, what is told."""

import zipfile
from pathlib import Path

import pytest

from sandbox import analysis_environment, build_context, image, packages
from sandbox.analysis_environment import AnalysisEnvironment
from sandbox.image import build_image
from sandbox.packages import extra_requirements, installed_packages, missing_library
from sandbox.sandbox import ExecutionResult, SandboxError
from tests.docker_fixtures import ScriptedEngine, scripted_engine
from tools.result_text import result_text

__all__ = ["scripted_engine"]


@pytest.fixture
def extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the person's list would lie."""
    path = tmp_path / "extra-requirements.txt"
    monkeypatch.setattr(packages, "EXTRA_REQUIREMENTS", path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return path


def test_the_list_is_told_as_installed(extra: Path) -> None:
    plain = installed_packages()
    extra.write_text(
        "\ufeff# mine\n\nwordcloud==1.9.4  # pictures\nprophet[all] == 1.1.7; python_version > '3.8'\r\n", "utf-8"
    )
    assert installed_packages() == (*plain, ("wordcloud", "1.9.4"), ("prophet", "1.1.7"))
    assert extra_requirements() == "wordcloud==1.9.4\nprophet[all] == 1.1.7; python_version > '3.8'\n"


@pytest.mark.parametrize(
    "line",
    [
        "wordcloud",
        "wordcloud>=1",
        "-e .",
        "--index-url https://x.example",
        "./a.whl",
        "a @ file:///a",
        "a==1 \\",
        "a==1.*",
        "a===1",
        "a==1,<2",
        'a==1 ; python_version>"3" --index-url http://x.example/',
        'a==1; os_name=="x --hash=y"',
        "a==1; nonsense",
    ],
)
def test_a_line_that_is_no_exact_version_is_told(extra: Path, line: str) -> None:
    extra.write_text(f"humanize==4.13.0\n{line}\n")
    with pytest.raises(SandboxError) as told:
        image.image_state()
    assert str(told.value) == (
        f"sandbox/image/extra-requirements.txt has the line {line}, which is no exact version. "
        "Write one library a line, for example wordcloud==1.9.4."
    )
    assert "humanize" in dict(installed_packages())


def test_a_library_for_other_systems_is_not_told_as_installed(extra: Path) -> None:
    plain = installed_packages()
    extra.write_text("pywin32==311; python_version < '3'\nhumanize==4.13.0; python_version > '3'\n")
    assert installed_packages() == (*plain, ("humanize", "4.13.0"))
    assert "pywin32==311" in extra_requirements()


def test_a_changed_list_makes_the_image_and_the_environment_stale_and_a_comment_does_not(extra: Path) -> None:
    def versions() -> tuple[str, str]:
        return build_context.content_hash("base:1"), analysis_environment._content()

    without = versions()
    extra.write_text("# nothing yet\n")
    assert versions() == without
    extra.write_text("humanize==4.13.0\n")
    with_one = versions()
    assert all(a != b for a, b in zip(without, with_one, strict=True))
    extra.write_text("humanize==4.13.0  # sizes\n")
    assert versions() == with_one
    assert build_context.image_files()["extra-requirements.txt"] == b"humanize==4.13.0\n"


def test_a_build_that_fails_over_the_list_names_it(extra: Path, scripted_engine: ScriptedEngine) -> None:
    extra.write_text("pandas==2.3.3\n")
    scripted_engine.answers["GET", "/images/json"] = 200, []
    scripted_engine.answers["GET", "/images/base:1/json"] = 200, {"Id": "sha256:2"}
    conflict = {"stream": "The user requested (constraint) pandas==3.1.1\n"}
    failed = {"error": "The command 'pip install -r /site/extra-requirements.txt' returned a non-zero code: 1"}
    scripted_engine.answers["POST", "/build"] = 200, (conflict, failed)
    with pytest.raises(SandboxError) as told:
        list(build_image("base:1"))
    assert str(told.value).splitlines() == [
        "The libraries of sandbox/image/extra-requirements.txt cannot be installed beside the sandbox's own. "
        "Correct what the last lines name, then run: python -m sandbox build",
        "The user requested (constraint) pandas==3.1.1",
    ]


def wheel(folder: Path, name: str, version: str, needs: str = "") -> None:
    """A library of one empty module."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + (
        f"Requires-Dist: {needs}\n" if needs else ""
    )
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)


def test_the_environment_holds_both_lists_and_a_conflict_is_told_with_what_pip_said(
    extra: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "requirements.txt"
    own.write_text("base==1.0\n")
    monkeypatch.setattr(analysis_environment, "REQUIREMENTS", own)
    (tmp_path / "no_fonts.py").touch()
    monkeypatch.setattr(analysis_environment, "_CHART_FONTS", tmp_path / "no_fonts.py")
    monkeypatch.setattr(analysis_environment, "_FIND_FONTS", "import base, mine, needed")
    for name, value in (("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", str(tmp_path)), ("PIP_CONFIG_FILE", "/dev/null")):
        monkeypatch.setenv(name, value)
    wheel(tmp_path, "base", "1.0")
    wheel(tmp_path, "base", "2.0")
    wheel(tmp_path, "needed", "3.0")
    wheel(tmp_path, "mine", "1.0", needs="base>=2")
    wheel(tmp_path, "mine", "1.1", needs="needed")
    environment = AnalysisEnvironment(tmp_path / "venv")

    extra.write_text("mine==1.0\n")
    with pytest.raises(SandboxError) as told:
        list(environment.make())
    assert str(told.value).startswith("The libraries of sandbox/image/extra-requirements.txt cannot be installed")
    assert "mine 1.0 depends on base>=2" in str(told.value)
    assert not environment.is_current

    extra.write_text("mine==1.1\n")
    list(environment.make())
    assert environment.is_current


def test_a_library_that_was_listed_after_the_sandbox_began_is_not_told_as_installed(extra: Path) -> None:
    extra.write_text("lifelines==0.30.0\n")
    told = missing_library("ModuleNotFoundError: No module named 'lifelines'", (("pandas", "3.1.1"), ("six", "1")))
    assert told is not None
    assert told.values["installed"] == "pandas 3.1.1"


def test_the_lists_are_read_again_only_when_one_has_changed(extra: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = installed_packages()
    monkeypatch.setattr(packages, "_extra_lines", lambda: ["humanize==4.13.0"])
    assert installed_packages() is before
    extra.write_text("anything==1\n")
    assert installed_packages() == (*before, ("humanize", "4.13.0"))


def test_a_library_that_is_missing_is_told_to_person_and_model_with_what_is_there(extra: Path) -> None:
    extra.write_text("humanize==4.13.0\n")
    error = "Traceback ...\n  File \"<cell 1>\", line 1\nModuleNotFoundError: No module named 'lifelines'"
    told = missing_library(error, installed_packages())
    assert told is not None
    assert str(told).startswith(
        "The library lifelines is not installed in the sandbox. Installed: numpy 2.4.6, pandas "
    )
    assert str(told).endswith(
        "humanize 4.13.0. To add a library, write it with its exact version into "
        "sandbox/image/extra-requirements.txt, run python -m sandbox build, and restart Python."
    )
    assert str(told) in result_text(ExecutionResult(error=error, notices=(told,)))
    optional = missing_library("ImportError: Missing optional dependency 'tabulate'.  Use pip or conda", ())
    assert optional is not None
    assert optional.values["name"] == "tabulate"


@pytest.mark.parametrize(
    "error",
    [
        "ModuleNotFoundError: No module named 'pandas.foo'",
        "print: No module named 'x'",
        "ImportError: cannot import name 'x'",
    ],
)
def test_other_errors_are_no_missing_library(error: str) -> None:
    assert missing_library(error, ()) is None
