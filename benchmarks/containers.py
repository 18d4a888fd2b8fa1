"""What the engine says of a container that is measured."""

from docker.models.containers import Container


def resident_mb(container: Container) -> float:
    """Memory that the container's processes hold, each shared page once, by the engine's account."""
    stats = container.stats(stream=False)
    if not isinstance(stats, dict):
        raise RuntimeError("the engine gives no account of its memory")
    counts = stats["memory_stats"]["stats"]
    resident = counts.get("total_rss", counts.get("anon", 0)) + counts.get(
        "total_mapped_file", counts.get("file_mapped", 0)
    )
    return float(resident) / (1 << 20)
