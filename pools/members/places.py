"""Which pool and which of its vdevs a request means, and whether the pool takes changes now."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from msgspec import Meta

from host.inventory import Absent, Disk, Inventory, Pool, Vdev
from jobs.planning.findings import Findings
from pools.phrases import disk_named

Text = Annotated[str, Meta(max_length=1024)]


class MemberPosition(NamedTuple):
    """A vdev and what is above it, from the top-level vdev down."""

    vdev: Vdev
    above: tuple[Vdev, ...]

    @property
    def top(self) -> Vdev:
        """The top-level vdev that it belongs to, or is."""
        return self.above[0] if self.above else self.vdev

    @property
    def parent(self) -> Vdev | None:
        """What it hangs below; None for a top-level vdev."""
        return self.above[-1] if self.above else None

    @property
    def leaf(self) -> bool:
        """Whether it is a device."""
        return not self.vdev.children


def pool_called(name: str, inventory: Inventory, findings: Findings) -> Pool:
    """Raises `Refused` where no such pool is imported."""
    pool = inventory.pool(name)
    if pool is None:
        findings.refuse("unknown-pool", "name", "No pool of that name is imported.")
    return pool


def writable(name: str, inventory: Inventory, findings: Findings) -> Pool:
    """A pool whose members can be changed. Raises `Refused` where there is none or it cannot be changed."""
    pool = pool_called(name, inventory, findings)
    if pool.suspended:
        message = f"{name} is suspended: it is waiting for its disks. Put them back, then clear the pool."
        findings.refuse("pool-suspended", "name", message)
    if pool.readonly:
        message = f"{name} is imported read-only. Export it and import it for writing first."
        findings.refuse("pool-read-only", "name", message)
    return pool


def find(pool: Pool, guid: str) -> MemberPosition | None:
    """The vdev of that guid. Of a spare in use, the leaf that stands in."""
    for top in sorted(pool.vdevs, key=lambda vdev: vdev.role == "spare"):
        if found := _below(top, (), guid):
            return found
    return None


def asked_for(pool: Pool, guid: str, findings: Findings) -> MemberPosition:
    """The vdev of that guid. Raises `Refused` where the pool has none."""
    place = find(pool, guid)
    if place is None:
        message = f"{pool.name} has no vdev of that guid. GET /api/v1/pools/{pool.name}/ lists them."
        findings.refuse("unknown-vdev", "vdev", message)
    return place


def is_spare(pool: Pool, guid: str) -> bool:
    """Whether it is one of the pool's spares, waiting or in use."""
    return any(vdev.role == "spare" and vdev.guid == guid for vdev in pool.vdevs)


def check_calm(pool: Pool, findings: Findings) -> None:
    """Adds what keeps members from leaving or being replaced: a checkpoint, or a removal under way."""
    if pool.checkpoint is not None:
        message = "The pool has a checkpoint, which needs all members to stay as they are. Discard it first."
        findings.error("checkpoint-exists", "name", message)
    if pool.removal is not None and pool.removal.state == "SCANNING":
        message = "A vdev is being removed. Wait until that has finished, or cancel it."
        findings.error("removal-running", "name", message)


def said(vdev: Vdev, inventory: Inventory) -> str:
    """`bay A3, WDC WD30EFRX, serial WD-0003`, of a leaf; the name of any other vdev."""
    if vdev.children:
        return vdev.name
    disk = _disk_of(vdev, inventory)
    return disk_said(disk) if disk else (vdev.path or vdev.name).rpartition("/")[2]


def named(vdev: Vdev, inventory: Inventory, noun: str = "the disk") -> str:
    """`the disk in bay A3 (WD-0003)`, of a leaf, for summaries; the name of any other vdev."""
    if vdev.children:
        return vdev.name
    disk = _disk_of(vdev, inventory)
    return disk_named(disk, noun) if disk else f"{noun} {vdev.link}"


def disk_said(disk: Disk | Absent) -> str:
    """A disk by bay, model and serial."""
    bay = f"bay {disk.bay}, " if disk.bay else ""
    return f"{bay}{disk.model}, serial {disk.serial or 'unknown'}"


def claims(pool: Pool, *disks: str | None) -> tuple[str, ...]:
    """What a job on the pool and these disks (by id) holds."""
    return (f"pool:{pool.name}", *(f"disk:{disk}" for disk in dict.fromkeys(disks) if disk))


def _disk_of(leaf: Vdev, inventory: Inventory) -> Disk | Absent | None:
    return inventory.disk(leaf.disk) if leaf.disk else inventory.left(leaf)


def _below(vdev: Vdev, above: tuple[Vdev, ...], guid: str) -> MemberPosition | None:
    if vdev.guid == guid:
        return MemberPosition(vdev, above)
    return next((p for child in vdev.children if (p := _below(child, (*above, vdev), guid))), None)
