"""Which disk is meant, and whether it is really that one."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.inventory import Disk, Inventory
from host.inventory.disks import WHY_NAMELESS
from jobs.planning.findings import Findings

DiskName = Annotated[str, Meta(min_length=1, max_length=255)]  # any of its by-id names
SerialText = Annotated[str, Meta(min_length=1, max_length=255)]


def choose(name: str, serial: str | None, inventory: Inventory, findings: Findings) -> Disk:
    """The disk of that by-id name; its serial must be `serial` where one is given. Raises `Refused`."""
    disk = inventory.disk(name)
    if disk is None:
        findings.refuse("unknown-disk", "disk", _absent(name, inventory))
    if serial is not None and disk.serial != serial:
        message = f"{disk.id} has the serial {disk.serial or 'unknown'}, not {serial[:80]}."
        findings.refuse("wrong-serial", "serial", message)
    return disk


def in_words(disk: Disk) -> str:
    """The disk as a person finds it: bay, model and serial."""
    where = f"bay {disk.bay}: " if disk.bay else "not mapped to a bay: "
    return f"{where}{disk.model}, serial {disk.serial or 'unknown'}"


def _absent(name: str, inventory: Inventory) -> str:
    if inventory.nameless(name) is not None:
        return WHY_NAMELESS
    left = next((absent for absent in inventory.gone if absent.id == name), None)
    if left is None:
        return "There is no such disk in this machine. GET /api/v1/disks/ lists all disks."
    bay = f" from bay {left.bay}" if left.bay else ""
    return f"The disk with serial {left.serial or 'unknown'} has been missing{bay} since {left.since}."
