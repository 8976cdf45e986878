"""Teaching the bays, as values: which disk is asked for now, and what is known of the others."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from disks.chassis import chassis
from frontend.bays.lights import lit_disks
from frontend.units import moment
from host.inventory import Absent, Disk, Inventory

Mode = Literal["blink", "pull"]


class Pupil(msgspec.Struct, frozen=True, kw_only=True):
    """A disk to teach; `bay` is where it is known to sit by more than a guess."""

    disk: Disk
    bay: str = ""
    now: bool = False

    @property
    def why_dark(self) -> str:
        """Why it cannot be made to blink; empty when it can."""
        if self.disk.serial is None:
            return "It reports no serial, so its light cannot be turned on."
        return "It is asleep and is not woken." if self.disk.asleep else ""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """Where the teaching stands. Everything is read from the machine, so it can be left and taken up."""

    mode: Mode
    pupils: tuple[Pupil, ...]
    disk: Disk | None = None  # whose bay is asked for
    pulled: Absent | None = None  # in the mode `pull`: the disk that is out
    back: str = ""  # the disk before this one
    skip: str = ""  # the next one that is not known yet
    blinking: bool = False
    placed: dict[str, str] = {}  # bay → what sits there by more than a guess

    @property
    def known(self) -> int:
        """How many disks have a bay."""
        return sum(bool(pupil.bay) for pupil in self.pupils)

    @property
    def named(self) -> str:
        """The disk that the page is about, here or out."""
        return self.disk.id if self.disk else self.pulled.id if self.pulled else ""


def lesson(inventory: Inventory, *, mode: Mode, disk_id: str = "", since: datetime | None = None) -> Lesson:
    """The lesson at the disk `disk_id`, else at the first one that is not known.

    In the mode `pull` it is at the disk that left last and not before `since`, until that is back.
    """
    sure = [bay for bay in chassis(inventory).bays if bay.known_by not in {None, "order"}]
    placed = {bay.label: bay for bay in sure if bay.disk}
    bay_of = {bay.disk.id: label for label, bay in placed.items() if bay.disk}
    disks = sorted(inventory.disks, key=lambda disk: (disk.transport == "usb", disk.port or "", disk.id))
    unknown = [disk for disk in disks if disk.id not in bay_of]
    now = inventory.disk(disk_id) if disk_id else None
    if mode == "blink" and now is None and unknown:
        now = unknown[0]
    pulled = _pulled(inventory, since) if mode == "pull" and now is None else None
    at = disks.index(now) if now in disks else -1
    later = [disk for disk in (*disks[at + 1 :], *disks[: max(at, 0)]) if disk.id not in bay_of]
    return Lesson(
        mode=mode,
        pupils=tuple(Pupil(disk=d, bay=bay_of.get(d.id, ""), now=d is now) for d in disks),
        disk=now,
        pulled=pulled,
        back=disks[at - 1].id if at > 0 else "",
        skip=later[0].id if later and later[0] is not now else "",
        blinking=now is not None and now.id in lit_disks(inventory),
        placed={label: (bay.disk.serial or bay.disk.id)[-8:] for label, bay in placed.items() if bay.disk},
    )


def _pulled(inventory: Inventory, since: datetime | None) -> Absent | None:
    left = [(when, absent) for absent in inventory.gone if (when := moment(absent.since)) is not None]
    late = [(when, absent) for when, absent in left if since is None or when >= since]
    return max(late, key=lambda entry: entry[0])[1] if late else None
