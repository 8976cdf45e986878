"""Cases, enclosures and disks made by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from disks.bays.placement import assign, place
from disks.layout import Case, GroupLayout, Layout, Teaching
from host.inventory import Disk, DiskClaim, Enclosure, Inventory, Partition, Slot
from tests import made


def layout(columns: int = 4, rows: int = 1, **changes: Any) -> Layout:
    """One group of bays, A1 and on."""
    group: dict[str, Any] = {"name": "Front", "rows": rows, "columns": columns, "prefix": "A"} | changes
    return Layout(name="Test case", groups=(GroupLayout(**group),))


def case(*teachings: Teaching, columns: int = 4) -> Case:
    """A case of one row, with what was taught of it."""
    return Case(layout=layout(columns), teachings=teachings, changed_at="2026-11-01T00:00:00+00:00")


def by_port(count: int) -> tuple[Teaching, ...]:
    """Bay A<n> is the port of `made.disk(n)`."""
    return tuple(Teaching(bay=f"A{n}", port=made.disk(n).port) for n in range(1, count + 1))


def disk(number: int, **changes: Any) -> Disk:
    """A disk with a SCSI address, which nobody has placed yet."""
    return made.disk(number, **({"bay": None, "hctl": f"0:0:{number}:0"} | changes))


def idle(number: int, kind: Any, words: str, **changes: Any) -> Disk:
    """A disk with what nothing uses now, such as a member of an exported pool."""
    claim = DiskClaim(kind=kind, words=words, active=True, idle=True, pool="old", pool_guid="77")
    part = Partition(number=1, path=f"/dev/sd{number}1", size_bytes=made.WD_BYTES, fstype="some", label="old")
    return disk(number, claims=(claim,), partitions=(part,), **changes)


def shelf(*numbers: int | None, name: str = "0x5000", first: int = 0, **changes: Any) -> Enclosure:
    """An enclosure whose slots hold `disk(number)`, in this order; None for an empty slot."""
    slots = tuple(
        Slot(
            path=f"/sys/devices/pci0000:00/host0/target0:0:99/0:0:99:0/enclosure/0:0:99:0/Slot {place}",
            folder=f"Slot {place}",
            number=first + place,
            hctl=None if number is None else f"0:0:{number}:0",
            locating=False,
        )
        for place, number in enumerate(numbers)
    )
    return Enclosure(**({"id": name, "hctl": "0:0:99:0", "slots": slots} | changes))


def machine(*disks: Disk, enclosures: tuple[Enclosure, ...] = ()) -> Inventory:
    """A machine with these disks, none of them in a bay yet."""
    return msgspec.structs.replace(made.inventory(*disks), enclosures=enclosures)


def placed(inventory: Inventory, remembered: Case) -> Inventory:
    """The machine with its disks in their bays."""
    return place(inventory, assign(inventory, remembered), chassis="Test case")


def taught(*numbers: int) -> Inventory:
    """Four bays by their ports, with these disks."""
    return placed(machine(*map(disk, numbers)), case(*by_port(4)))


def serials(inventory: Inventory) -> dict[str, str | None]:
    """The serial in each bay that holds a disk."""
    disks = {disk.id: disk.serial for disk in inventory.disks}
    return {one.label: disks[one.disk] for one in inventory.bays if one.disk}
