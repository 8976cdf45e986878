"""pool.replace: another disk takes the place of a member."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolReplace
from host.inventory import Disk, Inventory, Pool, Vdev
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools import preparation
from pools.members.copying import resilver_takes
from pools.members.newcomer import check_resilver, choose_newcomer, needed_bytes, too_small
from pools.members.places import (
    MemberPosition,
    Text,
    asked_for,
    check_calm,
    claims,
    disk_said,
    is_spare,
    named,
    said,
    writable,
)
from pools.members.tolerance import ask
from pools.phrases import disk_named, erased
from pools.unwell import AcceptUnwell, check_unwell, warn_of_unwell


class ReplaceMember(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Copy what a member holds to another disk, which takes its place. A spare of the pool may be named."""

    name: Text
    vdev: Text  # guid of the leaf that leaves
    disk: Text  # id of the disk that comes
    confirm: Text | None = None  # the guid of `vdev` again, where that works well
    accept_unwell: AcceptUnwell = ()


def plan(request: ReplaceMember, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that is in use or too small, and for a healthy source without `confirm`."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    place = asked_for(pool, request.vdev, findings)
    old = place.vdev
    _check_source(pool, place, findings)
    check_calm(pool, findings)
    if healthy(old, inventory):
        why = f"{said(old, inventory)} works without errors: is this really the disk to replace?"
        findings.warning("healthy-source", "vdev", why)
        ask(findings, confirm=request.confirm, typed=old.guid, why=why)
    spare = waiting_spare(pool, request.disk, inventory)
    new = choose_target(request.disk, pool, place, inventory, findings)
    check_resilver(pool, findings)
    if new is not None:
        warn_of_unwell(new, "disk", findings)
        check_unwell((new,), request.accept_unwell, findings)
    findings.refuse_on_error()
    if new is None:
        raise AssertionError("A disk that cannot be had is an error.")
    path = preparation.partition_link(new) if spare is None else spare.path or ""
    command = ZpoolReplace(name=pool.name, vdev=old.guid, device=path)
    title = f"Replace {said(old, inventory)} by {disk_said(new)}"
    replace = Step(title=title, commands=(command,))
    here = old.disk is not None and inventory.disk(old.disk) is not None
    findings.info("resilver-follows", "disk", _afterwards(spare is not None, here))
    return Plan(
        operation="pool.replace",
        steps=(replace,) if spare is not None else (_prepared(new, place), replace),
        summary=_summary(pool, place, new, inventory, spare=spare is not None),
        takes=resilver_takes(pool, place.top, new),
        findings=findings.all(),
        claims=claims(pool, old.disk, new.id),
    )


def _summary(pool: Pool, place: MemberPosition, new: Disk, inventory: Inventory, *, spare: bool) -> str:
    old = place.vdev
    does = "takes over for" if spare else "replaces"
    came = disk_named(new, "The spare" if spare else "The disk")
    afterwards = f"and {pool.name} rebuilds its redundancy onto it"
    if old.state in {"ONLINE", "DEGRADED"}:
        afterwards = (
            f"which stays in {pool.name}" if spare else "which stays in use until everything is copied"
        )
    return sentences(
        f"{came} {does} {named(old, inventory, f'the {_state(old, inventory)}disk')}, {afterwards}.",
        "" if spare else erased((new,), alone="the new disk"),
    )


def _state(leaf: Vdev, inventory: Inventory) -> str:
    """`failed `, in front of a disk that does not work; empty where it does with errors."""
    disk = inventory.disk(leaf.disk) if leaf.disk else None
    if leaf.state == "OFFLINE":
        return "offline "
    if leaf.state not in {"ONLINE", "DEGRADED"}:
        return "missing " if disk is None else "failed "
    if disk is not None and disk.health == "failing":
        return "failing "
    return "healthy " if healthy(leaf, inventory) else ""


def healthy(leaf: Vdev, inventory: Inventory) -> bool:
    """Whether nothing is known to be wrong with a member, by ZFS or by its disk's own word."""
    disk = inventory.disk(leaf.disk) if leaf.disk else None
    errors = leaf.read_errors or leaf.write_errors or leaf.checksum_errors
    return leaf.state == "ONLINE" and not errors and (disk is None or disk.health != "failing")


def waiting_spare(pool: Pool, name: str, inventory: Inventory) -> Vdev | None:
    """The spare of the pool on that disk, if it is free to stand in."""
    disk = inventory.disk(name)
    return next(
        (
            vdev
            for vdev in pool.vdevs
            if vdev.role == "spare" and vdev.state == "AVAIL" and disk is not None and vdev.disk == disk.id
        ),
        None,
    )


def source_fault(pool: Pool, place: MemberPosition) -> tuple[str, str] | None:
    """Code and words of why a vdev cannot be replaced; None where it can."""
    old, parent = place.vdev, place.parent
    if not place.leaf:
        return "not-a-disk", f"{old.name} is not a disk. Name one of its members."
    if is_spare(pool, old.guid):
        return (
            "is-a-spare",
            "A spare cannot be replaced: remove it and add another, or detach it if it is in use.",
        )
    if old.role == "cache":
        return (
            "is-a-cache",
            "A cache device cannot be replaced: it holds no data of its own. Remove it and add another.",
        )
    if parent is not None and parent.kind == "replacing":
        new = parent.children[-1]
        return "replacing-already", f"It is being replaced. Detach {new.guid} to cancel that."
    return None


def _check_source(pool: Pool, place: MemberPosition, findings: Findings) -> None:
    if fault := source_fault(pool, place):
        findings.refuse(fault[0], "vdev", fault[1])


def choose_target(
    name: str, pool: Pool, place: MemberPosition, inventory: Inventory, findings: Findings
) -> Disk | None:
    """The disk of that name if it can take the member's place; why not becomes findings."""
    spare = waiting_spare(pool, name, inventory)
    if spare is None:
        return choose_newcomer(name, pool, place.top, inventory, findings)
    if place.top.role != "data":
        findings.error("spare-for-data-only", "disk", "A spare can only take over for members of data vdevs.")
    if place.parent is not None and place.parent.kind == "spare":
        findings.error("spare-already", "disk", "Another spare has taken over for it already.")
    if not (spare.path or "").startswith("/dev/disk/by-id/"):
        message = f"The pool knows this spare as {spare.path}, which may be another disk after a restart."
        findings.error("unstable-path", "disk", message)
    disk = inventory.disk(name)
    if disk is not None and (why := too_small(disk, place.top)):
        findings.error("disk-too-small", "disk", f"{disk.id}: {why}")
    return disk


def _prepared(new: Disk, place: MemberPosition) -> Step:
    return preparation.prepare((new,), at_least=needed_bytes(place.top))


def _afterwards(spare: bool, here: bool) -> str:
    if not here:
        stays = (
            "to keep it permanently, detach the failed one." if spare else "there is nothing left to remove."
        )
        return f"The old disk has left the machine already. When the resilver has finished, {stays}"
    if spare:
        return (
            "The spare takes over. Detach the failed disk to keep the spare permanently, or replace the "
            "failed disk to free it."
        )
    return (
        "The old disk is removed from the pool automatically when the resilver has finished. Leave it in "
        "until then."
    )
