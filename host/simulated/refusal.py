"""How a simulated program says no."""

from __future__ import annotations

import msgspec

from host.base import Result


class Refusal(Exception):
    """A command ends with a status that is not 0. What it changed until then stays, as on a real machine."""

    def __init__(self, stderr: str, *, exit_status: int = 1, stdout: str = "") -> None:
        self.result = Result(exit=exit_status, stdout=stdout, stderr=stderr)
        super().__init__(stderr)


class Fault(msgspec.Struct, kw_only=True):
    """What the next command of a type is made to end with."""

    command: str
    exit: int
    stderr: str
    stdout: str = ""


def done(stdout: str = "", *, stderr: str = "") -> Result:
    """A command ended well."""
    return Result(exit=0, stdout=stdout, stderr=stderr)
