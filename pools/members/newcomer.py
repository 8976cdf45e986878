"""A disk that joins a vdev: whether it can be had, and whether it is large enough."""

from __future__ import annotations

from host.capacity import LABELS_BYTES
from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from host.inventory.redundancy import layout_of, resilvering
from host.layouts import draid
from jobs.planning.findings import Findings
from pools.disk_choice import choose_one
from pools.preparation import MIB, partition_mib

_LABEL_STEP = 256 << 10  # a device is used in whole multiples of a label's size


def needed_bytes(top: Vdev) -> int:
    """How large a partition must be to join or to take a member's place.

    ZFS wants room for the whole metaslabs that the vdev has, of a RAIDZ for its share of them
    (vdev_get_min_asize() in vdev.c), and for its labels.
    """
    if top.total_bytes:
        return -(-top.total_bytes // _shares(top)) + LABELS_BYTES
    return min((leaf.size_bytes for leaf in leaves(top) if leaf.size_bytes), default=0)


def _shares(top: Vdev) -> int:
    """How many members the space is shared among."""
    if top.kind == "draid":
        return len(top.children) - draid(layout_of(top), len(top.children)).spares
    return len(top.children) if top.kind == "raidz" else 1


def partition_bytes(disk: Disk, *, at_least: int = 0) -> int:
    """The part of a disk that ZFS is given; `at_least` as of `partition_mib`."""
    return partition_mib(disk.size_bytes, at_least=at_least) * MIB


def too_small(disk: Disk, top: Vdev) -> str | None:
    """Why `disk` cannot be a member of `top`; None where it is large enough."""
    needed = needed_bytes(top)
    offered = partition_bytes(disk, at_least=needed) // _LABEL_STEP * _LABEL_STEP
    if offered >= needed:
        return None
    return f"It is too small: it has {offered} bytes, and a member of {top.name} needs {needed}."


def choose_newcomer(
    name: str, pool: Pool, top: Vdev, inventory: Inventory, findings: Findings, *, field: str = "disk"
) -> Disk | None:
    """The disk of that name if it can join `top`; why not becomes findings."""
    disk = choose_one(name, field, inventory, findings)
    if disk is None:
        return None
    if why := too_small(disk, top):
        findings.error("disk-too-small", field, f"{disk.id}: {why}")
    check_sectors(disk, pool, field, findings)
    return disk


def check_sectors(disk: Disk, pool: Pool, field: str, findings: Findings) -> None:
    """Adds a finding where the disk's sectors are larger than what the pool writes."""
    if not pool.ashift:
        return
    sector = 1 << pool.ashift
    if disk.logical_sector_bytes > sector:
        message = (
            f"{disk.id} has logical sectors of {disk.logical_sector_bytes} bytes; this pool writes {sector}."
        )
        findings.error("sectors-too-large", field, message)
    elif disk.physical_sector_bytes > sector:
        message = (
            f"{disk.id} has sectors of {disk.physical_sector_bytes} bytes and this pool writes {sector}: "
            "every small write becomes a read, a change and a write."
        )
        findings.warning("ashift-too-small", field, message)


def check_resilver(pool: Pool, findings: Findings) -> None:
    """Warns where a resilver runs already."""
    if resilvering(pool):
        message = (
            "A resilver is running. The new disk waits until it has finished, or the resilver starts over."
        )
        findings.warning("resilver-running", "name", message)
