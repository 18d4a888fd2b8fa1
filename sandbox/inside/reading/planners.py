"""Hands a file to the module that plans how its kind is read; each brings libraries of its own, so none is imported
before it is needed."""

import csv
import sqlite3
from importlib import import_module

import pyarrow as pa
from python_calamine import CalamineError

from sandbox.inside.reading.choices import Choices
from sandbox.inside.reading.file_kind import Kind
from sandbox.inside.reading.recipe import ReadingPlan
from sandbox.inside.reading.source import Source

FAILURES = (
    ValueError,
    OSError,
    KeyError,
    OverflowError,
    RecursionError,
    pa.ArrowException,
    CalamineError,
    csv.Error,
    sqlite3.Error,
)
"""What pandas and the libraries below it raise for a file that is damaged or not what it seems."""
_PLANNERS: dict[Kind, str] = {
    "text": "delimited.plan_delimited",
    "json": "json_table.plan_json",
    "workbook": "excel.plan_workbook",
    "parquet": "columnar.plan_parquet",
    "feather": "columnar.plan_feather",
    "archive": "archive.plan_archive",
    "sqlite": "databases.plan_sqlite",
    "duckdb": "databases.plan_duckdb",
    "stata": "statistics_files.plan_stata",
    "sas": "statistics_files.plan_sas",
    "spss": "statistics_files.plan_spss",
    "web_page": "web_page.plan_web_page",
}


def plan_tables(source: Source, kind: Kind, variable: str, choices: Choices) -> list[ReadingPlan]:
    """How each table of the file is read, the first under the name ``variable`` or one that begins with it."""
    module, _, function = _PLANNERS[kind].partition(".")
    plan = getattr(import_module(f"sandbox.inside.reading.{module}"), function)
    plans: list[ReadingPlan] = plan(source, variable, choices)
    return plans
