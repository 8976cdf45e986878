"""array.remove: a member leaves an array, if the others hold all the data."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.disks.md import MdFail, MdRemove, MdZeroSuperblock
from host.commands.disks.partition import UdevSettle
from host.inventory import ArrayMember, Inventory, MdArray
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named
from pools.arrays.chosen import Text, check_idle, claims, link_of, member_on, member_said, needed, redundant


class RemoveFromArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a disk out: a faulty one, a spare, or one whose data the others hold as well."""

    name: Text
    member: Text  # id of the disk


def plan(request: RemoveFromArray, inventory: Inventory) -> Plan:
    """Raises `Refused` where data would be lost with the member."""
    findings = Findings()
    array = redundant(request.name, inventory, findings)
    old = member_on(request.member, array, inventory, findings)
    _check(array, old, findings)
    findings.refuse_on_error()
    link = link_of(old)
    commands: list[AnyCommand] = []
    if old.state not in {"faulty", "spare"}:
        commands.append(MdFail(array=array.node, member=link))
    commands.append(MdRemove(array=array.node, member=link))
    if old.state != "faulty":  # a disk that fails may not let itself be written
        commands.append(MdZeroSuperblock(members=(link,)))
    commands.append(UdevSettle())
    title = f"Remove {member_said(old, inventory)} from {array.name}"
    losses = (_loss(array, old, inventory),) if old.state == "in sync" else ()
    return Plan(
        operation="array.remove",
        steps=(Step(title=title, commands=tuple(commands), destroys=losses),),
        summary=_summary(array, old, inventory),
        findings=findings.all(),
        claims=claims(array, old.disk),
    )


def _summary(array: MdArray, old: ArrayMember, inventory: Inventory) -> str:
    disk = inventory.disk(old.disk or "")
    which = named(disk) if disk else f"disk {old.path}"
    if old.state == "faulty":
        return f"The failed {which} is removed from {array.name} and can be pulled."
    if old.state != "in sync":
        return f"The {which} is removed from {array.name} and can be used for something new."
    left = array.in_sync - 1
    if left == 1:
        after = "The other disk still holds everything, but must not fail until a new one replaces this one."
    elif left == needed(array):
        after = "The other disks still hold everything, but none may fail until a new one replaces this one."
    else:
        after = f"The other disks still hold everything, and {array.name} stays usable."
    return f"The {which} is removed from {array.name}, and its share of the data is erased. {after}"


def _check(array: MdArray, old: ArrayMember, findings: Findings) -> None:
    if old.state != "in sync":
        return
    check_idle(array, findings)  # while copies or parity are made, what they hold cannot be relied on
    left = array.in_sync - 1
    if left < needed(array):
        message = (
            f"Without this disk the data of {array.name} would be lost: the other members do not hold all "
            "of it."
        )
        findings.error("would-lose-data", "member", message)
    elif left == needed(array):
        message = f"Afterwards {array.name} cannot survive a disk failure until this disk has been replaced."
        findings.warning("no-redundancy-left", "member", message)


def _loss(array: MdArray, old: ArrayMember, inventory: Inventory) -> Loss:
    disk = inventory.disk(old.disk or "")
    holds = f"its copy of the data in array {array.name}"
    if disk is None:
        return Loss(holds=holds)
    return Loss(disk=disk.id, bay=disk.bay, model=disk.model, serial=disk.serial, holds=holds)
