"""Which backend is taken: Docker when it answers, bubblewrap in its stead, what was asked for, and never none."""

from contextlib import closing
from pathlib import Path

import pytest

from sandbox import backends, bubblewrap
from sandbox.backends import BubblewrapBackend, DockerBackend, choose_backend, new_sandbox
from sandbox.docker_errors import NOT_RUNNING
from sandbox.doctor import Verdict, examine
from sandbox.options import BackendChoice, SandboxOptions, backend_choice
from sandbox.pool import BoxPool
from sandbox.sandbox import ExecutionResult, SandboxError, SandboxState
from tests.bubblewrap_fixtures import bubblewrap as bubblewrap_here
from tests.docker_fixtures import ScriptedEngine, scripted_engine, wait_until
from wording import ToldError

__all__ = ["bubblewrap_here", "scripted_engine"]
MISSING = SandboxError(bubblewrap.NOT_INSTALLED)


@pytest.fixture
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    monkeypatch.delenv("DOCKER_CONTEXT", raising=False)


@pytest.fixture
def has_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "bubblewrap_version", lambda: "0.8.0")


def raise_missing() -> str:
    raise MISSING


@pytest.mark.usefixtures("has_bubblewrap")
def test_auto_takes_docker_when_it_answers(scripted_engine: ScriptedEngine) -> None:
    assert isinstance(choose_backend(SandboxOptions()), DockerBackend)


@pytest.mark.usefixtures("no_engine", "has_bubblewrap")
def test_auto_takes_bubblewrap_when_docker_does_not_answer_and_keeps_why() -> None:
    backend = choose_backend(SandboxOptions())
    assert isinstance(backend, BubblewrapBackend)
    assert backend.passed_over and backend.passed_over.template == NOT_RUNNING


@pytest.mark.usefixtures("no_engine", "has_bubblewrap")
@pytest.mark.parametrize(
    "options", [SandboxOptions(backend=BackendChoice.DOCKER), SandboxOptions(runtime="runsc")], ids=["docker", "runsc"]
)
def test_what_was_asked_for_is_never_replaced(options: SandboxOptions) -> None:
    assert isinstance(choose_backend(options), DockerBackend)
    with pytest.raises(SandboxError, match="Docker is not running"):
        list(new_sandbox(options, 60).execute("1"))


@pytest.mark.usefixtures("no_engine")
def test_without_either_it_is_told_what_to_install_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "bubblewrap_version", raise_missing)
    sandbox = new_sandbox(SandboxOptions(), 60)
    with pytest.raises(SandboxError) as told:
        list(sandbox.execute("print('never')"))
    words = str(told.value)
    assert words.startswith("There is nothing here to run code in safely. Docker: Docker is not running.")
    assert words.endswith("sudo apt-get install bubblewrap")
    assert "Docker 没有运行" in told.value.sentence.in_language("zh")
    assert "尚未安装 bubblewrap" in told.value.sentence.in_language("zh")
    assert sandbox.status.state is SandboxState.NOT_STARTED


def test_a_container_runtime_on_bubblewrap_is_refused() -> None:
    with pytest.raises(SandboxError, match="bubblewrap has no container runtimes"):
        choose_backend(SandboxOptions(backend=BackendChoice.BUBBLEWRAP, runtime="runsc"))


def test_a_backend_of_another_name_is_told() -> None:
    assert backend_choice(" Docker ") is BackendChoice.DOCKER
    assert backend_choice("") is BackendChoice.AUTO
    with pytest.raises(ToldError, match="SANDBOX must be one of: auto, docker, bubblewrap"):
        backend_choice("podman")


@pytest.mark.usefixtures("no_engine")
def test_the_environment_that_bubblewrap_lacks_is_told_before_code_runs(tmp_path: Path, bubblewrap_here: None) -> None:
    options = SandboxOptions(backend=BackendChoice.BUBBLEWRAP, environment=tmp_path / "none")
    assert choose_backend(options).is_prepared() is False
    with pytest.raises(SandboxError, match="analysis environment is missing"):
        list(new_sandbox(options, 60).execute("1"))


@pytest.mark.usefixtures("no_engine")
def test_the_doctor_says_why_docker_is_not_used_and_what_is_not_covered(bubblewrap_here: None) -> None:
    findings = [(each.verdict, str(each.sentence)) for each in examine(SandboxOptions())]
    assert findings[0][1].startswith("Docker is not used: Docker is not running.")
    assert findings[-1][1].startswith("Python runs in a sandbox (bubblewrap ")
    assert Verdict.FAULT not in {verdict for verdict, _ in findings}
    assert any(words.startswith("Not covered: A hole in the Linux kernel") for _, words in findings)


@pytest.mark.usefixtures("no_engine", "bubblewrap_here")
def test_a_session_on_bubblewrap_begins_with_the_ready_box_and_its_files(tmp_path: Path) -> None:
    options = SandboxOptions(backend=BackendChoice.BUBBLEWRAP, pool=1)
    (tmp_path / "a.csv").write_text("a\n1\n")
    with closing(backends._shared(options).pool) as pool, closing(new_sandbox(options, 60)) as sandbox:
        wait_until(lambda: pool.ready == 1, 60)
        ready = pool._ready[0]
        sandbox.put_file("a.csv", tmp_path / "a.csv")
        *_, result = sandbox.execute("open('/data/a.csv').read()")
        assert isinstance(result, ExecutionResult)
        assert result.value == repr("a\n1\n")
        assert sandbox._box is ready
    backends._latest = None


def test_with_other_settings_what_was_made_ready_for_the_old_ones_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[BoxPool] = []

    def close(pool: BoxPool) -> None:
        assert not backends._latest_lock.locked(), "other sessions would have to wait"
        closed.append(pool)

    monkeypatch.setattr(BoxPool, "close", close)
    first = backends._shared(SandboxOptions(hours=1))
    assert backends._shared(SandboxOptions(hours=1)) is first
    closed.clear()
    assert backends._shared(SandboxOptions(hours=2)) is not first
    assert closed == [first.pool]
    backends._latest = None
