"""The last page of the wizard: what is good to have on paper when the console cannot be reached."""

from __future__ import annotations

import msgspec

from host.boot_pair import boot_pair
from host.inventory import Disk, Inventory


class DriveRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk or stick: where it sits, what to look for on its label, what it does."""

    where: str
    model: str
    serial: str
    size_bytes: int
    does: str


class SummaryView(msgspec.Struct, frozen=True, kw_only=True):
    """All that is to be printed, but for the texts. `where` are addresses of the console."""

    name: str
    where: tuple[str, ...]
    shares: tuple[tuple[str, str], ...]  # how Windows and macOS call them
    boot: tuple[DriveRow, ...]
    drives: tuple[DriveRow, ...]
    pair_whole: bool | None  # None: the system is on one disk


def summary(inventory: Inventory) -> SummaryView:
    """From one picture of the machine."""
    pair = boot_pair(inventory)
    halves = {half.disk.id: number for number, half in enumerate(pair.halves, 1)} if pair else {}
    name = inventory.naming.name or inventory.facts.name
    addresses = sorted(
        (one for port in inventory.network.interfaces for one in port.leads_here), key=lambda one: one.family
    )
    hosts = [f"[{one.address}]" if one.family == 6 else one.address for one in addresses]
    disks = sorted(
        inventory.disks, key=lambda disk: (disk.bay is None, len(disk.bay or ""), disk.bay or disk.id)
    )
    return SummaryView(
        name=name,
        where=(f"{name}.local", *hosts),
        shares=tuple(
            (rf"\\{name}\{one.name}", f"smb://{name}.local/{one.name}") for one in inventory.sharing.smb
        ),
        boot=tuple(_row(disk, f"Boot half {halves[disk.id]}") for disk in disks if disk.id in halves),
        drives=tuple(_row(disk, disk.used_by or "free") for disk in disks if disk.id not in halves),
        pair_whole=pair.complete if pair else None,
    )


def _row(disk: Disk, does: str) -> DriveRow:
    return DriveRow(
        where=f"Bay {disk.bay}" if disk.bay else "USB" if disk.transport == "usb" else "No bay",
        model=disk.model or disk.id,
        serial=disk.serial or "unknown",
        size_bytes=disk.size_bytes,
        does=does,
    )
