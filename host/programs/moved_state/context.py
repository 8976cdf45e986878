"""What a run of the program works with; in tests each part of it is another one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from host.base import Host, HostError
from host.programs.mount_pools import Mount
from host.programs.moved_state.disk import Disk
from host.programs.moved_state.places import Places

Mounts = Callable[[], tuple[Mount, ...]]
Clock = Callable[[], datetime]
FAILURES = (HostError, OSError)  # of a command, and of what is done without one


def utc() -> datetime:
    """Now."""
    return datetime.now(UTC)


class Context(NamedTuple):
    """The machine, where things lie on it, and who hears what the program says."""

    host: Host
    places: Places
    disk: Disk
    mounts: Mounts
    now: Clock
    say: Callable[[str], None]
