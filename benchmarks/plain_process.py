"""A warm plain Python process to compare with: reads cells from stdin as JSON lines and answers with seconds a cell."""

import json
import sys
import time


def serve() -> None:
    """Import what the sandbox's worker imports, then run each cell with ``exec`` in one namespace."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import pandas as pd

    pd.DataFrame({"a": [1.0, 2.0]}).corr()
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line in sys.stdin:
        code = json.loads(line)
        begun = time.perf_counter()
        exec(compile(code, "cell", "exec"), namespace)  # noqa: S102 - that is what is measured
        plt.close("all")
        seconds = time.perf_counter() - begun
        sys.stdout.write(f"{json.dumps(seconds)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
