"""Which disks were asked for, and whether each can be had."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from host.inventory import Disk, Inventory
from host.inventory.disks import WHY_NAMELESS, ClaimKind
from jobs.planning.findings import Findings
from pools.preparation import SMALLEST_DISK_BYTES


def choose(
    groups: Sequence[Sequence[str]],
    inventory: Inventory,
    findings: Findings,
    *,
    in_use_matters: bool = True,
) -> list[tuple[Disk, ...]]:
    """The disks of each vdev, by any of their by-id names. Those that cannot be had become findings."""
    by_name = {name: disk for disk in inventory.disks for name in disk.links}
    seen: dict[str, str] = {}  # disk id → the field that asked for it first
    chosen: list[tuple[Disk, ...]] = []
    for group, names in enumerate(groups):
        members: list[Disk] = []
        for index, name in enumerate(names):
            field = f"vdevs[{group}].disks[{index}]"
            disk = by_name.get(name)
            if disk is None:
                _unknown(name, field, inventory, findings)
                continue
            if disk.id in seen:
                message = f"{_name(disk)} is selected twice, first as {seen[disk.id]}."
                findings.error("duplicate-disk", field, message)
                continue
            seen[disk.id] = field
            members.append(disk)
            if in_use_matters:
                _check(disk, field, inventory, findings)
        chosen.append(tuple(members))
    return chosen


def choose_one(
    name: str, field: str, inventory: Inventory, findings: Findings, *, but: Collection[ClaimKind] = ()
) -> Disk | None:
    """One disk by any of its by-id names; why it cannot be had becomes findings about `field`.

    Claims of a kind in `but` are no reason where nothing uses the disk just now.
    """
    disk = next((disk for disk in inventory.disks if name in disk.links), None)
    if disk is None:
        _unknown(name, field, inventory, findings)
    else:
        _check(disk, field, inventory, findings, but=but)
    return disk


def _unknown(name: str, field: str, inventory: Inventory, findings: Findings) -> None:
    shown = name if len(name) <= 80 else f"{name[:77]}…"
    if inventory.nameless(name) is not None:
        message = f"{shown} cannot be used. {WHY_NAMELESS}"
    elif any(name in {disk.path, disk.path.rpartition("/")[2]} for disk in inventory.disks):
        message = f"“{shown}” changes from boot to boot. Use the disk's name under /dev/disk/by-id."
    else:
        message = f"There is no disk “{shown}” in this machine. GET /api/v1/disks/ lists all disks."
    findings.error("unknown-disk", field, message)


def _check(
    disk: Disk, field: str, inventory: Inventory, findings: Findings, *, but: Collection[ClaimKind] = ()
) -> None:
    for claim in disk.claims:
        if claim.active and not (claim.idle and claim.kind in but):
            message = f"{_name(disk)} is in use: {claim.words}."
            findings.error("disk-in-use", field, message)
    twins = [other for other in inventory.disks if other is not disk and _same(disk, other)]
    if twins:
        message = f"{_name(disk)} has the same serial as {twins[0].path}, so the two cannot be told apart."
        findings.error("duplicate-serial", field, message)
    if disk.size_bytes < SMALLEST_DISK_BYTES:
        findings.error("disk-too-small", field, f"{_name(disk)} is too small for ZFS.")


def _same(one: Disk, other: Disk) -> bool:
    return one.serial is not None and (one.serial, one.model) == (other.serial, other.model)


def _name(disk: Disk) -> str:
    where = f"bay {disk.bay}, " if disk.bay else ""
    return f"{disk.id} ({where}serial {disk.serial or 'unknown'})"
