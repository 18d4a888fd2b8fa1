"""Moves its own process into control groups, then becomes another program: ``enter_group.py FILE ... -- COMMAND ...``.

Before that program starts, so that none of its children can be left outside.
"""

import os
import sys


def main(arguments: list[str]) -> None:
    """Write our number into each file, then execute the command."""
    end = arguments.index("--")
    for path in arguments[:end]:
        with open(path, "w") as file:  # noqa: PTH123 - pathlib would take longer to import than all this takes
            file.write(str(os.getpid()))
    command = arguments[end + 1 :]
    os.execvp(command[0], command)  # noqa: S606 - there is no shell here


if __name__ == "__main__":
    main(sys.argv[1:])
