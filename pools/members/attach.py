"""pool.attach: a disk becomes a mirror, a mirror wider, or a RAIDZ wider by one disk."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolAttach
from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from host.layouts import MOST_DISKS
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools import preparation
from pools.members.copying import resilver_takes
from pools.members.expansion import explain, gain
from pools.members.newcomer import check_resilver, choose_newcomer, needed_bytes, partition_bytes
from pools.members.places import (
    MemberPosition,
    Text,
    asked_for,
    check_calm,
    claims,
    disk_said,
    named,
    said,
    writable,
)
from pools.phrases import disk_named, erased
from pools.quotas.limits import in_words
from pools.unwell import AcceptUnwell, check_unwell, warn_of_unwell

_MUCH = 1 << 30


class AttachDisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Join a disk to a single disk or mirror, which then holds one copy more, or to a raidz, which grows."""

    name: Text
    vdev: Text  # guid of a single disk, of a mirror or one of its disks, or of a raidz
    disk: Text  # id of the disk that comes
    accept_unwell: AcceptUnwell = ()


def plan(request: AttachDisk, inventory: Inventory) -> Plan:
    """Raises `Refused` where the vdev cannot take a disk, or not this one."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    place = asked_for(pool, request.vdev, findings)
    if fault := attach_fault(place):
        findings.refuse(fault[0], "vdev", fault[1])
    check_calm(pool, findings)
    new = choose_newcomer(request.disk, pool, place.top, inventory, findings)
    check_resilver(pool, findings)
    expands = place.vdev.kind == "raidz"
    if expands:
        _check_expansion(pool, place.vdev, findings)
    if new is not None:
        warn_of_unwell(new, "disk", findings)
        check_unwell((new,), request.accept_unwell, findings)
        _check_excess(new, place.top, findings)
        if expands:
            explain(pool, place.vdev, findings)
    findings.refuse_on_error()
    if new is None:
        raise AssertionError("A disk that cannot be had is an error.")
    beside = place.vdev if expands else _beside(place.parent or place.vdev)
    command = ZpoolAttach(name=pool.name, vdev=beside.guid, device=preparation.partition_link(new))
    if not expands:
        words = "Everything is copied to it. After that, one more failure is survived."
        findings.info("resilver-follows", "disk", words)
    step = Step(title=f"Attach {disk_said(new)} to {said(place.vdev, inventory)}", commands=(command,))
    return Plan(
        operation="pool.attach",
        steps=(preparation.prepare((new,), at_least=needed_bytes(place.top)), step),
        summary=_summary(pool, place, new, inventory),
        takes=(
            f"hours or days; {pool.name} stays usable, and the expansion survives a restart"
            if expands
            else resilver_takes(pool, place.top, new)
        ),
        findings=findings.all(),
        claims=claims(pool, new.id),
    )


def _summary(pool: Pool, place: MemberPosition, new: Disk, inventory: Inventory) -> str:
    disk = disk_named(new, "The disk")
    if place.vdev.kind == "raidz":
        found = gain(pool, place.vdev)
        result = f"{disk} widens {place.vdev.name} of {pool.name} to {found.new_width} disks"
        result += f", which brings about {in_words(found.shown)} more for files." if found.shown else "."
        any_of = found.parity if found.parity > 1 else "one"
        still = f"Any {any_of} of its disks may still fail, and it can never be made narrower again."
        return sentences(result, still, erased((new,), alone="the new disk"))
    mirror = place.parent or place.vdev
    if mirror.children:
        copies = len(mirror.children) + 1
        then = f"joins {mirror.name} of {pool.name}, which then holds {copies} copies of its data"
    else:
        then = f"mirrors {named(mirror, inventory)} in {pool.name}, and then either of the two may fail"
    return sentences(f"{disk} {then}.", erased((new,), alone="the new disk"))


def attach_fault(place: MemberPosition) -> tuple[str, str] | None:
    """Code and words of why a vdev cannot take a disk; None where it can."""
    vdev, parent = place.vdev, place.parent
    if place.top.role in {"spare", "cache"}:
        message = f"A {place.top.role} has no redundancy to extend. Add another one to the pool."
        return f"is-a-{place.top.role}", message
    if vdev.kind == "draid":
        return "draid", "A dRAID cannot be widened by one disk. Add a vdev to the pool instead."
    if parent is not None and parent.kind == "raidz":
        return "not-a-member", f"Name the raidz itself, {parent.name} with guid {parent.guid}."
    if parent is not None and parent.kind != "mirror":
        return (
            "being-replaced",
            "It is being replaced, or a spare has taken over for it. Wait until that has finished.",
        )
    mirror = parent or vdev
    if mirror.kind != "raidz" and _beside(mirror).state != "ONLINE":
        return "not-online", f"No disk of {mirror.name} is online, so there is nothing to copy from."
    return None


def _beside(vdev: Vdev) -> Vdev:
    """Of a mirror, the disk that ZFS is to copy: one that works."""
    return next((leaf for leaf in vdev.children if leaf.state == "ONLINE" and not leaf.children), vdev)


def _check_expansion(pool: Pool, raidz: Vdev, findings: Findings) -> None:
    if pool.features.get("raidz_expansion", "disabled") == "disabled":
        message = (
            "A raidz can take a disk only with the feature raidz_expansion (OpenZFS 2.3). Upgrade the "
            "pool first: that plan says which systems can no longer read it then."
        )
        findings.error("feature-disabled", "vdev", message)
    if pool.expansion is not None and pool.expansion.state == "SCANNING":
        findings.error("expansion-running", "vdev", "An expansion is running. Wait until it has finished.")
    if any(child.children or child.state != "ONLINE" for child in raidz.children):
        message = (
            f"All disks of {raidz.name} must be online, and none of them may be in the middle of a "
            "replacement."
        )
        findings.error("not-all-online", "vdev", message)
    if len(raidz.children) >= MOST_DISKS:
        findings.error("too-wide", "vdev", f"A raidz has at most {MOST_DISKS} disks.")


def _check_excess(new: Disk, top: Vdev, findings: Findings) -> None:
    own = max((leaf.size_bytes for leaf in leaves(top)), default=0) or needed_bytes(top)
    if partition_bytes(new) > own + _MUCH:
        message = f"{new.id} is larger than the others: only as much of it is used as of the smallest."
        findings.info("larger-than-needed", "disk", message)
