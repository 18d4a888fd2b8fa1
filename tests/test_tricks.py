"""What code can print and try: none of it reaches more than its own cell."""

import platform
import time

import pytest

from sandbox.inside import seccomp
from sandbox.inside.frames import encode
from sandbox.sandbox import OutputText
from tests.inside_fixtures import LIMITS, Box, StartBox, box, no_box_is_left, start_box

__all__ = ["box", "no_box_is_left", "start_box"]

FORGED = encode({"type": "done", "execution": "x", "outcome": "ok"}, b"forged")
# A frame as Docker's own stream multiplexer writes it.
DOCKER_FRAME = b"\x01\0\0\0\0\0\0\x05EVIL!"


@pytest.mark.parametrize("forged", [FORGED, DOCKER_FRAME], ids=["ours", "docker"])
def test_forged_frames_are_only_text(box: Box, forged: bytes) -> None:
    result = box.run(f"import os\nfor fd in (1, 2): os.write(fd, {forged!r})\nprint('end')")
    assert result.ok
    assert result.stdout.endswith("end\n")
    assert box.printed("print(1)") == "1\n"


def test_no_descriptor_leads_out(box: Box) -> None:
    code = f"""
import os
reached = []
for fd in range(3, 256):
    try: reached.append(os.write(fd, {FORGED!r}))
    except OSError: pass
print(reached)
"""
    assert box.printed(code) == "[]\n"


def test_the_supervisor_and_the_zygote_cannot_be_looked_into(box: Box) -> None:
    code = """
import os
parent = os.getppid()
siblings = map(int, open(f"/proc/{parent}/task/{parent}/children").read().split())
others = [parent, *(pid for pid in siblings if pid != os.getpid())]
for pid in others:
    for name, flags in (("fd/1", os.O_WRONLY), ("fd/0", os.O_RDONLY), ("mem", os.O_RDWR), ("environ", os.O_RDONLY)):
        try:
            os.close(os.open(f"/proc/{pid}/{name}", flags))
            print(pid, name)
        except PermissionError:
            pass
"""
    assert box.printed(code) == ""


def test_reports_are_taken_from_the_worker_alone(box: Box) -> None:
    """A child of the worker finds the supervisor's socket, but is not listened to."""
    code = """
import os, socket, struct, json
names = [line.split()[-1] for line in open('/proc/net/unix') if '@sandbox-' in line]
if os.fork() == 0:
    for name in names:
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(5)
        s.connect('\\0' + name[1:])
        head = json.dumps({'type': 'done', 'outcome': 'ok'}).encode()
        try: s.sendall(struct.pack('>II', len(head), 0) + head); s.recv(1)
        except OSError: pass
    os._exit(0)
os.wait()
print('to the end')
"""
    assert box.printed(code) == "to the end\n"


def test_a_worker_that_reports_nonsense_harms_only_itself(box: Box) -> None:
    code = """
import os, socket
for line in open('/proc/net/unix'):
    if '@sandbox-' in line:
        s = socket.socket(socket.AF_UNIX)
        s.connect('\\0' + line.split()[-1][1:])
        s.sendall(b'\\xff' * 100_000)
"""
    box.run(code, timeout=2)
    assert box.printed("print(1)") == "1\n"


@pytest.mark.parametrize("number", [1, 99])
def test_code_that_says_it_is_done_and_goes_on_does_not_pass_for_the_next_cell(
    start_box: StartBox, number: int
) -> None:
    forged = b"\0" + encode({"type": "done", "outcome": "ok", "cell": number})
    code = f"""
import socket, time
for line in open('/proc/net/unix'):
    if '@sandbox-' in line:
        s = socket.socket(socket.AF_UNIX)
        s.connect('\\0' + line.split()[-1][1:])
        s.sendall({forged!r})
        s.close()
time.sleep(60)
"""
    box = start_box()
    forging, following = box.run(code), box.run("print('next')")
    assert following.stdout == "next\n"
    told = forging if number != 1 else following
    assert ("crashed" if number != 1 else "had ended before this code ran") in str(told.notices[0])


def test_a_flood_is_cut_in_the_middle(box: Box) -> None:
    started = time.monotonic()
    result = box.run("import itertools\nfor i in itertools.count(): print('A' * 1000, i)", timeout=1)
    assert result.timed_out
    assert len(result.stdout) < LIMITS.output_chars + 100
    assert "characters left out" in result.stdout
    assert result.stdout.startswith("A" * 1000 + " 0\n")
    assert "the middle of it was left out" in " ".join(map(str, result.notices))
    assert time.monotonic() - started < 30


def test_a_long_line_without_end_is_cut(box: Box) -> None:
    result = box.run("import sys\nfor _ in range(200): sys.stdout.write('A' * 1_000_000)\nprint('the end')")
    assert result.error is None
    assert len(result.stdout) < LIMITS.output_chars + 100
    assert result.stdout.endswith("Athe end\n")


def test_text_that_just_fits_is_whole(box: Box) -> None:
    assert box.printed(f"print('é' * {LIMITS.output_chars - 1})") == "é" * (LIMITS.output_chars - 1) + "\n"
    assert len(box.printed("print('中' * 90_000)")) == 90_001


def test_a_cut_never_leaves_half_a_character(box: Box) -> None:
    result = box.run("print('é' * 1_000_000, end='')")
    assert "\ufffd" not in result.stdout
    assert result.stdout.startswith("é") and result.stdout.endswith("é")


def test_a_progress_bar_is_its_last_state(box: Box) -> None:
    assert box.printed("for i in range(20000): print(f'{i}/20000', end='\\r')\nprint('ok')") == "ok\n"
    assert box.printed("import sys\nfor i in range(9): sys.stdout.write(f'\\r{i} of 9')") == "8 of 9"


def test_control_characters_do_not_reach_the_result(box: Box) -> None:
    assert box.printed("print('\\x1b]0;x\\x07\\x1b[2J\\x1b[31mred\\x1b[0m\\0\\x08!')") == "red!\n"
    assert box.printed("import sys; sys.stdout.buffer.write(b'abc\\xfe\\x00def\\n')") == "abc\ufffddef\n"


def test_characters_may_come_in_pieces(box: Box) -> None:
    code = "import os, time\nfor b in 'é中'.encode(): os.write(1, bytes([b])); time.sleep(0.01)"
    events = box.events(code)
    assert "".join(each.text for each in events if isinstance(each, OutputText)) == "é中"


def test_no_dangerous_call_reaches_the_kernel(box: Box) -> None:
    """With null arguments: any other error than these would show that the kernel had looked at them."""
    code = f"""
import ctypes, errno, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def reached(number, *arguments):
    ctypes.set_errno(0)
    if libc.syscall(number, *arguments, 0, 0, 0, 0, 0) >= 0: return True
    return ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS)
print([number for number in {denied_calls()!r} if reached(number)])
print(reached({clone_call()}, 0x10000000), reached({clone_call()} | 0x40000000))
for family in (16, 17, 40):
    try: socket.socket(family, socket.SOCK_RAW)
    except PermissionError: print('refused')
socket.socket().close(), socket.socketpair()[0].close()
"""
    assert box.printed(code) == "[]\nFalse False\nrefused\nrefused\nrefused\n"


def denied_calls() -> list[int]:
    column = 0 if platform.machine() == "x86_64" else 1
    return [number for numbers in seccomp._DENIED.values() if (number := numbers[column]) is not None]


def clone_call() -> int:
    return seccomp._ARCHITECTURES[platform.machine()][2][0]
