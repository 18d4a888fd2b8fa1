"""``python -m benchmarks sandbox [--json]``: figures and their ratios, measured in one run."""

import argparse
import sys

from benchmarks.sandbox import as_json, measure


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("what", choices=["sandbox"])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    wanted = parser.parse_args(arguments)
    figures = measure()
    sys.stdout.write(f"{as_json(figures)}\n" if wanted.json else "\n".join([*figures.lines(), ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
