"""The picture of the case: which bay holds which disk."""

from __future__ import annotations

from math import ceil

import msgspec

from host.inventory import Disk, Inventory


class Bay(msgspec.Struct, frozen=True, kw_only=True):
    """A place for one disk; row and column count from 0 at the top left."""

    label: str
    row: int
    column: int
    disk: Disk | None = None


class BayGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays in rows and columns."""

    name: str
    rows: int
    columns: int
    bays: tuple[Bay, ...]


class Chassis(msgspec.Struct, frozen=True, kw_only=True):
    """The whole case. `groups` are drawn one beside the other."""

    groups: tuple[BayGroup, ...]

    @property
    def bays(self) -> tuple[Bay, ...]:
        """All bays of all groups."""
        return tuple(bay for group in self.groups for bay in group.bays)


def chassis(inventory: Inventory) -> Chassis:
    """A plain grid in the order of the ports: hard disks as `A1`…, boot media as `U1`…."""
    boot = [disk for disk in inventory.disks if _is_boot_medium(disk)]
    data = [disk for disk in inventory.disks if not _is_boot_medium(disk)]
    groups = [_grid("Disks", sorted(data, key=_by_port), columns=_columns(len(data)))] if data else []
    if boot:
        groups.append(_row("System", sorted(boot, key=_by_port)))
    return Chassis(groups=tuple(groups))


def place(inventory: Inventory) -> Inventory:
    """`inventory` with each disk's `bay` filled in."""
    labels = {bay.disk.id: bay.label for bay in chassis(inventory).bays if bay.disk}
    disks = tuple(msgspec.structs.replace(disk, bay=labels.get(disk.id)) for disk in inventory.disks)
    return msgspec.structs.replace(inventory, disks=disks)


def _is_boot_medium(disk: Disk) -> bool:
    return disk.transport == "usb" or any(claim.kind == "boot" for claim in disk.claims)


def _by_port(disk: Disk) -> tuple[bool, list[tuple[int, str]], str]:
    # Numbers in port names count as numbers: ata-10 comes behind ata-2.
    port = disk.port or ""
    words: list[str] = []
    for letter in port:
        if words and words[-1][-1].isdigit() == letter.isdigit():
            words[-1] += letter
        else:
            words.append(letter)
    return not port, [(int(word), "") if word.isdigit() else (-1, word) for word in words], disk.path


def _columns(count: int) -> int:
    if count <= 6:
        return max(count, 1)
    return 4 if count <= 24 else 12 if count <= 60 else 17


def _grid(name: str, disks: list[Disk], *, columns: int) -> BayGroup:
    rows = ceil(len(disks) / columns)
    bays = tuple(
        Bay(
            label=f"{chr(65 + index // columns)}{index % columns + 1}",
            row=index // columns,
            column=index % columns,
            disk=disks[index] if index < len(disks) else None,
        )
        for index in range(rows * columns)
    )
    return BayGroup(name=name, rows=rows, columns=columns, bays=bays)


def _row(name: str, disks: list[Disk]) -> BayGroup:
    bays = tuple(Bay(label=f"U{i + 1}", row=0, column=i, disk=disk) for i, disk in enumerate(disks))
    return BayGroup(name=name, rows=1, columns=len(disks), bays=bays)
