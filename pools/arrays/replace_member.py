"""array.replace: another disk takes the place of a member."""

from __future__ import annotations

import msgspec

from host.commands.disks.md import MdRemove, MdReplace
from host.commands.disks.partition import UdevSettle
from host.inventory import ArrayMember, Disk, Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import erased, named, sentences
from pools import preparation
from pools.arrays.chosen import (
    Text,
    check_idle,
    claims,
    disk_said,
    link_of,
    member_on,
    member_said,
    redundant,
)
from pools.arrays.newcomer import check_disks, choose, component_bytes, join, sync_time
from pools.unwell import AcceptUnwell


class ReplaceInArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let a disk take the place of a member, which stays in use until the new one is whole."""

    name: Text
    member: Text  # id of the disk that leaves
    disk: Text  # id of the disk that comes
    accept_unwell: AcceptUnwell = ()


def plan(request: ReplaceInArray, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that is in use or too small, and while an array is rebuilt."""
    findings = Findings()
    array = redundant(request.name, inventory, findings)
    old = member_on(request.member, array, inventory, findings)
    check_idle(array, findings)
    _check_old(array, old, findings)
    new = choose(request.disk, "disk", array, inventory, findings)
    findings.refuse_on_error()
    if new is None:
        raise AssertionError("A disk that cannot be had is an error.")
    check_disks((new.disk,), request.accept_unwell, inventory, findings)
    findings.refuse_on_error()
    said = member_said(old, inventory)
    joined = join(array, (new.disk,), inventory)
    leave = Step(
        title=f"Remove {said} from {array.name}",
        commands=(MdRemove(array=array.node, member=link_of(old)),),
    )
    if old.state == "faulty":
        steps: tuple[Step, ...] = (leave, *joined)
        findings.info("rebuild-follows", "disk", "The kernel rebuilds the new disk from the other members.")
    else:
        replace = MdReplace(array=array.node, old=link_of(old), new=preparation.partition_link(new.disk))
        title = f"Replace {said} by {disk_said(new.disk)}"
        steps = (*joined, Step(title=title, commands=(replace, UdevSettle())))
        message = (
            "The old disk stays in use until everything is copied and is then marked faulty. Remove it "
            "after that."
        )
        findings.info("copy-follows", "disk", message)
    return Plan(
        operation="array.replace",
        steps=steps,
        summary=_summary(array, old, new.disk, inventory),
        takes=f"{sync_time(component_bytes(array), new.disk)}; {array.name} stays usable",
        findings=findings.all(),
        claims=claims(array, old.disk, new.disk.id),
    )


def _summary(array: MdArray, old: ArrayMember, disk: Disk, inventory: Inventory) -> str:
    leaves = inventory.disk(old.disk or "")
    which = named(leaves) if leaves else f"disk {old.path}"
    if old.state == "faulty":
        result = f"The {named(disk)} replaces the failed {which}"
        return sentences(f"{result}, and {array.name} rebuilds its redundancy onto it.", erased(disk))
    return sentences(
        f"The {named(disk)} replaces the {which} in {array.name}.",
        "The old disk stays in use until everything is copied, and then counts as failed and can be removed.",
        erased(disk),
    )


def _check_old(array: MdArray, old: ArrayMember, findings: Findings) -> None:
    if old.state in {"spare", "rebuilding"}:
        message = f"It holds no data of {array.name} yet. Remove it and add the other disk instead."
        findings.error("holds-nothing", "member", message)
    elif old.state != "faulty" and array.degraded:
        message = (
            f"{array.name} already has a missing member, which the new disk would fill. Add a disk for "
            "that first."
        )
        findings.error("degraded", "name", message)
