"""All measurements of the sandbox, each a section that can be taken alone; every figure of a run is in one object."""

import importlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Protocol

SECTIONS = {
    "cells": "benchmarks.cells",
    "starts": "benchmarks.starts",
    "load": "benchmarks.load",
    "isolations": "benchmarks.isolations",
    "llm-sandbox": "benchmarks.llm_sandbox_compared",
}


class Figures(Protocol):
    """A dataclass whose fields no other section has."""

    def lines(self) -> list[str]:
        """The figures as a person reads them."""


def measure(sections: Sequence[str] = tuple(SECTIONS)) -> list[Figures]:
    """One section after the other."""
    # Only what is measured is imported: llm-sandbox is not among the packages of the app.
    return [importlib.import_module(SECTIONS[name]).measure() for name in sections]


def as_json(figures: Sequence[Figures]) -> str:
    whole: dict[str, object] = {}
    for each in figures:
        whole |= asdict(each)  # type: ignore[call-overload]  # a protocol cannot say that it is a dataclass
    return json.dumps({name: _rounded(value) for name, value in whole.items()})


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return round(value, 3) if isinstance(value, float) else value
