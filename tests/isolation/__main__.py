"""One line for each property and backend: ``python -m tests.isolation [BACKEND ...]``. Ends with 1 when one fails."""

import os
import sys
from collections.abc import Iterator

from tests.isolation.backends import NAMES, Missing, sandbox_on
from tests.isolation.exhaustion import EXHAUSTION, FORGERY
from tests.isolation.probes import REACH
from tests.isolation.properties import tried

PROPERTIES = (*REACH, *FORGERY, *EXHAUSTION)


def lines(name: str) -> Iterator[tuple[str, bool]]:
    """What to print, and whether it is as it should be."""
    try:
        with sandbox_on(name) as sandbox:
            for each in PROPERTIES:
                verdict = tried(each, sandbox)
                if verdict.held:
                    yield f"held  {name}: {each.name}", True
                elif gap := each.gaps.get(name):
                    yield f"gap   {name}: {each.name}. {gap}", True
                else:
                    yield f"FAIL  {name}: {each.name}\n      {verdict.seen[-500:]!r}", False
            for told in sandbox.status.gaps:
                yield f"note  {name}: {told}", True
    except Missing as reason:
        yield f"none  {name}: {reason}", os.environ.get("CI") != "true"


def main(names: list[str]) -> int:
    os.environ["OPENAI_API_KEY"] = "CANARY" + "-KEY"
    code = 0
    for name in names or NAMES:
        for line, is_well in lines(name):
            print(line, flush=True)
            code = code if is_well else 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
