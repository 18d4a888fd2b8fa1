"""Counters at a local port: what they count, that a taken port stops nothing, and that reruns serve them once."""

import socket
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from agents.events import Usage
from agents.models.language_model import ModelError, ModelReply, ModelRequest
from agents.stop_signal import StopSignal
from analysis.counted_model import CountedLanguageModel
from analysis.metrics import Metrics, serve_metrics
from sandbox.observer import EndReason, Execution
from sandbox.sandbox import CellUsage, ExecutionResult, StateLoss
from tests.page_fixtures import OpenPage, opening_pages
from tests.scripted_model import ScriptedModel, says
from wording import ToldError

open_page = pytest.fixture(opening_pages)
REQUEST = ModelRequest(model="o3-mini", effort=None, prompt="", messages=())


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def samples(port: int) -> dict[str, float]:
    """What the endpoint says, without comments, by name and labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name.removeprefix("data_interpreter_"): float(value) for name, value in pairs}


def told_of_metrics(log: pytest.LogCaptureFixture) -> list[str]:
    return [message for message in log.messages if message.startswith("Metrics")]


def executed(result: ExecutionResult) -> Execution:
    return Execution(
        session="s", number=1, kind="cell", isolation="x", began=datetime.now(UTC), code="SECRET", result=result
    )


def test_executions_sandboxes_and_models_are_counted(free_port: int) -> None:
    metrics = Metrics()
    serve_metrics(metrics, free_port)
    metrics.sandbox_started("s", 0.2)
    metrics.sandbox_started("t", 0.2)
    metrics.sandbox_ended("s", EndReason.IDLE)
    usage = CellUsage(cpu_s=0.5, bytes_in=90, bytes_out=300)
    metrics.executed(executed(ExecutionResult(duration_s=0.7, usage=usage)))
    lost = ExecutionResult(error="SECRET", state_lost=StateLoss.MEMORY, usage=CellUsage(limits_hit=("memory_mb",)))
    metrics.executed(executed(lost))
    metrics.model_asked("o3-mini", "ok", Usage(prompt_tokens=100, completion_tokens=7))
    told = samples(free_port)
    assert {
        'executions_total{kind="cell",outcome="ok"}': 1,
        'executions_total{kind="cell",outcome="memory"}': 1,
        'execution_seconds_sum{kind="cell"}': 0.7,
        "execution_cpu_seconds_total": 0.5,
        'execution_bytes_total{direction="in"}': 90,
        'execution_bytes_total{direction="out"}': 300,
        'limits_hit_total{limit="memory_mb"}': 1,
        "sandbox_start_seconds_count": 2,
        'sandboxes_ended_total{reason="idle"}': 1,
        "sandboxes_live": 1,
        'model_requests_total{model="o3-mini",outcome="ok"}': 1,
        'model_tokens_total{kind="prompt",model="o3-mini"}': 100,
        'model_tokens_total{kind="completion",model="o3-mini"}': 7,
    }.items() <= told.items()
    assert not any("SECRET" in name for name in told)


def test_models_without_end_are_counted_together() -> None:
    metrics = Metrics()
    for number in range(60):
        metrics.model_asked(f"model-{number}", "ok", Usage())
    assert (
        metrics.registry.get_sample_value("data_interpreter_model_requests_total", {"model": "other", "outcome": "ok"})
        == 10
    )


@pytest.mark.parametrize("port", [None, 70_000])
def test_a_port_that_cannot_be_had_is_told_in_one_sentence(taken_port: int, port: int | None) -> None:
    port = port or taken_port
    with pytest.raises(
        ToldError, match=f"^Metrics cannot be served at 127.0.0.1:{port}: .* Choose another METRICS_PORT"
    ):
        serve_metrics(Metrics(), port)


def test_a_request_is_counted_by_how_it_ended() -> None:
    counted: list[tuple[str, str, Usage]] = []
    replies = ScriptedModel(says("Yes."), [ModelError("No.")], says("Never heard."))
    model = CountedLanguageModel(replies, lambda *request: counted.append(request))
    *_, reply = model.stream(REQUEST, StopSignal())
    assert isinstance(reply, ModelReply)
    with pytest.raises(ModelError):
        list(model.stream(REQUEST, StopSignal()))
    left_early = model.stream(REQUEST, StopSignal())
    next(left_early)
    left_early.close()
    assert counted == [("o3-mini", "ok", reply.usage), ("o3-mini", "failed", Usage()), ("o3-mini", "stopped", Usage())]


def test_the_page_serves_them_once_for_all_reruns(
    open_page: OpenPage, free_port: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(free_port))
    for _ in range(2):
        open_page(says("Yes.")).look().ask("Are you there?")
    assert samples(free_port)['model_requests_total{model="o3-mini",outcome="ok"}'] == 2
    assert told_of_metrics(caplog) == []


def test_a_taken_port_does_not_stop_the_page_which_says_so_and_takes_it_once_it_is_free(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        monkeypatch.setenv("METRICS_PORT", str(port))
        page = open_page(says("Yes.")).look().ask("Are you there?")
    told = (
        f"Metrics cannot be served at 127.0.0.1:{port}: Address already in use. "
        "Choose another METRICS_PORT, or empty it."
    )
    assert "Yes." in page.texts
    assert told_of_metrics(caplog) == [told]
    assert told in [caption.value.replace("\\", "") for caption in page.app.sidebar.caption]
    page.look()
    assert samples(port)['model_requests_total{model="o3-mini",outcome="ok"}'] == 1
    assert not any("Metrics" in caption.value for caption in page.app.sidebar.caption)
