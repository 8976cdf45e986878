"""md arrays as values for the eye."""

from __future__ import annotations

import msgspec

from frontend.jobs.progress import ProgressView
from frontend.states import StateView, tone_view
from frontend.units import rate, roughly
from host.inventory import ArrayMember, Disk, Inventory, MdArray
from jobs.wording import counted
from pools.arrays.chosen import REDUNDANT, level_words, needed, of_system, running

_DOING = {
    "resync": "First synchronisation", "recovery": "Rebuild", "reshape": "Reshaping",
    "check": "Check", "repair": "Repair",
}  # fmt: skip
_LEVELS = {
    "raid0": "no copies: the failure of any disk loses everything",
    "raid1": "every disk holds a copy of everything",
    "raid5": "any one disk may fail",
    "raid6": "any two disks may fail",
    "raid10": "copies on pairs of disks: any one may fail",
}


class MemberView(msgspec.Struct, frozen=True, kw_only=True):
    """A member: `disk` is None where the kernel names one that is not known."""

    title: str
    place: str
    state: StateView
    disk: Disk | None
    removable: bool
    replaceable: bool


class ArrayLine(msgspec.Struct, frozen=True, kw_only=True):
    """An array in the list."""

    name: str
    level: str
    survives: str
    state: StateView
    size_bytes: int
    content: str
    disks: str
    progress: ProgressView | None
    system: bool


class ArrayView(msgspec.Struct, frozen=True, kw_only=True):
    """One array with its members and what can be done with it."""

    line: ArrayLine
    array: MdArray
    members: tuple[MemberView, ...]
    missing: int  # places that no disk fills
    runs: bool
    checkable: bool
    checking: bool
    changeable: bool
    mirrored: bool  # RAID 1 or 10, where copies may differ harmlessly


def array_lines(inventory: Inventory) -> tuple[ArrayLine, ...]:
    """All arrays by name, those of the system last."""
    lines = [_line(array) for array in inventory.arrays]
    return tuple(sorted(lines, key=lambda line: (line.system, line.name)))


def array_view(array: MdArray, inventory: Inventory) -> ArrayView:
    """One array."""
    line = _line(array)
    changeable = running(array) and not line.system and not array.read_only and array.level in REDUNDANT
    filled = sum(one.state in {"in sync", "rebuilding"} for one in array.members)
    return ArrayView(
        line=line,
        array=array,
        members=tuple(_member(one, array, inventory, changeable=changeable) for one in array.members),
        missing=max(0, array.wanted - filled),
        runs=running(array),
        checkable=running(array) and array.level in REDUNDANT and array.work is None,
        checking=array.work is not None and array.work.kind == "check",
        changeable=changeable,
        mirrored=array.level in {"raid1", "raid10"},
    )


def array_state(array: MdArray) -> StateView:
    """How an array is, in a word."""
    if not running(array):
        return tone_view("bad", "not running")
    if array.degraded:
        rebuilt = any(one.state == "rebuilding" for one in array.members)
        if rebuilt:
            return tone_view("busy", "being rebuilt")
        worst = array.in_sync <= needed(array)
        return tone_view("warn", "no redundancy left" if worst else "degraded")
    if array.read_only:
        return tone_view("warn", "read-only")
    if array.work is not None and array.work.kind == "resync":
        return tone_view("busy", "synchronising")
    return tone_view("good", "healthy" if array.level in REDUNDANT else "running")


def _line(array: MdArray) -> ArrayLine:
    where = f" at {array.mountpoints[0]}" if array.mountpoints and array.fstype != "swap" else ""
    return ArrayLine(
        name=array.name,
        level=level_words(array.level),
        survives=_LEVELS.get(array.level, ""),
        state=array_state(array),
        size_bytes=array.size_bytes,
        content=f"{array.fstype}{where}" if array.fstype else "empty",
        disks=counted(len(array.members), "disk"),
        progress=_progress(array),
        system=of_system(array),
    )


def _member(one: ArrayMember, array: MdArray, inventory: Inventory, *, changeable: bool) -> MemberView:
    disk = inventory.disk(one.disk) if one.disk else None
    spare = array.in_sync - 1 >= needed(array)
    can = changeable and disk is not None
    calm = array.work is None or array.work.kind == "check"
    return MemberView(
        title=f"{disk.model} {disk.serial or ''}".strip() if disk else one.path,
        place="" if one.slot is None else str(one.slot),
        state=_member_state(one),
        disk=disk,
        removable=can and (one.state != "in sync" or (spare and calm)),
        replaceable=can
        and calm
        and (one.state == "faulty" or (one.state == "in sync" and not array.degraded)),
    )


def _member_state(one: ArrayMember) -> StateView:
    match one.state:
        case "in sync":
            return tone_view("good", "in sync")
        case "rebuilding":
            return tone_view("busy", "being rebuilt")
        case "spare":
            return tone_view("idle", "spare, waiting")
        case "faulty":
            return tone_view("bad", "faulty")
    return tone_view("idle", "unknown")


def _progress(array: MdArray) -> ProgressView | None:
    work = array.work
    if work is None:
        return None
    figures = [f"{work.percent:.1f} %"] if work.percent is not None else []
    if work.speed_bytes_s:
        figures.append(f"{rate(work.speed_bytes_s)} of each disk now")
    left = "The remaining time is not known yet."
    if work.paused:
        left = "Waiting for another array on the same disks."
    elif work.remaining_s is not None:
        left = f"{roughly(work.remaining_s)} left, as estimated by the kernel"
    return ProgressView(
        title=f"{_DOING[work.kind]} of {array.name}",
        state=tone_view("idle", "waiting") if work.paused else tone_view("busy", "running"),
        percent=work.percent,
        figures=" · ".join(figures),
        left=left,
        started=None,
    )
