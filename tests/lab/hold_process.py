"""Runs on the NAS: stops the next process whose words match a pattern, and ends.

    python3 hold_process.py 'zfs create'

Only processes younger than this one are checked, so that even a quick one is caught.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path


def hold(pattern: str) -> None:
    """Returns when one was stopped."""
    own = os.getpid()
    while True:
        for pid in (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit()):
            if pid > own and re.match(pattern, _words(pid)):
                os.kill(pid, signal.SIGSTOP)
                return


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:  # it has ended
        return ""


if __name__ == "__main__":
    hold(sys.argv[1])
