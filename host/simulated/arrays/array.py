"""The state of a simulated md array."""

from __future__ import annotations

from typing import Literal

import msgspec

Action = Literal["resync", "recover", "reshape", "check"]
SPEED = 150_000_000  # bytes of each member a second


class Member(msgspec.Struct, kw_only=True):
    """A partition (0: the whole disk) that is part of an array, or was until its disk was removed."""

    serial: str
    partition: int
    slot: int | None
    state: Literal["in_sync", "rebuilding", "spare", "faulty"] = "in_sync"
    replaces: int | None = None  # of one being rebuilt: the slot whose member it follows


class Work(msgspec.Struct, kw_only=True):
    """What goes on in an array; how far it has come is worked out from the clock."""

    action: Action
    since: float  # the machine's clock

    def done(self, now: float, component: int) -> int:
        """Bytes of each member that are done by `now`."""
        return min(component, max(0, int((now - self.since) * SPEED)))


class Array(msgspec.Struct, kw_only=True):
    """An array that is assembled; its block device is the `Holder` of the same kernel name."""

    kname: str
    name: str  # with the host it belongs to: nas:0, any:backup
    uuid: str  # as mdadm writes it
    level: str  # raid1…
    wanted: int
    component: int  # bytes of each member that are used
    members: list[Member] = []
    bitmap: bool = True
    running: bool = True
    mismatches: int = 0  # sectors that the last check found to differ
    differing: int = 0  # sectors that the next one will find
    missed: list[str] = []  # serials of disks that lack what was written while they were missing
    work: Work | None = None
    last_action: str = "none"  # what was begun last since the start
    stopped_at: int = 0  # bytes of each member that a check had done when it was stopped
    before: int = 0  # how many devices it had before the reshape that goes on

    @property
    def ids(self) -> list[str]:
        """The links that udev makes of it."""
        return [f"md-name-{self.name}", f"md-uuid-{self.uuid}"] if self.running else []

    @property
    def redundancy(self) -> int:
        """How many members may be missing at least."""
        return {"raid1": self.wanted - 1, "raid5": 1, "raid6": 2, "raid10": 1}.get(self.level, 0)

    @property
    def whole(self) -> int:
        """How many members hold all the data."""
        return sum(one.state == "in_sync" and one.slot is not None for one in self.members)

    @property
    def size(self) -> int:
        """Bytes that it offers."""
        data = {"raid0": self.wanted, "raid5": self.wanted - 1, "raid6": self.wanted - 2}.get(self.level, 1)
        return self.component * self.wanted // 2 if self.level == "raid10" else self.component * data
