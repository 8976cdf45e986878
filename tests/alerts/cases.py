"""Machines with a trouble, and what is remembered of their disks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from alerts.evidence import Evidence, KnownDisk
from host.inventory import Disk, Inventory, SmartReading, Vdev
from tests import made
from tests.frontend.machines import in_pool, leaf, root, vdev

AT = "2026-11-21T12:00:00+00:00"


def reading(**counts: Any) -> SmartReading:
    """A SMART reading in which nothing is wrong but `counts`."""
    quiet = {"passed": True, "pending_sectors": 0, "uncorrectable_sectors": 0, "reallocated_sectors": 0,
             "crc_errors": 0}  # fmt: skip
    return SmartReading(at=AT, **(quiet | counts))


def remembered(disk: Disk, **changes: Any) -> KnownDisk:
    """What is remembered of a disk that SMART calls well."""
    values: dict[str, Any] = {
        "id": disk.id, "serial": disk.serial, "model": disk.model, "bay": disk.bay, "port": disk.port,
        "reading": reading(), "earlier": reading(),
    }  # fmt: skip
    return KnownDisk(**(values | changes))


def disks(count: int, pool: str = "tank", **changes: Any) -> list[Disk]:
    """Members of `pool` in bays A1, A2…"""
    return [in_pool(made.disk(number, **changes), pool) for number in range(1, count + 1)]


def raidz2(
    members: Sequence[Disk],
    gone: Sequence[int] = (),
    leaves: dict[int, dict[str, Any]] | None = None,
    spares: Sequence[Vdev] = (),
    **pool: Any,
) -> Inventory:
    """A machine with `tank`; members at the places `gone` (from 0) left, `leaves` changes others by place."""
    changed: dict[int, dict[str, Any]] = leaves or {}
    found = [
        leaf(disk, **({"state": "REMOVED", "disk": None} if place in gone else {}) | changed.get(place, {}))
        for place, disk in enumerate(members)
    ]
    here = tuple(disk for place, disk in enumerate(members) if place not in gone)
    state = "DEGRADED" if gone else "ONLINE"
    top = vdev("raidz2-0", *found, state=state)
    tank = made.pool(**({"state": state, "vdevs": (top, *spares)} | pool))
    inventory = made.inventory(*here, pools=(tank,), datasets=(root("tank"),))
    return msgspec.structs.replace(inventory, as_of=AT)


def memory(members: Sequence[Disk], gone: Sequence[int] = (), **changes: Any) -> Evidence:
    """All members remembered; those that left at noon."""
    return Evidence(
        disks={
            disk.id: remembered(disk, gone_since=AT if place in gone else None)
            for place, disk in enumerate(members)
        },
        **changes,
    )
