"""The sandbox against ``docker exec`` and against a warm plain process, on one engine and one image."""

import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import docker
from docker.models.containers import Container

from benchmarks.containers import resident_mb
from benchmarks.timing import CHART, PLAIN_ENVIRONMENT, PYTHON, ROOT, SAMPLE, TRIVIAL, median, milliseconds, run
from sandbox.docker_sandbox import DockerSandbox
from sandbox.limits import Limits

UPLOAD_MB = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one run measured. Times are medians in milliseconds; a ratio above 1 means that the sandbox is faster,
    except ``chart_over_warm_process``, which is the sandbox's time as a multiple of a warm process' time."""

    engine: str
    cores: int
    trivial_ms: float
    trivial_exec_ms: float
    trivial_times_faster: float
    chart_ms: float
    chart_exec_ms: float
    chart_times_faster: float
    chart_warm_process_ms: float
    chart_over_warm_process: float
    cold_start_ms: float
    upload_mb_per_s: float
    upload_growth_mb: float
    idle_memory_mb: float

    def lines(self) -> list[str]:
        """The figures as a person reads them."""
        return [
            f"{self.engine}, {self.cores} cores",
            f"trivial cell      {self.trivial_ms:8.2f} ms   docker exec {self.trivial_exec_ms:8.1f} ms   "
            f"{self.trivial_times_faster:6.0f} times faster",
            f"chart cell        {self.chart_ms:8.1f} ms   docker exec {self.chart_exec_ms:8.1f} ms   "
            f"{self.chart_times_faster:6.1f} times faster",
            f"                  {self.chart_ms:8.1f} ms   warm process {self.chart_warm_process_ms:7.1f} ms   "
            f"{self.chart_over_warm_process:6.2f} times its time",
            f"cold start        {self.cold_start_ms:8.0f} ms to the first answered cell",
            f"upload of {UPLOAD_MB} MB  {self.upload_mb_per_s:8.0f} MB/s   app grows by {self.upload_growth_mb:.1f} MB",
            f"idle session      {self.idle_memory_mb:8.0f} MB resident",
        ]


def measure(trivial_runs: int = 300, chart_runs: int = 15, exec_runs: int = 5) -> Figures:
    """Everything, one after the other; the sandbox and the warm process take turns."""
    client = docker.from_env()
    known = {each.id for each in client.containers.list(all=True)}
    box = DockerSandbox(Limits())
    try:
        cold_start = milliseconds(lambda: run(box, TRIVIAL))
        container = next(each for each in client.containers.list() if each.id not in known)
        idle_memory = resident_mb(container)
        box.put_file(SAMPLE.name, SAMPLE)
        run(box, CHART)
        trivial = median(lambda: run(box, TRIVIAL), trivial_runs)
        with _plain_container(client, container) as plain, _warm_process(plain) as in_process:
            in_process(CHART)
            pairs = [(milliseconds(lambda: run(box, CHART)), in_process(CHART)) for _ in range(chart_runs)]
            chart, warm = (statistics.median(times) for times in zip(*pairs, strict=True))
            over_warm = statistics.median(ours / theirs for ours, theirs in pairs)
            trivial_exec = median(lambda: _docker_exec(plain, TRIVIAL), exec_runs)
            chart_exec = median(lambda: _docker_exec(plain, CHART), exec_runs)
        upload_rate, growth = _upload(box)
        engine = f"{box.status.isolation}"
    finally:
        box.close()
    return Figures(
        engine=engine,
        cores=os.cpu_count() or 1,
        trivial_ms=trivial,
        trivial_exec_ms=trivial_exec,
        trivial_times_faster=trivial_exec / trivial,
        chart_ms=chart,
        chart_exec_ms=chart_exec,
        chart_times_faster=chart_exec / chart,
        chart_warm_process_ms=warm,
        chart_over_warm_process=over_warm,
        cold_start_ms=cold_start,
        upload_mb_per_s=upload_rate,
        upload_growth_mb=growth,
        idle_memory_mb=idle_memory,
    )


def _docker_exec(container: Container, code: str) -> None:
    read = "import sys; exec(sys.stdin.read())"
    command = ["docker", "exec", "-i", str(container.id), PYTHON, "-c", read]
    subprocess.run(command, input=code, text=True, check=True, capture_output=True)


@contextmanager
def _plain_container(client: docker.DockerClient, ours: Container) -> Iterator[Container]:
    """A container of the same image and limits that sleeps, with the same file in ``/data``."""
    limits = Limits()
    container = client.containers.run(
        str(ours.attrs["Image"]),
        entrypoint=[PYTHON, "-c", "import time; time.sleep(100000)"],
        user="190000:190000",
        environment=PLAIN_ENVIRONMENT,
        network_mode="none",
        read_only=True,
        tmpfs={"/tmp": "mode=1777,size=128m", "/outputs": "mode=0700,uid=190000,gid=190000,size=128m"},  # noqa: S108
        volumes=[f"{SAMPLE.parent}:/volume/files:ro"],
        mem_limit=f"{limits.memory_mb}m",
        nano_cpus=int(limits.cpus * 1e9),
        pids_limit=limits.processes,
        detach=True,
    )
    try:
        yield container
    finally:
        container.remove(force=True, v=True)


@contextmanager
def _warm_process(container: Container) -> Iterator[Callable[[str], float]]:
    """A plain process in that container, libraries imported; gives the milliseconds of a cell by its own clock."""
    script = (ROOT / "benchmarks" / "plain_process.py").read_text(encoding="utf-8")
    command = ["docker", "exec", "-i", str(container.id), PYTHON, "-c", script]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("no pipes")
    stdin, stdout = process.stdin, process.stdout

    def run(code: str) -> float:
        stdin.write(f"{json.dumps(code)}\n")
        stdin.flush()
        return float(json.loads(stdout.readline())) * 1000

    try:
        yield run
    finally:
        stdin.close()
        process.wait(timeout=30)


def _upload(box: DockerSandbox) -> tuple[float, float]:
    """Megabytes a second for a large file, and by how many megabytes this process grew meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        big = Path(folder, "big.bin")
        with big.open("wb") as file:
            block = os.urandom(1 << 20)
            for _ in range(UPLOAD_MB):
                file.write(block)
        before = _peak_mb(reset=True)
        seconds = milliseconds(lambda: box.put_file(big.name, big)) / 1000
        return UPLOAD_MB / seconds, max(0.0, _peak_mb() - before)


def _peak_mb(*, reset: bool = False) -> float:
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024
