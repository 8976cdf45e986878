"""md arrays: what Linux' own software RAID makes of disks or of their partitions."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory.disks import Disk, Partition

MemberState = Literal["in sync", "rebuilding", "spare", "faulty", "unknown"]
Doing = Literal["resync", "recovery", "reshape", "check", "repair"]


class ArrayMember(msgspec.Struct, frozen=True, kw_only=True):
    """A device of an array."""

    path: str  # the kernel's name now, such as /dev/sda3: display text only
    disk: str | None  # id of the disk it lies on; None where that is not known
    partition: int | None  # its number on that disk; None for a whole disk
    slot: int | None  # its place in the array; None for a spare or a faulty one
    state: MemberState


class ArrayWork(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel does with an array just now, as it says itself."""

    kind: Doing
    percent: float | None  # None: it waits for its turn, or does not say
    remaining_s: float | None = None
    speed_bytes_s: int | None = None
    paused: bool = False  # delayed or pending


class MdArray(msgspec.Struct, frozen=True, kw_only=True):
    """An md array that is assembled."""

    name: str  # what it was named when it was made, without the host: root, 0, backup; no two are equal
    kname: str  # the kernel's name now: md0, md127
    path: str  # its link by name or UUID under /dev/disk/by-id, or /dev/md0 where it has none
    uuid: str  # as mdadm writes it: 8:8:8:8 hexadecimal digits
    level: str  # raid0, raid1, raid5, raid6, raid10, linear…
    metadata: str  # 1.2, 1.0, 0.90…
    size_bytes: int
    wanted: int  # how many devices it has when it is whole
    state: str  # the kernel's own words: clean, active, inactive…
    read_only: bool = False
    members: tuple[ArrayMember, ...] = ()
    work: ArrayWork | None = None
    bitmap: bool = False  # a write-intent bitmap: a member that comes back is brought up to date quickly
    mismatches: int | None = None  # sectors that the last check found to differ
    last_action: str | None = None  # what the kernel did with it last since the start: check, resync, none…
    stopped_at: int = 0  # sectors of each member behind which a check that was stopped would go on
    fstype: str | None = None  # what is on it: ext4, swap, LVM2_member…
    label: str | None = None
    mountpoints: tuple[str, ...] = ()

    @property
    def node(self) -> str:
        """The kernel's own name, which mdadm takes: it refuses longer ones. It stays until the next start."""
        return f"/dev/{self.kname}"

    @property
    def in_sync(self) -> int:
        """How many members hold all the data."""
        return sum(member.state == "in sync" for member in self.members)

    @property
    def degraded(self) -> bool:
        """A member is missing, or does not hold all the data yet."""
        return self.level not in {"raid0", "linear"} and self.in_sync < self.wanted

    @property
    def carries_system(self) -> bool:
        """The running system's own files are on it."""
        return "/" in self.mountpoints

    def left_on(self, disk: Disk) -> Partition | None:
        """The partition of `disk` that says it belongs to this array, although the array does without it."""
        if any(one.disk == disk.id for one in self.members):
            return None
        wanted = self.uuid.replace(":", "")
        return next((part for part in disk.partitions if (part.uuid or "").replace("-", "") == wanted), None)


class MdEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event that mdadm's monitor reported of an array (mdadm(8), MONITOR MODE)."""

    at_ns: int  # when it was reported, by the machine's clock; since 1970
    event: str  # Fail, SpareActive…; Rebuild with a percentage
    array: str  # the kernel's name of it then
    uuid: str = ""  # as mdadm writes it; empty for one that was gone already
    device: str | None = None  # the member's path then
    percent: int | None = None
    mismatches: int | None = None  # sectors that differed, at the end of a check or repair
