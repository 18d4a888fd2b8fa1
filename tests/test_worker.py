"""What a cell can do and what it hands back, run by the real worker under the real supervisor."""

import pytest

from sandbox.sandbox import ExecutionResult, OutputText, StateLoss
from tests.inside_fixtures import Box, box, no_box_is_left

__all__ = ["box", "no_box_is_left"]


def test_variables_stay_from_cell_to_cell(box: Box) -> None:
    box.run("total = 5")
    assert box.run("total").value == "5"


def test_functions_see_the_names_around_them(box: Box) -> None:
    box.run("import pandas as pd\nk = 3\ndef f(x): return pd.Series([x * k]).iloc[0]")
    assert box.printed("print([int(f(i)) for i in range(2)], sum(k for _ in range(2)))") == "[0, 3] 6\n"


def test_code_is_the_main_module(box: Box) -> None:
    code = "import pickle\ndef f(): return 7\nprint(pickle.loads(pickle.dumps(f))(), __name__ == '__main__')"
    assert box.printed(code) == "7 True\n"


@pytest.mark.parametrize(
    ("code", "value"),
    [("1 + 1", "2"), ("x = 1", ""), ("None", ""), ("5;", ""), ("5; # note", ""), ("'a'", "'a'"), ("if 1:\n  5", "")],
)
def test_only_the_last_expression_is_the_value(box: Box, code: str, value: str) -> None:
    assert box.run(code).value == value


def test_await_works_at_the_top_level(box: Box) -> None:
    box.run(
        "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 8\n"
        "task = asyncio.create_task(f())\nawait asyncio.sleep(0)"
    )
    assert box.run("await task").value == "8"
    assert box.run("asyncio.run(f())").value == "8"


def test_an_error_is_told_with_the_users_own_lines(box: Box) -> None:
    box.run("def half(a):\n    return a / 0")
    result = box.run("x = 1\nhalf(x)")
    lines = (result.error or "").splitlines()
    assert [line for line in lines if set(line) - set(" ~^")] == [
        "Traceback (most recent call last):",
        '  File "<cell 2>", line 2, in <module>',
        "    half(x)",
        '  File "<cell 1>", line 2, in half',
        "    return a / 0",
        "ZeroDivisionError: division by zero",
    ]


def test_the_inside_of_libraries_is_one_line_of_a_traceback(box: Box) -> None:
    error = box.run("import pandas as pd\npd.DataFrame({'a': [1]})['b']").error or ""
    assert len(error.splitlines()) < 8
    assert error.endswith("KeyError: 'b'")
    assert 'File "pandas/core/indexes/base.py"' in error
    assert "IPython" not in error


def test_a_syntax_error_shows_its_line(box: Box) -> None:
    error = box.run("x = 1\ny = = 2").error or ""
    assert 'File "<cell 1>", line 2' in error
    assert "y = = 2" in error
    assert error.endswith("SyntaxError: invalid syntax")


def test_leaving_by_exit_keeps_the_variables(box: Box) -> None:
    for code in ("import sys; kept = 1; sys.exit()", "exit()", "quit()", "raise SystemExit(0)"):
        assert box.run(code).ok
    assert (box.run("sys.exit('no data')").error or "").endswith("SystemExit: no data")
    assert box.run("kept").value == "1"
    assert box.run("raise KeyboardInterrupt").state_lost is None
    assert box.run("import os; os._exit(3)").state_lost is StateLoss.EXIT


def test_output_comes_while_the_code_runs_and_in_order(box: Box) -> None:
    code = "import os, sys\nprint('a')\nos.system('echo b')\nsys.stdout.write('c\\n')\nos.write(1, b'd\\n')\nx = 1"
    *texts, result = box.events(code)
    assert isinstance(result, ExecutionResult)
    assert "".join(each.text for each in texts if isinstance(each, OutputText)) == result.stdout == "a\nb\nc\nd\n"


def test_c_code_and_subprocesses_are_heard(box: Box) -> None:
    code = (
        "import ctypes, subprocess, sys\nlibc = ctypes.CDLL(None)\nlibc.puts(b'from C')\n"
        "subprocess.run([sys.executable, '-c', 'import sys; print(1); print(2, file=sys.stderr)'])\n"
    )
    result = box.run(code)
    assert sorted(result.stdout.split()) == ["1", "C", "from"]
    assert result.stderr == "2\n"


@pytest.mark.parametrize(
    "code",
    [
        "input('> ')",
        "import sys; sys.stdin.read()",
        "import sys; sys.stdin.readline()",
        "import getpass; getpass.getpass()",
        "breakpoint()",
        "import pdb; pdb.set_trace()",
        "import matplotlib.pyplot as plt; plt.plot([1]); plt.ginput(1)",
    ],
)
def test_what_waits_for_a_keyboard_fails_with_one_sentence(box: Box, code: str) -> None:
    error = box.run(code, timeout=20).error or ""
    assert error.endswith(
        "EOFError: There is no keyboard here. Write the value into the code instead of asking for it."
    )
    assert len(error.splitlines()) <= 6


