"""Profiling a CSV file against counting its rows with duckdb, both in the sandbox, with the memory that it took."""

import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from sandbox.docker_sandbox import DockerSandbox
from sandbox.sandbox import ExecutionResult, SandboxError

SIZES = (10, 100)
LARGE = (*SIZES, 1000)
_COUNT = """
import time, duckdb
duckdb.sql("SET enable_progress_bar = false")
began = time.perf_counter()
duckdb.sql("SELECT count(*) FROM read_csv_auto('/data/{name}')").fetchall()
print(time.perf_counter() - began)
"""
_PEAK = """
from pathlib import Path
places = (Path("/sys/fs/cgroup/memory.peak"), Path("/sys/fs/cgroup/memory/memory.max_usage_in_bytes"))
print(next((place.read_text() for place in places if place.exists()), 0))
"""
_BLOCK_ROWS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One file. The peak is of the whole container, with what the kernel caches of the file; 0 where it is unknown."""

    megabytes: int
    rows: int
    profile_s: float
    duckdb_count_s: float
    ratio: float
    peak_mb: int

    def line(self) -> str:
        return (
            f"{self.megabytes:>5} MB: profile {self.profile_s:.2f} s, duckdb count {self.duckdb_count_s:.2f} s, "
            f"ratio {self.ratio:.2f}, peak {self.peak_mb} MB, {self.rows:,} rows read"
        )


def measure(sizes_mb: Sequence[int], new_sandbox: Callable[[], DockerSandbox]) -> list[Figures]:
    """One sandbox for each file. Raises ``SandboxError``."""
    with tempfile.TemporaryDirectory() as folder:
        return [_measure(_written(Path(folder, f"f{size}.csv"), size), size, new_sandbox) for size in sizes_mb]


def as_json(figures: Sequence[Figures]) -> str:
    return json.dumps([asdict(each) for each in figures])


def _measure(path: Path, size: int, new_sandbox: Callable[[], DockerSandbox]) -> Figures:
    with closing(new_sandbox()) as sandbox:
        sandbox.put_file(path.name, path)
        _printed(sandbox, "None")
        counted = float(_printed(sandbox, _COUNT.format(name=path.name)))
        began = time.perf_counter()
        profile = sandbox.profile(path.name)
        took = time.perf_counter() - began
        if not profile.tables:
            raise SandboxError("The file was not read: {problem}", problem=profile.problem)
        peak = int(float(_printed(sandbox, _PEAK) or 0))
    path.unlink()
    return Figures(
        megabytes=size,
        rows=profile.tables[0].rows,
        profile_s=took,
        duckdb_count_s=counted,
        ratio=took / counted,
        peak_mb=peak >> 20,
    )


def _printed(sandbox: DockerSandbox, code: str) -> str:
    *_, result = sandbox.execute(code)
    if not isinstance(result, ExecutionResult) or result.error:
        raise SandboxError("The measured code failed: {error}", error=getattr(result, "error", ""))
    return result.stdout.strip()


def _written(path: Path, megabytes: int) -> Path:
    """Ids, amounts, days, towns and codes; the same block of rows again and again, with other ids."""
    chance = random.Random(1)  # noqa: S311 - the same file every time
    towns = ("Oslo", "Wien", "Köln", "Lyon", "北京")
    rest = [
        f"{chance.uniform(0, 1000):.2f},2024-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d},"
        f"{chance.choice(towns)},{chance.randint(0, 99999):05d}\n"
        for _ in range(_BLOCK_ROWS)
    ]
    number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("id,amount,day,town,code\n")
        while file.tell() < megabytes * 1_000_000:
            file.writelines(f"{number + place},{text}" for place, text in enumerate(rest))
            number += _BLOCK_ROWS
    return path
