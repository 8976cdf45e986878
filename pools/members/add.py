"""pool.add: more vdevs, of any role."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.pools.members import ZpoolAdd
from host.commands.pools.zpool import VdevSpec
from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from host.inventory.redundancy import VITAL, layout_of, pool_survives_when_whole
from host.layouts import ImpossibleLayout, Layout, draid, kind, survives
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools import preparation
from pools.create_pool import NewVdev
from pools.disk_choice import choose
from pools.members.newcomer import check_sectors, needed_bytes, partition_bytes
from pools.members.places import Text, claims, writable
from pools.members.tolerance import ask
from pools.phrases import bays, erased, space, vdevs_named
from pools.redundancy import Member, check_vdevs, needs_force
from pools.suitability import check_suitability
from pools.unwell import AcceptUnwell, check_unwell

_ALIKE_BYTES = 16 << 20  # as ZPOOL_FUZZ: smaller differences do not count
Shape = tuple[str, int]


class AddVdevs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Add vdevs to a pool. `confirm` is the pool's name, where they weaken it."""

    name: Text
    vdevs: Annotated[tuple[NewVdev, ...], Meta(min_length=1, max_length=255)]
    ashift: Annotated[int, Meta(ge=9, le=16)] | None = None  # that of the pool when left out
    confirm: Text | None = None
    accept_unwell: AcceptUnwell = ()


