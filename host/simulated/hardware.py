"""What a simulated machine is apart from its blocks: SMART, self-tests, slots with their lights."""

from __future__ import annotations

from typing import Literal

import msgspec


class SelfTest(msgspec.Struct, kw_only=True):
    """A self-test that was started at `started` (seconds since 1970) and takes `seconds`."""

    kind: Literal["short", "long"]
    started: float
    seconds: float
    aborted: float | None = None  # when
    bad_lba: int | None = None  # where it fails

    def ended(self, now: float) -> bool:
        """Whether it is over."""
        return self.aborted is not None or now >= self.started + self.seconds

    def remaining_percent(self, now: float) -> int:
        """In tens, as disks count: never 0 while it runs."""
        left = 1 - (now - self.started) / self.seconds
        return min(90, max(10, 10 * round(10 * left)))


class Smart(msgspec.Struct, kw_only=True):
    """What a disk counts. None: it has no such counter."""

    protocol: Literal["ATA", "SCSI", "NVMe"] = "ATA"
    rpm: int = 5400
    temperature: int = 33  # around which it wanders
    hours: int = 0  # when the machine was made
    power_cycles: int = 30
    reallocated: int | None = 0
    pending: int | None = 0
    uncorrectable: int | None = 0
    crc: int | None = 0
    wear: int | None = None  # percent of the rated endurance that is used
    written_gb: int | None = None
    passed: bool = True
    asleep: bool = False
    long_minutes: int = 400
    link_mbit: int | None = None  # the link that was negotiated; None: the fastest that it could do
    hottest: int | None = None  # degrees that its maker allows; None: it does not say
    spare: int | None = None  # percent of the spare blocks that are left
    tests: list[SelfTest] = []  # oldest first


COUNTERS = (
    "temperature", "hours", "reallocated", "pending", "uncorrectable", "crc", "wear", "written_gb",
    "link_mbit", "spare", "hottest",
)  # fmt: skip


class Slot(msgspec.Struct, kw_only=True):
    """A slot of an enclosure; `hctl` is the address of whatever disk sits in it."""

    folder: str
    number: int
    hctl: str
    lit: bool = False
    faulty: bool = False


class Enclosure(msgspec.Struct, kw_only=True):
    """An enclosure under /sys/devices."""

    path: str
    id: str
    slots: list[Slot]


class Led(msgspec.Struct, kw_only=True):
    """A PCIe slot with a light that ledctl switches; `hctl` is the place of whatever disk sits in it."""

    controller: Literal["NPEM", "VMD"]
    slot: str  # as ledctl names it: the PCI address of the port, or the number of the slot
    hctl: str
    lit: bool = False
