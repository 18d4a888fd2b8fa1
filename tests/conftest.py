"""For every test: no key and no setting of this machine leaks in, and Docker tests are never skipped silently."""

import functools
import os
import subprocess
from pathlib import Path

import pytest

import settings


@pytest.fixture(autouse=True)
def no_setting_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test can spend money, or fail because of a developer's environment or .env file."""
    names = {each.name for each in settings.settings_table()} - {"SANDBOX_BASE_IMAGE"}  # the image was built on it
    for name in names & set(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setattr(settings, "ENV_FILE", Path(tmp_path_factory.getbasetemp(), "no.env"))


@functools.cache
def engine_problem() -> str:
    """Why Docker tests cannot run; empty when they can."""
    try:
        done = subprocess.run(["docker", "version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("docker") is None or not engine_problem():
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"no Docker engine: {engine_problem()}", pytrace=False)
    pytest.skip(f"no Docker engine: {engine_problem()}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("not tested here")
    for reason in sorted({str(report.longrepr[2]) for report in skipped}):
        terminalreporter.line(reason)
