"""What holds whatever code does: its time, its end, its leftovers and its tricks, with the real supervisor."""

import os
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.connection import ConnectionLost
from sandbox.inside import processes
from sandbox.inside.session import REPORT_SECONDS
from sandbox.limits import Limits
from sandbox.sandbox import ExecutionResult, OutputText, StateLoss
from tests.inside_fixtures import LIMITS, Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]


SIBLINGS = """
import os
parent = os.getppid()
siblings = [int(pid) for pid in open(f'/proc/{parent}/task/{parent}/children').read().split()]
"""


def notices(result: ExecutionResult) -> str:
    return " ".join(map(str, result.notices))


def test_a_time_out_keeps_the_variables_where_python_can_stop(box: Box) -> None:
    result = box.run("kept = 1\nimport time\ntime.sleep(100)", timeout=0.5)
    assert (result.timed_out, result.state_lost) == (True, None)
    assert "time.sleep(100)" in (result.error or "")
    assert "stopped after 0.5 s. The variables are still there." in notices(result)
    assert box.run("kept").value == "1"


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "import os; os.system('sleep 100')",
        "import subprocess; subprocess.run(['sleep', '100'])",
        "import asyncio; await asyncio.sleep(100)",
        "import time\nasync def f(): time.sleep(100)\nawait f()",
        "import threading; threading.Event().wait()",
        "import multiprocessing, time\nwith multiprocessing.Pool(1) as pool: pool.map(time.sleep, [100])",
    ],
)
def test_whatever_waits_can_be_stopped(box: Box, code: str) -> None:
    box.run("kept = 1")
    result = box.run(code, timeout=0.3)
    assert (result.timed_out, result.state_lost) == (True, None)
    assert box.run("kept").value == "1"


@pytest.mark.parametrize(
    "code",
    [
        "import time\nwhile True:\n    try: time.sleep(100)\n    except KeyboardInterrupt: pass",
        "import signal, time\nfor n in signal.valid_signals() - {9, 19}: signal.signal(n, signal.SIG_IGN)\n"
        "while True: time.sleep(100)",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        "sum(range(10**12))",
    ],
)
def test_what_does_not_stop_is_killed_and_the_loss_is_told(box: Box, code: str) -> None:
    box.run("lost = 1")
    result = box.run(code, timeout=0.3)
    assert (result.timed_out, result.state_lost) == (True, StateLoss.TIMEOUT)
    assert "variables are gone" in notices(result)
    assert "name 'lost' is not defined" in (box.run("lost").error or "")


def test_no_process_is_left_after_a_time_out(box: Box) -> None:
    code = (
        "import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n        while True: time.sleep(1)\nwhile True:\n"
    )
    box.run(code + "    try: time.sleep(100)\n    except KeyboardInterrupt: pass", timeout=0.3)
    assert box.printed("print(1)") == "1\n"
    assert len(descendants(box.process.pid)) == 2


def test_a_fork_bomb_ends(box: Box) -> None:
    code = "import os, time\nfor _ in range(5): os.fork()\nwhile True:\n"
    result = box.run(code + "    if os.fork() == 0: time.sleep(0.02); os._exit(0)", timeout=0.5)
    assert result.timed_out
    assert box.printed("print(1)") == "1\n"


def descendants(pid: int) -> set[int]:
    """Processes below one, without those that have ended."""
    return {each for each in processes.descendants(pid) if processes._is_alive(each)}


def test_interrupt_keeps_the_variables(box: Box) -> None:
    result = run_and_interrupt(box, "kept = 2\nprint('on', flush=True)\nwhile True: pass", times=1)
    assert (result.interrupted, result.timed_out, result.state_lost) == (True, False, None)
    assert box.run("kept").value == "2"


def test_a_second_interrupt_kills(box: Box) -> None:
    code = "import time\nwhile True:\n    try: print('on'); time.sleep(100)\n    except KeyboardInterrupt: pass"
    result = run_and_interrupt(box, code, times=2)
    assert (result.interrupted, result.state_lost) == (True, StateLoss.INTERRUPT)
    assert box.printed("print(1)") == "1\n"


