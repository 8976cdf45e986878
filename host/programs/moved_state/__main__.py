"""`python -m host.programs.moved_state copy | move | start`, as root; `nasweb-state` starts it.

A start of the machine never fails because of the pool: what `move` and `start` did, and why, is in the report
below /run, and their status is 0. It is 1 where the own disk's files cannot be read or written, and where
`copy` has not copied all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from host.base import Host
from host.local import LocalHost
from host.programs.mount_pools import mounts as mounted_now
from host.programs.moved_state import first_copy, moving, starting
from host.programs.moved_state.context import FAILURES, Clock, Context, Mounts, utc
from host.programs.moved_state.disk import Disk
from host.programs.moved_state.places import Places
from host.programs.moved_state.pool import Unusable
from host.programs.moved_state.wanted import BadFile

USAGE = "Usage: nasweb-state copy | move | start"
_ACTIONS: dict[str, Callable[[Context], None]] = {
    "copy": first_copy.copy,
    "move": moving.move,
    "start": starting.start,
}


def main(
    arguments: list[str] | None = None,
    *,
    host: Host | None = None,
    places: Places | None = None,
    disk: Disk | None = None,
    mounts: Mounts = mounted_now,
    now: Clock = utc,
    say: Callable[[str], None] | None = None,
) -> int:
    """The exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    action = _ACTIONS.get(words[0]) if words else None
    if action is None:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    try:
        action(Context(host or LocalHost(), places or Places(), disk or Disk(), mounts, now, say or _say))
    except (*FAILURES, BadFile, Unusable) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 somebody may wait in front of the screen


if __name__ == "__main__":
    raise SystemExit(main())
