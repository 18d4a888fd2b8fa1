"""One line for each property and backend: ``python -m tests.isolation [BACKEND ...]``. Ends with 1 when one fails."""

import os
import sys
from collections.abc import Iterator

from tests.isolation.backends import NAMES, bench_on
from tests.isolation.podman import Missing
from tests.isolation.properties import Bench, Property, tried
from tests.isolation.table import GROUPS


def lines(name: str) -> Iterator[tuple[str, bool]]:
    """What to print, and whether it is as it should be."""
    try:
        with bench_on(name) as bench:
            for group, properties in GROUPS.items():
                for each in properties:
                    yield _line(name, f"{group[0]}: {each.name}", each, bench)
            for told in bench.sandbox.status.gaps:
                yield f"note  {name}: {told}", True
    except Missing as reason:
        yield f"none  {name}: {reason}", os.environ.get("CI") != "true"


def _line(backend: str, title: str, each: Property, bench: Bench) -> tuple[str, bool]:
    verdict = tried(each, bench)
    if verdict.held:
        return f"held  {backend}: {title}", True
    if gap := each.gap(backend):
        return f"gap   {backend}: {title}. {gap}", True
    return f"FAIL  {backend}: {title}\n      {verdict.seen[-500:]!r}", False


def main(names: list[str]) -> int:
    code = 0
    for name in names or NAMES:
        for line, is_well in lines(name):
            print(line, flush=True)
            code = code if is_well else 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