def test_standard_input_can_be_closed_without_harm(box: Box) -> None:
    box.run("import os; os.close(0)")
    assert box.printed("print(os.read(0, 10) if False else 1)") == "1\n"
    assert box.run("os.closerange(0, 100)").error is None
    assert box.printed("print(2)") == "2\n"


def test_only_the_three_standard_descriptors_are_open(box: Box) -> None:
    code = "import os\nprint([fd for fd in range(256) if os.path.exists(f'/proc/self/fd/{fd}')])"
    assert box.printed(code) == "[0, 1, 2]\n"


def test_a_cell_that_uses_up_all_descriptors_is_reported(box: Box) -> None:
    code = "held = []\ntry:\n    while True: held.append(open('/dev/null'))\nexcept OSError as e: print(e.errno)"
    assert box.printed(code) == "24\n"
    assert int(box.printed("print(len(held))")) > 500
    assert [each.name for each in box.run("held[0].close(); open('a.txt', 'w').write('x')").files] == ["a.txt"]


def test_replaced_functions_are_put_back(box: Box) -> None:
    code = """
import builtins, json, os, sys, socket, signal, threading
for name in ("print", "open", "__import__", "compile", "len", "isinstance", "getattr", "exec", "dict"):
    setattr(builtins, name, None)
del builtins.int
json.dumps = json.loads = json.JSONEncoder = None
os.write = os.close = os.dup2 = socket.socket = sys.stdout = sys.excepthook = None
sys.settrace(lambda *_: 1 / 0)
threading.settrace(lambda *_: 1 / 0)
sys.setrecursionlimit(80)
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
"""
    box.run(code)
    assert box.printed("import time; time.sleep(0.2); print(int('3'), len([1]))") == "3 1\n"
    assert box.run("while True: pass", timeout=0.5).state_lost is None


def test_no_secret_of_the_protocol_is_in_the_worker(box: Box) -> None:
    code = """
import gc
execution_ids = [each for each in gc.get_objects() if isinstance(each, dict) and 'execution' in each]
modules = [name for name in __import__('sys').modules if name.startswith('sandbox')]
print(len(execution_ids), modules)
"""
    assert box.printed(code) == "0 []\n"


def test_the_environment_holds_nothing_of_the_host(box: Box) -> None:
    names = box.printed("import os; print(*sorted(os.environ))").split()
    assert "OPENAI_API_KEY" not in names
    assert {"HOME", "LANG", "PATH", "MPLBACKEND"} < set(names)


def test_workers_do_not_share_random_numbers(box: Box) -> None:
    code = "import random, numpy as np; (random.random(), float(np.random.rand()))"
    first = box.run(code).value
    box.connection.restart()
    assert box.run(code).value != first


def test_joblib_and_multiprocessing_work_over_two_cells(box: Box) -> None:
    box.run("import multiprocessing\ndef double(x):\n    return 2 * x\npool = multiprocessing.Pool(2)")
    assert box.run("pool.map(double, range(3))").value == "[0, 2, 4]"
    assert box.run("pool.map(double, range(3))").value == "[0, 2, 4]"
    box.run("from joblib import Parallel, delayed\nimport sys")
    code = "print(Parallel(n_jobs=2)(delayed(double)(i) for i in range(3)))"
    for _ in range(2):
        assert box.run(code).stdout == "[0, 2, 4]\n"


def test_a_long_cell_arrives_whole(box: Box) -> None:
    code = "s = " + repr("x$\\'\"é" * 60_000) + "\nprint(len(s))"
    assert len(code.encode()) > 300_000
    assert box.printed(code) == f"{6 * 60_000}\n"


def test_a_warning_is_not_an_error(box: Box) -> None:
    result = box.run("import warnings; warnings.warn('old', FutureWarning)\nprint('42')")
    assert result.ok
    assert result.stdout == "42\n"
    assert "FutureWarning: old" in result.stderr


def test_pandas_prints_every_column(box: Box) -> None:
    code = "import pandas as pd; print(pd.DataFrame([range(24)], columns=[f'field_{i:02d}' for i in range(24)]))"
    assert all(f"field_{i:02d}" in box.printed(code) for i in range(24))


def test_errors_with_odd_characters_are_told(box: Box) -> None:
    assert (box.run("raise ValueError('a\\ud800\\0b')").error or "").endswith("ValueError: a?b")


def test_own_modules_can_be_imported_but_hide_no_library(box: Box) -> None:
    box.run("open('helper.py', 'w').write('answer = 42'); open('json.py', 'w').write('broken')")
    assert box.run("import helper, json, csv; helper.answer").value == "42"
    assert box.printed("import subprocess, sys; print(sys.argv)") == "['']\n"


def test_a_full_disk_is_an_error_with_a_hint(box: Box) -> None:
    error = box.run("raise OSError(28, 'No space left on device')").error or ""
    assert "Delete files there that are not needed." in error


def test_notebook_magics_change_nothing(box: Box) -> None:
    result = box.run("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert (result.error, result.stdout, len(result.charts)) == (None, "", 1)
