"""One disk in a line."""

from __future__ import annotations

import msgspec

from frontend.bays.vdevs import MemberPlace
from frontend.disks.smart_view import health_state
from frontend.states import StateView, disk_state
from frontend.units import binary, worn
from host.inventory import Disk


class DiskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk with its state, its seat in a pool if it has one, and its bay's place in the drawing."""

    disk: Disk
    state: StateView
    health: StateView
    member: MemberPlace | None
    at: int = 0
    hours: int | None = None  # under power

    @property
    def size(self) -> str:
        """Its size, short."""
        return binary(self.disk.size_bytes)

    @property
    def power_on(self) -> str:
        """How long it was under power, short; empty where it never said."""
        return "" if self.hours is None else worn(self.hours)


def row_of(disk: Disk, member: MemberPlace | None, *, at: int = 0, hours: int | None = None) -> DiskRow:
    """The disk in one line."""
    state = disk_state(disk, member.leaf if member else None)
    return DiskRow(
        disk=disk, state=state, health=health_state(disk.health), member=member, at=at, hours=hours
    )
