"""The drawing of the case as values: its groups, row by row, and what is said of the whole."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Literal

import msgspec

from disks.chassis import BayGroup, Chassis, DrawnBay, chassis
from frontend.bays.lights import lit_disks
from frontend.bays.vdevs import MemberPlace, member_places
from frontend.bays.view import BayView, Vitals, bay_view
from host.inventory import Disk, Inventory
from jobs.wording import counted

Form = Literal["upright", "flat", "dense"]
_LOOSE_COLUMNS = 2


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A way to colour the bays; `name` is the GET parameter's value."""

    name: str
    title: str
    hint: str  # where no disk can tell it
    steps: tuple[str, ...] = ()  # classes of the key, coolest first
    least: str = ""
    most: str = ""


VIEWS = (
    View(name="pools", title="Pools", hint=""),
    View(
        name="heat", title="Heat", hint="No disk has reported its temperature yet.", least="below 24 °C",
        most="48 °C and above", steps=tuple(f"h{step}" for step in range(8)),
    ),
    View(name="health", title="Health", hint="No disk has reported its health yet."),
    View(
        name="activity", title="Activity", hint="No activity has been measured yet.", least="nothing",
        most="150 MB/s and more", steps=tuple(f"a{step}" for step in range(6)),
    ),
    View(
        name="age", title="Age", hint="No disk has reported its power-on time yet.", least="first year",
        most="five years and more", steps=tuple(f"g{step}" for step in range(6)),
    ),
)  # fmt: skip


class GroupView(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays, row by row. `form` says how its sleds lie."""

    name: str
    form: Form
    few: bool
    slim: bool  # one or two sleds side by side: a tower, not a shelf
    rows: tuple[tuple[BayView, ...], ...]


class ChassisView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole case."""

    name: str
    count: str
    groups: tuple[GroupView, ...]
    warmest: int | None = None
    hottest: str = ""  # `A4 at 41 °C`
    guessed: int = 0  # bays whose disk is only guessed from the order of ports
    unplaced: int = 0  # disks in no known bay, while a bay is empty; those of the system need none
    available: frozenset[str] = frozenset()  # the views that have something to show
    view: str = "pools"

    @property
    def bays(self) -> tuple[BayView, ...]:
        """All bays, row by row."""
        return tuple(bay for group in self.groups for row in group.rows for bay in row)

    @property
    def views(self) -> tuple[View, ...]:
        """What can be looked at."""
        return VIEWS


def draw(
    inventory: Inventory, *, vitals: Mapping[str, Vitals] | None = None, view: str | None = None
) -> ChassisView:
    """The case of the machine that `inventory` describes; `vitals` by `Disk.id`."""
    case = chassis(inventory)
    known = vitals or {}
    groups = _groups(case, member_places(inventory), known, lit_disks(inventory))
    return _whole(inventory, case, groups, known, view)


def draw_to_pick(inventory: Inventory) -> ChassisView:
    """The case, and beside it the disks that sit in no known bay and are not in use."""
    drawn = draw(inventory)
    placed = {bay.disk.id for bay in chassis(inventory).bays if bay.disk}
    in_use = {disk.id for disk in inventory.disks if any(claim.active for claim in disk.claims)}
    loose = [disk for disk in inventory.disks if disk.id not in placed | in_use]
    if not loose:
        return drawn
    rows: list[list[BayView]] = [[] for _ in range(ceil(len(loose) / _LOOSE_COLUMNS))]
    for index, disk in enumerate(loose):
        rows[index // _LOOSE_COLUMNS].append(_loose(disk, place=len(drawn.bays) + index + 1))
    group = GroupView(
        name="Not mapped to a bay", form="flat", few=False, slim=True, rows=tuple(map(tuple, rows))
    )
    return msgspec.structs.replace(drawn, groups=(*drawn.groups, group))


def _loose(disk: Disk, *, place: int) -> BayView:
    """A disk without a bay: its serial says which one it is."""
    view = bay_view(
        DrawnBay(label="?", row=0, column=0, disk=disk), place=place, member=None, vitals=None, lit=False
    )
    says = f"Not mapped to a bay, serial {disk.serial or 'unknown'}{view.says.removeprefix('Bay ?')}"
    return msgspec.structs.replace(view, says=says, use=disk.serial or "")


def blank(case: Chassis, name: str) -> ChassisView:
    """The case as it was built, to be looked at before it is taken."""
    groups = _groups(case, {}, {}, frozenset())
    return ChassisView(name=name, count=counted(len(case.bays), "bay"), groups=groups)


def _groups(
    case: Chassis, placed: Mapping[str, MemberPlace], vitals: Mapping[str, Vitals], lit: frozenset[str]
) -> tuple[GroupView, ...]:
    place = 0
    groups = []
    for group in case.groups:
        rows: list[list[BayView]] = [[] for _ in range(group.rows)]
        for bay in sorted(group.bays, key=lambda bay: (bay.row, bay.column)):
            place += 1
            disk_id = bay.disk.id if bay.disk else ""
            rows[bay.row].append(
                bay_view(
                    bay, place=place, member=placed.get(disk_id),
                    vitals=vitals.get(disk_id), lit=disk_id in lit,
                )
            )  # fmt: skip
        groups.append(_group(group, rows, alone=len(case.groups) == 1))
    return tuple(groups)


def _whole(
    inventory: Inventory,
    case: Chassis,
    groups: tuple[GroupView, ...],
    vitals: Mapping[str, Vitals],
    view: str | None,
) -> ChassisView:
    disks = [bay.disk for bay in case.bays if bay.disk]
    warm = [(disk.temperature_celsius, bay.label) for bay in case.bays if (disk := bay.disk)]
    warmest = max((celsius for celsius, _ in warm if celsius is not None), default=None)
    hottest = next((f"{label} at {celsius} °C" for celsius, label in warm if celsius == warmest), "")
    vacant = any(bay.disk is None for bay in case.bays)
    placed = {disk.id for disk in disks}
    loose = [disk for disk in inventory.disks if disk.id not in placed and not disk.carries_system]
    available = {
        "pools": True,
        "heat": warmest is not None,
        "health": any(disk.health != "unknown" for disk in disks),
        "activity": any(vital.bytes_per_second is not None for vital in vitals.values()),
        "age": any(vital.hours is not None for vital in vitals.values()),
    }
    return ChassisView(
        name=inventory.facts.name,
        count=f"{counted(len(disks), 'disk')} in {counted(len(case.bays), 'bay')}",
        groups=groups,
        warmest=warmest,
        hottest=hottest if warmest is not None else "",
        guessed=sum(bay.guessed for bay in case.bays),
        unplaced=len(loose) if vacant else 0,
        available=frozenset(name for name, true in available.items() if true),
        view=view if view in {known.name for known in VIEWS} else "pools",
    )


def _group(group: BayGroup, rows: list[list[BayView]], *, alone: bool) -> GroupView:
    form: Form = "dense" if group.columns > 8 else "flat" if group.rows > 1 else "upright"
    few = not alone and len(group.bays) <= 4
    slim = form == "flat" and group.columns <= 2
    return GroupView(name=group.name, form=form, few=few, slim=slim, rows=tuple(tuple(row) for row in rows))
