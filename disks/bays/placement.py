"""Which disk sits in which bay. The strongest evidence wins: the enclosure's slot, the port, the serial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from disks.bays.slots import disk_of_slots, known_slots, slot_of_bays
from disks.layout import Case, Layout, Teaching
from host.inventory import Bay, Disk, Inventory, KnownBy


def assign(inventory: Inventory, case: Case) -> tuple[Bay, ...]:
    """All bays of a case that has a layout, in the order they count, with the disks known to be there.

    No disk is in two bays and no bay has two disks, whatever was taught and whatever the machine says.
    """
    if case.layout is None:
        raise ValueError("without a layout there are no bays")
    taught = {teaching.bay: teaching for teaching in case.teachings}
    claims = _claims(inventory, case, taught)
    placed: dict[str, tuple[Disk, KnownBy]] = {}
    taken: dict[str, str] = {}  # disk id → bay
    doubts: dict[str, str] = {}
    for known_by, disks in claims:
        for bay in case.layout.labels:
            disk = disks.get(bay)
            if disk is None:
                continue
            if bay in placed:
                if placed[bay][0].id != disk.id:
                    doubts.setdefault(bay, _other_disk(disk, known_by))
            elif disk.id in taken:
                doubts.setdefault(bay, _elsewhere(disk, known_by, taken[disk.id]))
            else:
                placed[bay] = (disk, known_by)
                taken[disk.id] = bay
    return _bays(case.layout, placed, doubts | _ambiguous(inventory, taught), set(taught))


def _claims(
    inventory: Inventory, case: Case, taught: Mapping[str, Teaching]
) -> tuple[tuple[KnownBy, Mapping[str, Disk]], ...]:
    """For each kind of evidence, strongest first, the disk that it puts into each bay."""
    slots = known_slots(inventory.enclosures)
    in_slots = disk_of_slots(slots, inventory.disks)
    ports = Counter(disk.port for disk in inventory.disks)
    by_port = {disk.port: disk for disk in inventory.disks if disk.port and ports[disk.port] == 1}
    by_serial = {
        disk.serial: disk for disk in inventory.disks if disk.serial and not _is_twin(disk, inventory)
    }
    return (
        (
            "enclosure",
            {
                bay: in_slots[key]
                for bay, key in slot_of_bays(case, inventory.enclosures).items()
                if key in in_slots
            },
        ),
        ("path", {bay: by_port[t.port] for bay, t in taught.items() if t.port in by_port}),
        ("taught", {bay: by_serial[t.serial] for bay, t in taught.items() if t.serial in by_serial}),
    )


def _is_twin(disk: Disk, inventory: Inventory) -> bool:
    return bool(disk.twins) or any(
        other is not disk and other.serial == disk.serial for other in inventory.disks
    )


def _ambiguous(inventory: Inventory, taught: Mapping[str, Teaching]) -> dict[str, str]:
    """Bays whose evidence fits two things at once, and so says nothing."""
    found: dict[str, str] = {}
    ids = Counter(enclosure.id for enclosure in inventory.enclosures)
    ports = Counter(disk.port for disk in inventory.disks)
    for bay, teaching in taught.items():
        if teaching.enclosure and ids[teaching.enclosure] > 1:
            found[bay] = f"{ids[teaching.enclosure]} enclosures are called {teaching.enclosure}."
        elif teaching.port and ports[teaching.port] > 1:
            found[bay] = f"{ports[teaching.port]} disks report port {teaching.port}."
        elif teaching.serial:
            same = [disk for disk in inventory.disks if disk.serial == teaching.serial]
            if len(same) > 1 or any(disk.twins for disk in same):
                found[bay] = f"More than one disk reports serial {teaching.serial}."
    return found


def _bays(
    layout: Layout, placed: Mapping[str, tuple[Disk, KnownBy]], doubts: Mapping[str, str], taught: set[str]
) -> tuple[Bay, ...]:
    bays: list[Bay] = []
    for group in layout.groups:
        for place in group.places():
            disk, known_by = placed.get(place.label, (None, None))
            bays.append(
                Bay(
                    label=place.label,
                    group=group.name,
                    row=place.row,
                    column=place.column,
                    disk=disk.id if disk else None,
                    known_by=known_by,
                    taught=place.label in taught,
                    doubt=doubts.get(place.label),
                )
            )
    return tuple(bays)


_WORDS: dict[KnownBy, str] = {"enclosure": "slot", "path": "port", "taught": "serial"}


def _other_disk(disk: Disk, known_by: KnownBy) -> str:
    return f"By its {_WORDS[known_by]} this bay would hold {disk.serial or disk.id}."


def _elsewhere(disk: Disk, known_by: KnownBy, bay: str) -> str:
    return f"By its {_WORDS[known_by]} {disk.serial or disk.id} would be here; it is in bay {bay}."


def place(inventory: Inventory, bays: tuple[Bay, ...], *, chassis: str | None) -> Inventory:
    """`inventory` with `bays` as its bays, and with each disk's `bay` filled in."""
    labels = {bay.disk: bay.label for bay in bays if bay.disk}
    disks = tuple(msgspec.structs.replace(disk, bay=labels.get(disk.id)) for disk in inventory.disks)
    return msgspec.structs.replace(inventory, disks=disks, bays=bays, chassis=chassis)
