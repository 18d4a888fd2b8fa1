"""Process 1 of the sandbox: the only one that the host talks to. It never runs code of the user's.

Started as ``python -I -B supervisor.py SETTINGS``; it starts itself once more, as ``worker``, for the warm Python.
Where no engine has locked it up it is started as ``confined``, locks itself up and becomes ``supervisor.py SETTINGS``.
"""

import json
import os
import signal
import sys
import types
from pathlib import Path

SUPERVISOR_LINK = 3


def _name_this_folder() -> None:
    """Let these files import each other as ``sandbox.inside``, wherever they have been copied to."""
    for name, path in (("sandbox", []), ("sandbox.inside", [str(Path(__file__).parent)])):
        package = types.ModuleType(name)
        package.__path__ = path
        sys.modules[name] = package


def supervise(settings_text: str) -> None:
    """Serve the host on stdin and stdout until it closes stdin."""
    from sandbox.inside.box_settings import read_settings
    from sandbox.inside.processes import adopt_orphans, limit_processes, set_dumpable
    from sandbox.inside.session import Session

    set_dumpable(False)
    # Python's own handler would let code in the sandbox end process 1 by a signal; the kernel's default does not.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    adopt_orphans()
    settings = read_settings(settings_text)
    limit_processes(settings.process_limits)
    Session(settings, settings_text).run()


def work(settings_text: str, address: str) -> None:
    """Be the zygote: import the libraries, then fork workers."""
    from sandbox.inside.link import Link
    from sandbox.inside.processes import set_dumpable

    set_dumpable(False)
    supervisor = Link.from_file(SUPERVISOR_LINK)
    supervisor.send({"type": "sealed"})
    from sandbox.inside.worker import be_zygote

    be_zygote(settings_text, address, supervisor)


def confined(confinement_text: str, settings_text: str) -> None:
    """Lock this process up, then be the supervisor; without rights from its first instruction on."""
    from sandbox.inside.confinement import confine

    confine(json.loads(confinement_text))
    os.execv(sys.executable, [sys.executable, "-I", "-B", __file__, settings_text])  # noqa: S606 - there is no shell here


if __name__ == "__main__":
    _name_this_folder()
    if sys.argv[1] == "worker":
        work(*sys.argv[2:])
    elif sys.argv[1] == "confined":
        confined(*sys.argv[2:])
    else:
        supervise(sys.argv[1])
