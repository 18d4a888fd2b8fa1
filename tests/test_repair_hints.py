"""Failed code goes back with what helps: names that exist, versions, and what the libraries call things now."""

import re

import pytest

from sandbox.sandbox import ColumnProfile, ExecutionResult, FileProfile, TableProfile
from tests.fake_sandbox import FakeSandbox
from tools.python_exec_tool import PythonExecTool
from tools.repair_hints import Surroundings, hints
from tools.version_hints import VERSION_HINTS

COLUMNS = (
    ColumnProfile(name="Net\xa0sales", type="float", missing=0),
    ColumnProfile(name="Qty ", type="int", missing=0),
)
FILE = FileProfile(name="a.csv", size=4, tables=(TableProfile(variable="a", rows=2, columns=COLUMNS, recipe=""),))
AROUND = Surroundings(files=(FILE,), packages=(("numpy", "2.4.6"), ("pandas", "3.1.1"), ("scikit-learn", "1.9.1")))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("KeyError: 'Net sales'", r"'Net\xa0sales', 'Qty '"),
        ("AttributeError: 'DataFrame' object has no attribute 'applymap'", "DataFrame.map"),
        ("TypeError: NDFrame.fillna() got an unexpected keyword argument 'method'", "ffill()"),
        ("AttributeError: 'DataFrame' object has no attribute 'append'", "pd.concat"),
        ("ValueError: Invalid frequency: M. Failed to parse with error message", '"ME"'),
        ("TypeError: Cannot perform reduction 'mean' with string dtype", "numeric_only"),
        ("TypeError: dtype 'str' does not support operation 'mean'", "numeric_only"),
        ("ValueError: could not convert string to float: 'x'", "select_dtypes"),
        ("TypeError: Invalid value 'abc' for dtype 'int64'", "keeps its type"),
        ('ValueError: time data "13/01/2024" doesn\'t match format "%m/%d/%Y".', "dayfirst"),
        ("TypeError: read_csv() got an unexpected keyword argument 'delim_whitespace'", 'sep=r"\\s+"'),
        ("ValueError: Unable to parse string '1,234' at position 0", "thousands"),
        ("IntCastingNaNError: Cannot convert non-finite values (NA or inf) to integer.", "Int64"),
        ("ValueError: You are trying to merge on int64 and str columns for key 'n'.", "same type"),
        ("AttributeError: module 'numpy' has no attribute 'trapz'", "trapezoid"),
        ("KeyError: 0", "iloc"),
        ("AttributeError: module 'sklearn' has no attribute 'x'", "Installed: scikit-learn 1.9.1."),
        ("AttributeError: 'DataFrame' object has no attribute 'foo'", "Installed: pandas 3.1.1."),
    ],
)
def test_an_error_that_is_known_is_answered_with_what_mends_it(error: str, told: str) -> None:
    assert told in "\n".join(hints(f"Traceback ...\n{error}", AROUND))


def test_an_error_that_says_it_all_gets_no_hint() -> None:
    assert hints("ZeroDivisionError: division by zero", AROUND) == []
    assert hints("TypeError: 'int' object is not callable", AROUND) == []


def test_an_assignment_that_changed_nothing_is_told_although_nothing_failed() -> None:
    result = ExecutionResult(stderr="cell:1: ChainedAssignmentError: A value is being set on a copy\n")
    answer = PythonExecTool(FakeSandbox(result)).run({"python_code": "df['a'][0] = 1"})
    assert answer.ok
    assert 'df.loc[rows, "column"]' in answer.text


def test_every_pattern_is_one_and_every_hint_a_sentence() -> None:
    for pattern, hint in VERSION_HINTS:
        assert re.compile(pattern)
        assert hint.endswith(".")
