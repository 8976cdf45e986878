"""pool.remove: a spare, a cache or a log at once; another top-level vdev by moving its data to the rest."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolCancelRemoval, ZpoolRemove
from host.inventory import Inventory, Pool, Vdev, leaves
from host.inventory.disks import Medium
from host.inventory.redundancy import VITAL
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.members.copying import evacuation_takes
from pools.members.places import (
    MemberPosition,
    Text,
    asked_for,
    check_calm,
    claims,
    named,
    said,
    writable,
)
from pools.quotas.limits import in_words

_ENTRY_BYTES = 24  # vdev_indirect_mapping_entry_phys_t
_LONGEST_SEGMENT = 16 << 20  # zfs_remove_max_segment
_SHORT_SEGMENT = 128 << 10  # of a pool whose free space is in pieces of a record
_LEAST_SLOP, _MOST_SLOP = 128 << 20, 128 << 30


class RemoveVdev(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a whole vdev out of the pool, or call off the removal that is under way."""

    name: Text
    vdev: Text | None = None  # guid of a top-level vdev
    cancel: bool = False


def plan(request: RemoveVdev, inventory: Inventory) -> Plan:
    """Raises `Refused` where ZFS would refuse, and for want of space."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    if request.cancel:
        return _cancel(request, pool, findings)
    if request.vdev is None:
        findings.refuse("required", "vdev", "Give the guid of the vdev to remove, or cancel: true.")
    place = asked_for(pool, request.vdev, findings)
    vdev = place.vdev
    if fault := remove_fault(pool, place):
        findings.refuse(fault[0], "vdev", fault[1])
    check_calm(pool, findings)
    if vdev.role in VITAL:
        _check_movable(pool, vdev, inventory, findings)
        _explain(vdev, findings)
    if vdev.role == "log":
        findings.info("log-is-written", "vdev", "What it holds is written to the data vdevs first.")
    findings.refuse_on_error()
    command = ZpoolRemove(name=pool.name, vdev=vdev.guid)
    return Plan(
        operation="pool.remove",
        steps=(Step(title=f"Remove {_what(vdev, inventory)} from {pool.name}", commands=(command,)),),
        summary=_summary(pool, vdev, inventory),
        takes=evacuation_takes(pool, vdev, _medium(vdev, inventory)) if vdev.role in VITAL else "",
        findings=findings.all(),
        claims=claims(pool, *(leaf.disk for leaf in leaves(vdev))),
    )


def _summary(pool: Pool, vdev: Vdev, inventory: Inventory) -> str:
    if vdev.role in VITAL:
        what, size = named(vdev, inventory, "The disk"), in_words(vdev.allocated_bytes)
        free = "its disks are then free" if vdev.children else "it is free then"
        return f"{what} is removed from {pool.name} once its {size} have moved to the other vdevs; {free}."
    what = f"The log {vdev.name}" if vdev.children else named(vdev, inventory, f"The {vdev.role} disk")
    after = {
        "log": "Synchronous writes then go to the data disks, which can be slower.",
        "cache": "Reads then come from memory and the data disks alone.",
    }.get(vdev.role, "")
    if vdev.role == "spare" and sum(one.role == "spare" for one in pool.vdevs) == 1:
        after = f"{pool.name} then has no spare."
    return sentences(f"{what} is removed from {pool.name} and is free for other use.", after)


def _medium(vdev: Vdev, inventory: Inventory) -> Medium:
    """That of its disks; as slow as hard disks where they differ or are not here."""
    here = [inventory.disk(leaf.disk) if leaf.disk else None for leaf in leaves(vdev)]
    media: set[Medium] = {disk.medium if disk else "hdd" for disk in here}
    return media.pop() if len(media) == 1 else "hdd"


def remove_fault(pool: Pool, place: MemberPosition) -> tuple[str, str] | None:
    """Code and words of why a vdev can never leave this pool; None where it can."""
    vdev = place.vdev
    if place.parent is not None:
        if place.parent.kind == "spare":
            return "spare-in-use", "This spare is in use for another disk. Detach it first."
        top = place.top
        return "not-top-level", f"Only whole vdevs can be removed: {top.name} with guid {top.guid}."
    if vdev.kind == "dspare":
        return "distributed-spare", "This spare is a part of all disks of its dRAID and cannot be removed."
    if vdev.role == "spare" and vdev.state == "INUSE":
        return "spare-in-use", "This spare is in use for another disk. Detach it first."
    if vdev.role not in VITAL:
        return None
    if any(top.role in VITAL and top.kind in {"raidz", "draid"} for top in pool.vdevs):
        return "raidz-in-pool", "In a pool with a raidz, no data vdev can ever be removed."
    if vdev.role == "data" and sum(top.role == "data" for top in pool.vdevs) == 1:
        return "last-vdev", "It is the only data vdev: there is nowhere for the data to go."
    if pool.features.get("device_removal", "disabled") == "disabled":
        return "feature-disabled", "This needs the feature device_removal. Upgrade the pool first."
    return None


def mapping_bytes(moved: int) -> tuple[int, int]:
    """Memory that the map of `moved` bytes takes for good: at least, and where all is in small pieces."""
    return tuple(-(-moved // size) * _ENTRY_BYTES for size in (_LONGEST_SEGMENT, _SHORT_SEGMENT))  # type: ignore[return-value]


def room_needed(pool: Pool, vdev: Vdev) -> int:
    """What must be available in the pool's root dataset, which then loses all of this vdev's space
    (spa_vdev_remove_top_check() wants that and the slop space free)."""
    slop = min(max(pool.size_bytes >> 5, _LEAST_SLOP), _MOST_SLOP)
    return (vdev.total_bytes if vdev.role == "data" else vdev.allocated_bytes) + slop


def _cancel(request: RemoveVdev, pool: Pool, findings: Findings) -> Plan:
    if request.vdev is not None:
        findings.error(
            "ambiguous", "vdev", "With cancel: true, leave out the vdev: only one removal runs at a time."
        )
    if pool.removal is None or pool.removal.state != "SCANNING":
        findings.error("no-removal", "cancel", "No vdev of this pool is being removed.")
    findings.refuse_on_error()
    step = Step(title="Cancel the removal; the vdev stays", commands=(ZpoolCancelRemoval(name=pool.name),))
    return Plan(
        operation="pool.remove",
        steps=(step,),
        summary=f"{_leaving(pool)} stays in {pool.name} with all its data: its removal is cancelled.",
        claims=claims(pool),
    )


def _leaving(pool: Pool) -> str:
    return (pool.removal.vdev if pool.removal else None) or "The vdev"


def _check_movable(pool: Pool, vdev: Vdev, inventory: Inventory, findings: Findings) -> None:
    if any(leaf.state != "ONLINE" for leaf in leaves(vdev)):
        message = f"Data can only be moved while all disks of {vdev.name} are online. Repair it first."
        findings.error("not-all-online", "vdev", message)
    odd = [top.name for top in pool.vdevs for node in top.children if top.role in VITAL and node.children]
    if odd:
        message = f"Disks of {odd[0]} are being replaced. Wait until that has finished."
        findings.error("being-replaced", "vdev", message)
    root = inventory.dataset(pool.name)
    available, needed = root.number("available") if root else 0, room_needed(pool, vdev)
    if root is None or available < needed:
        message = (
            f"The other vdevs do not have enough room: {needed} bytes are needed, {available} are "
            "available. Delete data or old snapshots, or add a vdev."
        )
        findings.error("not-enough-room", "vdev", message)


def _explain(vdev: Vdev, findings: Findings) -> None:
    least, most = (size / (1 << 20) for size in mapping_bytes(vdev.allocated_bytes))
    message = (
        f"The map from old to new locations stays in memory for as long as the pool exists: {least:.1f} "
        f"MiB at least, about {most:.0f} MiB if the data is fragmented. No raidz can be added afterwards."
    )
    findings.warning("mapping-memory", "vdev", message)
    message = (
        "Its data moves to the other vdevs first, for hours or days. Until it has finished, it can be "
        "cancelled."
    )
    findings.info("data-moves", "vdev", message)


def _what(vdev: Vdev, inventory: Inventory) -> str:
    if vdev.children:
        return vdev.name
    return f"{vdev.role if vdev.role != 'data' else 'single disk'} {said(vdev, inventory)}"
