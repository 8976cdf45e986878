"""The drawing of the case as values: what each bay shows and says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from disks.chassis import BayGroup, chassis
from frontend.states import disk_state
from frontend.units import binary, counted
from frontend.vdevs import Seat, seats
from host.inventory import Disk, Inventory

_COOLEST, _STEP, _HEATS = 24, 4, 8


class BayView(msgspec.Struct, frozen=True, kw_only=True):
    """One bay. `classes` carry tone, hue and heat; `says` is the whole bay in a sentence."""

    label: str
    disk_id: str | None = None
    classes: str
    vdev: str = ""
    word: str
    size: str = ""
    model: str = ""
    use: str = ""
    temperature: int | None = None
    says: str
    free: bool = False
    why_not: str | None = None  # why the disk cannot be picked for a new pool


class GroupView(msgspec.Struct, frozen=True, kw_only=True):
    """A block of bays, row by row. `form` says how its sleds lie."""

    name: str
    form: Literal["upright", "flat", "dense"]
    few: bool
    rows: tuple[tuple[BayView, ...], ...]


class ChassisView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole case."""

    name: str
    count: str
    groups: tuple[GroupView, ...]
    warmest: int | None

    @property
    def bays(self) -> tuple[BayView, ...]:
        """All bays, row by row."""
        return tuple(bay for group in self.groups for row in group.rows for bay in row)


def draw(inventory: Inventory) -> ChassisView:
    """The case of the machine that `inventory` describes."""
    seated = seats(inventory)
    case = chassis(inventory)
    disks = [bay.disk for bay in case.bays if bay.disk]
    temperatures = [disk.temperature_celsius for disk in disks if disk.temperature_celsius is not None]
    return ChassisView(
        name=inventory.facts.name,
        count=f"{counted(len(disks), 'disk')} in {counted(len(case.bays), 'bay')}",
        groups=tuple(_group(group, seated, alone=len(case.groups) == 1) for group in case.groups),
        warmest=max(temperatures, default=None),
    )


def _group(group: BayGroup, seated: Mapping[str, Seat], *, alone: bool) -> GroupView:
    rows: list[list[BayView]] = [[] for _ in range(group.rows)]
    for bay in sorted(group.bays, key=lambda bay: (bay.row, bay.column)):
        rows[bay.row].append(_bay(bay.label, bay.disk, seated))
    form: Literal["upright", "flat", "dense"] = "upright"
    if group.columns > 8:
        form = "dense"
    elif group.rows > 1:
        form = "flat"
    few = not alone and len(group.bays) <= 4
    return GroupView(name=group.name, form=form, few=few, rows=tuple(tuple(row) for row in rows))


def _bay(label: str, disk: Disk | None, seated: Mapping[str, Seat]) -> BayView:
    if disk is None:
        return BayView(label=label, classes="s-idle", word="empty", says=f"Bay {label}: empty")
    seat = seated.get(disk.id)
    state = disk_state(disk, None if seat is None else seat.leaf)
    temperature = disk.temperature_celsius
    use = f"{seat.pool} · {seat.vdev}" if seat else ""
    classes = [f"s-{state.tone}"]
    classes += [f"v{seat.hue}"] if seat else []
    classes += [f"h{heat(temperature)}"] if temperature is not None else []
    said = [disk.model, binary(disk.size_bytes), f"serial {disk.serial or 'unknown'}", state.word]
    said += [f"in {seat.pool}, {seat.vdev}"] if seat else [disk.used_by] if disk.used_by else []
    said += [f"{temperature} °C"] if temperature is not None else []
    return BayView(
        label=label, disk_id=disk.id, classes=" ".join(classes), vdev=seat.key if seat else "",
        word=state.word, size=binary(disk.size_bytes), model=short_model(disk.model), use=use,
        temperature=temperature, free=disk.free,
        says=f"Bay {label}: {', '.join(said)}", why_not=why_not(disk),
    )  # fmt: skip


def why_not(disk: Disk) -> str | None:
    """Why the disk cannot be picked for a new pool; None when it can."""
    return "; ".join(claim.words for claim in disk.claims if claim.active) or None


def heat(celsius: int) -> int:
    """The step on the heat scale, 0 to 7."""
    return max(0, min(_HEATS - 1, (celsius - _COOLEST) // _STEP + 1))


def short_model(model: str) -> str:
    """The model without its maker and its revision: `WDC WD30EFRX-68EUZN0` → `WD30EFRX`."""
    words = model.split()
    best = next((word for word in words if any(c.isdigit() for c in word) and len(word) > 4), model)
    return best.split("-")[0] or model
