"""md arrays that lost a member, do not run, or count a member as faulty: one cause for each array.

Which disk is missing is remembered from before (`alerts.arrays_seen`): the kernel forgets a member that left.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from alerts.evidence import Evidence, SeenMember
from alerts.incidents.cause import Cause, Severity, Spot
from alerts.remedy import Remedy
from host.inventory import ArrayMember, Disk, Inventory, MdArray

_SURVIVES = {"raid4": 1, "raid5": 1, "raid6": 2, "raid10": 1}


def causes(inventory: Inventory, memory: Evidence) -> Iterator[Cause]:
    """One for each array that is not as it should be."""
    for array in inventory.arrays:
        if array.state == "inactive":
            yield _stopped(array, inventory, memory)
        elif array.degraded and array.carries_system and array.uuid not in memory.arrays:
            yield _alone(array)
        elif array.degraded and not _being_made(array, memory):
            yield _degraded(array, inventory, memory)
        if array.carries_system:
            yield from _twice(array, inventory)


def missing(array: MdArray, memory: Evidence) -> tuple[SeenMember, ...]:
    """The members that were there when the array was whole and are not in it now."""
    here = {member.disk for member in array.members if member.disk and member.state != "faulty"}
    return tuple(seen for seen in memory.arrays.get(array.uuid, ()) if seen.disk not in here)


def _being_made(array: MdArray, memory: Evidence) -> bool:
    """A RAID 5 builds its last member from the others when it is made: nothing is wrong."""
    new = array.uuid not in memory.arrays and array.level == "raid5"
    return new and array.in_sync == array.wanted - 1 and any(m.state == "rebuilding" for m in array.members)


def _alone(array: MdArray) -> Cause:
    """The image for flash drives starts with one half: that is no failure, but it has to be completed."""
    rebuilt = array.work is not None and array.work.kind == "recovery"
    words = "It is being resynced." if rebuilt else "Add a second drive of the same size."
    return Cause(
        key=f"array:{array.uuid}", kind="array-degraded", severity="warning",
        title="The system runs from a single drive",
        details=("Its array is missing its second half. If this drive fails, the machine stops.",),
        steps=(_page(array, words),), subjects=(f"array:{array.uuid}",),
    )  # fmt: skip


def _twice(array: MdArray, inventory: Inventory) -> Iterator[Cause]:
    """Firmware, GRUB and mdadm tell halves apart by the array's UUID alone: of two that claim one place, the
    first to be found is taken."""
    for disk in inventory.disks:
        if array.left_on(disk) is None:
            continue
        steps = [Remedy(words="Remove it before the machine starts again.")]
        if array.degraded:
            words = "Add it as the other half: everything on it is erased, and there is one system again."
            steps = [_page(array, words), Remedy(words="Or remove it before the machine starts again.")]
        yield Cause(
            key=f"system-twice:{disk.id}", kind="system-twice", severity="warning",
            title=f"{_disk(disk)} holds another copy of this system",
            details=(
                "It has the UUID of the system's own array, which runs without it.",
                (
                    "The same is true of a half that was missing or was removed, and of a drive written "
                    "with the same image."
                ),
                "The machine may start from it, with its settings, or with none.",
            ),
            steps=tuple(steps), subjects=(f"system-twice:{disk.id}",), sure=False,
            spots=(Spot(id=disk.id, bay=disk.bay),),
        )  # fmt: skip


def _degraded(array: MdArray, inventory: Inventory, memory: Evidence) -> Cause:
    gone = missing(array, memory)
    faulty = [member for member in array.members if member.state == "faulty"]
    left = _spare_failures(array)
    severity: Severity = "critical" if left < 1 else "warning"
    rebuilt = [member for member in array.members if member.state == "rebuilding"]
    named = [_where(one) for one in gone] or [_member(one, inventory) for one in faulty or rebuilt]
    how = "faulty" if faulty else "missing" if gone or not rebuilt else "being rebuilt"
    count = array.wanted - array.in_sync
    who = named[0] if len(named) == 1 else "1 member" if count == 1 else f"{count} members"
    verb = "are" if len(named) != 1 and count != 1 else "is"
    broken = {member.disk for member in faulty}
    report = [
        f"{_where(one)} is {'faulty' if one.disk in broken else 'not in the array'}." for one in gone
    ] or [f"{array.in_sync} of {array.wanted} members hold the data."]
    report.append(_left(array, left))
    if (work := array.work) is not None and work.kind == "recovery":
        percent = f" ({work.percent:.0f} %)" if work.percent is not None else ""
        report.append(
            f"The kernel rebuilds a member{percent}; nothing has to be done until that has finished."
        )
    since = max((one.gone_since for one in gone if one.gone_since), default=None)
    return Cause(
        key=f"array:{array.uuid}", kind="array-degraded", severity=severity, impact=1, since=since,
        title=f"Array {array.name}: {who} {verb} {how}",
        details=tuple(report), steps=tuple(_steps(array, gone, inventory)),
        subjects=(f"array:{array.uuid}",),
        spots=tuple(_spot(one, inventory) for one in gone),
    )  # fmt: skip


def _stopped(array: MdArray, inventory: Inventory, memory: Evidence) -> Cause:
    gone = missing(array, memory)
    report = [f"{_where(one)} is missing." for one in gone]
    report.append(
        "The kernel is waiting for members before it starts the array; what is on it cannot be reached."
    )
    return Cause(
        key=f"array:{array.uuid}", kind="array-stopped", severity="critical", impact=2,
        title=f"Array {array.name} is not running", details=tuple(report),
        steps=(
            Remedy(words="Insert the missing members: the kernel then starts the array by itself."),
            _page(array, "Or start it with those that are present, if they hold everything."),
        ),
        subjects=(f"array:{array.uuid}",), spots=tuple(_spot(one, inventory) for one in gone),
    )  # fmt: skip


def _spare_failures(array: MdArray) -> int:
    """How many further members may fail for certain."""
    may = array.wanted - 1 if array.level == "raid1" else _SURVIVES.get(array.level, 0)
    return array.in_sync - (array.wanted - may)


def _left(array: MdArray, left: int) -> str:
    if left < 0:
        return f"Too few members are left: the data in {array.name} may be incomplete."
    if left == 0:
        return "No further member may fail: the next failure loses the data."
    return f"{left} further member{'' if left == 1 else 's'} may fail."


def _steps(array: MdArray, gone: tuple[SeenMember, ...], inventory: Inventory) -> Iterator[Remedy]:
    if array.work is not None and array.work.kind == "recovery":
        yield _page(array, "Watch its progress.")
        return
    for one in gone:
        if inventory.disk(one.disk) is None:
            place = f"bay {one.bay}" if one.bay else one.port or "its place"
            yield Remedy(words=f"Check {place}: press it in, and check its cable or plug.")
    yield _page(array, "Add it again, or replace it with another disk.")


def _page(array: MdArray, words: str) -> Remedy:
    if array.carries_system:
        return Remedy(words=words, page="/boot/", label="The boot pair")
    return Remedy(words=words, page=f"/arrays/{quote(array.name, safe='')}/", label="The array")


def _where(one: SeenMember) -> str:
    """`Bay A3 (WDC WD30EFRX, serial WD-0003)`; the port of a stick, which has no bay."""
    place = f"Bay {one.bay}" if one.bay else f"Port {one.port}" if one.port else one.disk
    return f"{place} ({one.model}, serial {one.serial or 'unknown'})"


def _member(one: ArrayMember, inventory: Inventory) -> str:
    disk = inventory.disk(one.disk) if one.disk else None
    return one.path if disk is None else _disk(disk)


def _disk(disk: Disk) -> str:
    place = f"Bay {disk.bay}" if disk.bay else f"Port {disk.port}" if disk.port else disk.id
    return f"{place} ({disk.model}, serial {disk.serial or 'unknown'})"


def _spot(one: SeenMember, inventory: Inventory) -> Spot:
    return Spot(id=one.disk, bay=one.bay, here=inventory.disk(one.disk) is not None)
