"""Which locate lights are on, which were asked for, and what went wrong with the last of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
from django.db.models import Q

from host.commands.units import unit_serial
from host.inventory import Disk, Inventory
from jobs.models import ACTIVE, Job, State
from jobs.operation import title_of

_FAILURE_SHOWN_S = 30  # for so long a light that failed is told about


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A disk as far as a button that locates it must know it."""

    id: str
    bay: str | None


class LightsView(msgspec.Struct, frozen=True, kw_only=True):
    """The lights of the whole machine, as every page shows them."""

    on: tuple[Disk, ...] = ()
    asked: tuple[str, ...] = ()
    problem: str = ""

    @property
    def mark(self) -> str:
        """Differs when there is something else to show."""
        on = ".".join(f"{disk.id}~{disk.located_until or ''}" for disk in self.on)
        return f"{on}:{len(self.asked)}:{self.problem[:40]}"


def lights(inventory: Inventory | None) -> LightsView:
    """What shines now, by the newest look at the machine and by the jobs that are on their way."""
    recent = datetime.now(UTC) - timedelta(seconds=_FAILURE_SHOWN_S)
    # Asked for at once: each page shows this, and a second query takes longer than to tell them apart.
    known = Q(state__in=ACTIVE) | Q(finished_at__gte=recent)
    jobs = list(Job.objects.filter(known, operation="disk.locate").defer("plan"))  # the newest first
    active = [job for job in jobs if job.state in ACTIVE]
    asked = tuple(title_of(job.operation, job.request) for job in active[:-5:-1])
    last = next((job for job in jobs if job.state not in ACTIVE), None)
    problem = ""
    if last is not None and last.state != State.SUCCEEDED:
        detail = (last.error or {}).get("detail", last.state)
        problem = f"{title_of(last.operation, last.request)}: {detail}"
    lit = lit_disks(inventory) if inventory else frozenset()
    on = tuple(disk for disk in inventory.disks if disk.id in lit) if inventory else ()
    return LightsView(on=on, asked=asked, problem=problem)


def lit_disks(inventory: Inventory) -> frozenset[str]:
    """The ids of disks that are shown by a light: their slot's own, or their activity light that blinks."""
    blinking: set[str | None] = {
        unit.serial for unit in inventory.units if unit.kind == "blink" and unit.state == "running"
    }
    slots = {
        slot.hctl
        for enclosure in inventory.enclosures
        for slot in enclosure.slots
        if slot.locating and slot.hctl
    }
    return frozenset(disk.id for disk in inventory.disks if _lit(disk, blinking, slots))


def _lit(disk: Disk, blinking: set[str | None], slots: set[str]) -> bool:
    if disk.led is not None and disk.located_until is not None:
        return True  # what ledctl lit is known from being asked for: its own word is minutes old
    return unit_serial(disk.serial) in blinking or (disk.hctl is not None and disk.hctl in slots)
