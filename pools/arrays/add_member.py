"""array.add: a disk takes the empty place of an array, or waits in it as a spare."""

from __future__ import annotations

import msgspec

from host.commands.disks.md import MdReAdd
from host.commands.disks.partition import UdevSettle
from host.inventory import Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import erased, named, sentences
from pools.arrays.chosen import Text, claims, disk_said, redundant
from pools.arrays.newcomer import Newcomer, check_disks, choose, component_bytes, join, sync_time
from pools.unwell import AcceptUnwell


class AddToArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Add a disk. One that was a member and comes back only catches up, unless `anew` is asked for."""

    name: Text
    disk: Text
    anew: bool = False  # copy everything, also to a disk that was a member before
    accept_unwell: AcceptUnwell = ()


def plan(request: AddToArray, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that is in use or too small, and for arrays of the system."""
    findings = Findings()
    array = redundant(request.name, inventory, findings)
    new = choose(request.disk, "disk", array, inventory, findings)
    findings.refuse_on_error()
    if new is None:
        raise AssertionError("A disk that cannot be had is an error.")
    check_disks((new.disk,), request.accept_unwell, inventory, findings)
    findings.refuse_on_error()
    catches_up = new.before is not None and not request.anew and array.bitmap
    if new.before is not None and catches_up:
        part = f"-part{new.before.number}" if new.before.number else ""
        back = MdReAdd(array=array.node, member=f"{new.disk.link}{part}")
        title = f"Take {disk_said(new.disk)} back into {array.name}"
        steps: tuple[Step, ...] = (Step(title=title, commands=(back, UdevSettle())),)
        message = "It was a member before, so only what has been written since is copied to it."
        findings.info("catches-up", "disk", message)
    else:
        steps = join(array, (new.disk,), inventory)
        findings.info(*(_REBUILD if array.degraded else _SPARE))
    return Plan(
        operation="array.add",
        steps=steps,
        summary=_summary(array, new, catches_up=catches_up),
        takes=_takes(array, new, catches_up=catches_up),
        findings=findings.all(),
        claims=claims(array, new.disk.id),
    )


def _summary(array: MdArray, new: Newcomer, *, catches_up: bool) -> str:
    disk = named(new.disk)
    if catches_up:
        return (
            f"The {disk} returns to {array.name}. Only what was written while it was missing is copied to it."
        )
    if array.degraded:
        result = f"The {disk} joins {array.name}, which rebuilds its redundancy onto it."
    else:
        result = (
            f"The {disk} becomes a spare of {array.name}, and takes over by itself when another disk fails."
        )
    return sentences(result, erased(new.disk))


def _takes(array: MdArray, new: Newcomer, *, catches_up: bool) -> str:
    if catches_up or not array.degraded:
        return ""
    return f"{sync_time(component_bytes(array), new.disk)}; {array.name} stays usable"


_REBUILD = (
    "rebuild-follows",
    "disk",
    "The kernel rebuilds it from the other members. The array stays usable meanwhile.",
)
_SPARE = (
    "becomes-spare",
    "disk",
    "The array is complete, so the disk becomes a spare and takes over when another fails.",
)
