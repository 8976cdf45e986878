"""What the doctor finds, what it found well, and what it could not examine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Literal

import msgspec

from alerts.evidence import Acknowledged, Evidence
from alerts.remedy import Remedy
from host.inventory import Disk, Inventory, Pool

Severity = Literal["critical", "warning", "advice"]
RANKS: dict[Severity, int] = {"critical": 0, "warning": 1, "advice": 2}


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What a finding is about. `id` never changes: a guid, a serial, a dataset's name, or `machine`."""

    kind: Literal["machine", "pool", "vdev", "disk", "dataset"]
    id: str
    name: str
    pool: str | None = None
    bay: str | None = None
    disk: str | None = None  # Disk.id, where there is one to light up


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of evidence: what was checked, and what it said."""

    name: str
    value: str


class DoctorFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong: why it matters and what happens if it is left, the evidence, what mends it.

    `fix` names an operation with its request, ready to be planned, a page, or exact commands.
    """

    code: str  # for scripts: kebab-case, stable
    severity: Severity
    subject: Subject
    title: str
    why: str
    evidence: tuple[Figure, ...] = ()
    fix: tuple[Remedy, ...] = ()
    needs_note: bool = False  # acknowledging it takes words: where the copy is, why it must be so
    for_good: bool = False  # it may be acknowledged without an end: only new hardware changes it
    acknowledged: Acknowledged | None = None


class Unexamined(msgspec.Struct, frozen=True, kw_only=True):
    """What a check would have to know and does not."""

    words: str


class Patient(msgspec.Struct, frozen=True, kw_only=True):
    """All that checks read. `at` is the time of the inventory."""

    inventory: Inventory
    memory: Evidence
    at: datetime

    @property
    def pools(self) -> tuple[Pool, ...]:
        """Pools that answer: what a suspended one reports cannot be relied on."""
        return tuple(pool for pool in self.inventory.pools if not pool.suspended)


Examine = Callable[[Patient], Iterable[DoctorFinding | Unexamined]]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is examined. `passed` says in words that it is as it should be."""

    code: str
    passed: str
    examine: Examine


MACHINE = Subject(kind="machine", id="machine", name="this machine")


def of_pool(pool: Pool) -> Subject:
    """The pool as a subject."""
    return Subject(kind="pool", id=pool.guid, name=pool.name, pool=pool.name)


def of_disk(disk: Disk, pool: str | None = None) -> Subject:
    """A disk as a subject: by its serial, since links come and go."""
    name = f"bay {disk.bay}" if disk.bay else disk.serial or disk.id
    return Subject(kind="disk", id=disk.serial or disk.id, name=name, pool=pool, bay=disk.bay, disk=disk.id)


def figure(name: str, value: object) -> Figure:
    """A piece of evidence."""
    return Figure(name=name, value=str(value))
