"""Which disks to suggest for the first pool of a machine."""

from __future__ import annotations

from host.inventory import Disk, Inventory


def suggested(inventory: Inventory) -> tuple[Disk, ...]:
    """Free and healthy disks of one kind: those that offer the most space side by side.

    Each counts as the smallest of them, as in RAIDZ, so that one small disk does not shrink all others.
    """
    fit = [disk for disk in inventory.disks if _fits(disk)]
    sets = [
        tuple(disk for disk in fit if disk.medium == least.medium and disk.size_bytes >= least.size_bytes)
        for least in fit
    ]
    return max(sets, key=lambda disks: (_side_by_side(disks), len(disks)), default=())


def _fits(disk: Disk) -> bool:
    """Flash drives and other disks on USB are no base for a pool, and twins cannot be told apart."""
    plugged = disk.transport == "usb" or disk.medium == "flash"
    return disk.free and not (plugged or disk.unwell or disk.health == "failing" or disk.twins)


def _side_by_side(disks: tuple[Disk, ...]) -> int:
    return len(disks) * min(disk.size_bytes for disk in disks)
