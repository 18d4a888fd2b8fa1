"""Everything the sandbox may use, as data in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one session may use. Each field is a setting ``SANDBOX_<NAME>`` and a row in the README."""

    seconds: float = 60
    """Time for one cell; then it is interrupted, and killed ``grace_seconds`` later."""
    grace_seconds: float = 2
    memory_mb: int = 2048
    """Memory of the container, tmpfs included; there is no swap."""
    cpus: float = 1
    processes: int = 128
    """Processes and threads together. 64 is too few once joblib, polars and duckdb are used side by side."""
    open_files: int = 1024
    tmp_mb: int = 128
    outputs_mb: int = 128
    shm_mb: int = 64
    file_size_mb: int = 256
    """The largest file code may write; not below the largest of the three above."""
    output_chars: int = 100_000
    """Printed text kept of one cell; the head and the tail stay."""
    tables: int = 10
    table_rows: int = 5_000
    table_bytes: int = 4_000_000
    charts: int = 10
    chart_bytes: int = 8_000_000
    chart_pixels: int = 4_000
    """The longest side of a chart that is shown."""
    files: int = 20
    file_bytes: int = 50_000_000
    total_bytes: int = 120_000_000
    """Everything one cell may hand back."""
