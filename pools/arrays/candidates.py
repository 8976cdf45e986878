"""Which disks could join an array, by the rule of the plans themselves, and why the others could not."""

from __future__ import annotations

from host.inventory import Disk, Inventory, MdArray
from jobs.planning.findings import Findings
from pools.arrays.newcomer import choose
from pools.members.candidates import Candidate, best_first


def to_join(array: MdArray, inventory: Inventory) -> tuple[Candidate, ...]:
    """All disks, those first that could become members, free ones before those that hold something."""
    found = []
    for disk in inventory.disks:
        findings = Findings()
        choose(disk.id, "disk", array, inventory, findings)
        errors = [one.message.removeprefix(f"{disk.id}: ") for one in findings.all() if one.level == "error"]
        why = f"In use: {disk.used_by}." if disk.in_use and errors else " ".join(errors)
        found.append(Candidate(disk=disk, why=why))
    return tuple(sorted(found, key=best_first))


def returning(array: MdArray, inventory: Inventory) -> tuple[Disk, ...]:
    """Disks that were members of the array and are here, while it does without them."""
    return tuple(disk for disk in inventory.disks if array.left_on(disk) is not None)
