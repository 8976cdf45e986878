"""Disks that are warmer than their makers allow: one cause for all of them, since they share their fans."""

from __future__ import annotations

from collections.abc import Iterator

from alerts import remedy
from alerts.evidence import Evidence
from alerts.incidents.cause import Cause, Spot
from alerts.remedy import Remedy
from host.inventory import Disk, Inventory
from jobs.wording import counted

SUBJECT = "heat:"  # before each disk's id
_BELOW = 3  # degrees by which it has to cool down first: one that swings around its limit is one incident


def causes(inventory: Inventory, known: Evidence) -> Iterator[Cause]:
    """One while any disk is; only what was read in the last minutes counts."""
    warm = [
        (disk, disk.temperature_celsius, limit)
        for disk in inventory.disks
        if disk.temperature_celsius is not None
        and (limit := _limit(disk, known)) is not None
        and disk.temperature_celsius > limit - _BELOW * (disk.id in known.too_warm)
    ]
    if not warm:
        return
    first = warm[0][0]
    title = f"{_place(first)}: the disk is" if len(warm) == 1 else f"{counted(len(warm), 'disk')} are"
    yield Cause(
        key="heat", kind="disk-too-warm", severity="warning", extent=len(warm),
        title=f"{title} too warm",
        details=(
            *(f"{_place(disk)}: {now} °C; its maker allows {limit} °C." for disk, now, limit in warm[:12]),
            *((f"… and {len(warm) - 12} more.",) if len(warm) > 12 else ()),
            "Disks that stay too warm fail earlier, and some slow down or switch off.",
        ),
        steps=(
            Remedy(words="Check that all fans turn and that filters are clean; then the temperature of the "
                         "room."),
            remedy.locate(first),
        ),
        subjects=tuple(f"{SUBJECT}{disk.id}" for disk, _, _ in warm),
        spots=tuple(Spot(id=disk.id, bay=disk.bay) for disk, _, _ in warm),
    )  # fmt: skip


def _limit(disk: Disk, known: Evidence) -> int | None:
    one = known.disks.get(disk.id)
    return one.reading.hottest_celsius if one and one.reading else None


def _place(disk: Disk) -> str:
    return f"Bay {disk.bay}" if disk.bay else disk.model
