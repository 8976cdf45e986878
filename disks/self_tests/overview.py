"""When each disk tested itself last, when it will next, and what it waits for: for the page and the API."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from disks.records import iso
from disks.self_tests import stored
from disks.self_tests.rules import EARLY_DAYS, Candidate, age_days, due, obstacle, overdue, within
from disks.self_tests.settings import KINDS, DiskSchedule, Kind, SelfTestSettings
from disks.self_tests.state import Standing, standings
from host.inventory import Disk, Inventory
from jobs.schedules.zone import usual_zone
from jobs.wording import capital

_LATER = "It begins when the hours for self-tests come."
_TURN = "It begins when its turn comes."


class SelfTestState(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of test of a disk. `every_days` null: never. `last` null: none is known. `next` is when it is
    due; null where it is due now, and `waits` says why it has not begun."""

    every_days: int | None
    last: str | None  # ISO 8601, UTC
    next: str | None
    overdue: bool  # older than it may ever be
    waits: str


class DiskTests(msgspec.Struct, frozen=True, kw_only=True):
    """A disk with its self-tests. `has_self_tests` null: it does not say, and none are scheduled."""

    disk: str
    serial: str | None
    bay: str | None
    has_self_tests: bool | None
    running: bool
    schedule: DiskSchedule
    short: SelfTestState
    long: SelfTestState


def overview(inventory: Inventory, now: datetime) -> tuple[DiskTests, ...]:
    """All disks that are here."""
    settings, zone = stored.settings(), usual_zone(inventory)
    open_now = within(settings, now, zone)
    return tuple(_of(one, settings, now, open_now=open_now) for one in standings(inventory, now))


def of_disk(disk: Disk, inventory: Inventory, now: datetime) -> DiskTests | None:
    """One of them; None for a disk that is not known yet."""
    return next((one for one in overview(inventory, now) if one.disk == disk.id), None)


def overdue_tests(inventory: Inventory, now: datetime) -> tuple[tuple[str, Kind, int | None, str], ...]:
    """Disks with a test that is older than it may ever be, its days, and what it waits for. Nothing where
    the tests of this machine are switched off."""
    settings = stored.settings()
    return tuple(
        (
            one.disk.id,
            kind,
            _whole(age_days(one.tested, kind, now)),
            obstacle(one.tested, kind, settings, now) or _TURN,
        )
        for one in standings(inventory, now)
        for kind in KINDS
        if overdue(one.tested, kind, settings, now)
    )


def _whole(age: float | None) -> int | None:
    return None if age is None else int(age)


def _of(one: Standing, settings: SelfTestSettings, now: datetime, *, open_now: bool) -> DiskTests:
    short, long = (_state(one.tested, kind, settings, now, open_now=open_now) for kind in KINDS)
    return DiskTests(
        disk=one.disk.id, serial=one.disk.serial, bay=one.disk.bay, has_self_tests=one.tested.offers,
        running=one.tested.testing, schedule=one.tested.schedule, short=short, long=long,
    )  # fmt: skip


def _state(
    disk: Candidate, kind: Kind, settings: SelfTestSettings, now: datetime, *, open_now: bool
) -> SelfTestState:
    days = disk.schedule.days(kind, settings) if disk.offers else None
    last, age = disk.last.get(kind), age_days(disk, kind, now)
    is_due = due(disk, kind, settings, now)
    coming = None if days is None or age is None or is_due else now + timedelta(days=days - EARLY_DAYS - age)
    waits = ""
    if is_due:
        waits = obstacle(disk, kind, settings, now) or (_TURN if open_now else _LATER)
    return SelfTestState(
        every_days=days, last=iso(last) if last else None, next=iso(coming) if coming else None,
        overdue=overdue(disk, kind, settings, now), waits=capital(waits),
    )  # fmt: skip
