"""SIGTERM ends the command that runs, or else the next one before it starts: nothing of ours is half done."""

from __future__ import annotations

import signal

from host.base import Host, Result
from host.commands.base import Command


class Stopped(Exception):
    """Someone asked this program to end."""


class Stop:
    """Whether someone did. It says so by `Stopped`, once, and lets what comes after that clean up."""

    def __init__(self) -> None:
        self._asked = self._waiting = False

    def listen(self) -> None:
        """From here on; before, SIGTERM ends the process, which has touched nothing."""
        signal.signal(signal.SIGTERM, self.ask)

    def ignore(self) -> None:
        """From here on nobody can. The commands that are started ignore SIGTERM, too: they inherit that."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def ask(self, *_: object) -> None:
        """Ask for the end. Raises `Stopped` where a command runs: `LocalHost` kills that."""
        first, self._asked = not self._asked, True
        if first and self._waiting:
            raise Stopped

    def check(self) -> None:
        """Raises `Stopped`."""
        if self._asked:
            raise Stopped

    def run(self, host: Host, command: Command) -> Result:
        """`command`, unless it is stopped. Raises `Stopped`, `HostError`."""
        self._waiting = True  # first: a signal right before the check would be found by nobody
        try:
            self.check()
            return host.run(command)
        finally:
            self._waiting = False
