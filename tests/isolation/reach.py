"""What code can reach: rights, kernel, devices, network, files and facts of the host."""

from sandbox.inside.box_settings import read_settings
from sandbox.inside.environment import environment
from sandbox.protocol import box_settings
from tests.isolation.backends import CANARY, LIMITS, ROOT
from tests.isolation.properties import Property, says

_TRY = """
import errno, os
def tried(attempt):
    try: return attempt()
    except (OSError, ValueError, RuntimeError) as error: return errno.errorcode.get(getattr(error, 'errno', 0), 'ERROR')
"""
_CALLS = """
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
x86, arm = CALLS
numbers = x86 if platform.machine() == 'x86_64' else arm
reached = []
for name, arguments in numbers.items():
    ctypes.set_errno(0)
    result = libc.syscall(*arguments)
    if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        reached.append((name, result, ctypes.get_errno()))
print(reached)
"""
_X86 = {
    "unshare user": (272, 0x10000000),
    "unshare mount": (272, 0x00020000),
    "setns": (308, -1, 0),
    "mount": (165, 0, 0, 0, 0, 0),
    "fsopen": (430, 0, 0),
    "move_mount": (429, -1, 0, -1, 0, 0),
    "pivot_root": (155, 0, 0),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "keyctl": (250, 0, 0),
    "add_key": (248, 0, 0, 0, 0, 0),
    "userfaultfd": (323, 0),
    "io_uring_setup": (425, 0, 0),
    "init_module": (175, 0, 0, 0),
    "kexec_load": (246, 0, 0, 0, 0),
    "open_by_handle_at": (304, -1, 0, 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "pidfd_getfd": (438, -1, 0, 0),
    "ptrace": (101, 16, 1, 0, 0),
    "reboot": (169, 0, 0, 0, 0),
    "settimeofday": (164, 0, 0),
    "swapon": (167, 0, 0),
    "acct": (163, 0),
    "syslog": (103, 3, 0, 0),
    "personality": (135, 0x40000),
    "the other numbering of calls": (0x40000000 | 39,),
}
_ARM_NUMBERS = {
    "unshare user": 97,
    "mount": 40,
    "bpf": 280,
    "ptrace": 117,
    "io_uring_setup": 425,
    "keyctl": 219,
    "reboot": 142,
    "setns": 268,
}
_ARM = {name: (number, *_X86[name][1:]) for name, number in _ARM_NUMBERS.items()}
# getpid as a 32-bit program calls it: push rbx; mov eax, 20; int 0x80; pop rbx; ret.
_OLD_CALL = """
import ctypes, errno, mmap, os, platform
if platform.machine() == 'x86_64' and os.fork() == 0:
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex('53 b814000000 cd80 5b c3'))
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    os._exit(0 if call() == -errno.ENOSYS else 1)
status = os.wait()[1] if platform.machine() == 'x86_64' else 0
print('refused' if os.WIFSIGNALED(status) or status == 0 else 'served')
"""
_ENVIRONMENT = sorted(environment(read_settings(box_settings(LIMITS))))
_SWEEP = f"""
import glob, subprocess
paths = [path for path in glob.glob('/*') + glob.glob('/.*') if path not in ('/proc', '/sys', '/dev', '/usr')]
paths += ['/dev/shm', *glob.glob('/proc/[0-9]*/environ'), *glob.glob('/proc/[0-9]*/cmdline')]
searching = ['grep', '-rlsF', '--exclude-dir=site-packages', '-f', '-', *paths]
found = subprocess.run(searching, input={CANARY[:4]!r} + {CANARY[4:]!r}, capture_output=True, text=True)
print(found.stdout or 'nothing')
"""

REACH = (
    Property(
        "no capabilities, no new privileges, a filter of system calls",
        "lines = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print({lines[n].strip() for n in lines if n[:3] == 'Cap'}, lines.get('NoNewPrivs', '?').strip(), "
        "lines['Seccomp'].strip())",
        says("{'0000000000000000'} 1 2"),
        gaps={"runsc": "gVisor does not tell whether privileges can be gained; it runs no set-id program as another"},
    ),
    Property(
        "an unprivileged user, also for every other process",
        "import os\nprint(os.getuid() >= 10_000, os.getgid() >= 10_000, 0 in os.getgroups(), "
        "[p for p in os.listdir('/proc') if p.isdigit() and os.path.exists(f'/proc/{p}/status') "
        "and '\\nUid:\\t0\\t' in open(f'/proc/{p}/status').read()])",
        says("True True False []"),
    ),
    Property(
        "nothing can be written but the session's own folders",
        _TRY
        + """
folders = {line.split()[4] for line in open('/proc/self/mountinfo')} | set('/ /etc /usr /root /data /dev'.split())
folders |= {'/opt/venv', '/opt/sandbox', '/run', '/proc', '/sys'}
def write(folder):
    with open(os.path.join(folder, 'probe'), 'w'): pass
    os.remove(os.path.join(folder, 'probe'))
    return True
can = {folder for folder in folders if os.path.isdir(folder) and tried(lambda: write(folder)) is True}
print(sorted(can - {'/dev/mqueue', '/tmp/mpl'}))
""",
        says("['/dev/shm', '/outputs', '/tmp']"),
    ),
    Property(
        "no program gives its user more rights",
        """
import os, subprocess
def counts(folder):
    flags = os.statvfs(folder).f_flag
    return not flags & os.ST_NOSUID
found = subprocess.run(['find', '/', '-xdev', '-perm', '/6000', '-type', 'f'], capture_output=True, text=True).stdout
print([path for path in found.split() if counts(path)])
if os.path.exists('/bin/su'):
    print(subprocess.run(['su', '-c', 'id -u'], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout)
""",
        lambda text: text.split() == ["[]"],
    ),
    Property(
        "no network",
        _TRY
        + """
import socket
print(sorted(os.listdir('/sys/class/net')) if os.path.exists('/sys/class/net') else ['lo'])
for address in ('1.1.1.1', 53), ('172.17.0.1', 2375), ('169.254.169.254', 80), ('192.168.65.7', 2375):
    print(tried(lambda: socket.create_connection(address, 3)))
for name in 'example.com', 'host.docker.internal':
    print(tried(lambda: socket.getaddrinfo(name, 80)))
""",
        lambda text: (
            text.splitlines()[0] == "['lo']" and set(text.splitlines()[1:]) <= {"ENETUNREACH", "EHOSTUNREACH", "ERROR"}
        ),
    ),
    Property(
        "no raw and no packet sockets",
        _TRY + "import socket\nprint(tried(lambda: socket.socket(2, 3, 1)), tried(lambda: socket.socket(17, 3)))",
        says("EPERM EPERM"),
    ),
    Property(
        "no dangerous call reaches the kernel",
        _CALLS.replace("CALLS", f"{_X86!r}, {_ARM!r}"),
        says("[]"),
    ),
    Property(
        "no call of the 32-bit kind reaches the kernel",
        _OLD_CALL,
        says("refused"),
        gaps={"runsc": "gVisor answers it as one of its own calls; it does not reach the kernel of the host"},
    ),
    Property(
        "no devices but the harmless ones, and none can be made",
        _TRY
        + """
known = 'console core fd full mqueue null ptmx pts random shm stderr stdin stdout tty urandom zero'.split()
print(sorted(set(os.listdir('/dev')) - set(known)), tried(lambda: os.mknod('/tmp/b', 0o60600, os.makedev(8, 0))))
""",
        says("[] EPERM"),
        gaps={"runsc": "gVisor lists /dev/net and /dev/fuse of its own kernel; neither leads out"},
    ),
    Property(
        "the kernel's own files are hidden",
        _TRY
        + """
paths = ['/proc/' + n for n in 'kcore keys timer_list latency_stats kmsg sched_debug acpi scsi'.split()]
paths += ['/sys/firmware', '/sys/devices/virtual/powercap']
def content(path): return os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(10)
print([path for path in paths if not isinstance(tried(lambda: content(path)), str) and tried(lambda: content(path))])
""",
        says("[]"),
    ),
    Property(
        "nothing of the kernel can be tuned",
        _TRY
        + """
import glob
paths = '/proc/sys/kernel/core_pattern /proc/sys/vm/overcommit_memory /proc/sysrq-trigger /sys/kernel/uevent_helper'
paths = paths.split() + glob.glob('/sys/fs/cgroup/**/*.max', recursive=True)[:20]
paths += glob.glob('/sys/fs/cgroup/**/cgroup.procs', recursive=True)[:20] + glob.glob('/run/*')
print([path for path in paths if not isinstance(tried(lambda: open(path, 'w')), str)])
""",
        says("[]"),
    ),
    Property(
        "no socket of the host",
        "import subprocess\nprint(subprocess.run(['find', '/', '-xdev', '-type', 's'], capture_output=True, "
        "text=True).stdout.split())",
        says("[]"),
    ),
    Property(
        "facts of the host stay out of sight",
        """
import re
print(bool(re.search('[0-9a-f]{64}|docker|libpod', open('/proc/self/cgroup').read())), open('/etc/hostname').read()
      if __import__('os').path.exists('/etc/hostname') else 'sandbox')
""",
        lambda text: text.split() == ["False", "sandbox"],
        gaps={"podman": "with version 1 of the control groups Podman shows the container's number"},
    ),
    Property(
        "where this program lies on the host is not told",
        f"print({str(ROOT)!r} in open('/proc/self/mountinfo').read())",
        says("False"),
        gaps={"bubblewrap": "the list of mounts names the folders of this machine that are shown inside"},
    ),
    Property(
        "the environment is the fixed list",
        "import os\nprint(sorted(os.environ))",
        says(f"{_ENVIRONMENT!r}"),
    ),
    Property("no key of the host in any file, process or environment", _SWEEP, says("nothing"), timeout=120),
    Property(
        "only processes of the session are seen",
        "import os\nprint({open(f'/proc/{p}/cmdline').read().split(chr(0))[0] for p in os.listdir('/proc') "
        "if p.isdigit()} - {''})",
        says("{'/opt/venv/bin/python'}"),
    ),
    Property(
        "queues and shared memory are the session's own",
        _TRY
        + """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(len(open('/proc/sysvipc/shm').readlines()) if os.path.exists('/proc/sysvipc/shm') else 1, os.listdir('/dev/shm'))
""",
        says("1 []"),
    ),
    Property(
        "the limits of a process cannot be raised",
        _TRY
        + """
import resource
names = 'NOFILE FSIZE CORE MEMLOCK MSGQUEUE'.split()
def raised(name):
    _, most = resource.getrlimit(getattr(resource, 'RLIMIT_' + name))
    resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (most, most + 1))
    return name
print([tried(lambda: raised(name)) for name in names], resource.getrlimit(resource.RLIMIT_CORE))
""",
        says("['ERROR', 'ERROR', 'ERROR', 'ERROR', 'ERROR'] (0, 0)"),
    ),
    Property(
        "when memory runs out the code is ended before the supervisor",
        "own, first = (int(open(f'/proc/{p}/oom_score_adj').read()) for p in ('self', 1))\nprint(own > first)",
        says("True"),
    ),
)
