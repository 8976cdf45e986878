"""How long it takes until a member has all of its data."""

from __future__ import annotations

from host.inventory import Disk, Pool, Vdev
from host.inventory.disks import Medium
from host.inventory.redundancy import layout_of
from host.layouts import kind
from pools.advice.rebuild import about, rebuild_seconds
from pools.members.newcomer import needed_bytes


def resilver_takes(pool: Pool, top: Vdev, new: Disk) -> str:
    """Until `new` holds what a member of `top` does, as far as that is full."""
    # What is no RAIDZ is written at the speed of the new disk, a dRAID at that or less.
    layout = layout_of(top) if kind(layout_of(top)) == "raidz" else "mirror"
    member = needed_bytes(top) or new.size_bytes
    full = top.allocated_bytes / top.total_bytes if top.total_bytes else 1.0
    return _words(pool, full * rebuild_seconds(layout, [member] * max(1, len(top.children)), new.medium))


def evacuation_takes(pool: Pool, top: Vdev, medium: Medium) -> str:
    """Until the data of a vdev without parity lies on the others."""
    return _words(pool, rebuild_seconds("mirror", [top.allocated_bytes], medium))


def _words(pool: Pool, seconds: float) -> str:
    return f"{about(seconds)} on a quiet pool; {pool.name} stays usable"