STOPPABLE = {
    "a loop": "while True: pass",
    "a wait": "import time; time.sleep(100)",
    "many calls of C": "import numpy as np\na = np.random.rand(300, 300)\nwhile True: a = np.linalg.qr(a)[0]",
    "a model": "from sklearn.ensemble import GradientBoostingRegressor as Model\nimport numpy as np\n"
    "x = np.random.rand(2000, 20)\nModel(n_estimators=100_000).fit(x, x[:, 0])",
    "a process": "import subprocess; subprocess.run(['sleep', '100'])",
    "a thread": "import threading, time\nt = threading.Thread(target=time.sleep, args=(100,), daemon=True)\n"
    "t.start()\nt.join()",
}
UNSTOPPABLE = {
    "it goes on": "while True:\n    try: time.sleep(100)\n    except KeyboardInterrupt: pass",
    "one call of C": "sum(range(10**12))",
    "one call of BLAS": "a @ a",
    "a thread in C": "t = threading.Thread(target=lambda: sum(range(10**12)))\nt.start(); t.join()",
    "it is halted": "os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("code", STOPPABLE.values(), ids=STOPPABLE)
def test_a_stop_keeps_the_variables_where_the_code_can_be_stopped(start_box: StartBox, code: str) -> None:
    box = start_box(Limits())
    box.run("kept = 2")
    result, _ = run_and_stop(box, code)
    assert (result.interrupted, result.state_lost) == (True, None)
    assert box.run("kept").value == "2"


@pytest.mark.parametrize("code", UNSTOPPABLE.values(), ids=UNSTOPPABLE)
def test_a_stop_soon_kills_what_cannot_be_stopped(start_box: StartBox, code: str) -> None:
    box = start_box(Limits())
    box.run("import os, signal, threading, time, numpy\na = numpy.random.rand(7000, 7000)")
    # However slow the machine, the stop does not come before the code has begun in earnest.
    result, seconds = run_and_stop(box, f"try: time.sleep(100)\nexcept KeyboardInterrupt: pass\n{code}")
    assert (result.interrupted, result.state_lost) == (True, StateLoss.INTERRUPT)
    assert seconds < 5, "two on a machine that has nothing else to do"
    assert "variables are gone" in notices(result)
    assert box.printed("print(1)") == "1\n"


def test_code_that_claims_to_be_over_wins_no_time_and_is_stopped(start_box: StartBox) -> None:
    box = start_box(Limits(seconds=1))
    call = """import os, socket, struct, time
addresses = [line.split()[-1][1:] for line in open('/proc/net/unix') if '@sandbox-' in line]
def call(address):
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(b"\\0" + address.encode())
        who = struct.pack('3i', os.getpid(), os.getuid(), os.getgid())
        caller.sendmsg([b"\\0"], [(socket.SOL_SOCKET, 2, who)])
        time.sleep(0.2)
"""
    box.run(call)
    begin = "for address in addresses: call(address)"
    events = box.connection.execute(f"{begin}\nprint('on', flush=True)\nwhile True: pass")
    next(events)
    box.connection.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    assert (result.interrupted, result.state_lost) == (True, StateLoss.INTERRUPT)
    box.run(call)
    endless = f"{begin}\nwhile True:\n    for address in addresses: call(address)"
    result = box.run(endless)
    assert (result.timed_out, result.state_lost) == (True, StateLoss.TIMEOUT)
    assert result.duration_s < 1 + REPORT_SECONDS + 2 * Limits().grace_seconds + 5
    assert box.printed("print(1)") == "1\n"


def run_and_stop(box: Box, code: str) -> tuple[ExecutionResult, float]:
    """The result, and the seconds from the stop to it."""
    events = box.connection.execute(f"print('on', flush=True)\n{code}")
    next(events)
    began = time.monotonic()
    box.connection.interrupt()
    *_, result = events
    assert isinstance(result, ExecutionResult)
    return result, time.monotonic() - began


def run_and_interrupt(box: Box, code: str, times: int) -> ExecutionResult:
    result = None
    for event in box.connection.execute(code):
        if isinstance(event, OutputText) and times:
            box.connection.interrupt()
            times -= 1
        elif isinstance(event, ExecutionResult):
            result = event
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("code", "loss", "words"),
    [
        ("import os; os._exit(3)", StateLoss.EXIT, "exit code 3"),
        ("import ctypes; ctypes.string_at(0)", StateLoss.CRASH, "signal 11, SIGSEGV"),
        ("import os; os.abort()", StateLoss.CRASH, "signal 6, SIGABRT"),
        ("import os; os.kill(os.getpid(), 9)", StateLoss.CRASH, "signal 9, SIGKILL"),
    ],
)
def test_every_end_of_the_process_is_told_apart(box: Box, code: str, loss: StateLoss, words: str) -> None:
    result = box.run("print('before', flush=True)\n" + code)
    assert result.state_lost is loss
    assert words in (result.error or "")
    assert result.stdout == "before\n"
    assert box.printed("print(1)") == "1\n"