def plan(request: AddVdevs, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the disks and layouts, and for want of `confirm`."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    chosen = choose([vdev.disks for vdev in request.vdevs], inventory, findings)
    disks = tuple(disk for members in chosen for disk in members)
    new: list[Member] = [
        (vdev.role, vdev.layout, members) for vdev, members in zip(request.vdevs, chosen, strict=True)
    ]
    check_unwell(disks, request.accept_unwell, findings)
    check_vdevs(new, findings)
    ashift = _ashift(request, pool, disks, findings)
    _check_strength(request, pool, new, findings)
    _check_shapes(pool, new, findings)
    _check_spares(pool, new, findings)
    spared = any(vdev.role == "spare" for vdev in pool.vdevs)
    check_suitability(new, inventory, findings, ashift=ashift, spared=spared)
    _check_for_good(pool, new, findings)
    findings.refuse_on_error()
    add = ZpoolAdd(
        name=pool.name,
        properties={"ashift": str(ashift)},
        force=needs_force(new) or _differs(pool, new),
        vdevs=tuple(
            VdevSpec(role=role, layout=layout, devices=tuple(map(preparation.partition_link, members)))
            for role, layout, members in new
        ),
    )
    words = " and ".join(f"{role} {layout} of {len(members)}" for role, layout, members in new[:3])
    more = f" and {len(new) - 3} more" if len(new) > 3 else ""
    return Plan(
        operation="pool.add",
        steps=(
            preparation.prepare(disks, at_least=_needed_of_spares(pool, new)),
            Step(title=f"Add {words}{more} to {pool.name}", commands=(add,)),
        ),
        summary=_summary(pool, new, disks, ashift),
        findings=findings.all(),
        claims=claims(pool, *(disk.id for disk in disks)),
    )


def _summary(pool: Pool, new: Sequence[Member], disks: tuple[Disk, ...], ashift: int) -> str:
    where, more = bays(disks), space(new, ashift=ashift)
    vital = [survives(layout, len(members)) for role, layout, members in new if role in VITAL]
    before = pool_survives_when_whole(pool.vdevs)
    then = min(vital, default=before)
    meaning = ""
    if then < before:
        lost = f"{then + 1} of the new disks fail" if then else "one of the new disks fails"
        meaning = f"If {lost if len(disks) > 1 else 'that disk fails'} then, all of {pool.name} can be lost."
    elif vital and _raidz(pool, new):
        meaning = "Its data disks can only be replaced, never removed again."
    elif not vital and all(role == "spare" for role, _, _ in new):
        meaning = "A spare takes over automatically when a data disk fails."
    return sentences(
        f"{pool.name} gets {vdevs_named(new)}{f' ({where})' if where else ''}"
        f"{f', with {more} more for files' if more else ''}.",
        meaning,
        erased(disks),
    )


def _raidz(pool: Pool, new: Sequence[Member]) -> bool:
    """Whether the pool has one then, so that no vdev with data can be removed any more."""
    there = any(vdev.kind in {"raidz", "draid"} for vdev in pool.vdevs)
    return there or any(kind(layout) in {"raidz", "draid"} for _, layout, _ in new)


def shape_of(vdev: Vdev) -> Shape:
    """Layout and width of a vdev that is there, in the words of a request."""
    return layout_of(vdev), max(1, len(vdev.children)) if layout_of(vdev) != "stripe" else 1


def _shape(layout: Layout, disks: int) -> Shape:
    if kind(layout) == "draid":
        with suppress(ImpossibleLayout):  # told by check_vdevs
            return draid(layout, disks).name, disks
    return layout, 1 if layout == "stripe" else disks


def _ashift(request: AddVdevs, pool: Pool, disks: tuple[Disk, ...], findings: Findings) -> int:
    sector = max((disk.physical_sector_bytes for disk in disks), default=512)
    needed = sector.bit_length() - 1
    ashift = request.ashift if request.ashift is not None else pool.ashift or max(12, needed)
    if request.ashift is not None and pool.ashift and ashift != pool.ashift:
        message = (
            f"The pool has ashift {pool.ashift}. If vdevs differ in ashift, no vdev can ever be removed."
        )
        findings.warning("ashift-differs", "ashift", message)
    if request.ashift is not None and ashift < needed:
        message = f"Disks with sectors of {sector} bytes need ashift {needed} or more."
        findings.error("ashift-too-small", "ashift", message)
    elif request.ashift is None:
        for disk in disks:
            check_sectors(disk, pool, "vdevs", findings)
    return ashift


def _check_strength(request: AddVdevs, pool: Pool, new: Sequence[Member], findings: Findings) -> None:
    """A pool is lost with any one of its vdevs, so that the weakest decides."""
    before = pool_survives_when_whole(pool.vdevs)
    weak = []
    for index, (role, layout, members) in enumerate(new):
        then = survives(layout, len(members))
        if role not in VITAL or not members or then >= before:
            continue
        weak.append(index)
        message = (
            f"The pool survives {before} failure{'' if before == 1 else 's'} in any of its vdevs, this "
            f"{role} vdev {f'only {then}' if then else 'none'}. Losing it loses the whole pool."
        )
        code = "single-disk-beside-redundant" if then == 0 else "less-redundancy"
        findings.warning(code, f"vdevs[{index}]", message)
    if weak:
        why = f"{pool.name} would be permanently weaker."
        ask(findings, confirm=request.confirm, typed=pool.name, why=why)


def _check_shapes(pool: Pool, new: Sequence[Member], findings: Findings) -> None:
    existing = {shape_of(vdev) for vdev in pool.vdevs if vdev.role == "data"}
    for index, (role, layout, members) in enumerate(new):
        if role == "data" and members and existing and _shape(layout, len(members)) not in existing:
            was = " and ".join(sorted(f"{name} of {count}" for name, count in existing))
            message = (
                f"The data vdevs are {was}. With {_said(layout, len(members))} added, the pool is as slow "
                "as the slower of the two."
            )
            findings.warning("mixed-layouts", f"vdevs[{index}]", message)


def _said(layout: Layout, disks: int) -> str:
    if layout == "stripe":
        return "a single disk" if disks == 1 else "single disks"
    return f"a {layout} of {disks}"


def _check_spares(pool: Pool, new: Sequence[Member], findings: Findings) -> None:
    data = [leaf.size_bytes for vdev in pool.vdevs if vdev.role == "data" for leaf in leaves(vdev)]
    largest = max(data, default=0)
    for index, (role, _, members) in enumerate(new):
        for place, disk in enumerate(members):
            if role == "spare" and partition_bytes(disk) + _ALIKE_BYTES < largest:
                message = f"{disk.id} is smaller than a data disk, so it could not replace one."
                findings.warning("spare-too-small", f"vdevs[{index}].disks[{place}]", message)


def _needed_of_spares(pool: Pool, new: Sequence[Member]) -> int:
    """Bytes that a member must have to stand in for any data disk; 0 where not only spares come."""
    if any(role != "spare" for role, _, _ in new):
        return 0
    return max((needed_bytes(vdev) for vdev in pool.vdevs if vdev.role == "data"), default=0)


def _check_for_good(pool: Pool, new: Sequence[Member], findings: Findings) -> None:
    """What cannot be taken back, and what comes with it."""
    coming = any(kind(layout) in {"raidz", "draid"} for _, layout, _ in new)
    if coming and pool.features.get("device_removal") == "active":
        message = "A vdev was removed from this pool before, so a raidz can no longer be added. Use mirrors."
        findings.error("removed-before", "vdevs", message)
    if any(role in VITAL for role, _, _ in new) and _raidz(pool, new):
        message = "This cannot be undone: in a pool with a raidz, no data vdev can ever be removed."
        findings.warning("irreversible", "vdevs", message)
        if pool.checkpoint is None:
            message = "A checkpoint taken beforehand would be a way back, until it is discarded."
            findings.info("checkpoint-first", "name", message)
    for index, (role, _, _) in enumerate(new):
        if role in {"special", "dedup"}:
            message = f"Losing the {role} vdev loses the whole pool, whatever the data vdevs survive."
            findings.warning("vital-helper", f"vdevs[{index}]", message)
    if any(role == "data" for role, _, _ in new):
        message = "Existing data stays where it is; new data goes to the new vdev first."
        findings.info("no-rebalance", "vdevs", message)
    if pool.checkpoint is not None:
        message = "Going back to the checkpoint would remove these vdevs again, with everything on them."
        findings.warning("checkpoint-exists", "name", message)


def _differs(pool: Pool, new: Sequence[Member]) -> bool:
    """Whether zpool wants -f because what comes is unlike what is there; the plan has warned by then."""
    existing = {shape_of(vdev) for vdev in pool.vdevs if vdev.role == "data"}
    coming = {_shape(layout, len(members)) for role, layout, members in new if role in VITAL}
    return bool(coming) and len(existing) == 1 and coming != existing
