"""Refuses a command while a unit runs that it must not cut off.

Plans refuse it too. This is asked by root right before the command is started: the unit may have begun since,
and the caller may be compromised.
"""

from __future__ import annotations

from pathlib import Path

from host.commands.base import Command

_SERVICES = Path("/sys/fs/cgroup/system.slice")


def refusal(command: Command, *, services: Path = _SERVICES) -> str | None:
    """Why `command` must not be started. A unit has a folder there as long as a process of it runs."""
    return next((refused(unit) for unit in command.not_beside() if (services / unit).is_dir()), None)


def refused(unit: str) -> str:
    """The line that says so."""
    return f"{unit} runs and must not be cut off. Nothing was done.\n"