def test_a_kill_for_want_of_memory_is_told_apart(start_box: StartBox, tmp_path: Path) -> None:
    events = tmp_path / "memory.events"
    events.write_text("low 0\noom 0\noom_kill 0\n")
    box = start_box(memory_events=str(events))
    count_up = f"open({str(events)!r}, 'w').write('oom 1\\noom_kill %d\\n')\n"
    result = box.run(count_up % 1 + "import os; os.kill(os.getpid(), 9)")
    assert result.state_lost is StateLoss.MEMORY
    assert "2048 MB" in notices(result)
    result = box.run(count_up % 2)
    assert (result.ok, result.state_lost) == (True, None)
    assert "A process of the code was ended" in notices(result)
    assert box.run("import os; os.kill(os.getpid(), 9)").state_lost is StateLoss.CRASH


def test_an_end_between_two_cells_is_told_with_the_next(box: Box) -> None:
    worker = int(box.run("import os; os.getpid()").value)
    os.kill(worker, signal.SIGKILL)
    while Path(f"/proc/{worker}").exists():
        os.sched_yield()
    result = box.run("1")
    assert (result.value, result.state_lost) == ("1", None)
    assert "had ended before this code ran" in notices(result)
    assert notices(box.run("1")) == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSTOP])
def test_the_variables_outlive_the_zygote(box: Box, number: int) -> None:
    box.run(SIBLINGS + f"for pid in siblings:\n    if pid != os.getpid(): os.kill(pid, {int(number)})")
    assert box.printed("print(parent > 1)") == "True\n"
    (box.data / "a.csv").write_text("a\n1\n")
    if number == signal.SIGSTOP:
        assert "took longer than 0.2 s" in str(box.connection.profile("a.csv", timeout=0.2).problem)
    assert box.connection.profile("a.csv").problem is None
    assert box.run("import os; os._exit(1)").state_lost is StateLoss.EXIT
    assert box.printed("print(1)") == "1\n"


def test_all_processes_may_be_killed(box: Box) -> None:
    result = box.run(SIBLINGS + "import signal\nfor pid in siblings:\n    os.kill(pid, signal.SIGKILL)")
    assert result.state_lost is StateLoss.CRASH
    assert box.printed("print(1)") == "1\n"


def test_a_process_left_behind_is_ended_with_its_cell(box: Box) -> None:
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.3)
        open('late.txt', 'w').write('late')
        print('late', flush=True)
    os._exit(0)
