"""What a cell takes of processor and memory is counted by the kernel, each cell by itself, with the real supervisor."""

import sys

import pytest

from tests.inside_fixtures import Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the inside of the sandbox runs on Linux only")

SPIN = "import time\nwhile time.process_time() - began < 0.3: pass"
MB = 1 << 20


def test_processor_time_is_that_of_the_cell_alone(box: Box) -> None:
    spun = box.run(f"import time\nbegan = time.process_time()\n{SPIN}")
    slept = box.run("time.sleep(0.3)")
    assert 0.25 <= (spun.usage.cpu_s or 0) <= spun.duration_s + 0.1
    assert slept.usage.cpu_s is not None
    assert slept.usage.cpu_s < (spun.usage.cpu_s or 0)


def test_the_processes_that_code_starts_count_too(box: Box) -> None:
    spin = f"import time; began = 0\n{SPIN}"
    result = box.run(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {spin!r}], check=True)")
    assert (result.error, (result.usage.cpu_s or 0) >= 0.25) == (None, True)


def test_the_peak_of_memory_is_that_of_the_cell_alone(box: Box) -> None:
    before = box.run("1").usage.peak_bytes or 0
    large = box.run("len(bytearray(300 << 20))").usage.peak_bytes or 0
    after = box.run("1").usage.peak_bytes or 0
    assert before + 290 * MB < large < before + 400 * MB
    assert after < before + 50 * MB


def test_a_worker_that_ended_has_its_peak_and_its_time(start_box: StartBox) -> None:
    own = start_box()
    result = own.run(f"import os, time\nbegan = time.process_time()\nx = bytearray(300 << 20)\n{SPIN}\nos._exit(3)")
    assert (result.usage.peak_bytes or 0) > 300 * MB
    assert (result.usage.cpu_s or 0) >= 0.25
    assert (own.run("1").usage.peak_bytes or 0) < 300 * MB


def test_bytes_are_counted_both_ways(box: Box) -> None:
    code = f"print('x' * 50_000)  # {'y' * 1000}"
    usage = box.run(code).usage
    assert len(code) < usage.bytes_in < len(code) + 500
    assert 50_000 < usage.bytes_out < 51_000
    assert box.run("1").usage.bytes_out < 1000


def test_the_limit_that_was_hit_is_named(box: Box) -> None:
    assert box.run("1").usage.limits_hit == ()
    assert box.run("import time; time.sleep(100)", timeout=0.2).usage.limits_hit == ("seconds",)
    assert box.run("print('x' * 500_000)").usage.limits_hit == ("output_chars",)
