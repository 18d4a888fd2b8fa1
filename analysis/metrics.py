"""Counters of the process in Prometheus' text format, served on this machine only; nothing of a person's in them."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server

from agents.events import Usage
from sandbox.observer import EndReason, Execution, SandboxObserver
from wording import ToldError

ADDRESS = "127.0.0.1"
_PREFIX = "data_interpreter"
_SECONDS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120)
_MOST_MODELS = 50
"""People may type any name; beyond so many they are counted together."""


class Metrics(SandboxObserver):
    """Any thread may count."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._executions = Counter(
            "executions", "Pieces of code that ran.", ("kind", "outcome"), _PREFIX, registry=registry
        )
        self._seconds = Histogram(
            "execution_seconds", "Wall time of each.", ("kind",), _PREFIX, registry=registry, buckets=_SECONDS
        )
        self._cpu = Counter("execution_cpu_seconds", "Processor time of all.", (), _PREFIX, registry=registry)
        self._bytes = Counter(
            "execution_bytes", "Bytes to (in) and from (out) the sandbox.", ("direction",), _PREFIX, registry=registry
        )
        self._limits = Counter("limits_hit", "Limits that code ran into.", ("limit",), _PREFIX, registry=registry)
        self._starts = Histogram(
            "sandbox_start_seconds",
            "Wait for each sandbox that was started.",
            (),
            _PREFIX,
            registry=registry,
            buckets=_SECONDS,
        )
        self._ends = Counter("sandboxes_ended", "Sandboxes given up.", ("reason",), _PREFIX, registry=registry)
        self._live = Gauge("sandboxes_live", "Sandboxes there are now.", (), _PREFIX, registry=registry)
        self._requests = Counter(
            "model_requests", "Requests to models.", ("model", "outcome"), _PREFIX, registry=registry
        )
        self._tokens = Counter("model_tokens", "Tokens of models.", ("model", "kind"), _PREFIX, registry=registry)
        self._models: set[str] = set()

    def sandbox_started(self, session: str, seconds: float) -> None:
        self._starts.observe(seconds)
        self._live.inc()

    def sandbox_ended(self, session: str, reason: EndReason) -> None:
        self._ends.labels(reason).inc()
        self._live.dec()

    def executed(self, execution: Execution) -> None:
        usage = execution.result.usage
        self._executions.labels(execution.kind, execution.outcome).inc()
        self._seconds.labels(execution.kind).observe(execution.result.duration_s)
        self._cpu.inc(usage.cpu_s or 0)
        self._bytes.labels("in").inc(usage.bytes_in)
        self._bytes.labels("out").inc(usage.bytes_out)
        for limit in usage.limits_hit:
            self._limits.labels(limit).inc()

    def model_asked(self, model: str, outcome: str, usage: Usage) -> None:
        """One request to a model is over; ``outcome`` is ok, failed or stopped."""
        if model not in self._models and len(self._models) >= _MOST_MODELS:
            model = "other"
        self._models.add(model)
        self._requests.labels(model, outcome).inc()
        for kind, tokens in (
            ("prompt", usage.prompt_tokens),
            ("cached", usage.cached_tokens),
            ("completion", usage.completion_tokens),
            ("reasoning", usage.reasoning_tokens),
        ):
            self._tokens.labels(model, kind).inc(tokens)


def serve_metrics(metrics: Metrics, port: int) -> None:
    """At ``http://127.0.0.1:PORT/metrics``, for as long as the process lives. Raises ``ToldError``."""
    try:
        start_http_server(port, ADDRESS, metrics.registry)
    except (OSError, OverflowError) as error:
        raise ToldError(
            "Metrics cannot be served at {address}: {reason}. Choose another METRICS_PORT, or empty it.",
            address=f"{ADDRESS}:{port}",
            reason=getattr(error, "strerror", None) or error,
        ) from error
