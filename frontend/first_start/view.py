"""A first start for the eye: disks to tick, the layout in a sentence, and what is left for later."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from frontend.bays.view import why_not
from frontend.pools.layout_choices import Choice
from frontend.units import binary
from host.inventory import Disk, Inventory
from jobs.wording import counted
from machine.first_boot.state import Step
from machine.first_boot.steps import Standing
from machine.first_boot.words import title_of, why
from pools.unwell import unwell_words

LATER: tuple[Step, ...] = ("notifications", "network", "boot", "bays")
_NUMBERS = ("none", "any one", "any two", "any three")
_FUZZ_BYTES = 16 << 20  # ZPOOL_FUZZ: members that differ by less are alike


class DiskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk to tick. `holds` is what ticking it would erase; `why_not` why it cannot be ticked here."""

    id: str
    where: str
    model: str
    serial: str
    size_bytes: int
    holds: str = ""
    why_not: str = ""


class LaterRow(msgspec.Struct, frozen=True, kw_only=True):
    """A step that this page leaves to its own, with its reason in a sentence."""

    title: str
    why: str
    href: str


def in_order(inventory: Inventory) -> tuple[Disk, ...]:
    """All disks but the system's, in the order of their bays; those in none at the end."""
    place = {bay.disk: index for index, bay in enumerate(inventory.bays) if bay.disk}
    disks = [disk for disk in inventory.disks if not disk.carries_system]
    return tuple(sorted(disks, key=lambda disk: (place.get(disk.id, len(place)), disk.id)))


def disk_rows(disks: Sequence[Disk]) -> tuple[DiskRow, ...]:
    """Each with what speaks against it. One that is not well needs more than a tick: the pool builder's page
    asks for it."""
    return tuple(
        DiskRow(
            id=disk.id,
            where=where(disk),
            model=disk.model,
            serial=disk.serial or "serial unknown",
            size_bytes=disk.size_bytes,
            holds="" if disk.free else disk.used_by or "",
            why_not=_why_not(disk),
        )
        for disk in disks
    )


def where(disk: Disk) -> str:
    """`Bay A1`; how it is plugged in where its bay is not known."""
    return f"Bay {disk.bay}" if disk.bay else "USB" if disk.transport == "usb" else "No bay"


def sentence(choice: Choice, disks: Sequence[Disk]) -> str:
    """`6 equal disks: RAID-Z2, any two may fail, 10.8 TiB usable.`"""
    sizes = [disk.size_bytes for disk in disks]
    alike = len(sizes) > 1 and max(sizes) - min(sizes) < _FUZZ_BYTES
    count = counted(len(disks), "equal disk" if alike else "disk")
    safety = f"{may_fail(choice)} may fail"
    if len(disks) == 1:
        safety = "if it fails, everything is lost"
    return f"{count}: {named(choice)}, {safety}, {binary(choice.answer.usable_bytes)} usable."


def may_fail(choice: Choice) -> str:
    """How many disks: `any two`, or `none`."""
    survives = choice.answer.survives
    return _NUMBERS[survives] if survives < len(_NUMBERS) else f"any {survives}"


def named(choice: Choice) -> str:
    """The layout as the field writes it: `2 × RAID-Z2`."""
    return choice.name.replace("raidz", "RAID-Z")


def later_rows(found: Sequence[Standing]) -> tuple[LaterRow, ...]:
    """What is still to be decided on beside this page."""
    left = {one.step for one in found if one.left}
    return tuple(
        LaterRow(
            title=title_of(step), why=f"{why(step).partition('. ')[0].rstrip('.')}.", href=f"/welcome/{step}/"
        )
        for step in LATER
        if step in left
    )


def _why_not(disk: Disk) -> str:
    if busy := why_not(disk):
        return f"In use: {busy}"
    return f"Not well: {unwell_words(disk)}" if disk.unwell else ""
