"""What mdadm's monitor reports of md arrays, in words, kept for good: the kernel keeps nothing of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import msgspec

from alerts.models import ArrayEvent
from host.inventory import Inventory, MdArray, MdEvent

MOST_KEPT = 1000  # more than the machine itself remembers, so that none comes a second time
Tone = Literal["bad", "warn", "good", "busy", "idle"]
_DOING = {
    "resync": "The first synchronisation", "recovery": "The rebuild", "reshape": "Spreading over other disks",
    "check": "The check", "repair": "The repair",
}  # fmt: skip
_PLAIN: dict[str, tuple[Tone, str]] = {
    "NewArray": ("idle", "The array is here."),
    "DeviceDisappeared": ("warn", "The array is gone: it was stopped, or it lost too many members."),
    "DegradedArray": ("warn", "The array was found with a member missing."),
    "SparesMissing": ("warn", "It has fewer spares than mdadm.conf says."),
    "TestMessage": ("idle", "A test: what mdadm's monitor reports of this array arrives here."),
}


class EventReport(msgspec.Struct, frozen=True, kw_only=True):
    """An event in words. `name` and `uuid` are the array's, where they are known."""

    event: MdEvent
    name: str
    uuid: str
    tone: Tone
    words: str

    @property
    def at(self) -> datetime:
        """When mdadm reported it."""
        return datetime.fromtimestamp(self.event.at_ns / 1e9, UTC)


def unknown(events: tuple[MdEvent, ...]) -> tuple[MdEvent, ...]:
    """Those that are not kept yet."""
    known = set(
        ArrayEvent.objects.filter(at_ns__in=[one.at_ns for one in events]).values_list("at_ns", flat=True)
    )
    return tuple(one for one in events if one.at_ns not in known)


def keep(report: tuple[EventReport, ...]) -> None:
    """Write them down, and forget the oldest of all."""
    ArrayEvent.objects.bulk_create(
        [
            ArrayEvent(
                at_ns=one.event.at_ns, at=one.at, array=one.name, uuid=one.uuid, event=one.event.event,
                tone=one.tone, words=one.words,
            )
            for one in report
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    oldest = ArrayEvent.objects.order_by("-pk").values_list("pk", flat=True)[MOST_KEPT : MOST_KEPT + 1]
    if oldest:
        ArrayEvent.objects.filter(pk__lte=oldest[0]).delete()


def in_words(event: MdEvent, before: Inventory, now: Inventory) -> EventReport:
    """By the machine as it was, which still knew a member that left, and as it is."""
    then, after = _array(event, before), _array(event, now)
    array = after or then
    tone, words = _words(event, then, after, before if then else now)
    name = array.name if array else event.array
    return EventReport(
        event=event, name=name, uuid=event.uuid or (array.uuid if array else ""), tone=tone, words=words
    )


def _words(
    event: MdEvent, then: MdArray | None, after: MdArray | None, inventory: Inventory
) -> tuple[Tone, str]:
    if event.event in _PLAIN:
        return _PLAIN[event.event]
    member = _member(event.device, then or after, inventory)
    match event.event:
        case "Fail":
            return "bad", f"{member} failed: the array does not use it any more."
        case "FailSpare":
            return "warn", f"{member} failed, which was a spare or was being filled."
        case "SpareActive":
            return "good", f"{member} holds all data now."
        case "MoveSpare":
            return "idle", f"A spare was moved here from {event.device or 'another array'}."
    doing = _doing(event, then, after)
    match event.event:
        case "RebuildStarted":
            return "busy", f"{doing} began."
        case "Rebuild":
            return "busy", f"{doing} came to {event.percent} %."
        case "RebuildFinished" if event.mismatches:
            count = "1 sector" if event.mismatches == 1 else f"{event.mismatches} sectors"
            return "warn", f"{doing} ended: {count} differed between the disks."
        case "RebuildFinished":
            return "good", f"{doing} ended."
    return "idle", f"mdadm says: {event.event}."


def _doing(event: MdEvent, then: MdArray | None, after: MdArray | None) -> str:
    """mdadm calls all that goes through an array a rebuild. The kernel says which one."""
    probes = (then, after) if event.event == "RebuildFinished" else (after, then)
    kind = next((one.work.kind for one in probes if one and one.work), None)
    last = {"recover": "recovery"}.get(str(after.last_action), str(after.last_action)) if after else ""
    return _DOING.get(kind or last, "A check or rebuild")


def _array(event: MdEvent, inventory: Inventory) -> MdArray | None:
    """By its UUID. One that was gone by the kernel's name or its own: its link /dev/md/… was gone too."""
    if event.uuid:
        return next((one for one in inventory.arrays if one.uuid == event.uuid), None)
    named = {one.name: one for one in inventory.arrays} | {one.kname: one for one in inventory.arrays}
    return named.get(event.array)


def _member(path: str | None, array: MdArray | None, inventory: Inventory) -> str:
    """`Bay A3 (WDC WD30EFRX, serial WD-0003)`, where the path still leads to it: paths are assigned anew."""
    one = next((one for one in array.members if one.path == path), None) if array else None
    disk = inventory.disk(one.disk) if one and one.disk else None
    if disk is None:
        return path or "A member"
    place = f"Bay {disk.bay}" if disk.bay else f"Port {disk.port}" if disk.port else disk.id
    return f"{place} ({disk.model}, serial {disk.serial or 'unknown'})"
