"""The filter of system calls that a worker puts on before it runs code; engines have one too, but each another."""

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable, Iterator

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_RET_ALLOW = 0x7FFF0000
_RET_ERRNO = 0x00050000
# Classic BPF: load a word of the call's data, compare it, return a verdict.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32_CALLS = 0x40000000
_NEW_NAMESPACES = 0x7E020000
_FAMILIES = (1, 2, 10)
"""Unix and internet sockets; a container without network has no use for more."""
_PERSONALITIES = (0, 0xFFFFFFFF)

# Number on x86-64, number on aarch64; None where there is no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}
# Audit number of the architecture; the calls that depend on their first argument: clone, clone3, socket, personality.
_ARCHITECTURES = {
    "x86_64": (0xC000003E, 0, (56, 435, 41, 135)),
    "aarch64": (0xC00000B7, 1, (220, 435, 198, 92)),
}

Instruction = tuple[int, int, int, int]


def forbid_dangerous_calls() -> None:
    """Deny this process and all that come of it the calls that no analysis needs; elsewhere than on x86-64 and
    aarch64 nothing happens.

    Raises ``OSError`` when the kernel does not take the filter.
    """
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return
    program = b"".join(struct.pack("HBBI", *instruction) for instruction in filter_program(machine))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def filter_program(machine: str) -> list[Instruction]:
    """The filter as instructions: operation, jump if true, jump if false, operand."""
    architecture, column, (clone, clone3, socket, personality) = _ARCHITECTURES[machine]
    denied = sorted(number for numbers in _DENIED.values() if (number := numbers[column]) is not None)
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, architecture),
        _refuse(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
        # The other numbering of the same machine would pass by all that follows.
        (_IF_AT_LEAST, 0, 1, _X32_CALLS),
        _refuse(errno.ENOSYS),
        # Its argument lies in memory, where it cannot be looked at; libraries fall back to clone.
        (_IF_EQUAL, 0, 1, clone3),
        _refuse(errno.ENOSYS),
        *(each for number in denied for each in ((_IF_EQUAL, 0, 1, number), _refuse(errno.EPERM))),
        *_only_with(clone, ((_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES), _refuse(errno.EPERM), _allow())),
        *_only_with(socket, _one_of(_FAMILIES)),
        *_only_with(personality, _one_of(_PERSONALITIES)),
        _allow(),
    ]


def _only_with(call: int, checks: Iterable[Instruction]) -> Iterator[Instruction]:
    """For one call: look at its first argument. The checks end with a verdict in every case."""
    checks = tuple(checks)
    yield (_IF_EQUAL, 0, len(checks) + 1, call)
    yield (_LOAD, 0, 0, _FIRST_ARGUMENT)
    yield from checks


def _one_of(values: Iterable[int]) -> Iterator[Instruction]:
    for value in values:
        yield (_IF_EQUAL, 0, 1, value)
        yield _allow()
    yield _refuse(errno.EPERM)


def _refuse(error: int) -> Instruction:
    return (_RETURN, 0, 0, _RET_ERRNO | error)


def _allow() -> Instruction:
    return (_RETURN, 0, 0, _RET_ALLOW)
