"""The picture of the case: which bay holds which disk."""

from __future__ import annotations

from itertools import groupby

import msgspec

from disks.bays import placement
from disks.bays.guess import guess
from disks.layout import GroupLayout, Layout
from host.inventory import Absent, Bay, Disk, Inventory, KnownBy
from host.inventory.bays import guessed


class DrawnBay(msgspec.Struct, frozen=True, kw_only=True):
    """A place for one disk; row and column count from 0 at the top left. See `host.inventory.Bay`."""

    label: str
    row: int
    column: int
    disk: Disk | None = None
    known_by: KnownBy | None = None
    missing: Absent | None = None
    fresh: bool = False
    taught: bool = False
    doubt: str | None = None
    guessed: bool = False


class BayGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays in rows and columns."""

    name: str
    rows: int
    columns: int
    bays: tuple[DrawnBay, ...]


class Chassis(msgspec.Struct, frozen=True, kw_only=True):
    """The whole case. `groups` are drawn one beside the other. `name` is None while bays are guessed."""

    groups: tuple[BayGroup, ...]
    name: str | None = None

    @property
    def bays(self) -> tuple[DrawnBay, ...]:
        """All bays of all groups."""
        return tuple(bay for group in self.groups for bay in group.bays)


def chassis(inventory: Inventory) -> Chassis:
    """The case with the disks of `inventory` in it; guessed where nothing was placed yet."""
    disks = {disk.id: disk for disk in inventory.disks}
    places = inventory.bays or guess(inventory)
    unsure = guessed(places, inventory.chassis)
    groups = [(name, tuple(members)) for name, members in groupby(places, key=lambda bay: bay.group)]
    return Chassis(
        name=inventory.chassis,
        groups=tuple(
            BayGroup(
                name=name,
                rows=1 + max(bay.row for bay in members),
                columns=1 + max(bay.column for bay in members),
                bays=tuple(_bay(bay, disks, unsure) for bay in members),
            )
            for name, members in groups
        ),
    )


def layout_of(inventory: Inventory) -> Layout:
    """The case as it is drawn, as a layout: the beginning of a description where there is none."""
    drawn = chassis(inventory)
    groups = []
    for group in drawn.groups:
        bays = sorted(group.bays, key=lambda bay: (bay.row, bay.column))
        labels = tuple(bay.label for bay in bays)
        groups.append(GroupLayout(name=group.name, rows=group.rows, columns=group.columns, labels=labels))
    return Layout(name=drawn.name or inventory.facts.name or "NAS", groups=tuple(groups))


def place(inventory: Inventory) -> Inventory:
    """`inventory` with its bays guessed from the order of ports."""
    return placement.place(inventory, guess(inventory), chassis=None)


def _bay(bay: Bay, disks: dict[str, Disk], unsure: frozenset[str]) -> DrawnBay:
    return DrawnBay(
        label=bay.label,
        row=bay.row,
        column=bay.column,
        disk=disks.get(bay.disk) if bay.disk else None,
        known_by=bay.known_by,
        missing=bay.missing,
        fresh=bay.fresh,
        taught=bay.taught,
        doubt=bay.doubt,
        guessed=bay.label in unsure,
    )
