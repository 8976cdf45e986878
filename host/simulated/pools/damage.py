"""Faults of simulated pools besides disks that are pulled."""

from __future__ import annotations

import errno

from host.simulated.pools import events
from host.simulated.pools.exporting import let_go
from host.simulated.pools.faults import lose
from host.simulated.state import Disk, Machine, Pool, Vdev
from host.simulated.vdevs import all_leaves, root_health

_ERRORS = 12


def fail(machine: Machine, disk: Disk) -> None:
    """A disk answers with errors until ZFS gives it up; a spare stands in."""
    for pool in machine.pools.values():
        for leaf in _of(pool, disk):
            leaf.read_errors += _ERRORS
            leaf.write_errors += _ERRORS
            events.fault(machine, pool, "io", leaf, times=2 * _ERRORS, error=errno.EIO)
            lose(machine, pool, leaf, "FAULTED")


def corrupt(machine: Machine, disk: Disk, size: int) -> None:
    """Bytes on a disk are wrong, and nobody knows."""
    for pool in machine.pools.values():
        for leaf in _of(pool, disk):
            leaf.corrupt += size


def lose_links(machine: Machine, prefix: str) -> None:
    """Links of one kind are gone; pools that were made with them do not find their disks at the start."""
    for disk in machine.disks:
        disk.ids = [name for name in disk.ids if not name.startswith(prefix)]
    for pool in machine.pools.values():
        for leaf in all_leaves(pool):
            if (leaf.path or "").startswith(f"/dev/disk/by-id/{prefix}"):
                leaf.state = "UNAVAIL"
        pool.suspended = pool.suspended or root_health(pool).state == "UNAVAIL"


def move_away(machine: Machine, pool: Pool, *, host: str | None, torn_s: int) -> None:
    """It was not exported, and is here without being imported."""
    let_go(machine, pool)
    pool.left, pool.host, pool.torn_s = "lost", host, torn_s


def _of(pool: Pool, disk: Disk) -> list[Vdev]:
    return [leaf for leaf in all_leaves(pool) if leaf.serial == disk.serial]
