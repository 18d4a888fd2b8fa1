"""``python -m benchmarks sandbox|model|files [--json] [--only PART]``: figures and their ratios, from one run."""

import argparse
import sys
from dataclasses import replace

from benchmarks import files, model, sandbox
from sandbox.backends import new_sandbox, prepare_backend
from sandbox.docker_sandbox import DockerSandbox
from sandbox.options import BackendChoice
from settings import load_settings


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("what", choices=["sandbox", "model", "files"])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--sandbox", choices=list(BackendChoice), help="model: instead of the setting SANDBOX")
    parser.add_argument("--large", action="store_true", help="files: 1 GB too")
    parser.add_argument(
        "--only", action="append", choices=sandbox.SECTIONS, help="sandbox: nothing but this part; repeatable"
    )
    wanted = parser.parse_args(arguments)
    if wanted.what == "files":
        lines, as_json = _of_files(files.LARGE if wanted.large else files.SIZES)
    else:
        lines, as_json = _of_the_model(wanted.sandbox) if wanted.what == "model" else _of_the_sandbox(wanted.only)
    sys.stdout.write("\n".join([as_json] if wanted.json else lines) + "\n")
    return 0


def _of_the_sandbox(only: list[str] | None) -> tuple[list[str], str]:
    figures = sandbox.measure(only or tuple(sandbox.SECTIONS))
    return [line for each in figures for line in each.lines()], sandbox.as_json(figures)


def _of_the_model(backend: BackendChoice | None) -> tuple[list[str], str]:
    settings = load_settings()
    options = replace(settings.sandboxes, backend=backend or settings.sandbox)
    prepare_backend(options, lambda line: print(line, file=sys.stderr))
    figures = model.measure(new_sandbox(options, settings.idle_minutes * 60))
    return figures.lines(), model.as_json(figures)


def _of_files(sizes_mb: tuple[int, ...]) -> tuple[list[str], str]:
    settings = load_settings()
    figures = files.measure(
        sizes_mb,
        lambda: DockerSandbox(
            settings.limits, runtime=settings.sandbox_runtime, base_image=settings.sandbox_base_image
        ),
    )
    return [each.line() for each in figures], files.as_json(figures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
