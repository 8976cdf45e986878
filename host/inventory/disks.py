"""Disks, what is on them, and what claims them."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from host.inventory.smart import Bridge

Medium = Literal["hdd", "ssd", "flash", "unknown"]
ClaimKind = Literal[
    "boot", "mounted", "swap", "md", "lvm", "luks", "pool", "exported-pool", "former-member",
    "filesystem", "partition-table", "burn-in", "held", "unknown",
]  # fmt: skip


class Partition(msgspec.Struct, frozen=True, kw_only=True):
    """A partition, or a whole disk that carries a signature itself (then `number` is 0)."""

    number: int
    path: str  # the kernel's name now, such as /dev/sda1: display text only
    size_bytes: int
    parttype: str | None = None  # GPT: a GUID in small letters; of an older table: 0x83
    fstype: str | None = None
    label: str | None = None
    uuid: str | None = None
    used_bytes: int | None = None  # by the files on it, while it is mounted
    mountpoints: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()  # block devices built on it, such as md0 or a LUKS mapping


class DiskClaim(msgspec.Struct, frozen=True, kw_only=True):
    """Something that claims a disk. `active` means in use: it must be let go before the disk is taken;
    otherwise the disk may be taken after the user confirmed what is lost. `idle`: nothing uses it at the
    moment although it is `active`, so that erasing the disk lets it go."""

    kind: ClaimKind
    words: str  # for people: "md member of md0", "ext4 file system 'Backup', 2.7 TiB"
    active: bool
    idle: bool = False
    pool: str | None = None  # the pool's name for kinds pool, exported-pool and former-member
    pool_guid: str | None = None
    vdev_guid: str | None = None  # what the label calls the disk itself, where one had to be read

    def strays_from(self, pool_guid: str) -> bool:
        """The label of a member that its imported pool does not reach under any name it knows."""
        unreached = self.kind == "exported-pool" or (self.kind == "pool" and self.vdev_guid is not None)
        return unreached and self.pool_guid == pool_guid


WHY_NAMELESS = (
    "It has no name under /dev/disk/by-id, by which it would be known again, so nothing is done with it. A "
    "disk that was just plugged in gets one within seconds, one that reports no serial number gets none: "
    "give a virtual disk a serial number in the settings of its machine."
)


class Disk(msgspec.Struct, frozen=True, kw_only=True):
    """A physical disk, known by its serial and WWN. `id` is the best of its by-id link names."""

    id: str
    links: tuple[str, ...]  # all names under /dev/disk/by-id, best first
    path: str  # /dev/sdX now: display text only
    hctl: str | None = None  # SCSI address now, such as 0:0:3:0: how an enclosure names its disk
    port: str | None  # name under /dev/disk/by-path: which connector it hangs on
    serial: str | None
    wwn: str | None
    model: str
    vendor: str | None = None
    bay: str | None = None  # the label printed on its bay, once the chassis is known
    size_bytes: int
    logical_sector_bytes: int
    physical_sector_bytes: int
    medium: Medium
    rpm: int | None = None
    transport: str | None = None  # sata, sas, usb, nvme, virtio…
    temperature_celsius: int | None = None  # of the last SMART reading
    asleep: bool | None = None  # in standby at the last reading; None when that is not known
    crc_errors: int | None = None  # ATA: transfers that arrived damaged, ever; cable, backplane or power
    health: Literal["good", "warning", "failing", "unknown"] = "unknown"  # the verdict of `disks`
    unwell: tuple[str, ...] = ()  # what it counts or failed at, in words, that speaks against new data on it
    test_remaining_percent: int | None = None  # of the self-test that runs now
    bridge: Bridge = "auto"  # the device type that smartctl needed for it, at the last reading
    short_test_minutes: int | None = None  # how long the disk says a self-test takes
    long_test_minutes: int | None = None
    led: bool | None = None  # whether the light that ledctl has for it was on; None where it has none
    located_until: str | None = None  # ISO 8601, UTC: when the light that was asked for goes off by itself
    twins: tuple[str, ...] = ()  # ids of disks that report the same serial or WWN: never to be mixed up
    partitions: tuple[Partition, ...] = ()
    claims: tuple[DiskClaim, ...] = ()

    @property
    def link(self) -> str:
        """The best link as a path."""
        return f"/dev/disk/by-id/{self.id}"

    @property
    def controller(self) -> str | None:
        """The PCI address of what it hangs on, such as 0000:02:00.0; None where its port does not show it."""
        found = re.search(r"pci-([0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])", self.port or "")
        return found[1] if found else None

    @property
    def free(self) -> bool:
        """Nothing claims it."""
        return not self.claims

    @property
    def in_use(self) -> bool:
        """Something uses it now, so that no plan may take it."""
        return any(claim.active for claim in self.claims)

    @property
    def carries_system(self) -> bool:
        """The running system is on it."""
        return any(claim.kind == "boot" for claim in self.claims)

    @property
    def used_by(self) -> str | None:
        """What claims it, in words; None when free."""
        return "; ".join(claim.words for claim in self.claims) or None
