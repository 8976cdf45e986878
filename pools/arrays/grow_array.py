"""array.grow: more disks, or all the space that larger disks offer."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.datasets.mounting import FileSystem, GrowFileSystem, may_be_mounted_at
from host.commands.disks.md import MdGrow
from host.commands.disks.partition import UdevSettle
from host.inventory import Disk, Inventory, MdArray
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import erased, in_bay, named, sentences
from jobs.wording import counted
from pools.arrays.chosen import Text, check_idle, claims, level_words, redundant
from pools.arrays.newcomer import check_disks, choose, component_bytes, join, sync_time
from pools.unwell import AcceptUnwell

_FILE_SYSTEMS: dict[str, FileSystem] = {"ext4": "ext4", "xfs": "xfs"}
_BY_DISKS = {"raid1", "raid5", "raid6"}


class GrowArray(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give an array more disks (`disks`), or let it and its file system use all the space of those it has."""

    name: Text
    what: Literal["disks", "space"]
    disks: Annotated[tuple[Text, ...], Meta(max_length=16)] = ()
    accept_unwell: AcceptUnwell = ()


def plan(request: GrowArray, inventory: Inventory) -> Plan:
    """Raises `Refused` while a member is missing or something goes on, and for disks that cannot be had."""
    findings = Findings()
    array = redundant(request.name, inventory, findings)
    check_idle(array, findings)
    if array.degraded:
        findings.error("degraded", "name", f"A member of {array.name} is missing. Repair that first.")
    if request.what == "disks":
        return _by_disks(request, array, inventory, findings)
    return _by_space(request, array, findings)


def _by_disks(request: GrowArray, array: MdArray, inventory: Inventory, findings: Findings) -> Plan:
    if array.level not in _BY_DISKS:
        message = f"A {level_words(array.level)} cannot be widened here. Create a second array instead."
        findings.error("cannot-widen", "name", message)
    if not request.disks:
        findings.error("no-disks", "disks", "Choose the disks to add.")
    chosen: dict[str, Disk] = {}
    for index, name in enumerate(request.disks):
        new = choose(name, f"disks[{index}]", array, inventory, findings)
        if new is not None and new.disk.id in chosen:
            findings.error("duplicate-disk", f"disks[{index}]", f"{new.disk.id} is selected twice.")
        elif new is not None:
            chosen[new.disk.id] = new.disk
    findings.refuse_on_error()
    disks = tuple(chosen.values())
    check_disks(disks, request.accept_unwell, inventory, findings)
    findings.refuse_on_error()
    if array.level == "raid1":
        findings.info("more-copies", "disks", "A mirror gets more copies, not more space.")
    else:
        message = (
            "All data is redistributed over all disks, which takes hours to days. The array stays usable. "
            "Afterwards, grow the file system into the new space."
        )
        findings.warning("reshape-follows", "disks", message)
    wanted = array.wanted + len(disks)
    widen = Step(
        title=f"Spread {array.name} over {wanted} disks",
        commands=(MdGrow(array=array.node, devices=wanted), UdevSettle()),
    )
    return Plan(
        operation="array.grow",
        steps=(*join(array, disks, inventory), widen),
        summary=_summary(array, disks),
        takes=_takes(array, disks),
        findings=findings.all(),
        claims=claims(array, *(disk.id for disk in disks)),
    )


def _summary(array: MdArray, disks: tuple[Disk, ...]) -> str:
    wanted = array.wanted + len(disks)
    joins = f"the {named(disks[0])} joins" if len(disks) == 1 else f"the {in_bay(*disks)} join"
    if array.level == "raid1":
        result = (
            f"{array.name} holds {counted(wanted, 'copy', 'copies')} of its data instead of {array.wanted}"
        )
        after = "Its capacity stays the same."
    else:
        result = f"{array.name} spreads over {wanted} disks instead of {array.wanted}"
        after = "Its file system can then be grown into the added space, as a second step."
    return sentences(f"{result}: {joins}.", after, erased(*disks))


def _takes(array: MdArray, disks: tuple[Disk, ...]) -> str:
    if array.level == "raid1":
        return f"{sync_time(component_bytes(array), *disks)}; {array.name} stays usable"
    return f"hours to days for large disks; {array.name} stays usable"


def _by_space(request: GrowArray, array: MdArray, findings: Findings) -> Plan:
    if request.disks:
        findings.error(
            "no-disks-wanted", "disks", "To grow into the full size of the members, do not name any disks."
        )
    folder = next((point for point in array.mountpoints if may_be_mounted_at(point)), None)
    fstype = _FILE_SYSTEMS.get(array.fstype or "")
    if fstype is not None and folder is None:
        message = "A file system can only grow while it is mounted below /mnt or /srv. Mount it there first."
        findings.error("not-mounted", "name", message)
    findings.refuse_on_error()
    use = Step(
        title=f"Let {array.name} use all of its disks",
        commands=(MdGrow(array=array.node), UdevSettle()),
    )
    steps: tuple[Step, ...] = (use,)
    summary = f"{array.name} grows to the full size of its disks."
    if fstype is not None and folder is not None:
        grow = GrowFileSystem(device=array.path, fstype=fstype, folder=folder)
        steps = (use, Step(title=f"Let the file system at {folder} use all of the array", commands=(grow,)))
        summary = f"{array.name} and its {fstype} file system grow to the full size of its disks."
    elif array.fstype is not None:
        findings.warning("content-stays", "name", f"The {array.fstype} on it does not grow with it.")
        summary = f"{summary} The {array.fstype} on it stays as large as it is."
    return Plan(
        operation="array.grow",
        steps=steps,
        summary=summary,
        findings=findings.all(),
        claims=claims(array),
    )