print(os.wait()[1])
"""
    assert box.printed(code) == "0\n"
    assert len(descendants(box.process.pid)) == 2
    result = box.run("import time; time.sleep(0.5)")
    assert (result.stdout, result.files) == ("", ())


def test_output_of_a_pool_of_an_earlier_cell_is_not_mixed_in(box: Box) -> None:
    box.run(
        "import multiprocessing, time\ndef say(x):\n    time.sleep(0.2); print('late', x, flush=True)\n"
        "pool = multiprocessing.Pool(2)\nlater = pool.map_async(say, range(4))"
    )
    result = box.run("later.wait(); print('now')")
    assert (result.stdout, result.stderr) == ("now\n", "")


def test_a_grandchild_that_holds_the_pipe_does_not_hold_the_cell(box: Box) -> None:
    assert box.printed("import subprocess; p = subprocess.Popen(['sleep', '100']); print('done')") == "done\n"
    assert box.printed("print(p.wait())") == "-9\n"


def test_ended_children_do_not_use_up_the_processes(box: Box) -> None:
    box.run("import os, time\nfor _ in range(30):\n    if os.fork() == 0: time.sleep(100)")
    assert box.printed("print(len(open(f'/proc/self/task/{os.getpid()}/children').read().split()))") == "0\n"


def test_restart_forgets_variables_and_files(box: Box) -> None:
    (box.data / "kept.csv").write_text("a\n1\n")
    box.run("x = 1\nimport os\nos.makedirs('a/b'); open('a/b/c.txt', 'w').write('c'); os.symlink('/etc', 'link')")
    box.connection.restart()
    assert list(box.outputs.iterdir()) == []
    assert "name 'x' is not defined" in (box.run("x").error or "")
    assert box.printed(f"print(open({str(box.data / 'kept.csv')!r}).read())") == "a\n1\n\n"
    (box.data / "kept.csv").unlink()


def test_everything_ends_with_the_host(start_box: StartBox) -> None:
    box = start_box()
    events = box.connection.execute("import os\nos.fork()\nprint('on', flush=True)\nwhile True: pass")
    next(events)
    started = descendants(box.process.pid)
    assert len(started) == 3
    box.connection.close()
    assert box.process.wait(10) == 0
    assert [pid for pid in started if processes._is_alive(pid)] == []


def test_python_that_does_not_start_is_told(start_box: StartBox) -> None:
    box = start_box(wait=False)
    os.kill(zygote_of(box.process.pid), signal.SIGKILL)
    with pytest.raises(ConnectionLost, match="Python does not start in the sandbox"):
        box.connection.wait_ready()
    assert box.process.wait(10) == 0


def test_a_worker_that_does_not_start_is_told(start_box: StartBox, tmp_path: Path) -> None:
    outputs = tmp_path / "outputs"
    outputs.mkdir(mode=0)
    box = start_box(wait=False)
    with pytest.raises(ConnectionLost, match="PermissionError"):
        box.connection.wait_ready()
    outputs.chmod(0o700)


def zygote_of(pid: int) -> int:
    while not (found := descendants(pid)):
        os.sched_yield()
    return found.pop()


def test_a_host_that_takes_nothing_does_not_stop_the_clock(start_box: StartBox) -> None:
    box = start_box(replace(LIMITS, output_chars=10_000_000))
    box.stream.flows.clear()
    code = "try:\n    while True: print('x' * 1000)\nexcept KeyboardInterrupt: open('stopped', 'w').close()"
    results: list[ExecutionResult] = []
    thread = threading.Thread(target=lambda: results.append(box.run(code, timeout=0.5)))
    thread.start()
    while not (box.outputs / "stopped").exists():
        assert thread.is_alive()
    box.stream.flows.set()
    thread.join()
    assert (results[0].timed_out, results[0].state_lost) == (True, None)


def test_many_cells_leave_nothing_open(box: Box) -> None:
    def open_files() -> int:
        return len(list(Path(f"/proc/{box.process.pid}/fd").iterdir()))

    box.run("x = 1")
    before = open_files()
    for number in range(30):
        box.run(f"print({number})")
    # The pipes of a cell are closed after its result, so the last may still be on their way.
    deadline = time.monotonic() + 20
    while open_files() > before:
        assert time.monotonic() < deadline


def test_children_are_found_on_kernels_that_keep_no_list() -> None:
    child = subprocess.Popen(["sleep", "100"])
    try:
        assert child.pid in processes.descendants(os.getpid())
        assert child.pid in processes._children_by_search(os.getpid())
    finally:
        child.kill()
        child.wait()
