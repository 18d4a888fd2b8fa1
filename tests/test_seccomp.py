"""The filter of system calls on both architectures: its numbers are the kernel's, and it says what it should."""

import errno
import re
from pathlib import Path

import pytest

from sandbox.inside import seccomp

# As include/uapi/asm-generic/unistd.h and arch/x86/entry/syscalls/syscall_64.tbl of Linux have them: x86-64, aarch64.
TABLE = """
acct 163 89; add_key 248 217; adjtimex 159 171; bpf 321 280; chroot 161 51; clock_adjtime 305 266;
clock_settime 227 112; delete_module 176 106; fanotify_init 300 262; finit_module 313 273; fsconfig 431 431;
fsmount 432 432; fsopen 430 430; fspick 433 433; init_module 175 105; io_uring_enter 426 426;
io_uring_register 427 427; io_uring_setup 425 425; ioperm 173 -; iopl 172 -; kcmp 312 272;
kexec_file_load 320 294; kexec_load 246 104; keyctl 250 219; lookup_dcookie 212 18; migrate_pages 256 238;
modify_ldt 154 -; mount 165 40; mount_setattr 442 442; move_mount 429 429; move_pages 279 239;
name_to_handle_at 303 264; open_by_handle_at 304 265; open_tree 428 428; open_tree_attr 467 467;
perf_event_open 298 241; pidfd_getfd 438 438; pivot_root 155 41; process_madvise 440 440;
process_vm_readv 310 270; process_vm_writev 311 271; ptrace 101 117; quotactl 179 60; quotactl_fd 443 443;
reboot 169 142; request_key 249 218; setdomainname 171 162; sethostname 170 161; setns 308 268;
settimeofday 164 170; swapoff 168 225; swapon 167 224; syslog 103 116; umount2 166 39; unshare 272 97;
userfaultfd 323 282; vhangup 153 58
"""
NUMBERS = {
    name: (None if x86 == "-" else int(x86), None if arm == "-" else int(arm))
    for name, x86, arm in re.findall(r"(\w+) (\d+|-) (\d+|-)", TABLE)
}
ALLOWED = {
    "x86_64": {"read": 0, "mmap": 9, "getpid": 39, "execve": 59, "kill": 62, "futex": 202, "openat": 257},
    "aarch64": {"read": 63, "mmap": 222, "getpid": 172, "execve": 221, "kill": 129, "futex": 98, "openat": 56},
}
WITH_ARGUMENT = {
    "x86_64": {"clone": 56, "clone3": 435, "socket": 41, "personality": 135},
    "aarch64": {"clone": 220, "clone3": 435, "socket": 198, "personality": 92},
}
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}
EPERM, ENOSYS, ALLOW = (0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x7FFF0000)


def verdict(machine: str, number: int, argument: int = 0, architecture: int | None = None) -> int:
    """What the filter says of a call, as the kernel would run it."""
    words = {0: number, 4: architecture or MACHINES[machine], 16: argument}
    program, position, value = seccomp.filter_program(machine), 0, 0
    while True:
        operation, if_true, if_false, operand = program[position]
        position += 1
        if operation == seccomp._RETURN:
            return operand
        if operation == seccomp._LOAD:
            value = words[operand]
            continue
        holds = {
            seccomp._IF_EQUAL: value == operand,
            seccomp._IF_AT_LEAST: value >= operand,
            seccomp._IF_ANY_BIT: bool(value & operand),
        }[operation]
        position += if_true if holds else if_false


def test_every_number_is_the_kernels() -> None:
    assert seccomp._DENIED == NUMBERS


@pytest.mark.parametrize("machine", MACHINES)
def test_the_kernels_headers_say_the_same_where_they_are_installed(machine: str) -> None:
    header = Path(HEADERS[machine])
    if not header.exists():
        pytest.skip(f"no {header}: install linux-libc-dev for {machine}")
    found = dict(re.findall(r"#define\s+__NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    column = list(MACHINES).index(machine)
    ours = {name: numbers[column] for name, numbers in NUMBERS.items()} | WITH_ARGUMENT[machine] | ALLOWED[machine]
    assert {name: int(found[name]) for name in ours if name in found} == {
        name: number for name, number in ours.items() if name in found
    }
    assert set(ours) - set(found) <= {"open_tree_attr", "lookup_dcookie", "ioperm", "iopl", "modify_ldt"}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_denies_what_is_listed_and_nothing_that_all_programs_need(machine: str) -> None:
    column = list(MACHINES).index(machine)
    denied = [number for numbers in NUMBERS.values() if (number := numbers[column]) is not None]
    assert {verdict(machine, number) for number in denied} == {EPERM}
    assert {verdict(machine, number) for number in ALLOWED[machine].values()} == {ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
def test_some_calls_are_denied_by_their_first_argument(machine: str) -> None:
    numbers = WITH_ARGUMENT[machine]
    new_user, new_thread = 0x10000000, 0x003D0F00
    assert [verdict(machine, numbers["clone"], flags) for flags in (new_user, new_thread)] == [EPERM, ALLOW]
    families = [verdict(machine, numbers["socket"], family) for family in (1, 2, 10, 16, 17, 40)]
    assert families == [ALLOW, ALLOW, ALLOW, EPERM, EPERM, EPERM]
    assert [verdict(machine, numbers["personality"], value) for value in (0, 0xFFFFFFFF, 0x40000)] == [
        ALLOW,
        ALLOW,
        EPERM,
    ]
    # Its argument lies in memory, so libraries are sent back to clone.
    assert verdict(machine, numbers["clone3"]) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_kind_are_not_there(machine: str) -> None:
    assert verdict(machine, 0x40000000 | 39) == ENOSYS
    (other,) = set(MACHINES.values()) - {MACHINES[machine]}
    i386, arm = 0x40000003, 0x40000028
    assert {verdict(machine, 20, architecture=each) for each in (other, i386, arm)} == {ENOSYS}
