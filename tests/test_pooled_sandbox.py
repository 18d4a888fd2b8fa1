"""Sessions that begin with a ready container: each used once and by nobody else, and replaced from the pool."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import backends
from sandbox.backends import new_sandbox
from sandbox.docker_container import DockerContainer
from sandbox.docker_engine import DockerEngine
from sandbox.image import Image
from sandbox.instance import INSTANCE_LABEL, instance_labels
from sandbox.limits import Limits
from sandbox.options import BackendChoice, SandboxOptions
from sandbox.pool import BoxPool
from sandbox.sandbox import ExecutionResult
from sandbox.session_sandbox import SessionSandbox
from tests.docker_fixtures import sandbox_image, wait_until

__all__ = ["sandbox_image"]
pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("sandbox_image")]
OPTIONS = SandboxOptions(backend=BackendChoice.DOCKER, limits=Limits(memory_mb=640), pool=1)


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    with DockerEngine() as engine:
        yield engine


@pytest.fixture(scope="module")
def one_pool() -> Iterator[None]:
    """For all tests: what one of them takes is replaced for the next."""
    yield
    pool().close()
    backends._latest = None


@pytest.fixture
def new(one_pool: None) -> Iterator[Callable[[], SessionSandbox]]:
    """New sandboxes, once a container is ready for them; all are gone afterwards."""
    made: list[SessionSandbox] = []

    def make() -> SessionSandbox:
        made.append(new_sandbox(OPTIONS, 600))
        wait_until(lambda: pool().ready == 1, 60)
        return made[-1]

    yield make
    for sandbox in made:
        sandbox.close()


New = Callable[[], SessionSandbox]


def pool() -> BoxPool:
    return backends._shared(OPTIONS).pool


def ready() -> DockerContainer:
    box = pool()._ready[0]
    assert isinstance(box, DockerContainer)
    return box


def run(sandbox: SessionSandbox, code: str) -> ExecutionResult:
    *_, result = sandbox.execute(code)
    assert isinstance(result, ExecutionResult)
    return result


def test_each_ready_container_is_used_once_and_has_a_user_of_its_own(new: New, engine: DockerEngine) -> None:
    names, users = set(), set()
    for _ in range(3):
        sandbox, name = new(), ready()._name
        result = run(sandbox, "import os; open('/tmp/mine', 'x').write('x'); os.getuid(), os.listdir('/data')")
        assert sandbox._box and isinstance(sandbox._box, DockerContainer)
        assert sandbox._box._name == name
        user, _, files = (result.value or "").strip("()").partition(", ")
        assert files == "[]"
        found = engine.inspect(name)
        assert found
        assert found["Config"]["User"] == f"{user}:{user}"
        names.add(name)
        users.add(user)
    assert len(names) == len(users) == 3


def test_a_ready_container_belongs_to_this_process_like_any_other(new: New, engine: DockerEngine) -> None:
    new()
    found = engine.inspect(ready()._name)
    assert found
    assert found["Config"]["Labels"][INSTANCE_LABEL] == instance_labels()[INSTANCE_LABEL]


def test_files_reach_a_ready_container_when_it_is_taken(new: New, tmp_path: Path) -> None:
    sandbox, name = new(), ready()._name
    (tmp_path / "a.csv").write_text("a\n1\n")
    sandbox.put_file("a.csv", tmp_path / "a.csv")
    assert run(sandbox, "open('/data/a.csv').read()").value == repr("a\n1\n")
    assert isinstance(sandbox._box, DockerContainer)
    assert sandbox._box._name == name


def test_a_container_that_vanished_is_replaced_from_the_pool_with_its_files(
    new: New, engine: DockerEngine, tmp_path: Path
) -> None:
    sandbox = new()
    (tmp_path / "a.csv").write_text("a\n1\n")
    sandbox.put_file("a.csv", tmp_path / "a.csv")
    run(sandbox, "x = 1")
    first = sandbox._box
    assert isinstance(first, DockerContainer)
    wait_until(lambda: pool().ready == 1)
    name = ready()._name
    engine.remove(first._name)
    wait_until(lambda: first.has_ended)
    result = run(sandbox, "'x' in globals(), open('/data/a.csv').read()")
    assert result.value == repr((False, "a\n1\n"))
    assert [str(notice) for notice in result.notices] == [
        "The sandbox was replaced by a new one: variables of earlier cells are gone, the files in /data are there."
    ]
    assert isinstance(sandbox._box, DockerContainer)
    assert sandbox._box._name == name


def test_a_ready_container_that_died_is_never_handed_out(new: New, engine: DockerEngine) -> None:
    sandbox, dead = new(), ready()
    engine.remove(dead._name)
    wait_until(lambda: dead.has_ended)
    assert run(sandbox, "1 + 1").value == "2"
    assert sandbox._box is not dead


def test_a_ready_container_of_another_image_is_never_handed_out(
    new: New, engine: DockerEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox, old = new(), ready()
    monkeypatch.setattr(old, "_image", Image("sha256:old", "", 1))
    assert run(sandbox, "1 + 1").value == "2"
    assert sandbox._box is not old
    wait_until(lambda: engine.inspect(old._name) is None)


def test_what_is_ready_is_removed_when_the_pool_closes(new: New, engine: DockerEngine) -> None:
    new()
    name = ready()._name
    pool().close()
    wait_until(lambda: engine.inspect(name) is None)


OTHER_PROCESS = """
import sys
from tests.test_pooled_sandbox import OPTIONS, pool, run, wait_until
from sandbox.backends import new_sandbox
from sandbox.instance import INSTANCE_LABEL, instance_labels
sandbox = new_sandbox(OPTIONS, 600)
run(sandbox, "1")
wait_until(lambda: pool().ready == 1, 60)
print(instance_labels()[INSTANCE_LABEL], flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "ended"])
def test_nothing_stays_behind_of_a_process_with_a_pool(engine: DockerEngine, is_killed: bool) -> None:
    command = [sys.executable, "-c", OTHER_PROCESS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdin
        label = f"{INSTANCE_LABEL}={process.stdout.readline().strip()}"
        assert len(engine.containers(label)) == 2
        if is_killed:
            process.kill()
        else:
            process.stdin.close()
        process.wait()
    wait_until(lambda: not engine.containers(label) and not engine.volumes(label))
