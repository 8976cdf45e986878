"""Which bay is which slot of an enclosure: what was taught, else the one reading that leaves no doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from disks.layout import Case, Layout
from host.inventory import Disk, Enclosure, Slot

Key = tuple[str, int]  # an enclosure's id and a slot's number


def known_slots(enclosures: tuple[Enclosure, ...]) -> dict[Key, Slot]:
    """The slots that can be named. Two enclosures with one id, or two slots with one number, cannot."""
    ids = Counter(enclosure.id for enclosure in enclosures)
    found: dict[Key, Slot] = {}
    for enclosure in enclosures:
        numbers = Counter(slot.number for slot in enclosure.slots)
        for slot in enclosure.slots:
            if slot.number is not None and numbers[slot.number] == 1 and ids[enclosure.id] == 1:
                found[enclosure.id, slot.number] = slot
    return found


def slot_of_bays(case: Case, enclosures: tuple[Enclosure, ...]) -> dict[str, Key]:
    """For each bay that is known to be a slot, which one."""
    if case.layout is None:
        return {}
    taught = {
        teaching.bay: (teaching.enclosure, teaching.slot)
        for teaching in case.teachings
        if teaching.enclosure is not None and teaching.slot is not None
    }
    used = set(taught.values())
    default = _default(case.layout, enclosures)
    return {bay: key for bay, key in default.items() if key not in used} | taught


def disk_of_slots(slots: Mapping[Key, Slot], disks: tuple[Disk, ...]) -> dict[Key, Disk]:
    """The disk in each slot. A SCSI address that two slots or two disks claim says nothing."""
    addresses = Counter(disk.hctl for disk in disks)
    by_hctl = {disk.hctl: disk for disk in disks if addresses[disk.hctl] == 1}
    claimed = Counter(slot.hctl for slot in slots.values())
    return {
        key: by_hctl[slot.hctl]
        for key, slot in slots.items()
        if slot.hctl is not None and claimed[slot.hctl] == 1 and slot.hctl in by_hctl
    }


def slot_of_disk(disk: Disk, enclosures: tuple[Enclosure, ...]) -> Slot | None:
    """The one slot that holds `disk`; None where none or several say so."""
    found = [s for e in enclosures for s in e.slots if s.hctl is not None and s.hctl == disk.hctl]
    return found[0] if len(found) == 1 else None


def _default(layout: Layout, enclosures: tuple[Enclosure, ...]) -> dict[str, Key]:
    """Slot n is the n-th bay, where exactly one enclosure fits exactly one group of bays."""
    slots = known_slots(enclosures)
    pairs = [
        (enclosure, group)
        for enclosure in enclosures
        for group in layout.groups
        if len(enclosure.slots) == group.size
        and all(slot.number is not None and (enclosure.id, slot.number) in slots for slot in enclosure.slots)
    ]
    if len(pairs) != 1:
        return {}
    enclosure, group = pairs[0]
    numbers = sorted(slot.number for slot in enclosure.slots if slot.number is not None)
    return {label: (enclosure.id, n) for label, n in zip(group.printed, numbers, strict=True)}
