"""Runs commands on this machine: the only module that starts a process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess

from host.base import CommandTimedOut, Result, check
from host.commands import Command

_ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "HOME": "/nonexistent",
}
_MOST_OUTPUT_BYTES = 256 << 20  # 100 000 snapshots are about 20 MB
_GRACE_S = 5.0


class LocalHost:
    """This machine. Needs root for most commands, and so lives inside the helper."""

    kind = "local"

    def run(self, command: Command) -> Result:
        """Run `command` without a shell, in a process group of its own, with an environment of ours.

        Raises `CommandTimedOut` after `command.timeout_s` (the whole group is killed) and `CommandFailed`.
        """
        argv = command.argv()
        try:
            process = subprocess.Popen(
                argv,
                env=_ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                umask=0o022,
            )
        except OSError as error:
            # As a shell would say it: the program is missing (127) or cannot be run (126).
            exit_status = 127 if isinstance(error, FileNotFoundError) else 126
            return check(command, Result(exit=exit_status, stderr=f"{argv[0]}: {error.strerror}"))
        try:
            stdout, stderr = process.communicate(timeout=command.timeout_s)
        except subprocess.TimeoutExpired:
            stdout, stderr = _kill(process)
            said = f"{_text(stderr)}\nstopped after {command.timeout_s:g} s"
            raise CommandTimedOut(command, Result(exit=-9, stdout=_text(stdout), stderr=said)) from None
        return check(command, Result(exit=process.returncode, stdout=_text(stdout), stderr=_text(stderr)))


def _kill(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_GRACE_S)
    return b"", b"it could not be killed: it waits in the kernel"


def _text(data: bytes) -> str:
    # Names may hold any byte; what is no UTF-8 stays visible and does no harm.
    return data[:_MOST_OUTPUT_BYTES].decode(errors="backslashreplace")
